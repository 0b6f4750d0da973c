#include "frontend/packs.hpp"

#include <algorithm>

namespace hel::frontend {

using namespace clang;

namespace {

class Collector : public RecursiveASTVisitor<Collector> {
 public:
  Collector(const SourceText& t, std::vector<Packs::Expansion>& all, std::map<unsigned, const ValueDecl*>& declared) : text_(t), all_(all), declared_(declared) {}
  bool shouldVisitLambdaBody() const { return true; }

  bool VisitVarDecl(VarDecl* v) { return declare(v), true; }

  bool VisitPackExpansionExpr(PackExpansionExpr* e) {
    Packs::Expansion x;
    x.pattern = text_.tokens(e->getPattern()->getSourceRange());
    const Packs::Range dots = text_.tokens(e->getEllipsisLoc());
    if (x.pattern.empty() || dots.empty()) return true;
    x.dots = dots.begin;
    x.whole = {x.pattern.begin, dots.end};
    mentions(e->getPattern(), x);
    all_.push_back(std::move(x));
    return true;
  }

  // Of types that variables have a part in: decltype(xs)...
  bool VisitPackExpansionTypeLoc(PackExpansionTypeLoc t) {
    Packs::Expansion x;
    x.kind = Packs::Kind::types;
    x.pattern = text_.tokens(t.getPatternLoc().getSourceRange());
    const Packs::Range dots = text_.tokens(t.getEllipsisLoc());
    if (x.pattern.empty() || dots.empty()) return true;
    x.dots = dots.begin;
    x.whole = {x.pattern.begin, dots.end};
    struct Names : RecursiveASTVisitor<Names> {
      Collector& c;
      Packs::Expansion& x;
      Names(Collector& collector, Packs::Expansion& expansion) : c(collector), x(expansion) {}
      bool TraversePackExpansionExpr(PackExpansionExpr*) { return true; }
      bool TraversePackExpansionTypeLoc(PackExpansionTypeLoc HEL_TRAVERSE_UNNAMED) { return true; }
      bool VisitDeclRefExpr(DeclRefExpr* r) { return c.mention(r->getDecl(), x), true; }
    };
    Names(*this, x).TraverseTypeLoc(t.getPatternLoc());
    if (!x.packs.empty()) all_.push_back(std::move(x));
    return true;
  }

  bool VisitCXXFoldExpr(CXXFoldExpr* e) {
    Packs::Expansion x;
    x.kind = Packs::Kind::fold;
    x.pattern = text_.tokens(e->getPattern()->getSourceRange());
    x.whole = text_.tokens(SourceRange(e->getLParenLoc(), e->getRParenLoc()));
    if (e->getInit()) x.init = text_.tokens(e->getInit()->getSourceRange());
    x.op = e->getOperator();
    const Packs::Range dots = text_.tokens(e->getEllipsisLoc());
    if (x.pattern.empty() || x.whole.empty() || dots.empty()) return true;
    x.dots = dots.begin;
    mentions(e->getPattern(), x);
    all_.push_back(std::move(x));
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr* l) {
    auto init = l->capture_init_begin();
    for (const LambdaCapture& c : l->captures()) {
      const Expr* from = *init++;
      if (!c.capturesVariable()) continue;
      const auto* v = dyn_cast<VarDecl>(c.getCapturedVar());
      if (!v || !v->isParameterPack()) continue;
      declare(v);
      if (!c.isExplicit()) continue;
      Packs::Expansion x;
      x.kind = Packs::Kind::capture;
      const Packs::Range name = text_.tokens(c.getLocation());
      if (name.empty()) continue;
      x.name = name.begin;
      x.whole = name;
      if (l->isInitCapture(&c)) {
        // [...name = init], [&...name(init)]
        --x.whole.begin;
        if (from) {
          const Packs::Range r = text_.tokens(from->getSourceRange());
          x.whole.end = std::max(x.whole.end, r.end);
          if (text_.kind(name.end) != tok::equal)
            while (text_.kind(x.whole.end - 1) != tok::r_paren && text_.kind(x.whole.end - 1) != tok::r_brace) ++x.whole.end;
          mentions(from, x);
        }
      } else {
        x.whole.end = name.end + 1;
        mention(v, x);
      }
      if (text_.kind(x.whole.begin - 1) == tok::amp) --x.whole.begin;
      x.pattern = name;
      all_.push_back(std::move(x));
    }
    return true;
  }

 private:
  void declare(const VarDecl* v) {
    if (!v->isParameterPack()) return;
    const Packs::Range at = text_.tokens(v->getLocation());
    if (!at.empty()) declared_[at.begin] = v;
  }

  void mention(const ValueDecl* d, Packs::Expansion& x) {
    const auto* v = dyn_cast<VarDecl>(d);
    if (!v || !v->isParameterPack()) return;
    declare(v);
    const Packs::Range at = text_.tokens(v->getLocation());
    if (!at.empty()) x.packs.push_back(at.begin);
  }

  // Packs of expansions inside are none of this one's.
  void mentions(const Stmt* s, Packs::Expansion& x) {
    if (isa<PackExpansionExpr, CXXFoldExpr>(s)) return;
    x.suspends |= isa<CoawaitExpr, CoyieldExpr, DependentCoawaitExpr>(s);
    if (const auto* r = dyn_cast<DeclRefExpr>(s)) mention(r->getDecl(), x);
    if (const auto* l = dyn_cast<LambdaExpr>(s)) {
      for (const Expr* init : l->capture_inits())
        if (init) mentions(init, x);
      struct Body : RecursiveASTVisitor<Body> {
        Collector& c;
        Packs::Expansion& x;
        Body(Collector& collector, Packs::Expansion& expansion) : c(collector), x(expansion) {}
        bool TraversePackExpansionExpr(PackExpansionExpr*) { return true; }
        bool TraverseCXXFoldExpr(CXXFoldExpr*) { return true; }
        bool VisitDeclRefExpr(DeclRefExpr* r) { return c.mention(r->getDecl(), x), true; }
      };
      Body(*this, x).TraverseStmt(l->getBody());
      return;
    }
    for (const Stmt* child : s->children())
      if (child) mentions(child, x);
  }

  const SourceText& text_;
  std::vector<Packs::Expansion>& all_;
  std::map<unsigned, const ValueDecl*>& declared_;
};

}  // namespace

void Packs::add(const FunctionDecl* pattern, const SourceText& text) {
  text_ = &text;
  Collector collector(text, all_, declared_);
  for (const ParmVarDecl* p : pattern->parameters()) collector.VisitVarDecl(const_cast<ParmVarDecl*>(p));
  if (pattern->getBody()) collector.TraverseStmt(pattern->getBody());
  for (const auto& [token, d] : declared_)
    if (isa<ParmVarDecl>(d) && d->getDeclContext() != pattern && pattern->Encloses(d->getDeclContext())) inner_.insert(token);
  std::sort(all_.begin(), all_.end(), [](const Expansion& a, const Expansion& b) { return a.whole.begin != b.whole.begin ? a.whole.begin < b.whole.begin : a.whole.end < b.whole.end; });
  all_.erase(std::unique(all_.begin(), all_.end(), [](const Expansion& a, const Expansion& b) { return a.whole == b.whole && a.kind == b.kind; }), all_.end());
  for (std::size_t i = 0; i < all_.size(); ++i)
    if (all_[i].kind == Kind::fold) by_dots_[all_[i].dots] = i;
}

const Packs::Expansion* Packs::at(Range r, bool type) const {
  for (const Expansion& x : all_)
    if (x.kind != Kind::capture && (x.kind == Kind::types) == type && x.pattern == r) return &x;
  return nullptr;
}

const Packs::Expansion* Packs::innermost(Range r) const {
  const Expansion* found = nullptr;
  for (const Expansion& x : all_)
    if (x.kind != Kind::capture && within(r, x.pattern) && (!found || within(x.pattern, found->pattern))) found = &x;
  return found;
}

const Packs::Expansion* Packs::operation(const Expr* e) const {
  SourceLocation at;
  if (const auto* b = dyn_cast<BinaryOperator>(e)) at = b->getOperatorLoc();
  else if (const auto* o = dyn_cast<CXXOperatorCallExpr>(e)) at = o->getOperatorLoc();
  else if (const auto* r = dyn_cast<CXXRewrittenBinaryOperator>(e)) at = r->getOperatorLoc();
  if (at.isInvalid() || by_dots_.empty()) return nullptr;
  const Range token = text_->tokens(at);
  const auto it = token.empty() ? by_dots_.end() : by_dots_.find(token.begin);
  return it == by_dots_.end() ? nullptr : &all_[it->second];
}

const Packs::Expansion* Packs::folded(Range r) const {
  for (const Expansion& x : all_) {
    if (x.kind != Kind::fold) continue;
    const Range spread{std::min(x.pattern.begin, x.init.empty() ? x.pattern.begin : x.init.begin), std::max(x.pattern.end, x.init.end)};
    if (r == x.pattern || r == spread || (!x.init.empty() && r == x.init) || r == Range{x.dots, x.dots + 1}) return &x;
  }
  return nullptr;
}

const Packs::Expansion* Packs::capture(unsigned token) const {
  for (const Expansion& x : all_)
    if (x.kind == Kind::capture && x.name == token) return &x;
  return nullptr;
}

std::map<unsigned, const ParmVarDecl*> Packs::parameters(SourceLocation function) const {
  std::map<unsigned, const ParmVarDecl*> found;
  for (const auto& [token, d] : declared_)
    if (const auto* p = dyn_cast<ParmVarDecl>(d))
      if (const auto* f = dyn_cast<FunctionDecl>(p->getDeclContext()); f && f->getLocation() == function) found[token] = p;
  return found;
}

Packs::Range Packs::widen(Range r, Range inside) const {
  if (r.empty()) return r;
  std::vector<const Expansion*> folds;
  for (const Expansion& x : all_)
    if (x.kind == Kind::fold && (inside.empty() || !within(inside, x.whole))) folds.push_back(&x);
  std::sort(folds.begin(), folds.end(), [](const Expansion* a, const Expansion* b) { return a->whole.end - a->whole.begin < b->whole.end - b->whole.begin; });
  for (const Expansion* x : folds) {
    const auto in = [&](unsigned token) { return token > x->whole.begin && token + 1 < x->whole.end; };
    const bool begins = in(r.begin), ends = in(r.end - 1);
    if (begins && ends) {
      if (folded(r) == x) r = x->whole;
    } else if (begins && r.end > x->whole.end) {
      r.begin = x->whole.begin;
    } else if (ends && r.begin < x->whole.begin) {
      r.end = x->whole.end;
    }
  }
  return r;
}

}  // namespace hel::frontend
