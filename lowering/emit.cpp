#include "lowering/emit.hpp"

#include "lowering/emit_context.hpp"

namespace hel::lowering {

using namespace ir;

namespace {

std::string frame_text(const EmitContext& c) {
  std::string out;
  out += std::string("  struct ") + c.frame_type() + " {\n";
  if (c.device) {
    out += "    HEL_DEVICE_FRAME_HEADER\n    ::hel::abi::slot<hel_promise_type> hel_promise;\n";
  } else {
    out += "    void (*hel_resume)(void*);\n    void (*hel_destroy)(void*);\n    ::hel::abi::slot<hel_promise_type> "
           "hel_promise;\n";
    out += std::string("    ") + c.index_type() + " hel_index;\n";
  }
  out += c.layout.members;
  if (c.fn.has_this) out += "    hel_self_type* hel_this;\n";
  out += "  };\n";
  out += std::string("  struct ") + c.locals_type() + " {\n";
  for (std::size_t i = 0; i < c.fn.slots.size(); ++i)
    if (c.in_locals(static_cast<SlotId>(i)))
      out += "    " + c.slot_type(static_cast<SlotId>(i)) + " " + c.fn.slots[i].name + ";\n";
  out += "  };\n";
  return out;
}

}  // namespace

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + "\"";
}

std::string emit(const Function& f, const EmitOptions& options) {
  const EmitContext host(f, options, false);
  const bool both = options.cuda && f.device;
  const EmitContext device(f, options, true);
  // Each side's functions are there when that side is compiled, and of coroutines inside they hold that side's form: so
  // a closure in them is of one type.
  const auto by_side = [&](const Text& of_host, const Text& of_device) {
    const auto around = [](const char* directive) { return only_for(Side::host, only_for(Side::device, directive)); };
    if (!both) return of_host;
    return around("#if !defined(__CUDA_ARCH__)\n") + only_for(Side::host, without(of_host, Side::device)) +
           around("#else\n") + only_for(Side::device, without(of_device, Side::host)) + around("#endif\n");
  };
  Text out = "{\n";
  if (options.lines) out += std::string(here_directive) + "\n";
  if (options.pragmas) out += "  HEL_LOWERED_BEGIN\n";
  out += "  (void)::hel::abi::expects<1>();\n";
  out += "  using hel_promise_type = " + host.text(f.promise_type, Place::ramp) + ";\n";
  if (f.has_this) {
    const Text deduced = "::std::remove_reference_t<decltype(*" + host.text(f.this_expression, Place::ramp) + ")>";
    out += "  using hel_self_type = " + (f.this_type.empty() ? deduced : host.text(f.this_type, Place::ramp)) + ";\n";
  }
  for (const Declaration& d : f.declarations) {
    if (options.lines && d.where.line)
      out += "#line " + std::to_string(d.where.line) + " " + quoted(options.file) + "\n";
    out += "  " + host.text(d.text, Place::ramp) + "\n";
    if (options.lines && d.where.line) out += std::string(here_directive) + "\n";
  }
  // The frames are types of both: no type depends on what is being compiled.
  out += frame_text(host);
  if (both) out += frame_text(device);
  const Text here = options.lines ? std::string(here_directive) + "\n" : std::string();
  out += "  struct hel_ops {\n" +
         by_side("    using hel_frame_type [[maybe_unused]] = hel_frame;\n"
                 "    using hel_locals_type [[maybe_unused]] = hel_locals;\n" +
                     emit_cleanup(host) + emit_body(host) + emit_info(host) + emit_start(host),
                 both ? "    using hel_device_frame_type = hel_device_frame;\n" + emit_cleanup(device) +
                            emit_body(device) + here
                      : "") +
         "  };\n";
  out += by_side((both ? emit_launch(device) : "") + emit_ramp(host), "  (void)sizeof(::hel::abi::device_define<hel_unit, " + options.type_id +
                                      ", hel_ops>);\n" + (both ? emit_device_ramp(device) : ""));
  if (options.lines) out += std::string(here_directive) + "\n";
  out += options.pragmas ? "  HEL_LOWERED_END\n}" : "}";
  return options.nested ? out : for_both(out);
}

std::uint32_t unit_number(const std::string& unit) {
  std::uint32_t hash = 2166136261u;  // FNV-1a
  for (char c : unit) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

std::string emit_device_registry(const std::vector<std::string>& units, bool groups) {
  std::string out = "#include \"hel/hel.hpp\"\n#include \"hel/abi/device.hpp\"\n#include \"hel/cuda/program.hpp\"\n";
  out += "namespace hel::abi::device {\n";
  for (const std::string& u : units)
    out += "__device__ void* resume_" + u + "(void* frame);\n__device__ void destroy_" + u + "(void* frame);\n";
  out += std::string("struct registry {\n  static constexpr bool groups = ") + (groups ? "true" : "false") + ";\n";
  const auto dispatch = [&](const char* result, const char* name, const char* call, const char* end, const char* otherwise) {
    out += std::string("  static __device__ ") + result + " " + name + "(void* frame) {\n";
    out += "    switch (static_cast<device_frame_header*>(frame)->file) {\n";
    for (const std::string& u : units)
      out += "    case " + std::to_string(unit_number(u)) + "u: " + call + name + "_" + u + "(frame);" + end + "\n";
    out += std::string("    default: ") + otherwise + "\n    }\n  }\n";
  };
  dispatch("void*", "resume", "return device::", "", "return nullptr;");
  dispatch("void", "destroy", "device::", " break;", "break;");
  return out + "};\n}\nHEL_DEVICE_REGISTRY(::hel::abi::device::registry)\n";
}

std::string emit_device_switch(const std::vector<unsigned>& types, const std::string& unit, bool groups) {
  std::string out = "namespace hel::abi::device {\n";
  const auto dispatch = [&](const char* result, const char* name, const char* call, const char* otherwise) {
    out += std::string("__device__ ") + result + " " + name + "_" + unit + "(void* frame) {\n";
    out += "  switch (static_cast<device_frame_header*>(frame)->type) {\n";
    for (unsigned t : types)
      out += "  case " + std::to_string(t) + ": " + call + "device_" + name + "(device_type<hel_unit, " +
             std::to_string(t) + ">{}, frame);" + (*call ? "" : " break;") + "\n";
    out += std::string("  default: ") + otherwise + "\n  }\n}\n";
  };
  dispatch("void*", "resume", "return ", "return nullptr;");
  dispatch("void", "destroy", "", "break;");
  out += "struct unit_" + unit + " {\n";
  out += std::string("  static constexpr bool groups = ") + (groups ? "true" : "false") + ";\n";
  out += "  static __device__ void* resume(void* frame) { return resume_" + unit + "(frame); }\n";
  out += "  static __device__ void destroy(void* frame) { destroy_" + unit + "(frame); }\n";
  return out + "};\n}\nHEL_DEVICE_PROGRAM(::hel::abi::device::unit_" + unit + ")\n";
}

std::string describe_frame(const Function& f) {
  const EmitContext c(f, {}, false);
  const std::uint64_t promise = (16 + f.promise_align - 1) / f.promise_align * f.promise_align;
  const std::uint64_t size = (c.layout.size + (f.has_this ? 8 : 0) + 7) / 8 * 8;
  std::string out = f.name + ": " + std::to_string(size) + " bytes, alignment " + std::to_string(c.layout.align) +
                    ", " + std::to_string(f.suspensions) + " suspension points\n";
  const auto row = [&](std::uint64_t offset, std::uint64_t bytes, const std::string& name, const std::string& why) {
    char text[64];
    std::snprintf(text, sizeof text, "  %6llu %6llu  ", static_cast<unsigned long long>(offset),
                  static_cast<unsigned long long>(bytes));
    out += text + name + "  -- " + why + "\n";
  };
  row(0, 16, "resume, destroy", "what a coroutine_handle calls");
  row(promise, f.promise_size, "promise", "lives as long as the frame");
  row(f.header_size(false, c.index_size()) - c.index_size(), c.index_size(), "index", "where to go on");
  for (const LaidOut& l : c.layout.slots) {
    const Slot& s = f.slots[l.slot];
    const std::string type = s.display.empty() ? c.type(l.slot) : s.display;
    row(l.offset, s.form == Form::reference ? 8 : s.size,
        (s.spelling.empty() ? "(" + s.name + ")" : s.spelling) + ": " + type + (s.form == Form::reference ? "&" : ""),
        s.why);
  }
  if (f.has_this) row(c.layout.size, 8, "this", "the object the coroutine is a member of");
  return out;
}

}  // namespace hel::lowering
