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
// `within`: only templates inside of that function are asked for.
std::optional<std::string> instantiation_condition(const clang::FunctionDecl* f, clang::ASTContext& ctx, std::vector<NamedTemplateParameter>& named,
                                                   const clang::FunctionDecl* within = nullptr);

// The types that are arguments, under the parameters' names.
std::vector<std::pair<clang::QualType, std::string>> named_arguments(const clang::FunctionDecl* f);

// The same of the templates around it only, "" when there are none: known already while the body of a generic lambda is
// still a template.
std::optional<std::string> enclosing_condition(const clang::FunctionDecl* f, clang::ASTContext& ctx, std::vector<NamedTemplateParameter>& named);

// An instantiation's text, and the condition for it.
struct Variant {
  const clang::FunctionDecl* f = nullptr;
  std::optional<std::string> condition;
  std::string code;
};
// Code that chooses between variants; `here` comes before lines of its own. Nothing when two cannot be told apart.
std::optional<std::string> choose(std::vector<Variant> variants, const std::string& here);

// Inside a template's instantiation: a member of a class template, a lambda in a function template.
bool in_instance(const clang::FunctionDecl* f);

// How many arguments a pack of template parameters stands for in `f`.
std::size_t pack_argument_size(const clang::FunctionDecl* f, const clang::TemplateTypeParmDecl* parameter);

// A declaration for the body of a template that the file never instantiates: an error if it is after all.
std::optional<std::string> uninstantiated_body(const clang::FunctionDecl* pattern);

}  // namespace hel::frontend
