// Pack expansions of a coroutine template. The pattern's AST says where they stand in the text; an instantiation has one
// node for each element, all of them at the same place.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "frontend/clang.hpp"
#include "frontend/source_text.hpp"

namespace hel::frontend {

class Packs {
 public:
  using Range = SourceText::Range;
  enum class Kind { list, fold, capture, types };
  struct Expansion {
    Kind kind = Kind::list;
    Range pattern, whole;  // without and with the dots; of a fold with its parentheses; of a capture from & to its end
    bool suspends = false;
    std::vector<unsigned> packs;  // tokens that declare the parameters and captures that it expands
      Range init;                   // of a binary fold
    unsigned dots = 0;
    clang::BinaryOperatorKind op = clang::BO_Comma;
    unsigned name = 0;  // capture: its token
  };

  // Adds the expansions in the body of `pattern`.
  void add(const clang::FunctionDecl* pattern, const SourceText& text);
  bool empty() const { return all_.empty() && declared_.empty(); }
  const std::vector<Expansion>& all() const { return all_; }

  // The expansion that one element with this range belongs to: an expression, or a type.
  const Expansion* at(Range r, bool type = false) const;
  // The smallest one whose pattern holds this range.
  const Expansion* innermost(Range r) const;
  // The fold that `e` is an operation of.
  const Expansion* operation(const clang::Expr* e) const;
  // The fold that `e` is the value of, by its place.
  const Expansion* folded(Range r) const;
  const Expansion* capture(unsigned token) const;
  // The token declares a pack.
  bool declares(unsigned token) const { return declared_.count(token) != 0; }
  // It is a parameter of a lambda inside of the function.
  bool inner(unsigned token) const { return inner_.count(token) != 0; }

  // The pack parameters of the function at this place, by the token of the name.
  std::map<unsigned, const clang::ParmVarDecl*> parameters(clang::SourceLocation function) const;

  // An instantiation's node leaves out the parentheses of a fold at its begin or end. `inside`: what the node is in.
  Range widen(Range r, Range inside = {}) const;

 private:
  std::vector<Expansion> all_;
  std::map<unsigned, const clang::ValueDecl*> declared_;
  std::set<unsigned> inner_;
  std::map<unsigned, std::size_t> by_dots_;
  const SourceText* text_ = nullptr;
};

inline bool operator==(SourceText::Range a, SourceText::Range b) { return a.begin == b.begin && a.end == b.end; }
inline bool within(SourceText::Range inner, SourceText::Range outer) { return outer.begin <= inner.begin && inner.end <= outer.end; }

}  // namespace hel::frontend
