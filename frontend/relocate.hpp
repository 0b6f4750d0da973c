// Text that is evaluated in another scope than where it stands: a default argument at the call, a default member
// initializer beside its class.
#pragma once

#include <optional>
#include <vector>

#include "frontend/clang.hpp"
#include "frontend/source_text.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

// What must be replaced in the text of `e` so that every name means the same in the body of `from`. `self`: the object
// that `this` is, as an lvalue; empty where there is none. Nothing when that cannot be written: a name that is private
// where the text goes, or that has no spelling there.
std::optional<std::vector<Replacement>> relocate(const clang::Stmt* e, const lowering::ir::Text& self,
                                                 clang::ASTContext& ctx, const SourceText& text,
                                                 const clang::FunctionDecl* from, const LocalNames* local);

}  // namespace hel::frontend
