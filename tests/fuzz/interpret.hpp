// What a program prints, by the standard's rules: order of evaluation, lifetime of temporaries, destruction of scopes
// by every way out of them, and at a suspension. The reference that no compiler had a part in.
#pragma once

#include <optional>
#include <string>

#include "model.hpp"

namespace hel::fuzz {

// What a run prints that is destroyed after so many steps (-1: runs to its end); empty if the program is no good: runs
// for too long, numbers too large. suspensions: how many the run reached.
std::optional<std::string> interpret(const Program& p, int stop, int* suspensions = nullptr, bool quirk = false);

// All of the program's runs. quirk: with the fault of clang that known-native.txt calls partial-array.
std::optional<std::string> interpret(const Program& p, bool quirk = false);

}  // namespace hel::fuzz
