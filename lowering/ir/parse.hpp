// Reads what print() writes: an IR by hand for tests, or one that hel-lower --print-ir has shown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lowering/ir/ir.hpp"

namespace hel::lowering::ir {

struct Parsed {
  std::vector<Function> functions;
  std::string error;  // "line N: what"; empty: the whole text was read
};

// What a line leaves out is as in a Function made by hand. Empty lines and lines that begin with # are skipped.
Parsed parse(std::string_view text);

}  // namespace hel::lowering::ir
