// A coroutine that is a template, or inside of one: the instantiations that the file makes, and how to tell them apart
// in the emitted text.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/clang.hpp"

namespace hel::frontend {

// A template parameter without a name gets one: where it must be inserted.
struct NamedTemplateParameter {
  clang::SourceLocation at;
  std::string name;
  bool operator==(const NamedTemplateParameter&) const = default;
};

// A condition for `if constexpr` inside the body that holds for this instantiation, in terms of the names of the template
// parameters; nothing when it cannot be written. An argument without a name (a closure's type) is told by its size and
// its operator(): two instantiations may have the same condition. `named`: what must be inserted for the condition.
std::optional<std::string> instantiation_condition(const clang::FunctionDecl* f, clang::ASTContext& ctx, std::vector<NamedTemplateParameter>& named);

// The types that are arguments, under the parameters' names.
std::vector<std::pair<clang::QualType, std::string>> named_arguments(const clang::FunctionDecl* f);

// True when an argument of the coroutine or of a template around it is a pack.
bool has_pack(const clang::FunctionDecl* f);

// A declaration for the body of a template that the file never instantiates: an error if it is after all.
std::optional<std::string> uninstantiated_body(const clang::FunctionDecl* pattern);

}  // namespace hel::frontend
