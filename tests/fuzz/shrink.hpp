// Smaller programs: a statement deleted or replaced by its parts, an expression by an operand or a constant.
#pragma once

#include <cstddef>
#include <optional>

#include "model.hpp"

namespace hel::fuzz {

// How many single edits there are; their numbers are the same for the same program.
std::size_t edit_count(const Program& p);

// The program after one edit; empty if it is no valid program then.
std::optional<Program> shrink(const Program& p, std::size_t edit);

}  // namespace hel::fuzz
