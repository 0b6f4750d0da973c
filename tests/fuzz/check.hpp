// Whether a program is well-formed and its order of evaluation is fixed: by the standard, or, where a full-expression
// suspends, by the rule that what stands before the suspension is evaluated from left to right.
#pragma once

#include "model.hpp"

namespace hel::fuzz {

bool suspends(const Expr& e);
bool has_effects(const Expr& e);
// An lvalue that does not name a temporary of its full-expression.
bool is_stable(const Expr& e);
// Whether the operands of e that compilers may evaluate in any order have one order.
bool is_ordered(const Expr& e);
// Whether hel-lower takes the full-expression; what it refuses is in docs/diagnostics.md.
bool is_supported(const Expr& e);
// Whether something may throw behind an array new in the same full-expression: g++ 12 then destroys its elements again.
bool has_early_array(const Expr& e);
bool has_array(const Expr& e);
// Whether a prvalue passed by value is built in the parameter. A ?: with a suspension inside is built in the frame and
// moved from there: what a parameter is built in has no name in source code.
bool is_built_in_place(const Expr& e);

bool is_valid(const Program& p);

}  // namespace hel::fuzz
