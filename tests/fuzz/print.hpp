// Programs as C++.
#pragma once

#include <string>
#include <vector>

#include "model.hpp"

namespace hel::fuzz {

std::string to_string(const Expr& e);
// One translation unit; each program in a namespace of its own, numbered from 0.
std::string to_source(const std::vector<Program>& programs);

}  // namespace hel::fuzz
