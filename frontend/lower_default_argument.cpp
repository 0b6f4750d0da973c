// Default arguments that must be written at the call: those with temporaries, beside a suspension. The temporaries live
// to the end of the full-expression ([class.temporary]/4), so they need places in the frame like those that somebody
// wrote.
#include "frontend/lower_function.hpp"

#include "frontend/relocate.hpp"
#include "frontend/substituter.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

namespace {

struct Needs : RecursiveASTVisitor<Needs> {
  bool temporary = false, function = false;
  bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr*) { return temporary = true; }
  bool VisitSourceLocExpr(SourceLocExpr* e) {
    const SourceLocIdentKind k = e->getIdentKind();
    function |= k == SourceLocIdentKind::Function || k == SourceLocIdentKind::FuncSig || k == SourceLocIdentKind::SourceLocStruct;
    return true;
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr* inner) { return TraverseStmt(inner->getExpr()); }
  explicit Needs(const CXXDefaultArgExpr* e) { TraverseStmt(const_cast<Expr*>(e->getExpr())); }
};

}  // namespace

// Not those of the standard library: allocators and comparisons make no difference.
bool FunctionLowering::must_write(const CXXDefaultArgExpr* e) const {
  return hoist_ && !ctx_.getSourceManager().isInSystemHeader(e->getParam()->getLocation()) && Needs(e).temporary;
}

// It asks for the function that it is used in, which is the coroutine and not what its body has become.
bool FunctionLowering::names_function(const CXXDefaultArgExpr* e) const {
  return !ctx_.getSourceManager().isInSystemHeader(e->getParam()->getLocation()) && Needs(e).function;
}

// Operands for the arguments of a call; those by default up to the last that must be written, or should be and can.
void FunctionLowering::arguments(std::vector<Operand>& list, CallExpr::const_arg_range all) const {
  std::size_t wanted = list.size();
  bool possible = true;
  for (const Expr* a : all) {
    const auto* d = dyn_cast<CXXDefaultArgExpr>(a);
    list.push_back({d ? d->getExpr() : a, a->isPRValue(), d});
    possible = possible && (!d || relocate(d->getExpr(), {}, ctx_, text_, fd_, &local_names_));
    if (!d || must_write(d) || (names_function(d) && possible)) wanted = list.size();
  }
  list.resize(wanted);
}

// std::source_location::current(), used at this place: in the ramp, which is the user's function.
Text FunctionLowering::source_location(SourceLocation at) {
  if (elsewhere_) at = elsewhere_->getUsedLocation();
  std::string& name = locations_[line(at).line];
  if (name.empty()) {
    name = unique_name("hel_location" + std::to_string(locations_.size()));
    fn_.declarations.push_back({"static constexpr auto " + name + " = ::std::source_location::current();", line(at)});
  }
  return name;
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

namespace {

// Where the list of arguments ends, and whether anything is in it.
std::pair<SourceLocation, bool> end_of_arguments(const Expr* call) {
  const auto given = [](auto arguments) { return llvm::any_of(arguments, [](const Expr* a) { return !isa<CXXDefaultArgExpr>(a); }); };
  if (const auto* o = dyn_cast<CXXOperatorCallExpr>(call)) return {o->getOperator() == OO_Call ? o->getRParenLoc() : SourceLocation(), given(llvm::drop_begin(o->arguments()))};
  if (const auto* c = dyn_cast<CallExpr>(call)) return {c->getRParenLoc(), given(c->arguments())};
  const Expr* made = call;
  while (isa<ExplicitCastExpr, ImplicitCastExpr, CXXBindTemporaryExpr, MaterializeTemporaryExpr, ConstantExpr>(made)) made = cast<Expr>(*made->children().begin());
  const auto* construct = dyn_cast<CXXConstructExpr>(made);
  if (!construct) return {};
  SourceLocation end = construct->getParenOrBraceRange().getEnd();
  if (const auto* f = dyn_cast<CXXFunctionalCastExpr>(call); f && end.isInvalid()) end = f->getRParenLoc();
  return {end, given(construct->arguments())};
}

}  // namespace

// Behind the arguments that somebody wrote. False: there is no place.
bool FunctionLowering::add_arguments(const Expr* call, const std::vector<Text>& by_default, std::vector<Replacement>& replacements) const {
  const auto [end, others] = end_of_arguments(call);
  const SourceText::Range at = text_.tokens(end);
  if (at.empty()) return false;
  Text text;
  for (const Text& t : by_default) text += (others || !text.empty() ? ", " : "") + t;
  replacements.push_back({at.begin, at.begin, std::move(text)});
  return true;
}

// In text that is copied: those that name the function.
void Substituter::name_function(const Expr* call, CallExpr::const_arg_range all) {
  if (lambdas_ || llvm::none_of(all, [&](const Expr* a) { return isa<CXXDefaultArgExpr>(a) && f_.names_function(cast<CXXDefaultArgExpr>(a)); })) return;
  std::vector<FunctionLowering::Operand> list;
  f_.arguments(list, all);
  std::vector<Text> texts;
  for (const auto& o : list)
    if (o.by_default) texts.push_back(f_.default_argument(o, true));
  if (texts.empty() || f_.add_arguments(call, texts, replacements)) return;
  // Of a variable or a new object without any list.
  const auto* construct = dyn_cast<CXXConstructExpr>(call);
  if (!construct || texts.size() != list.size() || construct->getType()->isArrayType() || construct->getLocation().isInvalid()) return;
  const SourceText::Range name = f_.text_.tokens(construct->getLocation());
  Text text;
  for (const Text& t : texts) text += (text.empty() ? "(" : ", ") + t;
  if (const auto* v = variable_; v && v->getInit() && v->getInit()->IgnoreImplicit() == construct && !name.empty())
    replacements.push_back({name.begin, name.end, f_.text_.spelling(name.begin).str() + text + ")"});
}

bool Substituter::VisitCallExpr(CallExpr* e) {
  const auto* m = dyn_cast_or_null<CXXMethodDecl>(e->getDirectCallee());
  if (m && m->getParent()->isInStdNamespace() && m->getParent()->getName() == "source_location" && m->getDeclName().isIdentifier() && m->getName() == "current") {
    if (!lambdas_ && e->getNumArgs() && isa<CXXDefaultArgExpr>(e->getArg(0))) replace(e->getSourceRange(), f_.source_location(e->getBeginLoc()));
    return true;
  }
  name_function(e, std::as_const(*e).arguments());
  return true;
}

bool Substituter::VisitCXXConstructExpr(CXXConstructExpr* e) {
  name_function(e, std::as_const(*e).arguments());
  return true;
}

bool Substituter::VisitCXXFunctionalCastExpr(CXXFunctionalCastExpr* e) {
  if (const auto* c = dyn_cast<CXXConstructExpr>(e->getSubExpr()->IgnoreImplicit()); c && c->getParenOrBraceRange().isInvalid()) name_function(e, c->arguments());
  return true;
}

}  // namespace hel::frontend
