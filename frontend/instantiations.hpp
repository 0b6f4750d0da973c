// A coroutine that is a template, or inside of one: the instantiations that the file makes, and how to tell them apart
// in the emitted text.
#pragma once

#include <optional>
#include <string>

#include "frontend/clang.hpp"

namespace hel::frontend {

// A condition for `if constexpr` inside the body that holds for this instantiation only, in terms of the names of the
// template parameters; nothing when it cannot be written (unnamed parameters, types without a name).
std::optional<std::string> instantiation_condition(const clang::FunctionDecl* f, clang::ASTContext& ctx);

// True when an argument of the coroutine or of a template around it is a pack.
bool has_pack(const clang::FunctionDecl* f);

// A declaration for the body of a template that the file never instantiates: an error if it is after all.
std::optional<std::string> uninstantiated_body(const clang::FunctionDecl* pattern);

}  // namespace hel::frontend
