// The IR as text, for people and tests. The text holds all of a Function: parse() reads it back.
//
//   coroutine NAME                 the rest of a line is a name or a piece of C++; elsewhere C++ stands in `backquotes`
//     slot %x : `int` local scalar
//     region 1 in 0
//   b0: [c2] entry                 a block, and the cleanup that is current at its beginning
//       12:3 build %x <- direct 1  with the position in the source, if known
//
// In C++ text, %x is the slot x, %(promise) and the like are the other markers; %% is a percent sign, \n the end of a
// line.
#pragma once

#include <string>

#include "lowering/ir/ir.hpp"

namespace hel::lowering::ir {

std::string print(const Function& f);

}  // namespace hel::lowering::ir
