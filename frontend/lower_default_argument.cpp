// Default arguments that must be written at the call: those with temporaries, beside a suspension. The temporaries live
// to the end of the full-expression ([class.temporary]/4), so they need places in the frame like those that somebody
// wrote.
#include "frontend/lower_function.hpp"

#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

// Not those of the standard library: allocators and comparisons make no difference.
bool FunctionLowering::must_write(const CXXDefaultArgExpr* e) const {
  if (!hoist_ || ctx_.getSourceManager().isInSystemHeader(e->getParam()->getLocation())) return false;
  struct Finder : RecursiveASTVisitor<Finder> {
    bool found = false;
    bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr*) { return !(found = true); }
    bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr* inner) { return TraverseStmt(inner->getExpr()); }
  } finder;
  finder.TraverseStmt(const_cast<Expr*>(e->getExpr()));
  return finder.found;
}

// Operands for the arguments of a call; those by default up to the last that must be written.
void FunctionLowering::arguments(std::vector<Operand>& list, CallExpr::const_arg_range all) const {
  std::size_t wanted = list.size();
  for (const Expr* a : all) {
    const auto* d = dyn_cast<CXXDefaultArgExpr>(a);
    list.push_back({d ? d->getExpr() : a, a->isPRValue(), d});
    if (!d || must_write(d)) wanted = list.size();
  }
  list.resize(wanted);
}

// `last`: nothing that is kept comes after it.
Text FunctionLowering::default_argument(const Operand& o, bool last) {
  const CXXDefaultArgExpr* outer = std::exchange(elsewhere_, o.by_default);
  Text t = last ? value(o.e) : spill(o);
  elsewhere_ = outer;
  // Converted here, so that braces around it see no narrowing.
  return o.e->getType()->isScalarType() && o.e->isPRValue() && !isa<InitListExpr>(o.e)
             ? "static_cast<" + type_name(o.e->getType(), o.by_default->getUsedLocation(), "argument") + ">(" + t + ")"
             : t;
}

// All arguments of a default constructor that nobody wrote a list for.
Text FunctionLowering::default_arguments(const CXXConstructExpr* e) {
  std::vector<Operand> list;
  arguments(list, e->arguments());
  if (!list.empty() && e->getType()->isArrayType())
    diag_.error(e->getExprLoc(), Hel::default_argument_temporary,
                list.back().by_default->getParam()->getNameAsString());
  Text out;
  for (const Operand& o : list)
    out += (out.empty() ? "" : ", ") + default_argument(o, o.by_default == list.back().by_default);
  return out;
}

// An implicit conversion by a constructor, some of whose default arguments must be written.
Text FunctionLowering::conversion(const CXXConstructExpr* e) {
  std::vector<Operand> list;
  arguments(list, e->arguments());
  Text out = type_name(e->getType().getUnqualifiedType(), e->getExprLoc(), "conversion") + "(";
  for (const Operand& o : list) {
    const bool last = &o == &list.back();
    out += (&o == &list.front() ? "" : ", ") + (o.by_default ? default_argument(o, last) : spill(o));
  }
  return out + ")";
}

// Behind the arguments that somebody wrote.
void FunctionLowering::add_arguments(const Expr* call, const std::vector<Text>& by_default,
                                     std::vector<Replacement>& replacements) {
  SourceLocation closing;
  bool others = false;
  const auto count = [&](auto arguments) {
    for (const Expr* a : arguments) others |= !isa<CXXDefaultArgExpr>(a);
  };
  if (const auto* o = dyn_cast<CXXOperatorCallExpr>(call)) {
    closing = o->getRParenLoc();
    count(llvm::drop_begin(o->arguments()));
  } else if (const auto* c = dyn_cast<CallExpr>(call)) {
    closing = c->getRParenLoc();
    count(c->arguments());
  } else {
    const Expr* made = call;
    while (isa<ExplicitCastExpr, ImplicitCastExpr, CXXBindTemporaryExpr, MaterializeTemporaryExpr, ConstantExpr>(made))
      made = cast<Expr>(*made->children().begin());
    const auto* construct = cast<CXXConstructExpr>(made);
    closing = construct->getParenOrBraceRange().getEnd();
    if (const auto* f = dyn_cast<CXXFunctionalCastExpr>(call); f && closing.isInvalid()) closing = f->getRParenLoc();
    count(construct->arguments());
  }
  const SourceText::Range at = text_.tokens(closing);
  if (at.empty()) return diag_.error(call->getBeginLoc(), Hel::default_argument_temporary, "");
  Text text;
  for (const Text& t : by_default) text += (others || !text.empty() ? ", " : "") + t;
  replacements.push_back({at.begin, at.begin, std::move(text)});
}

}  // namespace hel::frontend
