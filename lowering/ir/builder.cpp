#include "lowering/ir/builder.hpp"

#include <utility>

namespace hel::lowering::ir {

BlockId Builder::new_block() {
  fn_.blocks.emplace_back();
  return static_cast<BlockId>(fn_.blocks.size() - 1);
}

void Builder::enter(BlockId b, CleanupId top) {
  block_ = b;
  top_ = top;
  fn_.blocks[b].entry = top;
}

void Builder::fall_into(BlockId b) {
  const CleanupId top = top_;
  if (reachable()) terminate({.exit = Exit::jump, .text = {}, .to = {b}, .labels = {}, .await = {}, .where = where});
  enter(b, top);
}

SlotId Builder::new_slot(Slot s) {
  s.region = region_;
  if (!s.where.line) s.where = where;
  fn_.slots.push_back(std::move(s));
  return static_cast<SlotId>(fn_.slots.size() - 1);
}

std::uint32_t Builder::open_region() {
  fn_.regions.push_back({region_});
  return region_ = static_cast<std::uint32_t>(fn_.regions.size() - 1);
}

void Builder::close_region() { region_ = fn_.regions[region_].parent; }

void Builder::emit(Instr i) {
  if (!reachable()) enter(new_block(), top_);  // code after a jump: kept, found unreachable later
  if (!i.where.line) i.where = where;
  block().instrs.push_back(std::move(i));
}

void Builder::push(Cleanup c) {
  c.parent = top_;
  fn_.cleanups.push_back(std::move(c));
  top_ = static_cast<CleanupId>(fn_.cleanups.size() - 1);
  Instr i;
  i.op = Op::push;
  i.cleanup = top_;
  emit(std::move(i));
}

void Builder::run_to(std::vector<Instr>& out, CleanupId from, CleanupId depth) {
  for (CleanupId c = from; c != depth; c = fn_.cleanups[c].parent) {
    Instr i;
    i.op = Op::pop;
    i.cleanup = c;
    i.slot = fn_.cleanups[c].slot;
    i.where = where;
    out.push_back(std::move(i));
  }
}

void Builder::pop_to(CleanupId depth) {
  if (reachable()) run_to(block().instrs, top_, depth);
  top_ = depth;
}

void Builder::drop_to(CleanupId depth) {
  top_ = depth;
  if (!reachable()) return;
  Instr i;
  i.op = Op::drop;
  i.cleanup = depth;
  emit(std::move(i));
}

void Builder::settle(CleanupId depth, const std::vector<CleanupId>& temporaries, const std::vector<Cleanup>& kept) {
  const auto stack = [&](auto first, auto last) {
    CleanupId top = depth;
    const auto put = [&](Cleanup c) {
      c.parent = top;
      fn_.cleanups.push_back(std::move(c));
      top = static_cast<CleanupId>(fn_.cleanups.size() - 1);
    };
    for (; first != last; ++first) put(Cleanup(fn_.cleanups[*first]));
    for (const Cleanup& c : kept) put(c);
    return top;
  };
  const auto current = [&](CleanupId c) {
    top_ = c;
    Instr set;
    set.op = Op::drop;
    set.cleanup = c;
    emit(std::move(set));
  };
  // The kept ones on top of the temporaries that are left, one temporary fewer each time.
  for (std::size_t n = 0; n < temporaries.size(); ++n) {
    const CleanupId doomed = temporaries[n];
    current(stack(temporaries.rbegin(), temporaries.rend() - static_cast<std::ptrdiff_t>(n + 1)));
    Instr run;
    run.op = Op::pop;
    run.cleanup = doomed;
    run.slot = fn_.cleanups[doomed].slot;
    run.init = Init::assign;  // what is current does not change
    emit(std::move(run));
  }
}

void Builder::resume_at(BlockId b, CleanupId top) {
  block_ = b;
  top_ = top;
}

void Builder::merge(CleanupId depth, const std::vector<Cleanup>& kept) {
  CleanupId top = depth;
  for (Cleanup c : kept) {
    c.parent = top;
    fn_.cleanups.push_back(std::move(c));
    top = static_cast<CleanupId>(fn_.cleanups.size() - 1);
  }
  drop_to(top);
}

void Builder::leave(BlockId target, CleanupId depth, SourceLine at) {
  if (!reachable()) return;
  run_to(block().instrs, top_, depth);
  terminate({.exit = Exit::jump, .text = {}, .to = {target}, .labels = {}, .await = {}, .where = at});
}

BlockId Builder::exit_block(BlockId target, CleanupId depth) {
  const BlockId b = new_block();
  fn_.blocks[b].entry = top_;
  run_to(fn_.blocks[b].instrs, top_, depth);
  fn_.blocks[b].term = {.exit = Exit::jump, .text = {}, .to = {target}, .labels = {}, .await = {}, .where = where};
  return b;
}

void Builder::terminate(Terminator t) {
  if (!reachable()) return;
  if (!t.where.line) t.where = where;
  block().term = std::move(t);
  block_ = none;
}

void Builder::branch(Text condition, BlockId yes, BlockId no, SourceLine at) {
  terminate({.exit = Exit::branch,
             .text = std::move(condition),
             .to = {yes, no},
             .labels = {},
             .await = {},
             .where = at});
}

}  // namespace hel::lowering::ir
