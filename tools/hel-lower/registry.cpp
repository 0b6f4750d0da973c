#include "tools/hel-lower/registry.hpp"

#include <map>

#include "lowering/emit.hpp"

namespace hel::tool {

std::optional<std::string> registry_text(const std::vector<std::pair<std::string, std::string>>& files, std::string& why) {
  // What ends a file that has tasks for the device, and a registry.
  const std::string unit_mark = "\nHEL_DEVICE_PROGRAM(::hel::abi::device::unit_", registry_mark = "\nHEL_DEVICE_REGISTRY(";
  std::vector<std::string> units;
  bool groups = false;
  std::map<std::uint32_t, std::string> owners;
  for (const auto& [name, text] : files) {
    if (text.find(registry_mark) != std::string::npos) {
      why = name + ": is a registry itself; name the lowered files";
      return std::nullopt;
    }
    const std::size_t at = text.rfind(unit_mark);
    if (at == std::string::npos) {  // nothing in it is for the device
      if (text.find("\n#include \"hel/abi/lowered.hpp\"\n") == std::string::npos || text.find("\n#include \"hel/abi/device.hpp\"\n") != std::string::npos) continue;
      why = name + ": was lowered for the host; --registry is for what --target cuda has made";
      return std::nullopt;
    }
    const std::size_t begin = at + unit_mark.size();
    units.push_back(text.substr(begin, text.find(')', begin) - begin));
    groups |= text.find("struct unit_" + units.back() + " {\n  static constexpr bool groups = true;") != std::string::npos;
    const auto [other, first] = owners.try_emplace(lowering::unit_number(units.back()), name);
    if (!first) {
      why = name + ": has the same number as " + other->second + ": they were lowered from one file, or by the same relative path in two directories";
      return std::nullopt;
    }
  }
  std::string out = "// The device program of several files, made by hel-lower --registry.\n";
  return units.empty() ? out + "// None of them has tasks for the device.\n" : out + lowering::emit_device_registry(units, groups);
}

}  // namespace hel::tool
