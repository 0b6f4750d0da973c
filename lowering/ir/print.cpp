#include "lowering/ir/print.hpp"

#include <algorithm>

namespace hel::lowering::ir {
namespace {

class Printer {
 public:
  explicit Printer(const Function& f) : fn_(f) {}

  std::string run() {
    out_ += "coroutine " + fn_.name + "\n";
    for (const Slot& s : fn_.slots) slot(s);
    for (std::size_t i = 0; i < fn_.blocks.size(); ++i) block(static_cast<BlockId>(i));
    return std::move(out_);
  }

 private:
  std::string text(const Text& t) const {
    std::string s = render(t, [&](Mark k, std::uint32_t n) -> std::string {
      switch (k) {
      case Mark::slot: return "%" + fn_.slots[n].name;
      case Mark::name: return "%" + fn_.slots[n].name;
      case Mark::type: return "type(%" + fn_.slots[n].name + ")";
      case Mark::exit: return "exit " + std::to_string(n);
      case Mark::frame_type: return "frame";
      case Mark::promise: return "promise";
      case Mark::handle: return "handle";
      case Mark::self: return "self";
      }
      return "?";
    });
    std::replace(s.begin(), s.end(), '\n', ' ');
    return s;
  }

  std::string cleanup(CleanupId c) const { return c == none ? "-" : "c" + std::to_string(c); }

  void slot(const Slot& s) {
    static constexpr const char* origins[] = {"parameter", "local", "temporary", "awaiter", "array", "flag", "capture"};
    static constexpr const char* forms[] = {"object", "scalar", "reference"};
    out_ += "  slot %" + s.name + " : " + (s.display.empty() ? text(s.type) : s.display) + " " +
            origins[static_cast<int>(s.origin)] + " " + forms[static_cast<int>(s.form)] + " region " +
            std::to_string(s.region) + (s.trivial ? "" : " destroyed") + (s.storage == Storage::frame ? " frame" : "") +
            "\n";
  }

  void block(BlockId id) {
    const Block& b = fn_.blocks[id];
    out_ += "b" + std::to_string(id) + ": [" + cleanup(b.entry) + "]";
    if (id == fn_.entry) out_ += " entry";
    if (id == fn_.final) out_ += " final";
    out_ += "\n";
    for (const Instr& i : b.instrs) instr(i);
    terminator(b.term);
  }

  void instr(const Instr& i) {
    out_ += "    ";
    switch (i.op) {
    case Op::build: {
      static constexpr const char* inits[] = {"", "direct ", "list ", "copy ", "bind ", "assign "};
      out_ += "build " + (i.place.empty() ? "%" + fn_.slots[i.slot].name : text(i.place)) + " <- " +
              inits[static_cast<int>(i.init)] + text(i.text);
      break;
    }
    case Op::eval: out_ += "eval " + text(i.text); break;
    case Op::statement:
      out_ += "statement " + text(i.text);
      for (BlockId x : i.exits) out_ += " ->b" + std::to_string(x);
      break;
    case Op::push: {
      const Cleanup& c = fn_.cleanups[i.cleanup];
      out_ += "push " + cleanup(i.cleanup) + " on " + cleanup(c.parent) + " = ";
      if (c.handler != none) {
        out_ += "try, handlers in b" + std::to_string(fn_.handlers[c.handler].block);
        break;
      }
      out_ += "~%" + fn_.slots[c.slot].name;
      if (!c.place.empty()) out_ += " part " + text(c.place);
      if (c.flag != none) out_ += " if %" + fn_.slots[c.flag].name;
      break;
    }
    case Op::pop:
      out_ += (i.init == Init::assign ? "run " : "pop ") + cleanup(i.cleanup);
      if (i.slot != none) out_ += " = ~%" + fn_.slots[i.slot].name;
      break;
    case Op::drop: out_ += "drop to " + cleanup(i.cleanup); break;
    case Op::begin: out_ += "begin %" + fn_.slots[i.slot].name; break;
    case Op::flag: out_ += "flag %" + fn_.slots[i.slot].name + " := " + i.text; break;
    }
    out_ += "\n";
  }

  void terminator(const Terminator& t) {
    out_ += "    ";
    const auto to = [&](std::size_t i) { return "b" + std::to_string(t.to[i]); };
    switch (t.exit) {
    case Exit::jump: out_ += "jump " + to(0); break;
    case Exit::branch: out_ += "branch " + text(t.text) + " ? " + to(0) + " : " + to(1); break;
    case Exit::select:
      out_ += "select " + text(t.text);
      for (std::size_t i = 0; i < t.to.size(); ++i)
        out_ += " [" + (t.labels[i].empty() ? "default" : text(t.labels[i])) + " -> " + to(i) + "]";
      break;
    case Exit::await:
      out_ += "await #" + std::to_string(t.await.index) + " " + text(t.await.awaiter) + " -> " + to(0);
      if (t.await.suspends == Suspends::release) out_ += " release";
      if (!t.await.live.empty()) {
        out_ += " live";
        for (SlotId s : t.await.live) out_ += " %" + fn_.slots[s].name;
      }
      break;
    case Exit::destroy: out_ += "destroy frame"; break;
    case Exit::dead: out_ += "unreachable"; break;
    }
    out_ += "\n";
  }

  const Function& fn_;
  std::string out_;
};

}  // namespace

std::string print(const Function& f) { return Printer(f).run(); }

}  // namespace hel::lowering::ir
