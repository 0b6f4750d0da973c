// The IR as text, for people and tests.
#pragma once

#include <string>

#include "lowering/ir/ir.hpp"

namespace hel::lowering::ir {

std::string print(const Function& f);

}  // namespace hel::lowering::ir
