#include "lowering/place_slots.hpp"

#include <algorithm>

namespace hel::lowering {
namespace {

using namespace ir;
using Set = std::vector<bool>;

class Placement {
 public:
  explicit Placement(Function& f) : fn_(f) {}

  void run() {
    drop_unreachable();
    live_in_.assign(fn_.blocks.size(), Set(fn_.slots.size()));
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = fn_.blocks.size(); i-- > 0;) {
        Set in = transfer(static_cast<BlockId>(i));
        if (in != live_in_[i]) {
          live_in_[i] = std::move(in);
          changed = true;
        }
      }
    }
    // Parameters and captures are made by the ramp; the initial awaiter lives across the first suspension.
    for (Slot& s : fn_.slots)
      if (s.origin == Origin::parameter || s.origin == Origin::capture) keep(s, s.origin == Origin::parameter ? "parameter" : "captured variable");
    entry_live_ = fn_.blocks.empty() ? Set() : live_in_[fn_.entry];
    for (std::size_t i = 0; i < fn_.slots.size(); ++i) {
      Slot& s = fn_.slots[i];
      if (!entry_live_[i] || !needs_storage(s)) continue;
      keep(s, "alive at the initial suspension point");
      fn_.initial.live.insert(static_cast<SlotId>(i));
    }
    for (Block& b : fn_.blocks) {
      if (b.term.exit != Exit::await) continue;
      Await& a = b.term.await;
      const CleanupId top = top_at_end(b);
      Set live = live_in_[b.term.to[0]];
      destroy_uses(top, live);
      for (std::size_t i = 0; i < live.size(); ++i) {
        if (!live[i]) continue;
        Slot& s = fn_.slots[i];
        if (!needs_storage(s)) continue;
        keep(s, "alive across the suspension at line " + std::to_string(b.term.where.line));
        a.live.insert(static_cast<SlotId>(i));
      }
    }
  }

 private:
  static void keep(Slot& s, std::string why) {
    if (s.storage == Storage::frame) return;
    s.storage = Storage::frame;
    s.why = std::move(why);
  }

  static bool needs_storage(const Slot& s) { return !(s.empty && s.trivial && s.origin != Origin::local); }

  void drop_unreachable() {
    std::vector<bool> seen(fn_.blocks.size());
    std::vector<BlockId> work{fn_.entry, fn_.final};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (seen[b]) continue;
      seen[b] = true;
      for (BlockId t : fn_.blocks[b].term.to) work.push_back(t);
      for (const Instr& i : fn_.blocks[b].instrs) {
        for (BlockId t : i.exits) work.push_back(t);
        if (i.op == Op::push && fn_.cleanups[i.cleanup].handler != none) work.push_back(fn_.handlers[fn_.cleanups[i.cleanup].handler].block);
      }
    }
    for (std::size_t b = 0; b < fn_.blocks.size(); ++b)
      if (!seen[b]) fn_.blocks[b] = Block{};
  }

  static CleanupId after(const Instr& i, CleanupId top, const Function& f) {
    if (i.op == Op::push || i.op == Op::drop) return i.cleanup;
    if (i.op == Op::pop && i.init != Init::assign) return f.cleanups[i.cleanup].parent;
    return top;
  }
  static CleanupId top_at_end(const Block& b, const Function& f) {
    CleanupId top = b.entry;
    for (const Instr& i : b.instrs) top = after(i, top, f);
    return top;
  }
  CleanupId top_at_end(const Block& b) const { return top_at_end(b, fn_); }

  void destroy_uses(CleanupId top, Set& live) const {
    for (CleanupId c = top; c != none; c = fn_.cleanups[c].parent) {
      if (fn_.cleanups[c].slot != none) live[fn_.cleanups[c].slot] = true;
      if (fn_.cleanups[c].flag != none) live[fn_.cleanups[c].flag] = true;
    }
  }

  void use(const Text& t, Set& live) const {
    for (SlotId s : slots_of(t)) live[s] = true;
  }

  // What the handlers need that an exception may lead to while `top` is current.
  void handlers_use(CleanupId top, Set& live) const {
    if (fn_.handlers.empty()) return;
    for (CleanupId c = top; c != none; c = fn_.cleanups[c].parent)
      if (fn_.cleanups[c].handler != none) merge(live_in_[fn_.handlers[fn_.cleanups[c].handler].block], live);
  }

  static void merge(const Set& from, Set& into) {
    for (std::size_t i = 0; i < into.size(); ++i)
      if (from[i]) into[i] = true;
  }

  Set transfer(BlockId id) const {
    const Block& b = fn_.blocks[id];
    Set live(fn_.slots.size());
    std::vector<CleanupId> tops{b.entry};  // before each instruction
    for (const Instr& i : b.instrs) tops.push_back(after(i, tops.back(), fn_));
    handlers_use(tops.back(), live);
    for (BlockId t : b.term.to) merge(live_in_[t], live);
    use(b.term.text, live);
    if (b.term.exit == Exit::await) {
      use(b.term.await.awaiter, live);
      destroy_uses(top_at_end(b), live);
    }
    for (std::size_t n = b.instrs.size(); n-- > 0;) {
      const Instr& i = b.instrs[n];
      for (BlockId t : i.exits) merge(live_in_[t], live);
      if (i.op == Op::build && i.place.empty()) live[i.slot] = fn_.slots[i.slot].early;
      if (i.op == Op::flag) live[i.slot] = false;
      if (i.op == Op::build && !i.place.empty()) live[i.slot] = true;
      if (i.op == Op::begin) live[i.slot] = false;
      if (i.op == Op::pop && i.slot != none) {
        live[i.slot] = true;
        if (fn_.cleanups[i.cleanup].flag != none) live[fn_.cleanups[i.cleanup].flag] = true;
      }
      use(i.text, live);
      use(i.place, live);
      handlers_use(tops[n], live);
    }
    return live;
  }

  Function& fn_;
  std::vector<Set> live_in_;
  Set entry_live_;
};

}  // namespace

void place_slots(Function& f) { Placement(f).run(); }

}  // namespace hel::lowering
