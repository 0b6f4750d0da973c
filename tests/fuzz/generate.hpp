// Random programs.
#pragma once

#include "model.hpp"

namespace hel::fuzz {

// A valid program that ends; the same for the same seed.
Program generate(std::uint64_t seed);

}  // namespace hel::fuzz
