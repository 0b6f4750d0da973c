#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "lowering/ir/verify.hpp"

namespace hel::lowering::ir {
namespace {

class FormCheck {
 public:
  explicit FormCheck(const Function& f) : fn_(f) {}

  std::vector<std::string> run() {
    if (fn_.blocks.empty()) return {"no blocks"};
    block(fn_.entry, "the entry");
    block(fn_.final, "the final suspension");
    for (std::size_t i = 0; i < fn_.slots.size(); ++i) slot(fn_.slots[i], i);
    for (std::size_t i = 0; i < fn_.regions.size(); ++i)
      if (fn_.regions[i].parent != none && fn_.regions[i].parent >= i)
        fail("region " + std::to_string(i) + " is in one that is not older");
    for (std::size_t i = 0; i < fn_.cleanups.size(); ++i) cleanup(fn_.cleanups[i], "c" + std::to_string(i), i);
    for (std::size_t i = 0; i < fn_.handlers.size(); ++i) handler(fn_.handlers[i], i);
    for (const Instr& i : fn_.initial.objects) instr(i, "the initial suspension");
    slot(fn_.initial.slot, "the initial suspension");
    for (SlotId s : fn_.initial.live) slot(s, "the initial suspension");
    for (std::size_t i = 0; i < fn_.blocks.size(); ++i) block(fn_.blocks[i], "block " + std::to_string(i));
    return std::move(errors_);
  }

 private:
  void fail(std::string what) {
    if (errors_.size() < 20) errors_.push_back(std::move(what));
  }
  void slot(SlotId s, const std::string& where) {
    if (s >= fn_.slots.size()) fail(where + ": no such slot");
  }
  void cleanup(CleanupId c, const std::string& where) {
    if (c != none && c >= fn_.cleanups.size()) fail(where + ": no such cleanup");
  }
  void block(BlockId b, const std::string& where) {
    if (b >= fn_.blocks.size()) fail(where + ": edge to a missing block");
  }
  void text(const Text& t, const std::string& where, std::size_t exits = 0) {
    scan(
        t, [](std::string_view) {},
        [&](Mark k, std::uint32_t n) {
          if ((k == Mark::slot || k == Mark::name || k == Mark::type) && n >= fn_.slots.size())
            fail(where + ": a text names no slot");
          if (k == Mark::exit && n >= exits) fail(where + ": a text jumps to no exit");
        });
  }

  void slot(const Slot& s, std::size_t number) {
    if (s.region >= fn_.regions.size()) fail(s.name + " is in no region");
    if (s.align == 0) fail(s.name + " has no alignment");
    const auto [first, fresh] = names_.try_emplace(s.name, number);
    if (!fresh) fail("two slots are called " + s.name);
    if (s.form != Form::object && !s.trivial) fail(s.name + " is no object, but is destroyed");
  }

  void cleanup(const Cleanup& c, const std::string& name, std::size_t number) {
    if (c.parent != none && c.parent >= number) fail(name + " is on one that is not older");
    if (c.handler != none) {
      if (c.handler >= fn_.handlers.size()) fail(name + ": no such handler");
      if (c.slot != none || c.flag != none) fail(name + " is a try block and an object");
      return;
    }
    slot(c.slot, name);
    text(c.place, name);
    text(c.code, name);
    if (c.flag == none) return;
    slot(c.flag, name);
    if (c.flag < fn_.slots.size() && fn_.slots[c.flag].origin != Origin::flag)
      fail(name + " is under a flag that is none");
  }

  void handler(const Handler& h, std::size_t number) {
    const std::string name = "h" + std::to_string(number);
    if (h.node >= fn_.cleanups.size()) return fail(name + ": no such cleanup");
    block(h.block, name);
    if (fn_.cleanups[h.node].handler != number) fail(name + " belongs to a cleanup of something else");
    if (h.block >= fn_.blocks.size()) return;
    const Block& b = fn_.blocks[h.block];
    const bool reached = !b.instrs.empty() || b.term.exit != Exit::dead;  // otherwise it was emptied
    if (reached && (b.instrs.size() != 1 || b.instrs[0].op != Op::statement)) fail(name + " is not one statement");
    if (reached && b.entry != fn_.cleanups[h.node].parent) fail(name + " is not entered from outside of its try block");
  }

  void instr(const Instr& i, const std::string& where) {
    const bool names_slot = i.op == Op::build || i.op == Op::begin || i.op == Op::flag;
    if (names_slot) slot(i.slot, where);
    const bool names_cleanup = i.op == Op::push || i.op == Op::pop;
    if (names_cleanup && i.cleanup == none) return fail(where + ": no such cleanup");
    if (names_cleanup || i.op == Op::drop) cleanup(i.cleanup, where);
    text(i.text, where, i.exits.size());
    text(i.place, where);
    text(i.type, where);
    for (BlockId b : i.exits) block(b, where);
    if (!i.exits.empty() && i.op != Op::statement) fail(where + ": an exit that is not a statement's");
    if (!errors_.empty()) return;
    if (i.op == Op::pop && i.slot != fn_.cleanups[i.cleanup].slot)
      fail(where + ": a pop of another slot than its cleanup's");
    if (i.op == Op::flag && fn_.slots[i.slot].origin != Origin::flag) fail(where + ": a flag that is not one is set");
    if (i.op == Op::flag && i.text != "true" && i.text != "false") fail(where + ": a flag is set to '" + i.text + "'");
    if (i.op == Op::build && i.place.empty()) {
      const bool reference = fn_.slots[i.slot].form == Form::reference;
      if (reference && i.init != Init::bind)
        fail(where + ": the reference " + fn_.slots[i.slot].name + " is not bound");
    }
  }

  void block(const Block& b, const std::string& where) {
    cleanup(b.entry, where);
    for (const Instr& i : b.instrs) instr(i, where);
    const Terminator& t = b.term;
    for (BlockId to : t.to) block(to, where);
    text(t.text, where);
    for (const Text& l : t.labels) text(l, where);
    const auto ways = [&](std::size_t n) {
      if (t.to.size() != n)
        fail(where + " ends in " + std::to_string(t.to.size()) + " ways instead of " + std::to_string(n));
    };
    switch (t.exit) {
    case Exit::jump: return ways(1);
    case Exit::branch: return ways(2);
    case Exit::select:
      if (t.labels.size() != t.to.size() || t.to.empty())
        fail(where + ": a switch with more labels than ways, or fewer");
      if (std::count(t.labels.begin(), t.labels.end(), Text()) != 1) fail(where + ": a switch without one default");
      return;
    case Exit::await: return ways(1), await(t.await, where);
    case Exit::destroy:
    case Exit::dead: return ways(0);
    }
  }

  void await(const Await& a, const std::string& where) {
    text(a.awaiter, where);
    for (SlotId s : a.live) slot(s, where);
    if (a.index == 0 || a.index >= fn_.suspensions) fail(where + ": a suspension index that does not exist");
    if (!indices_.insert(a.index).second) fail(where + ": two suspensions with index " + std::to_string(a.index));
    if (a.kind == AwaitKind::initial) fail(where + ": the initial suspension is the ramp's");
    if (a.suspends == Suspends::release && a.kind != AwaitKind::final)
      fail(where + ": only the final awaiter can take the frame");
  }

  const Function& fn_;
  std::map<std::string, std::size_t> names_;
  std::set<std::uint32_t> indices_;
  std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> verify_form(const Function& f) { return FormCheck(f).run(); }

}  // namespace hel::lowering::ir
