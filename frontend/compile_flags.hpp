// Which of a project's compiler flags matter to the parse.
#pragma once

#include <string>
#include <vector>

namespace hel::frontend {

// Keeps what changes the meaning of the source (macros, include paths, language); drops output, plug-in, warning and
// optimisation flags and those of other compilers.
std::vector<std::string> parse_flags(const std::vector<std::string>& flags);

}  // namespace hel::frontend
