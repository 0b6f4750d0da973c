// One walk over a coroutine's body before it is lowered: where suspensions and temporaries are, which variables are
// modified or have their address taken, and which names the body uses.
#pragma once

#include <map>
#include <set>
#include <string>

#include "frontend/clang.hpp"
#include "frontend/source_text.hpp"

namespace hel::frontend {

// To return_value; a list in braces has no type of its own.
bool returns_value(const clang::CoreturnStmt* s);

class Scan {
 public:
  // `instance`: the body is that of a template's instantiation.
  Scan(clang::ASTContext& ctx, const SourceText& text, bool instance) : ctx_(ctx), text_(text), instance_(instance) {}
  void run(const clang::Stmt* body, clang::SourceRange range);

  bool suspends(const clang::Stmt* s) const { return s && suspends_.count(s); }
  // A temporary object is materialised somewhere inside (not in a lambda's body).
  bool has_temporary(const clang::Stmt* s) const { return s && temporaries_.count(s); }
  // A temporary inside lives as long as the variable whose initializer this is.
  bool has_extended(const clang::Stmt* s) const { return s && extended_.count(s); }
  // A label or case label that something outside jumps to.
  bool has_label(const clang::Stmt* s) const { return s && open_.count(s); }

  bool address_taken(const clang::VarDecl* v) const { return escaped_.count(v); }
  bool modified(const clang::VarDecl* v) const { return modified_.count(v); }

  // A lambda or a local class names it: where that is moved to, it must be visible.
  bool named_inside(const clang::VarDecl* v) const { return named_inside_.count(v); }

  // The name would mean something else somewhere in the body if `v` were visible everywhere.
  bool clashes(const clang::VarDecl* v) const;
  bool uses_identifier(const std::string& name) const { return identifiers_.count(name); }
  bool has_reserved_name(std::string& name) const;

  // Visits what is evaluated when `s` is: not the bodies of lambdas, not unevaluated operands, each operand of an await
  // once.
  static void children(const clang::Stmt* s, llvm::SmallVectorImpl<const clang::Stmt*>& out);

 private:
  enum Use { address, read, write };
  // Labels of a statement and how many jumps inside of it lead to each.
  using Jumps = std::map<const clang::LabelDecl*, unsigned>;
  struct Inside {
    bool suspends = false, cases = false, constant = false;  // case labels of a switch around it; an `if constexpr` of an instance
    std::set<const clang::LabelDecl*> labels;
    Jumps jumps;
  };
  void count_jumps(const clang::Stmt* s);
  Inside walk(const clang::Stmt* s);
  void uses(const clang::Stmt* s, Use context);

  clang::ASTContext& ctx_;
  const SourceText& text_;
  const bool instance_;
  llvm::DenseSet<const clang::Stmt*> suspends_, temporaries_, extended_, open_;
  llvm::DenseSet<const clang::VarDecl*> escaped_, modified_, named_inside_;
  Jumps jumps_;                                             // in the whole body
  std::map<std::string, unsigned> identifiers_;             // free occurrences by name
  llvm::DenseMap<const clang::VarDecl*, unsigned> owned_;  // occurrences that mean this variable
};

}  // namespace hel::frontend
