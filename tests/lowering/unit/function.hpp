// A small Function by hand: an initial awaiter, a body to be filled in, and a final awaiter.
#pragma once

#include <string>
#include <utility>

#include "lowering/ir/builder.hpp"
#include "lowering/ir/ir.hpp"

namespace hel::lowering {

struct TestFunction {
  ir::Function f;
  ir::Builder b{f};
  ir::BlockId final = ir::none;

  TestFunction() {
    f.name = "test";
    f.promise_type = "promise";
    f.return_type = "job";
    f.initial.slot = slot("start", "awaiter", ir::Origin::awaiter, true, 1);
    f.slots[f.initial.slot].empty = true;
    ir::Instr made = instr(ir::Op::build, f.initial.slot, "awaiter()");
    made.init = ir::Init::direct;
    f.initial.objects.push_back(std::move(made));
    f.entry = b.new_block();
    final = f.final = b.new_block();
    b.enter(f.entry, ir::none);
  }

  ir::SlotId slot(std::string name, std::string type, ir::Origin origin = ir::Origin::local, bool trivial = false,
                  std::uint64_t size = 8, std::uint64_t align = 0) {
    ir::Slot s;
    s.name = s.spelling = std::move(name);
    s.type = s.display = std::move(type);
    s.origin = origin;
    s.trivial = trivial;
    s.size = size;
    s.align = align ? align : size > 8 ? 8 : size;
    return b.new_slot(std::move(s));
  }
  ir::SlotId scalar(std::string name) {
    const ir::SlotId s = slot(std::move(name), "int", ir::Origin::local, true, 4);
    f.slots[s].form = ir::Form::scalar;
    return s;
  }
  static ir::Instr instr(ir::Op op, ir::SlotId s = ir::none, ir::Text text = {}) {
    ir::Instr i;
    i.op = op;
    i.slot = s;
    i.text = std::move(text);
    return i;
  }
  void build(ir::SlotId s, ir::Text text = "1", ir::Init init = ir::Init::direct) {
    ir::Instr i = instr(ir::Op::build, s, std::move(text));
    i.init = init;
    b.emit(std::move(i));
  }
  void eval(ir::Text text) { b.emit(instr(ir::Op::eval, ir::none, std::move(text))); }
  ir::CleanupId push(ir::SlotId s) {
    ir::Cleanup c;
    c.slot = s;
    b.push(std::move(c));
    return b.top();
  }
  // An object of the scope: built, then covered.
  ir::SlotId object(std::string name) {
    const ir::SlotId s = slot(std::move(name), "object");
    build(s);
    push(s);
    return s;
  }
  // Suspends; goes on in a new block, which it returns.
  ir::BlockId suspend(ir::Text awaiter = "w", ir::AwaitKind kind = ir::AwaitKind::await) {
    const ir::BlockId next = b.new_block();
    const ir::CleanupId top = b.top();
    ir::Terminator t;
    t.exit = ir::Exit::await;
    t.to = {next};
    t.await.kind = kind;
    t.await.awaiter = std::move(awaiter);
    t.await.index = f.suspensions++;
    t.where = {static_cast<unsigned>(f.suspensions), 1};
    b.terminate(std::move(t));
    b.enter(next, top);
    return next;
  }
  // Flows off the end of the body and fills in the final suspension.
  ir::Function& finish() {
    b.pop_to(ir::none);
    if (b.reachable()) b.leave(final, ir::none);
    b.enter(final, ir::none);
    suspend("w", ir::AwaitKind::final);
    ir::Terminator t;
    t.exit = ir::Exit::destroy;
    b.terminate(std::move(t));
    return f;
  }
};

}  // namespace hel::lowering
