#include "lowering/emit_context.hpp"

#include <algorithm>

namespace hel::lowering {

using namespace ir;

EmitContext::EmitContext(const Function& f, const EmitOptions& o, bool on_device) : fn(f), options(o), device(on_device) {
  std::map<SlotId, std::string> types;
  for (std::size_t i = 0; i < f.slots.size(); ++i)
    types[static_cast<SlotId>(i)] = f.slots[i].form == Form::object ? slot_type(static_cast<SlotId>(i)) : type(static_cast<SlotId>(i));
  // The promise and the index come first; their size is the compiler's business, an estimate serves --print-frames.
  layout = lay_out(f, f.header_size(device, index_size()), f.header_align(device), types);
  number_.assign(f.cleanups.size(), 0);
  in_locals_.assign(f.slots.size(), false);
  // Only cleanups that some reachable position has current, or that such a one leads to, are numbered.
  std::vector<bool> wanted(f.cleanups.size());
  const auto want = [&](CleanupId c) {
    for (; c != none && !wanted[c]; c = f.cleanups[c].parent) wanted[c] = true;
  };
  for (const Block& b : f.blocks) {
    if (b.instrs.empty() && b.term.exit == Exit::dead) continue;
    want(b.entry);
    for (const Instr& i : b.instrs)
      if (i.cleanup != none) want(i.cleanup);
  }
  for (std::size_t c = 0; c < f.cleanups.size(); ++c) {
    const Cleanup& cleanup = f.cleanups[c];
    if (!wanted[c]) continue;
    if (cleanup.handler != none) {
      nodes_.push_back(static_cast<CleanupId>(c));
      number_[c] = static_cast<unsigned>(nodes_.size());
      continue;
    }
    const Slot& s = f.slots[cleanup.slot];
    if (s.trivial && cleanup.place.empty() && cleanup.code.empty()) continue;
    nodes_.push_back(static_cast<CleanupId>(c));
    number_[c] = static_cast<unsigned>(nodes_.size());
    if (s.storage == Storage::plain) in_locals_[cleanup.slot] = true;
    if (cleanup.flag != none && f.slots[cleanup.flag].storage == Storage::plain) in_locals_[cleanup.flag] = true;
  }
  entry_per_state_ = small_enough_for_entries();
}

// The blocks of the final suspension, a function of its own.
std::vector<bool> EmitContext::finish_blocks() const {
  std::vector<bool> finish(fn.blocks.size());
  std::vector<BlockId> work{fn.final};
  while (!work.empty()) {
    const BlockId b = work.back();
    work.pop_back();
    if (finish[b]) continue;
    finish[b] = true;
    for (BlockId to : fn.blocks[b].term.to) work.push_back(to);
  }
  return finish;
}

bool EmitContext::transfers() const {
  return std::any_of(fn.blocks.begin(), fn.blocks.end(), [](const Block& b) {
    return b.term.exit == Exit::await && (b.term.await.suspends == Suspends::handle || b.term.await.suspends == Suspends::release);
  });
}

bool EmitContext::keeps_locals() const {
  const std::vector<bool> finish = finish_blocks();
  for (std::size_t i = 0; i < fn.slots.size(); ++i)
    if (in_locals_[i]) return true;
  for (std::size_t b = 0; b < fn.blocks.size(); ++b) {
    if (finish[b]) continue;
    for (const Instr& i : fn.blocks[b].instrs) {
      if (i.op != Op::build) continue;
      const Slot& s = fn.slots[i.slot];
      if (s.form == Form::object && s.storage == Storage::plain && !s.empty) return true;
    }
  }
  return false;
}

// Each index costs a copy of what can be reached from it.
bool EmitContext::small_enough_for_entries() const {
  constexpr std::uint32_t most_suspensions = 5;  // with the initial and the final one
  constexpr std::size_t most_instructions = 40;
  if (device || !fn.handlers.empty() || fn.suspensions > most_suspensions || (transfers() && (keeps_locals() || fn.hidden_locals))) return false;
  std::size_t instructions = 0;
  for (const Block& b : fn.blocks) instructions += b.instrs.size();
  return instructions <= most_instructions;
}

unsigned EmitContext::node(CleanupId c) const {
  for (; c != none; c = fn.cleanups[c].parent)
    if (number_[c]) return number_[c];
  return 0;
}

std::string EmitContext::function(const char* result, const char* name) const {
  if (device) return std::string("static __device__ ") + result + " hel_device_" + name;
  return std::string("static ") + result + " hel_" + name;
}

std::string EmitContext::class_type(SlotId s) const {
  const std::string t = type(s);
  return fn.slots[s].array ? "::hel::abi::boxed<" + t + ">" : t;
}

std::string EmitContext::slot_type(SlotId s) const {
  return "::hel::abi::slot<" + class_type(s) + (fn.slots[s].alignas_ ? ", " + std::to_string(fn.slots[s].alignas_) : "") + ">";
}

std::string EmitContext::slot(SlotId id, Place where) const {
  const Slot& s = fn.slots[id];
  if (where == Place::body) return s.form == Form::reference ? "(*" + s.name + ")" : s.name;
  std::string at = home(id, where);
  if (s.form == Form::object) at += s.array ? ".get().value" : ".get()";
  return s.form == Form::reference ? "(*" + at + ")" : at;
}

std::string EmitContext::storage(SlotId id, Place where) const {
  return "static_cast<void*>(&" + home(id, where) + ")";
}

std::string EmitContext::home(SlotId id, Place where) const {
  const Slot& s = fn.slots[id];
  if (s.storage == Storage::frame) return "hel_f->" + layout.path.at(id);
  if (where == Place::cleanup) return "hel_l->" + s.name;
  if (where == Place::body && in_locals_[id]) return "hel_l." + s.name;
  return "hel_m_" + s.name;
}

std::string EmitContext::text(const Text& t, Place where, const std::vector<BlockId>* exits) const {
  return render(t, [&](Mark k, std::uint32_t n) -> std::string {
    switch (k) {
    case Mark::slot: return slot(n, where);
    case Mark::name: return fn.slots[n].name;
    case Mark::type: return text(fn.slots[n].type, where);
    case Mark::exit: return "goto " + label((*exits)[n]);
    case Mark::frame_type: return frame_type();
    case Mark::promise: return "hel_f->hel_promise.get()";
    case Mark::handle: return "::std::coroutine_handle<hel_promise_type>::from_address(hel_f)";
    case Mark::self: return where == Place::ramp ? "this" : "hel_this";
    }
    return {};
  });
}

std::string EmitContext::build(const Instr& i, Place where) const {
  const Slot& s = fn.slots[i.slot];
  const std::string value = text(i.text, where);
  if (i.place.empty() && s.form == Form::scalar)
    return i.init == Init::none ? std::string() : slot(i.slot, where) + " = " + value + ";";
  if (i.place.empty() && s.form == Form::reference) {
    std::string at = slot(i.slot, where);  // "(*p)"
    return at.substr(2, at.size() - 3) + " = ::hel::abi::address(" + value + ");";
  }
  const std::string t = i.place.empty() ? class_type(i.slot) : text(i.type, where);
  const std::string address = i.place.empty() ? storage(i.slot, where)
                                              : "const_cast<void*>(static_cast<const volatile void*>(::hel::abi::address(" +
                                                    text(i.place, where) + ")))";
  const std::string head = "::new (" + address + ") ";
  // A type that is more than a name (a pointer, say) must stand in parentheses in a new-expression.
  const auto type_id = [](const std::string& name) {
    return name.find_first_of("*&[(") == std::string::npos || name.starts_with("::hel::abi::boxed<") ? name : "(" + name + ")";
  };
  // In a template, nvcc parses an aggregate's parentheses only if the type depends on the template, too.
  const std::string init_type = options.cuda && s.aggregate && i.place.empty() ? std::string("typename ::hel::abi::dependent<") + t + ", " + frame_type() + ">::type" : type_id(t);
  switch (i.init) {
  case Init::none: return head + type_id(t) + ";";
  case Init::list: return head + type_id(t) + value + ";";
  case Init::copy: return head + init_type + "([&]() -> " + t + " { return " + value + "; }());";
  // nvcc does not survive T(T{...}) here, where T is an aggregate.
  default: return options.cuda && i.aggregate ? head + type_id(t) + "{" + value + "};" : head + init_type + "(" + value + ");";
  }
}

std::string EmitContext::destroy(const Cleanup& c, Place where) const {
  if (!c.code.empty()) return (c.flag != none ? "if (" + slot(c.flag, where) + ") " : "") + text(c.code, where) + ";";
  const std::string object = c.place.empty() ? slot(c.slot, where) : text(c.place, where);
  std::string code = "::hel::abi::destroy(" + object + ");";
  if (c.place.empty() && fn.slots[c.slot].array) {
    // The boxed array as one object.
    code = "::hel::abi::destroy(" + home(c.slot, where) + ".get());";
  }
  if (c.flag != none) code = "if (" + slot(c.flag, where) + ") " + code;
  return code;
}

unsigned EmitContext::index_size() const {
  // On the host not a character type, whose stores could change anything in the eyes of the compiler, and no short, whose
  // constants cost an instruction.
  return device ? 2 : 4;
}

const char* EmitContext::index_type() const {
  return index_size() == 2 ? "unsigned short" : "unsigned int";
}

}  // namespace hel::lowering
