#include <string>
#include <utility>

#include "lowering/ir/verify.hpp"

namespace hel::lowering::ir {
namespace {

// What is built on every path: forwards, what all ways into a block agree on.
class Values {
 public:
  Values(const Function& f, Stage stage)
      : fn_(f), placed_(stage == Stage::placed), in_(f.blocks.size()), reached_(f.blocks.size()) {}

  std::vector<std::string> run() {
    Set start(fn_.slots.size());
    for (const Parameter& p : fn_.parameters) start[p.slot] = true;
    for (const Parameter& p : fn_.captures) start[p.slot] = true;
    for (const Instr& i : fn_.initial.objects) start[i.slot] = true;
    suspend(fn_.entry, fn_.initial.live, start);
    reach(fn_.entry, start);
    reach(fn_.final, Set(fn_.slots.size()));
    while (!work_.empty()) {
      const BlockId b = work_.back();
      work_.pop_back();
      block(b, nullptr);
    }
    for (std::size_t b = 0; b < in_.size(); ++b)
      if (reached_[b]) block(static_cast<BlockId>(b), &errors_);
    if (errors_.size() > 20) errors_.resize(20);
    return std::move(errors_);
  }

 private:
  using Set = std::vector<bool>;

  void reach(BlockId to, const Set& s) {
    Set& in = in_[to];
    if (!reached_[to]) {
      reached_[to] = true;
      in = s;
      return work_.push_back(to);
    }
    bool changed = false;
    for (std::size_t i = 0; i < s.size(); ++i)
      if (in[i] && !s[i]) in[i] = false, changed = true;
    if (changed) work_.push_back(to);
  }

  // After place_slots(): only what is in the frame is still there, scalars and references only if they are read back.
  void suspend(BlockId from, const std::set<SlotId>& live, Set& s, std::vector<std::string>* errors = nullptr) const {
    for (SlotId id : live) {
      const Slot& slot = fn_.slots[id];
      if (errors && !s[id])
        errors->push_back("block " + std::to_string(from) + ": " + slot.name +
                          " is kept across a suspension, but not built on every way there");
      if (errors && placed_ && slot.storage != Storage::frame)
        errors->push_back("block " + std::to_string(from) + ": " + slot.name +
                          " is kept across a suspension, but not in the frame");
    }
    if (!placed_) return;
    for (std::size_t i = 0; i < s.size(); ++i) {
      const Slot& slot = fn_.slots[i];
      const bool stays = slot.empty || (slot.storage == Storage::frame && slot.form == Form::object);
      if (!stays && !live.count(static_cast<SlotId>(i))) s[i] = false;
    }
  }

  // An exception may leave here.
  void raise(CleanupId top, const Set& s) {
    for (CleanupId c = top; c != none; c = fn_.cleanups[c].parent)
      if (fn_.cleanups[c].handler != none) return reach(fn_.handlers[fn_.cleanups[c].handler].block, s);
  }

  // With `errors` for the last time, otherwise to find out what is built.
  void block(BlockId id, std::vector<std::string>* errors) {
    const Block& b = fn_.blocks[id];
    Set s = in_[id];
    CleanupId top = b.entry;
    const auto use = [&](const Text& t, SlotId except = none) {
      if (!errors) return;
      for (SlotId slot : slots_of(t))
        if (slot != except && !s[slot])
          errors->push_back("block " + std::to_string(id) + ": " + fn_.slots[slot].name +
                            " is used, but not built on every way there");
    };
    for (const Instr& i : b.instrs) {
      use(i.text, i.op == Op::build ? i.slot : none);
      use(i.place);
      switch (i.op) {
      case Op::build:
        raise(top, s);
        s[i.slot] = true;
        break;
      case Op::flag:
      case Op::begin: s[i.slot] = true; break;
      case Op::eval:
      case Op::statement:
        raise(top, s);
        for (BlockId x : i.exits) reach(x, s);
        break;
      case Op::push:
      case Op::drop: top = i.cleanup; break;
      case Op::pop: {
        const Cleanup& c = fn_.cleanups[i.cleanup];
        if (i.init != Init::assign) top = c.parent;
        if (c.slot != none) {
          if (errors && !s[c.slot])
            errors->push_back("block " + std::to_string(id) + ": " + fn_.slots[c.slot].name +
                              " goes out of scope, but is not built on every way there");
          if (errors && c.flag != none && !s[c.flag])
            errors->push_back("block " + std::to_string(id) + ": the flag " + fn_.slots[c.flag].name +
                              " is asked, but not set on every way there");
          if (c.place.empty() && c.code.empty()) s[c.slot] = false;
        }
        raise(top, s);
        break;
      }
      }
    }
    const Terminator& t = b.term;
    use(t.text);
    if (t.exit == Exit::await) {
      use(t.await.awaiter);
      raise(top, s);
      Set ready = s;  // nothing is lost then
      suspend(id, t.await.live, s, errors);
      reach(t.to[0], s);
      reach(t.to[0], ready);
      return;
    }
    if (t.exit == Exit::branch || t.exit == Exit::select) raise(top, s);
    for (BlockId to : t.to) reach(to, s);
  }

  const Function& fn_;
  const bool placed_;
  std::vector<Set> in_;
  std::vector<bool> reached_;
  std::vector<BlockId> work_;
  std::vector<std::string> errors_;
};

}  // namespace

std::vector<std::string> verify_values(const Function& f, Stage stage) { return Values(f, stage).run(); }

}  // namespace hel::lowering::ir
