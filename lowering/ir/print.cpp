#include "lowering/ir/print.hpp"

#include <algorithm>

#include "lowering/ir/names.hpp"

namespace hel::lowering::ir {
namespace {

class Printer {
 public:
  explicit Printer(const Function& f) : fn_(f) {}

  std::string run() {
    out_ += "coroutine" + at(fn_.where, " ") + " " + text(fn_.name) + "\n";
    head();
    for (const Slot& s : fn_.slots) slot(s);
    for (std::size_t r = 1; r < fn_.regions.size(); ++r)
      out_ += "  region " + std::to_string(r) + " in " + std::to_string(fn_.regions[r].parent) + "\n";
    for (const Parameter& p : fn_.parameters) out_ += "  parameter " + slot_name(p.slot) + " " + text(p.name) + "\n";
    for (const Parameter& p : fn_.captures) out_ += "  capture " + slot_name(p.slot) + " " + text(p.name) + "\n";
    for (const Text& t : fn_.promise_arguments) out_ += "  argument " + text(t) + "\n";
    for (const Declaration& d : fn_.declarations) out_ += "  declare" + at(d.where, " ") + " : " + text(d.text) + "\n";
    for (const Instr& i : fn_.initial.objects) instr(i, "  initial ");
    if (fn_.initial.slot != none)
      out_ += "  initial await " + std::string(names::of(names::suspends, fn_.initial.suspends)) + " " +
              slot_name(fn_.initial.slot) + live(fn_.initial.live) + "\n";
    for (std::size_t h = 0; h < fn_.handlers.size(); ++h)
      out_ += "  handler h" + std::to_string(h) + " of " + cleanup(fn_.handlers[h].node) + " " +
              block_name(fn_.handlers[h].block) + "\n";
    // A cleanup is described where it is pushed; those that only become current are described here.
    pushed_.assign(fn_.cleanups.size(), false);
    for (const Block& b : fn_.blocks)
      for (const Instr& i : b.instrs)
        if (i.op == Op::push && i.cleanup < pushed_.size()) pushed_[i.cleanup] = true;
    for (std::size_t c = 0; c < fn_.cleanups.size(); ++c)
      if (!pushed_[c]) out_ += "  cleanup " + describe(static_cast<CleanupId>(c)) + "\n";
    for (std::size_t i = 0; i < fn_.blocks.size(); ++i) block(static_cast<BlockId>(i));
    return std::move(out_);
  }

 private:
  std::string slot_name(SlotId s) const {
    return s < fn_.slots.size() ? "%" + fn_.slots[s].name : "%#" + std::to_string(s);
  }
  static std::string block_name(BlockId b) { return b == none ? "b-" : "b" + std::to_string(b); }
  static std::string cleanup(CleanupId c) { return c == none ? "-" : "c" + std::to_string(c); }
  static std::string at(SourceLine l, const char* before = "") {
    return l.line ? before + std::to_string(l.line) + ":" + std::to_string(l.column) : "";
  }

  std::string text(const Text& t) const {
    std::string s;
    bool slot_before = false;  // an identifier right after %x would be read as part of x
    std::size_t name_at = 0;
    scan(
        t,
        [&](std::string_view run) {
          if (slot_before && names::in_identifier(run[0])) s.insert(name_at, "{"), s += '}';
          slot_before = false;
          for (const char c : run) {
            switch (c) {
            case '%': s += "%%"; break;
            case '\\': s += "\\\\"; break;
            case '\n': s += "\\n"; break;
            case '`': s += "\\q"; break;
            default: s += c;
            }
          }
        },
        [&](Mark k, std::uint32_t n) {
          slot_before = k == Mark::slot;
          if (k == Mark::slot) {
            s += '%';
            name_at = s.size();
            s += slot_name(n).substr(1);
          } else if (k == Mark::name) {
            s += "%(name " + slot_name(n).substr(1) + ")";
          } else if (k == Mark::type) {
            s += "%(type " + slot_name(n).substr(1) + ")";
          } else if (k == Mark::exit) {
            s += "%(exit " + std::to_string(n) + ")";
          } else {
            for (const auto& [word, mark] : names::marks)
              if (mark == k) s += "%(" + std::string(word) + ")";
          }
        });
    return s;
  }
  std::string quoted(const Text& t) const { return "`" + text(t) + "`"; }
  std::string live(const std::set<SlotId>& slots) const {
    std::string s = slots.empty() ? "" : " live";
    for (SlotId id : slots) s += " " + slot_name(id);
    return s;
  }

  void head() {
    const Function none_given;
    const auto line = [&](const char* what, const Text& t, const Text& usual = {}) {
      if (t != usual) out_ += std::string("  ") + what + " " + text(t) + "\n";
    };
    line("returns", fn_.return_type);
    line("promise", fn_.promise_type);
    line("allocate", fn_.allocate);
    line("deallocate", fn_.deallocate);
    line("self", fn_.this_expression, none_given.this_expression);
    line("type of self", fn_.this_type);
    std::string is;
    const auto flag = [&](bool set, const char* word) { is += set ? std::string(" ") + word : ""; };
    flag(fn_.has_this, "member");
    flag(fn_.own_allocation, "own-allocation");
    flag(fn_.allocation_may_fail, "allocation-may-fail");
    flag(fn_.immovable_return, "immovable-return");
    flag(fn_.void_get_return_object, "void-return-object");
    flag(!fn_.catches, "no-handler");
    flag(fn_.device, "device");
    flag(fn_.hidden_locals, "hidden-locals");
    if (!is.empty()) out_ += "  is" + is + "\n";
    out_ +=
        "  size of promise " + std::to_string(fn_.promise_size) + " align " + std::to_string(fn_.promise_align) + "\n";
    out_ += "  suspensions " + std::to_string(fn_.suspensions) + "\n";
  }

  void slot(const Slot& s) {
    out_ += "  slot %" + s.name + " : " + quoted(s.type);
    if (s.display != s.type) out_ += " shown " + quoted(s.display);
    out_ += " " + std::string(names::of(names::origins, s.origin)) + " " + std::string(names::of(names::forms, s.form));
    if (s.spelling != names::usual_spelling(s)) out_ += " called " + quoted(s.spelling);
    if (s.region) out_ += " region " + std::to_string(s.region);
    if (s.size != 0) out_ += " size " + std::to_string(s.size);
    if (s.align != 1) out_ += " align " + std::to_string(s.align);
    if (s.alignas_ != 0) out_ += " alignas " + std::to_string(s.alignas_);
    if (!s.trivial) out_ += " destroyed";
    if (s.empty) out_ += " empty";
    if (s.array) out_ += " boxed";
    if (!s.loaded) out_ += " constant";
    if (s.early) out_ += " early";
    if (s.where.line) out_ += " at " + at(s.where);
    if (s.storage == Storage::frame) out_ += " frame " + quoted(s.why);
    out_ += "\n";
  }

  void block(BlockId id) {
    const Block& b = fn_.blocks[id];
    out_ += "b" + std::to_string(id) + ": [" + cleanup(b.entry) + "]";
    if (id == fn_.entry) out_ += " entry";
    if (id == fn_.final) out_ += " final";
    out_ += "\n";
    for (const Instr& i : b.instrs) instr(i, "    ");
    terminator(b.term);
  }

  std::string describe(CleanupId id) const {
    const Cleanup& c = fn_.cleanups[id];
    std::string s = cleanup(id) + " on " + cleanup(c.parent) + " = ";
    if (c.handler != none) s += "try h" + std::to_string(c.handler);
    if (c.slot != none) s += (c.handler != none ? " " : "") + ("~" + slot_name(c.slot));
    if (!c.place.empty()) s += " part " + quoted(c.place);
    if (!c.type.empty()) s += " as " + quoted(c.type);
    if (c.flag != none) s += " if " + slot_name(c.flag);
    if (!c.code.empty()) s += " run " + quoted(c.code);
    return s;
  }

  void instr(const Instr& i, const char* indent) {
    out_ += indent;
    if (i.where.line) out_ += at(i.where) + " ";
    switch (i.op) {
    case Op::build:
      out_ += "build " + slot_name(i.slot);
      if (!i.place.empty()) out_ += " part " + quoted(i.place);
      if (!i.type.empty()) out_ += " as " + quoted(i.type);
      if (i.init != Init::none || !i.text.empty())
        out_ += " <- " + std::string(names::of(names::inits, i.init)) + " " + text(i.text);
      break;
    case Op::eval: out_ += "eval " + text(i.text); break;
    case Op::statement:
      out_ += "statement";
      for (BlockId x : i.exits) out_ += " -> " + block_name(x);
      out_ += " : " + text(i.text);
      break;
    case Op::push:
      out_ += "push " + (pushed_[i.cleanup] ? describe(i.cleanup) : cleanup(i.cleanup));
      pushed_[i.cleanup] = false;
      break;
    case Op::pop:
      out_ += (i.init == Init::assign ? "run " : "pop ") + cleanup(i.cleanup);
      if (i.slot != none) out_ += " = ~" + slot_name(i.slot);
      break;
    case Op::drop: out_ += "drop to " + cleanup(i.cleanup); break;
    case Op::begin: out_ += "begin " + slot_name(i.slot); break;
    case Op::flag: out_ += "flag " + slot_name(i.slot) + " := " + text(i.text); break;
    }
    out_ += "\n";
  }

  void terminator(const Terminator& t) {
    out_ += "    ";
    if (t.where.line) out_ += at(t.where) + " ";
    std::string to;
    for (BlockId b : t.to) to += " " + block_name(b);
    switch (t.exit) {
    case Exit::jump: out_ += "jump" + to; break;
    case Exit::branch: out_ += "branch" + to + " by " + text(t.text); break;
    case Exit::select:
      out_ += "select " + text(t.text);
      for (std::size_t i = 0; i < t.to.size(); ++i)
        out_ += "\n      " + block_name(t.to[i]) +
                (i >= t.labels.size()  ? ""
                 : t.labels[i].empty() ? " default"
                                       : " case " + text(t.labels[i]));
      break;
    case Exit::await:
      out_ += "await #" + std::to_string(t.await.index) + " " + std::string(names::of(names::awaits, t.await.kind)) +
              " " + std::string(names::of(names::suspends, t.await.suspends)) + " ->" + to + live(t.await.live) +
              " : " + text(t.await.awaiter);
      break;
    case Exit::destroy: out_ += "destroy"; break;
    case Exit::dead: out_ += "unreachable"; break;
    }
    out_ += "\n";
  }

  const Function& fn_;
  std::vector<bool> pushed_;  // described at a push that is still to come
  std::string out_;
};

}  // namespace

std::string print(const Function& f) { return Printer(f).run(); }

}  // namespace hel::lowering::ir
