// The user's source as text: the tokens of a piece of the AST, with some of them replaced.
//
// Works on the expanded token stream, so a piece may begin or end inside a macro expansion. White space and comments
// between the tokens of a piece survive; a macro call survives when nothing inside it must be replaced.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "frontend/clang.hpp"
#include "lowering/ir/text.hpp"

namespace hel::frontend {

// Tokens [begin, end) of the expanded stream become `text`; begin == end inserts before token `begin`.
struct Replacement {
  unsigned begin, end;
  lowering::ir::Text text;
};

class SourceText {
 public:
  SourceText(const clang::syntax::TokenBuffer& tokens, const clang::SourceManager& sm);

  struct Range {
    unsigned begin = 0, end = 0;
    bool empty() const { return begin >= end; }
  };
  // The tokens of a source range (both ends inclusive, as Clang has them); empty when there are none.
  Range tokens(clang::SourceRange r) const;
  Range tokens(clang::SourceLocation one) const { return tokens(clang::SourceRange(one, one)); }

  // Outer replacements win over inner ones.
  lowering::ir::Text render(Range r, std::vector<Replacement> replacements = {}) const;

  // Macros that this text (the body of a coroutine) defines are always written expanded: their definitions are not kept.
  void define_local(llvm::StringRef body);

  llvm::StringRef spelling(unsigned token) const;
  bool identifier(unsigned token) const { return tokens_[token].kind() == clang::tok::identifier; }
  clang::tok::TokenKind kind(unsigned token) const { return tokens_[token].kind(); }
  clang::SourceLocation location(unsigned token) const { return tokens_[token].location(); }
  // Where a token stands in its file (the macro call, for a token from a macro).
  clang::FileID file(unsigned token) const { return spot(token).file; }
  unsigned offset(unsigned token) const { return spot(token).begin; }

 private:
  struct Spot {  // where a token stands in a file: the macro call for a token from a macro
    clang::FileID file;
    unsigned begin, end;
  };
  Spot spot(unsigned token) const;
  bool from_macro(unsigned token) const { return tokens_[token].location().isMacroID(); }
  std::string raw(clang::FileID file, unsigned begin, unsigned end) const;
  std::string gap(unsigned before, unsigned after) const;

  llvm::ArrayRef<clang::syntax::Token> tokens_;
  const clang::syntax::TokenBuffer& buffer_;
  const clang::SourceManager& sm_;
  std::set<std::string> local_macros_;
};

}  // namespace hel::frontend
