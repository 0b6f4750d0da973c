// The body: the flattened coroutine as one switch over suspension indices.
#include <algorithm>

#include "lowering/emit_context.hpp"

namespace hel::lowering {
namespace {

using namespace ir;

class Body {
 public:
  explicit Body(const EmitContext& c) : c_(c), fn_(c.fn) {}

  std::string run() {
    finish_ = c_.finish_blocks();
    const std::string finish = emit_finish();
    find_targets(false);
    for (std::size_t b = 0; b < fn_.blocks.size(); ++b)
      if (!finish_[b]) block(static_cast<BlockId>(b));
    if (targeted_[fn_.final]) {
      here();
      line("      " + EmitContext::label(fn_.final) + ":");
      line(std::string("        return ") + finish_name() + "(hel_f);");
    }
    const std::string blocks = take();
    dispatch_handlers();
    const std::string handlers = take();
    const bool catches = !c_.device && fn_.catches;
    const bool tries = this->tries();
    out_ = finish;
    if (c_.entry_per_state()) {
      line("    HEL_BODY static void* hel_body(hel_frame* hel_f, unsigned hel_at) {");
      aliases();
    } else {
      line("    " + resume_attribute() + c_.function("void*", "resume") + "(" + c_.frame_type() + "* hel_f) {");
      aliases();
      line("      unsigned hel_at = hel_f->hel_index;");
    }
    if (tries) line("      ::std::exception_ptr hel_exception;");
    if (tries) line("      unsigned hel_caught = 0;");
    if (tries) line("      for (;;)");
    if (catches) line("      try {");
    const std::string in = catches ? "        " : "      ";
    if (tries)
      line(in + "::hel::abi::catching_unwinder<hel_ops> hel_u(hel_f, " + locals_address() + ", hel_caught);");
    else if (guarded())
      line(in + "::hel::abi::unwinder<hel_ops> hel_u(hel_f, " + locals_address() + ");");
    out_ += handlers;
    line(in + "switch (hel_at) {");
    out_ += blocks;
    here();
    line(in + "default: __builtin_unreachable();");
    line(in + "}");
    if (catches) {
      line("      } catch (...) {");
      if (tries) line("        if (hel_caught) { hel_exception = ::std::current_exception(); continue; }");
      line("        hel_f->hel_resume = nullptr;");
      line("        hel_f->hel_index = " + std::to_string(c_.dead_index()) + ";");
      line("        hel_f->hel_promise.get().unhandled_exception();");
      if (tries) line("        break;");
      line("      }");
      line(std::string("      return ") + finish_name() + "(hel_f);");
    }
    line("    }");
    if (c_.entry_per_state()) line("    static void* hel_resume(hel_frame* hel_f) { return hel_body(hel_f, hel_f->hel_index); }");
    return take();
  }

 private:
  bool guarded() const { return !c_.device && !c_.nodes().empty() && !finishing_; }
  // A try block that can be reached: an exception may come back into this call of the body.
  bool tries() const { return !fn_.handlers.empty() && !c_.nodes().empty(); }
  bool any_locals() const {
    bool any = false;
    for (std::size_t i = 0; i < fn_.slots.size(); ++i) any |= c_.in_locals(static_cast<SlotId>(i));
    return any;
  }
  std::string locals_address() const { return any_locals() ? "&hel_l" : "nullptr"; }
  const char* finish_name() const { return c_.device ? "hel_device_finish" : "hel_finish"; }

  std::string take() {
    std::string s = std::move(out_);
    out_.clear();
    return s;
  }

  // The final suspension is reached from the body and after an exception: a function of its own, which throws nothing.
  std::string emit_finish() {
    finishing_ = true;
    find_targets(true);
    line("    " + c_.function("void*", "finish") + "([[maybe_unused]] " + c_.frame_type() + "* hel_f) {");
    aliases();
    for (std::size_t b = 0; b < fn_.blocks.size(); ++b)
      if (finish_[b]) block(static_cast<BlockId>(b));
    here();
    line("    }");
    finishing_ = false;
    return take();
  }

  void line(const std::string& s) { out_ += s + "\n"; }

  void here() {
    if (!c_.options.lines || generated_) return;
    line(here_directive);
    generated_ = true;
  }

  // What follows is the user's, from that line of the source.
  void user(SourceLine at) {
    if (!c_.options.lines || !at.line) return;
    line("#line " + std::to_string(at.line) + " " + quoted(c_.options.file));
    generated_ = false;
  }

  // Only a body that may name the next frame is left by a tail call.
  std::string resume_attribute() const {
    if (c_.device || !c_.transfers()) return {};
    return c_.keeps_locals() || c_.fn.hidden_locals ? "HEL_RESUME_APART " : "HEL_RESUME ";
  }

  // Of the blocks of the final suspension, or of the others.
  void find_targets(bool finish) {
    targeted_.assign(fn_.blocks.size(), false);
    mentioned_.assign(fn_.slots.size(), false);
    const auto mention = [&](const Text& t) {
      for (SlotId s : slots_of(t)) mentioned_[s] = true;
    };
    for (std::size_t b = 0; b < fn_.blocks.size(); ++b) {
      const Block& block = fn_.blocks[b];
      if (finish_[b] != finish) continue;
      for (const Instr& i : block.instrs) {
        for (BlockId t : i.exits) targeted_[t] = true;
        mention(i.text);
        mention(i.place);
        if (i.op == Op::build || i.op == Op::flag) mentioned_[i.slot] = true;
        if (i.op == Op::pop && i.slot != none) {
          mentioned_[i.slot] = true;
          mention(fn_.cleanups[i.cleanup].place);
          mention(fn_.cleanups[i.cleanup].code);
          if (fn_.cleanups[i.cleanup].flag != none) mentioned_[fn_.cleanups[i.cleanup].flag] = true;
        }
      }
      const Terminator& t = block.term;
      mention(t.text);
      mention(t.await.awaiter);
      switch (t.exit) {
      case Exit::jump:
        if (t.to[0] != b + 1 || t.to[0] == fn_.final || is_handler(static_cast<BlockId>(b)) || is_handler(static_cast<BlockId>(b + 1))) targeted_[t.to[0]] = true;
        break;
      case Exit::await: targeted_[t.to[0]] = t.await.suspends != Suspends::release; break;
      case Exit::branch:
      case Exit::select:
        for (BlockId to : t.to) targeted_[to] = true;
        break;
      case Exit::destroy:
      case Exit::dead: break;
      }
    }
  }

  // Names for everything the body mentions: the user's own names where no other name would be hidden.
  void aliases() {
    if (any_locals()) line(std::string("      [[maybe_unused]] ") + c_.locals_type() + " hel_l;");
    if (fn_.has_this && !finishing_) line("      hel_self_type* const& hel_this = hel_f->hel_this;");
    for (std::size_t i = 0; i < fn_.slots.size(); ++i) {
      const Slot& s = fn_.slots[i];
      const auto id = static_cast<SlotId>(i);
      if (!mentioned_[i]) continue;
      const std::string type = c_.class_type(id);
      switch (s.form) {
      case Form::scalar: line("      " + type + " " + s.name + "{};"); break;
      case Form::reference: line("      " + type + "* " + s.name + "{};"); break;
      case Form::object:
        if (s.storage == Storage::plain && !c_.in_locals(id))
          line("      " + c_.slot_type(id) + " hel_m_" + s.name + ";");
        line("      auto& " + s.name + " = " + c_.home(id, Place::body) + (s.array ? ".get().value;" : ".get();"));
        break;
      }
    }
  }

  void set_node(CleanupId c) {
    if (!guarded()) return;
    const unsigned n = c_.node(c);
    if (n == node_) return;
    node_ = n;
    line("        hel_u.node = " + std::to_string(n) + ";");
  }

  void block(BlockId id) {
    const Block& b = fn_.blocks[id];
    if ((b.instrs.empty() && b.term.exit == Exit::dead && id != fn_.entry && !targeted_[id]) || is_handler(id)) return;
    if (id == fn_.entry) {
      here();
      line("      case 0:");
      reload(fn_.initial.live);
      node_ = 0;
      set_node(b.entry);
    }
    if (targeted_[id]) {
      here();
      line("      " + EmitContext::label(id) + ":;");
    }
    node_ = c_.node(b.entry);
    for (const Instr& i : b.instrs) instr(i);
    terminator(id, b);
  }

  void instr(const Instr& i) {
    switch (i.op) {
    case Op::build:
      if (const std::string code = c_.build(i, Place::body); !code.empty()) {
        user(i.where);
        line("        " + code);
      }
      store_if_constant(i.slot);
      break;
    case Op::eval:
      user(i.where);
      line("        " + c_.text(i.text, Place::body) + ";");
      break;
    case Op::statement:
      user(i.where);
      line("        " + c_.text(i.text, Place::body, &i.exits));
      break;
    case Op::push: set_node(i.cleanup); break;
    case Op::pop: {
      const Cleanup& c = fn_.cleanups[i.cleanup];
      const bool beneath = i.init == Init::assign;
      if (!beneath) set_node(c.parent);
      if (c.handler == none && (!fn_.slots[c.slot].trivial || !c.place.empty() || !c.code.empty())) {
        user(i.where);
        line("        " + c_.destroy(c, Place::body));
      }
      break;
    }
    case Op::drop: set_node(i.cleanup); break;
    case Op::begin: break;
    case Op::flag: line("        " + c_.slot(i.slot, Place::body) + " = " + i.text + ";"); break;
    }
  }

  // A value that never changes is kept in the frame from the start; others are stored at each suspension.
  void store_if_constant(SlotId s) {
    const Slot& slot = fn_.slots[s];
    if (slot.storage != Storage::frame || slot.form == Form::object || (slot.form == Form::scalar && slot.loaded)) return;
    line("        hel_f->" + c_.layout.path.at(s) + " = " + slot.name + ";");
  }

  bool changes(SlotId s) const { return fn_.slots[s].form == Form::scalar && fn_.slots[s].loaded; }
  bool copied(SlotId s) const {
    return fn_.slots[s].storage == Storage::frame && fn_.slots[s].form != Form::object && mentioned_[s];
  }

  std::string spill(const std::set<SlotId>& live) const {
    std::string code;
    for (SlotId s : live)
      if (copied(s) && changes(s)) code += "hel_f->" + c_.layout.path.at(s) + " = " + fn_.slots[s].name + "; ";
    return code;
  }

  void reload(const std::set<SlotId>& live) {
    for (SlotId s : live)
      if (copied(s)) line("        " + fn_.slots[s].name + " = hel_f->" + c_.layout.path.at(s) + ";");
  }

  void jump(BlockId from, BlockId to) {
    if (to != from + 1 || to == fn_.final) line("        goto " + EmitContext::label(to) + ";");
  }

  // An exception that a try block stopped is thrown again between its handlers. What leaves them, the exception itself
  // when none fits or another one, goes on from outside of the try.
  void dispatch_handlers() {
    if (!tries()) return;
    here();
    line("        switch (hel_caught) {");
    for (std::size_t h = 0; h < fn_.handlers.size(); ++h) {
      const Block& b = fn_.blocks[fn_.handlers[h].block];
      if (b.instrs.empty()) continue;
      here();
      line("        case " + std::to_string(h + 1) + ":");
      line("          hel_u.node = " + std::to_string(c_.node(b.entry)) + ";");
      line("          try { ::std::rethrow_exception(::std::exchange(hel_exception, nullptr)); }");
      node_ = c_.node(b.entry);
      instr(b.instrs[0]);
      here();
      line("        goto " + EmitContext::label(b.term.to[0]) + ";");
    }
    line("        }");
  }

  bool is_handler(BlockId b) const {
    return std::any_of(fn_.handlers.begin(), fn_.handlers.end(), [&](const Handler& h) { return h.block == b; });
  }

  void terminator(BlockId id, const Block& b) {
    const Terminator& t = b.term;
    switch (t.exit) {
    case Exit::jump: jump(id, t.to[0]); break;
    case Exit::branch:
      user(t.where);
      line("        if (" + c_.text(t.text, Place::body) + ") goto " + EmitContext::label(t.to[0]) + ";");
      line("        goto " + EmitContext::label(t.to[1]) + ";");
      break;
    case Exit::select:
      user(t.where);
      line("        switch (" + c_.text(t.text, Place::body) + ") {");
      for (std::size_t i = 0; i < t.to.size(); ++i)
        line("        " + (t.labels[i].empty() ? std::string("default") : "case " + c_.text(t.labels[i], Place::body)) +
             ": goto " + EmitContext::label(t.to[i]) + ";");
      line("        }");
      break;
    case Exit::await: await(b); break;
    case Exit::destroy:
      here();
      line(std::string("        ") + (c_.device ? "hel_device_" : "hel_") + "teardown(hel_f, " +
           std::to_string(fn_.parameters.size() + 1) + ");");
      line("        return nullptr;");
      break;
    case Exit::dead:
      here();
      line("        __builtin_unreachable();");
      break;
    }
  }

  void await(const Block& b) {
    const Await& a = b.term.await;
    const std::string awaiter = c_.text(a.awaiter, Place::body);
    const std::string next = EmitContext::label(b.term.to[0]);
    const std::string disarm = guarded() && node_ ? "hel_u.node = 0; " : "";
    const std::string handle = c_.text(mark(Mark::handle), Place::body);
    std::string store;
    if (a.kind == AwaitKind::final) store += c_.device ? "" : "hel_f->hel_resume = nullptr; ";
    // hel_at is what the frame holds: in a loop over one suspension point nothing need be stored.
    const std::string index = std::to_string(a.index);
    const std::string set = std::string("hel_f->hel_index = ") + (!finishing_ && (a.suspends == Suspends::bool_ || tries()) ? "hel_at = " : "") + index + ";";
    if (finishing_)
      store += set;
    else if (c_.entry_per_state())
      store += "if (hel_at != " + index + ") { " + set + " HEL_RESUME_AT(" + index + "); }";
    else
      store += "if (hel_at != " + index + ") " + set;
    store += " " + spill(a.live);
    if (a.suspends == Suspends::release) {
      user(b.term.where);
      line("        auto hel_over = " + awaiter + ".await_release(" + c_.text(mark(Mark::promise), Place::body) + ");");
      here();
      // The promise is gone.
      line(std::string("        ") + (c_.device ? "hel_device_" : "hel_") + "teardown(hel_f, " + std::to_string(fn_.parameters.size()) + ");");
      line("        void* hel_next = hel_over.next().address();");
      line("        HEL_NEXT(hel_next);");
      line("        return hel_next;");
      return;
    }
    user(b.term.where);
    line("        if (" + awaiter + ".await_ready()) goto " + next + ";");
    here();
    line("        " + store);
    user(b.term.where);
    switch (a.suspends) {
    case Suspends::void_:
      line("        " + awaiter + ".await_suspend(" + handle + "); " + disarm + "return nullptr;");
      break;
    case Suspends::bool_:
      line("        if (" + awaiter + ".await_suspend(" + handle + ")) { " + disarm + "return nullptr; }");
      here();
      if (a.kind == AwaitKind::final && !c_.device)
        line("        hel_f->hel_resume = ::hel::abi::opaque(" + c_.entry() + ");");
      line("        goto " + next + ";");
      break;
    case Suspends::handle:
      line("        { void* hel_next = " + awaiter + ".await_suspend(" + handle + ").address(); " + disarm +
           "HEL_NEXT(hel_next); return hel_next; }");
      break;
    case Suspends::release: return;  // above
    }
    here();
    // A coroutine suspended for good has no way back in.
    if (a.kind == AwaitKind::final) return;
    line("      case " + std::to_string(a.index) + ": hel_at = " + std::to_string(a.index) + ";");
    reload(a.live);
    const unsigned node = node_;
    node_ = 0;
    if (guarded() && node) line("        hel_u.node = " + std::to_string(node) + ";");
    node_ = node;
    if (b.term.to[0] != static_cast<BlockId>(&b - fn_.blocks.data()) + 1) line("        goto " + next + ";");
  }

  const EmitContext& c_;
  const Function& fn_;
  std::string out_;
  std::vector<bool> targeted_, mentioned_;
  unsigned node_ = 0;
  bool generated_ = true;
  std::vector<bool> finish_;
  bool finishing_ = false;
};

}  // namespace

std::string emit_body(const EmitContext& c) { return Body(c).run(); }

}  // namespace hel::lowering
