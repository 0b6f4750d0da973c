// The ramp (what the caller runs), the cleanup stack as a function, destruction, and the debugger's table.
#include <algorithm>
#include <functional>

#include "lowering/emit_context.hpp"

namespace hel::lowering {

using namespace ir;

namespace {

struct Suspension {
  std::uint32_t index;
  AwaitKind kind;
  SourceLine where;
  CleanupId top;
  std::set<SlotId> live;
};

CleanupId top_at_end(const Function& f, const Block& b) {
  CleanupId top = b.entry;
  for (const Instr& i : b.instrs) {
    if (i.op == Op::push || i.op == Op::drop) top = i.cleanup;
    if (i.op == Op::pop && i.init != Init::assign) top = f.cleanups[i.cleanup].parent;
  }
  return top;
}

// In order of index; index 0 is the initial suspension.
std::vector<Suspension> suspensions(const EmitContext& c) {
  std::vector<Suspension> all;
  Suspension first{0, AwaitKind::initial, c.fn.where, c.fn.blocks[c.fn.entry].entry, c.fn.initial.live};
  for (const Parameter& p : c.fn.parameters) first.live.insert(p.slot);  // as the ramp made them
  all.push_back(std::move(first));
  for (const Block& b : c.fn.blocks)
    if (b.term.exit == Exit::await)
      all.push_back({b.term.await.index, b.term.await.kind, b.term.where, top_at_end(c.fn, b), b.term.await.live});
  std::sort(all.begin(), all.end(), [](const Suspension& a, const Suspension& b) { return a.index < b.index; });
  return all;
}

}  // namespace

// destroy() of a suspended coroutine enters the stack at the node that its index stands for; an exception enters it at
// the current node.
std::string emit_cleanup(const EmitContext& c) {
  std::string out;
  const auto line = [&](const std::string& s) { out += s + "\n"; };
  const std::string frame = c.frame_type(), locals = c.locals_type();
  if (!c.nodes().empty()) {
    // With try blocks: returns the one that stops an exception, from 1.
    const bool tries = !c.fn.handlers.empty();
    line("    " + c.function(tries ? "unsigned" : "void", "cleanup") + "([[maybe_unused]] " + frame + "* hel_f, [[maybe_unused]] " + locals +
         "* hel_l, unsigned hel_node" + (tries ? ", bool hel_exception" : "") + ") {");
    line("      switch (hel_node) {");
    for (std::size_t n = c.nodes().size(); n-- > 0;) {
      const Cleanup& cleanup = c.fn.cleanups[c.nodes()[n]];
      const unsigned above = c.node(cleanup.parent);
      const bool falls = above == n && above != 0;
      bool jumped_to = false;
      for (std::size_t m = n + 1; m < c.nodes().size(); ++m)
        jumped_to |= c.node(c.fn.cleanups[c.nodes()[m]].parent) == n + 1 && m != n + 1;
      line("      case " + std::to_string(n + 1) + ":" + (jumped_to ? " hel_c" + std::to_string(n + 1) + ":" : ""));
      if (cleanup.handler != none)
        line("        if (hel_exception) return " + std::to_string(cleanup.handler + 1) + ";");
      else
        line("        " + c.destroy(cleanup, Place::cleanup));
      if (falls)
        line("        [[fallthrough]];");
      else if (above)
        line("        goto hel_c" + std::to_string(above) + ";");
      else
        line(tries ? "        return 0;" : "        return;");
    }
    line("      }");
    if (tries) line("      return 0;");
    line("    }");
  }
  line("    " + c.function("void", "teardown") + "(" + frame + "* hel_f, [[maybe_unused]] unsigned hel_stage) {");
  line("      switch (hel_stage) {");
  const std::size_t stages = c.fn.parameters.size();
  for (std::size_t i = c.fn.initial.objects.size(); i-- > 0;) {
    const SlotId object = c.fn.initial.objects[i].slot;
    line("      case " + std::to_string(stages + 2 + i) + ":");
    if (!c.fn.slots[object].trivial) line("        ::hel::abi::destroy(" + c.slot(object, Place::cleanup) + ");");
    line("        [[fallthrough]];");
  }
  line("      case " + std::to_string(stages + 1) + ":");
  line("        ::hel::abi::destroy(hel_f->hel_promise.get());");
  line("        [[fallthrough]];");
  for (std::size_t p = stages; p-- > 0;) {
    const Slot& s = c.fn.slots[c.fn.parameters[p].slot];
    line("      case " + std::to_string(p + 1) + ":");
    if (!s.trivial) line("        ::hel::abi::destroy(" + c.slot(c.fn.parameters[p].slot, Place::cleanup) + ");");
    line("        [[fallthrough]];");
  }
  line("      default: break;");
  line("      }");
  line("      " + c.text(c.fn.deallocate, Place::cleanup) + ";");
  line("    }");
  line("    " + c.function("void", "destroy") + "(" + frame + "* hel_f) {");
  if (!c.nodes().empty()) {
    line("      unsigned hel_node = 0;");
    line("      switch (hel_f->hel_index) {");
    for (const Suspension& s : suspensions(c))
      if (const unsigned n = c.node(s.top))
        line("      case " + std::to_string(s.index) + ": hel_node = " + std::to_string(n) + "; break;");
    line("      default: break;");
    line("      }");
    // No plain local is alive at a suspension. Not null where there are some: g++ 12 warns of what it cannot rule out.
    bool locals = false;
    for (std::size_t i = 0; i < c.fn.slots.size(); ++i) locals |= c.in_locals(static_cast<SlotId>(i));
    const std::string none = locals && !c.device ? std::string("reinterpret_cast<") + c.locals_type() + "*>(hel_f)" : "nullptr";
    line(std::string("      if (hel_node) ") + (c.device ? "hel_device_" : "hel_") + "cleanup(hel_f, " + none + ", hel_node" + (c.fn.handlers.empty() ? "" : ", false") + ");");
  }
  line(std::string("      ") + (c.device ? "hel_device_" : "hel_") + "teardown(hel_f, " + std::to_string(stages + 1) + ");");
  line("    }");
  return out;
}

std::string emit_info(const EmitContext& c) {
  std::string out;
  const auto line = [&](const std::string& s) { out += s + "\n"; };
  std::vector<SlotId> shown;
  for (const LaidOut& l : c.layout.slots)
    if (!c.fn.slots[l.slot].spelling.empty()) shown.push_back(l.slot);
  line("    static const ::hel::abi::frame_info* hel_info() {");
  if (!shown.empty()) {
    line("      static const ::hel::abi::member_info members[] = {");
    for (SlotId id : shown) {
      const Slot& s = c.fn.slots[id];
      line("        {" + quoted(s.spelling) + ", " + quoted(s.display) + ", __builtin_offsetof(hel_frame, " +
           c.layout.path.at(id) + "), " + (s.form == Form::reference ? "true" : "false") + ", &::hel::abi::" +
           (s.closure ? "format_opaque" : "format<" + c.type(id) + ">") + "},");
    }
    line("      };");
  }
  const std::vector<Suspension> all = suspensions(c);
  std::string states;
  for (const Suspension& s : all) {
    std::string live;
    std::size_t count = 0;
    for (std::size_t m = 0; m < shown.size(); ++m)
      if (s.live.count(shown[m]) || c.fn.slots[shown[m]].origin == Origin::capture ||
          (c.fn.slots[shown[m]].origin == Origin::parameter && s.kind != AwaitKind::final)) {
        const Slot& slot = c.fn.slots[shown[m]];
        // A parameter that is no longer needed may be out of date when its value changes.
        if (!s.live.count(shown[m]) && slot.form == Form::scalar && slot.loaded) continue;
        live += (count++ ? ", " : "") + std::to_string(m);
      }
    const std::string list = "live_" + std::to_string(s.index);
    if (count) line("      static const ::std::uint16_t " + list + "[] = {" + live + "};");
    static constexpr const char* kinds[] = {"initial_suspend", "co_await", "co_yield", "final_suspend"};
    states += "        {" + std::to_string(s.where.line) + ", " + std::to_string(s.where.column) + ", \"" +
              kinds[static_cast<int>(s.kind)] + "\", " + (count ? list : "nullptr") + ", " + std::to_string(count) + "},\n";
  }
  line("      static const ::hel::abi::state_info states[] = {");
  out += states;
  line("      };");
  line("      static const ::hel::abi::frame_info table = {");
  line("        " + quoted(c.fn.name) + ", " + quoted(c.options.file) + ", " + std::to_string(c.fn.where.line) + ",");
  line("        sizeof(hel_frame), alignof(hel_frame), __builtin_offsetof(hel_frame, hel_index), " +
       std::to_string(c.index_size()) + ",");
  line(std::string("        ") + (shown.empty() ? "nullptr" : "members") + ", states, " + std::to_string(shown.size()) +
       ", " + std::to_string(all.size()) + ", &::hel::abi::entry<hel_ops>::destroy};");
  line("      return &table;");
  line("    }");
  return out;
}

namespace {

// The parameters' copies, the promise, in order; `staged`: a guard counts what is complete.
void build_frame(const EmitContext& c, bool staged, const std::function<void(const std::string&)>& line) {
  const Function& f = c.fn;
  if (f.has_this) line("hel_f->hel_this = " + c.text(f.this_expression, Place::ramp) + ";");
  for (const Parameter& p : f.captures) line(c.home(p.slot, Place::ramp) + " = ::hel::abi::address(" + p.name + ");");
  for (std::size_t i = 0; i < f.parameters.size(); ++i) {
    const Parameter& p = f.parameters[i];
    const Slot& s = f.slots[p.slot];
    if (s.form == Form::reference) {
      line(c.home(p.slot, Place::ramp) + " = ::hel::abi::address(" + p.name + ");");
    } else if (s.form == Form::scalar) {
      line(c.home(p.slot, Place::ramp) + " = " + p.name + ";");
    } else {
      const std::string type = c.type(p.slot);
      line("::new (" + c.storage(p.slot, Place::ramp) + ") " + type + "(static_cast<" + type + "&&>(" + p.name + "));");
    }
    if (staged && !s.trivial) line("hel_guard.stage = " + std::to_string(i + 1) + ";");
  }
  std::string arguments;
  for (const Text& a : f.promise_arguments) arguments += (arguments.empty() ? "" : ", ") + c.text(a, Place::ramp);
  line("::new (static_cast<void*>(&hel_f->hel_promise)) hel_promise_type" +
       (arguments.empty() ? std::string() : "(" + arguments + ")") + ";");
  if (staged) line("hel_guard.stage = " + std::to_string(f.parameters.size() + 1) + ";");
}

// Ends with the awaiter; `staged`: a guard counts what is complete.
std::string build_initial(const EmitContext& c, bool staged, const std::function<void(const std::string&)>& line) {
  std::size_t stage = c.fn.parameters.size() + 1;
  for (const Instr& i : c.fn.initial.objects) {
    const Slot& s = c.fn.slots[i.slot];
    if (s.storage == Storage::plain) {
      if (s.form == Form::object)
        line(c.slot_type(i.slot) + " hel_m_" + s.name + ";");
      else
        line(c.type(i.slot) + "* hel_m_" + s.name + ";");
    }
    line(c.build(i, Place::ramp));
    ++stage;
    if (staged && !s.trivial) line("hel_guard.stage = " + std::to_string(stage) + ";");
  }
  return c.slot(c.fn.initial.slot, Place::ramp);
}

void fill_device_frame(const EmitContext& c, const std::function<void(const std::string&)>& line) {
  line("hel_device_frame* const hel_f = static_cast<hel_device_frame*>(hel_memory);");
  line("HEL_DEVICE_FRAME_BEGIN(hel_f, " + std::to_string(unit_number(c.options.unit)) + "u, (" + c.options.type_id + "))");
  build_frame(c, false, line);
  line("decltype(auto) hel_result = hel_f->hel_promise.get().get_return_object();");
  build_initial(c, false, line);
  line("return hel_result;");
}

}  // namespace

// On the host, for runtime::launch on a device: the device frame is built here and travels as bytes.
std::string emit_launch(const EmitContext& c) {
  std::string out;
  const Function& f = c.fn;
  const auto line = [&](const std::string& s) { out += "    " + s + "\n"; };
  out += "  if (auto* const hel_launch = ::hel::abi::device_launch::take()) {\n";
  std::string refused;
  const auto refuse = [&](const std::string& what, const char* why) {
    if (refused.empty()) refused = "hel_launch->refuse(" + what + ", " + quoted(why) + ");";
  };
  if (f.has_this) refuse("nullptr", "it belongs to an object, which is on the host");
  if (!f.captures.empty()) refuse("nullptr", "it refers to variables of the host");
  for (const Parameter& p : f.parameters) {
    const Slot& s = f.slots[p.slot];
    const std::string name = quoted(s.spelling);
    if (s.form == Form::reference)
      refuse(name, "is a reference, to what is on the host");
    else
      line("hel_launch->parameter<" + c.type(p.slot) + ">(" + name + ");");
  }
  if (!refused.empty()) {
    line(refused);
    return out + "  }\n";
  }
  line("void* const hel_memory = hel_launch->begin(&::hel::abi::device_unit<hel_unit>::key, sizeof(hel_device_frame), "
       "alignof(hel_device_frame), __builtin_offsetof(hel_device_frame, hel_promise));");
  fill_device_frame(c, line);
  return out + "  }\n";
}

// Nothing throws on the device, and every device task is started lazily (the frontend has checked that).
std::string emit_device_ramp(const EmitContext& c) {
  std::string out;
  const auto line = [&](const std::string& s) { out += "  " + s + "\n"; };
  line("void* const hel_memory = " + c.text(c.fn.allocate, Place::ramp) + ";");
  line("if (!hel_memory) return ::hel::abi::without_frame<hel_promise_type>();");
  fill_device_frame(c, line);
  return out;
}

std::string emit_ramp(const EmitContext& c) {
  std::string out;
  const Function& f = c.fn;
  const auto line = [&](const std::string& s) { out += "  " + s + "\n"; };
  const auto t = [&](const Text& text) { return c.text(text, Place::ramp); };
  line("void* const hel_memory = " + t(f.allocate) + ";");
  // In a function of its own the result is the only thing returned: so it is built in the caller's storage.
  if (f.allocation_may_fail) {
    line("if (!hel_memory) return hel_promise_type::get_return_object_on_allocation_failure();");
    line("return [&]() -> decltype(auto) {");
  }
  line("::hel::abi::ramp_guard<hel_ops> hel_guard(hel_memory);");
  line("hel_frame* const hel_f = hel_guard.frame;");
  line(std::string("::hel::abi::begin(hel_f, ") + (c.entry_per_state() ? "HEL_HEADER" : "::hel::abi::entry<hel_ops>::header") + ");");
  build_frame(c, true, line);

  const std::string get = "hel_f->hel_promise.get().get_return_object()";
  if (f.void_get_return_object) {
    line(get + ";");
    line("hel_ops::hel_start(hel_guard);");
  } else if (f.immovable_return) {
    // The result must be built in the caller's storage: the coroutine starts when this scope is left.
    line("::hel::abi::starter<hel_ops> hel_start{hel_guard};");
    line("return " + get + ";");
  } else {
    line("decltype(auto) hel_result = " + get + ";");
    line("hel_ops::hel_start(hel_guard);");
    line("return hel_result;");
  }
  if (f.allocation_may_fail) line("}();");
  return out;
}

// The initial suspension. Its exceptions are the caller's; once the coroutine is suspended or runs, the frame is its own.
std::string emit_start(const EmitContext& c) {
  std::string out;
  const auto line = [&](const std::string& s) { out += "      " + s + "\n"; };
  const InitialAwait& a = c.fn.initial;
  out += "    static void hel_start(::hel::abi::ramp_guard<hel_ops>& hel_guard) {\n";
  line("hel_frame* const hel_f = hel_guard.frame;");
  const std::string awaiter = build_initial(c, true, line);
  const std::string handle = c.text(mark(Mark::handle), Place::ramp);
  line("hel_f->hel_index = 0;");
  line("if (!" + awaiter + ".await_ready()) {");
  switch (a.suspends) {
  case Suspends::void_:
    line("  " + awaiter + ".await_suspend(" + handle + ");");
    line("  hel_guard.frame = nullptr;");
    line("  return;");
    break;
  case Suspends::bool_:
    line("  if (" + awaiter + ".await_suspend(" + handle + ")) {");
    line("    hel_guard.frame = nullptr;");
    line("    return;");
    line("  }");
    break;
  case Suspends::handle:
    line("  auto hel_next = " + awaiter + ".await_suspend(" + handle + ");");
    line("  hel_guard.frame = nullptr;");
    line("  hel_next.resume();");
    line("  return;");
    break;
  case Suspends::release: break;  // of a final awaiter
  }
  line("}");
  line("hel_guard.frame = nullptr;");
  line("(" + c.entry() + ")(hel_f);");
  return out + "    }\n";
}

}  // namespace hel::lowering
