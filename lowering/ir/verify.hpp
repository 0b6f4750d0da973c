// Checks that a Function obeys the rules of the IR: one cleanup stack, the same at every join; on each path every
// object with a destructor is built once, destroyed once, and covered by the stack wherever the coroutine may be
// destroyed.
#pragma once

#include <string>
#include <vector>

#include "lowering/ir/ir.hpp"

namespace hel::lowering::ir {

// One line per violation, empty when the function is sound.
std::vector<std::string> verify(const Function& f);

}  // namespace hel::lowering::ir
