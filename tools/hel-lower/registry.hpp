// The source that makes one device program of several files (hel-lower --registry).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hel::tool {

// Of lowered files, {name, text} each: a .cu with a switch over those that have tasks for the device. Null: `why` says
// what is wrong with which file.
std::optional<std::string> registry_text(const std::vector<std::pair<std::string, std::string>>& files, std::string& why);

}  // namespace hel::tool
