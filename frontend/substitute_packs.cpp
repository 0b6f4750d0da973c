// Pack expansions in a piece of text: written out, element by element, where the body of a lowered coroutine has
// variables of its own for the elements.
#include <algorithm>

#include "frontend/substituter.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using lowering::ir::Text;

Substituter::Substituter(FunctionLowering& f, SourceText::Range range, Given given) : f_(f), range_(range), inside_(f.packs_->innermost(range)), given_(std::move(given)) {}

// Others stay as they are: packs of template parameters mean the same in the body, those of a lambda's are its own.
bool Substituter::expands(const Packs::Expansion& x) const {
  if (x.packs.empty()) return x.suspends;
  return std::any_of(x.packs.begin(), x.packs.end(), [&](unsigned p) { return f_.is_element(p); });
}

template <class Traverse>
Text Substituter::element(SourceText::Range r, const Packs::Expansion* of, Traverse traverse) {
  Substituter inner(*this);
  inner.replacements.clear();
  inner.found_.clear();
  inner.given_.clear();
  inner.bodies_.clear();
  inner.range_ = r;
  inner.inside_ = of;
  traverse(inner);
  return f_.text_.render(r, inner.finish());
}

Text Substituter::element(const Stmt* s, SourceText::Range r, const Packs::Expansion* of) {
  return element(r, of ? of : f_.packs_->innermost(r), [&](Substituter& inner) { inner.TraverseStmt(const_cast<Stmt*>(s)); });
}

bool Substituter::TraverseTypeLoc(TypeLoc t HEL_TRAVERSE_IGNORED) {
  if (t && !f_.packs_->empty()) {
    const SourceText::Range r = f_.text_.tokens(t.getSourceRange());
    if (const Packs::Expansion* x = r.empty() ? nullptr : f_.packs_->at(r, true); x && x != inside_ && expands(*x)) {
      if (!twice_) found_[x].push_back(element(r, x, [&](Substituter& inner) { inner.TraverseTypeLoc(t); }));
      return true;
    }
  }
  return Base::TraverseTypeLoc(t);
}

Text Substituter::fold_text(const Expr* e, const Packs::Expansion& fold) {
  const auto operation = [&](const Expr* left, const Expr* right) {
    return "(" + fold_text(left, fold) + " " + BinaryOperator::getOpcodeStr(fold.op).str() + " " + fold_text(right, fold) + ")";
  };
  const Expr* bare = e->IgnoreImplicit();
  if (f_.packs_->operation(bare) == &fold) {
    if (const auto* b = dyn_cast<BinaryOperator>(bare)) return operation(b->getLHS(), b->getRHS());
    if (const auto* r = dyn_cast<CXXRewrittenBinaryOperator>(bare)) return operation(r->getLHS(), r->getRHS());
    const auto* o = cast<CXXOperatorCallExpr>(bare);
    return operation(o->getArg(0), o->getArg(1));
  }
  const SourceText::Range r = f_.text_.tokens(e->getSourceRange());
  if (r.end == r.begin + 1 && r.begin == fold.dots) return fold.op == BO_LAnd ? "true" : fold.op == BO_LOr ? "false" : "void()";
  return "(" + element(e, r) + ")";
}

bool Substituter::TraverseStmt(Stmt* s) {
  if (const auto* e = dyn_cast_or_null<Expr>(s); e && !f_.packs_->empty()) {
    if (const Packs::Expansion* fold = f_.packs_->operation(e); fold && (given_.count(fold) || expands(*fold))) {
      if (!twice_ && !given_.count(fold)) found_[fold] = {fold_text(e, *fold)};
      return true;
    }
    const SourceText::Range r = f_.text_.tokens(e->getSourceRange());
    if (const Packs::Expansion* x = r.empty() ? nullptr : f_.packs_->at(r); x && x != inside_ && (given_.count(x) || expands(*x))) {
      // A generic lambda's own pack beside one that is expanded here.
      if (e->containsUnexpandedParameterPack()) f_.diag_.error(e->getBeginLoc(), Hel::parameter_pack);
      if (!twice_ && !given_.count(x)) found_[x].push_back(element(e, r));
      return true;
    }
  }
  return Base::TraverseStmt(s);
}

// A list has two forms, which have their elements in common.
bool Substituter::TraverseInitListExpr(InitListExpr* s) {
  InitListExpr* written = s->isSemanticForm() && s->getSyntacticForm() ? s->getSyntacticForm() : nullptr;
  if (written) {
    const bool twice = std::exchange(twice_, true);
    TraverseSynOrSemInitListExpr(written, nullptr);
    twice_ = twice;
  }
  return TraverseSynOrSemInitListExpr(s, nullptr);
}

bool Substituter::of_element(SourceLocation at) const {
  const SourceText::Range r = f_.text_.tokens(at);
  if (!inside_ || r.empty()) return false;
  return f_.packs_->innermost(r) == (inside_->kind == Packs::Kind::capture ? f_.packs_->innermost(inside_->whole) : inside_);
}

// A parameter pack of a lambda inside is one in the text, too.
void Substituter::pick(const DeclRefExpr* e, const ParmVarDecl* p) {
  const SourceText::Range at = f_.text_.tokens(p->getLocation());
  const auto* f = dyn_cast<FunctionDecl>(p->getDeclContext());
  if (!f || at.empty() || !f_.packs_->inner(at.begin) || f_.is_element(at.begin) || !of_element(e->getLocation())) return;
  std::size_t index = 0;
  for (const ParmVarDecl* other : f->parameters()) {
    if (other == p) break;
    index += other->getLocation() == p->getLocation();
  }
  replace(e->getLocation(), "::hel::abi::pick<" + std::to_string(index) + ">(" + p->getNameAsString() + "...)");
}

bool Substituter::VisitSizeOfPackExpr(SizeOfPackExpr* e) {
  const SourceText::Range declared = f_.text_.tokens(e->getPack()->getLocation());
  if (!e->isValueDependent() && isa<VarDecl>(e->getPack()) && !declared.empty() && f_.is_element(declared.begin))
    replace(e->getSourceRange(), "static_cast<decltype(sizeof 0)>(" + std::to_string(e->getPackLength()) + ")");
  return true;
}

bool Substituter::VisitSubstNonTypeTemplateParmExpr(SubstNonTypeTemplateParmExpr* e) {
  if (!e->getPackIndex() || !of_element(e->getNameLoc())) return true;
  Expr::EvalResult known;
  if (e->getReplacement()->EvaluateAsConstantExpr(known, f_.ctx_) && known.Val.isInt())
    replace(e->getNameLoc(), "static_cast<" + type_text(e->getType(), f_.ctx_) + ">(" + llvm::toString(known.Val.getInt(), 10) + ")");
  else
    f_.diag_.error(e->getNameLoc(), Hel::parameter_pack, e->getParameter()->getNameAsString());
  return true;
}

Text Substituter::written(const Packs::Expansion& fold) const {
  if (fold.init.empty()) return fold.op == BO_LAnd ? "true" : fold.op == BO_LOr ? "false" : "void()";
  return "(" + f_.text_.render(fold.init, replacements) + ")";
}

std::vector<Replacement> Substituter::finish() {
  std::vector<Replacement> all = std::move(replacements);
  replacements = all;
  struct Group {
    SourceText::Range whole;
    Text text;
  };
  std::vector<Group> groups;
  for (const Packs::Expansion& x : f_.packs_->all()) {
    if (!within(x.whole, range_) || &x == inside_) continue;
    const bool given = given_.count(&x) != 0;
    if (!given && !expands(x)) continue;
    const auto nested = [&](const Packs::Expansion& o) { return &o != &x && &o != inside_ && within(x.whole, o.whole) && within(o.whole, range_) && o.kind != Packs::Kind::capture && (given_.count(&o) || expands(o)); };
    if (std::any_of(f_.packs_->all().begin(), f_.packs_->all().end(), nested)) continue;
    if (std::any_of(bodies_.begin(), bodies_.end(), [&](SourceText::Range body) { return within(x.whole, body); })) continue;
    const std::vector<Text>& texts = given && x.kind != Packs::Kind::capture ? given_[&x] : found_[&x];
    if (!given)
      for (unsigned p : x.packs)
        if (const auto size = f_.element_count(p); size && x.kind != Packs::Kind::fold && *size != texts.size()) f_.diag_.error(f_.text_.location(x.pattern.begin), Hel::parameter_pack);
    if (x.kind == Packs::Kind::fold) {
      const bool widened = range_.begin <= x.whole.begin && x.whole.end <= range_.end;
      if (widened) all.push_back({x.whole.begin, x.whole.end, texts.empty() ? written(x) : "(" + texts[0] + ")"});
      continue;
    }
    Text list;
    for (const Text& t : texts) list += (list.empty() ? "" : ", ") + t;
    // Expansions side by side are one list, for one comma to go when it is empty.
    if (!groups.empty() && groups.back().whole.end + 1 == x.whole.begin && f_.text_.kind(groups.back().whole.end) == tok::comma) {
      groups.back().whole.end = x.whole.end;
      groups.back().text += (groups.back().text.empty() || list.empty() ? "" : ", ") + list;
    } else {
      groups.push_back({x.whole, list});
    }
  }
  for (Group& g : groups) {
    if (g.text.empty()) {
      if (f_.text_.kind(g.whole.begin - 1) == tok::comma) --g.whole.begin;
      else if (f_.text_.kind(g.whole.end) == tok::comma) ++g.whole.end;
    }
    all.push_back({g.whole.begin, g.whole.end, g.text});
  }
  return all;
}

}  // namespace hel::frontend
