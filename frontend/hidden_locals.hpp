// Whether a coroutine calls functions that the C++ compiler may inline into its body together with variables of theirs.
//
// Lowered bodies leave by tail calls, or a chain of transfers would grow the stack. g++ makes none where a variable in
// memory may be alive, and thinks so of a variable of an inlined function if a call in that function may throw: on that
// way it forgets where the variable's life ends. Such bodies are kept in a function of their own.
#pragma once

#include "frontend/clang.hpp"

namespace hel::frontend {

bool may_hide_locals(const clang::FunctionDecl* coroutine);

}  // namespace hel::frontend
