#include "lowering/ir/verify.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace hel::lowering::ir {
namespace {

using Object = std::pair<SlotId, Text>;  // a slot, or a part of it

struct State {
  CleanupId top = none;
  std::set<Object> built;    // those with a destructor
  std::set<Object> pending;  // built, to be covered next
  std::set<Object> parts;    // built, of a slot that is not whole yet
  bool operator==(const State&) const = default;
};

class Verifier {
 public:
  explicit Verifier(const Function& f) : fn_(f) {}

  std::vector<std::string> run() {
    State start;
    start.top = fn_.blocks[fn_.entry].entry;
    for (const Instr& i : fn_.initial.objects)
      if (!fn_.slots[i.slot].trivial) start.built.insert({i.slot, Text()});
    reach(fn_.entry, start, fn_.entry);
    State at_end;
    reach(fn_.final, at_end, fn_.final);  // also reached after an exception, with nothing alive
    while (!work_.empty() && errors_.size() < 20) {
      const BlockId b = work_.back();
      work_.pop_back();
      block(b, *in_[b]);
    }
    return errors_;
  }

 private:
  void fail(BlockId b, std::string what) { errors_.push_back("block " + std::to_string(b) + ": " + std::move(what)); }

  std::string name(const Object& o) const { return fn_.slots[o.first].name + (o.second.empty() ? "" : " (a part)"); }
  bool tracked(const Cleanup& c) const {
    return c.slot != none && c.flag == none && (!c.place.empty() || !fn_.slots[c.slot].trivial);
  }
  static Object object(const Cleanup& c) { return {c.slot, c.place}; }

  void reach(BlockId to, const State& s, BlockId from) {
    if (s.top != fn_.blocks[to].entry)
      fail(from, "another cleanup is current at the entry of block " + std::to_string(to));
    if (!in_[to]) {
      in_[to] = s;
      work_.push_back(to);
    } else if (!(*in_[to] == s)) {
      fail(from, "different objects are alive at the entry of block " + std::to_string(to));
    }
  }

  // Where an exception may come, what is built must be covered.
  void may_throw(BlockId b, const State& s) {
    for (const Object& o : s.pending) fail(b, name(o) + " is built, but nothing covers it yet");
  }

  // Everything with a destructor that is alive must be covered by the stack, and the other way round.
  void covered(BlockId b, const State& s) {
    std::set<Object> stack;
    for (CleanupId c = s.top; c != none; c = fn_.cleanups[c].parent)
      if (tracked(fn_.cleanups[c])) stack.insert(object(fn_.cleanups[c]));
    for (const Object& o : s.built)
      if (!stack.count(o)) fail(b, "destroy() while suspended would leak " + name(o));
    for (const Object& o : stack)
      if (!s.built.count(o)) fail(b, "destroy() while suspended would destroy " + name(o) + ", which is not built");
  }

  void block(BlockId id, State s) {
    const Block& b = fn_.blocks[id];
    for (const Instr& i : b.instrs) step(id, i, s);
    const Terminator& t = b.term;
    if (t.exit == Exit::await) covered(id, s);
    if (t.exit != Exit::jump && t.exit != Exit::dead) may_throw(id, s);
    if (t.exit == Exit::destroy && (!s.built.empty() || s.top != none)) fail(id, "objects alive when the frame goes");
    for (BlockId to : t.to) reach(to, s, id);
  }

  void step(BlockId id, const Instr& i, State& s) {
    switch (i.op) {
    case Op::build: {
      const Object o{i.slot, i.place};
      may_throw(id, s);
      if (s.built.count(o) || s.pending.count(o)) fail(id, name(o) + " is built while alive");
      if (!i.place.empty())
        s.parts.insert(o);
      else if (!fn_.slots[i.slot].trivial)
        s.pending.insert(o);
      break;
    }
    case Op::push: {
      const Cleanup& c = fn_.cleanups[i.cleanup];
      if (c.parent != s.top) fail(id, "push onto a cleanup that is not current");
      if (c.handler != none) reach(fn_.handlers[c.handler].block, s, id);
      s.top = i.cleanup;
      if (c.slot == none || !c.code.empty()) break;
      const Object o = object(c);
      const bool whole = c.place.empty();
      // Whole objects are built as such or from parts; a part was built, or is made of smaller ones.
      const bool made = s.pending.erase(o) || std::any_of(s.parts.begin(), s.parts.end(), [&](const Object& p) {
                          return p.first == o.first && (whole || p.second.find(o.second) != Text::npos);
                        });
      if ((!whole || !fn_.slots[c.slot].trivial) && !made) fail(id, name(o) + " is covered, but not built");
      if (whole) std::erase_if(s.parts, [&](const Object& p) { return p.first == o.first; });
      if (tracked(c)) s.built.insert(o);
      break;
    }
    case Op::pop: {
      const Cleanup& c = fn_.cleanups[i.cleanup];
      const bool beneath = i.init == Init::assign;
      may_throw(id, s);
      if (!beneath && s.top != i.cleanup) fail(id, "pop of a cleanup that is not current");
      if (!beneath) s.top = c.parent;
      if (tracked(c) && !s.built.erase(object(c))) fail(id, name(object(c)) + " is destroyed but not alive");
      break;
    }
    case Op::drop: {
      // Parts that became a whole are no longer objects of their own.
      std::set<CleanupId> kept;
      for (CleanupId c = i.cleanup; c != none; c = fn_.cleanups[c].parent) kept.insert(c);
      for (CleanupId c = s.top; c != none && !kept.count(c); c = fn_.cleanups[c].parent)
        if (!fn_.cleanups[c].place.empty()) s.built.erase(object(fn_.cleanups[c]));
      s.top = i.cleanup;
      break;
    }
    case Op::statement:
      may_throw(id, s);
      for (BlockId to : i.exits) reach(to, s, id);
      break;
    case Op::eval: may_throw(id, s); break;
    case Op::begin: std::erase_if(s.parts, [&](const Object& p) { return p.first == i.slot; }); break;
    case Op::flag: break;
    }
  }

  const Function& fn_;
  std::map<BlockId, std::optional<State>> in_;
  std::vector<BlockId> work_;
  std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> verify_objects(const Function& f) { return Verifier(f).run(); }

std::vector<std::string> verify(const Function& f, Stage stage) {
  std::vector<std::string> errors = verify_form(f);
  if (!errors.empty()) return errors;
  errors = verify_objects(f);
  if (errors.empty()) errors = verify_values(f, stage);
  return errors;
}

}  // namespace hel::lowering::ir
