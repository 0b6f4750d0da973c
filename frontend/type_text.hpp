// Types as C++ text that means the same anywhere in the file.
#pragma once

#include <string>

#include "frontend/clang.hpp"

namespace hel::frontend {

// Types that are local to the coroutine and go by another name in its ramp (two of one name, or none), and types that
// only a template parameter names.
using LocalNames = llvm::DenseMap<const clang::NamedDecl*, std::string>;

// Fully qualified, canonical. `spellable()` must hold.
std::string type_text(clang::QualType t, clang::ASTContext& ctx, const LocalNames* local = nullptr);

// As a person would write it.
std::string display_type(clang::QualType t, clang::ASTContext& ctx);

// False for closures, unnamed types, types that are not accessible from `from`, and what is declared after a template.
bool spellable(clang::QualType t, clang::ASTContext& ctx, const clang::FunctionDecl* from, const LocalNames* local = nullptr);

// The same for a variable, a function or a template: declared before `from`.
bool nameable(const clang::NamedDecl* d, clang::ASTContext& ctx, const clang::FunctionDecl* from);

// A variable, function or enumerator, looked up from the global namespace.
std::string name_text(const clang::NamedDecl* d, clang::ASTContext& ctx, const LocalNames* local = nullptr);

// Not a private or protected member of a class that `from` is no member of.
bool accessible(const clang::NamedDecl* d, const clang::FunctionDecl* from);

// A type-id that can stand in front of a declarator's name as it is (no function or array inside).
bool simple_declarator(clang::QualType t);

}  // namespace hel::frontend
