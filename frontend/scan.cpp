#include "frontend/scan.hpp"

namespace hel::frontend {

using namespace clang;

bool returns_value(const CoreturnStmt* s) {
  return s->getOperand() && (isa<InitListExpr>(s->getOperand()) || !s->getOperand()->getType()->isVoidType());
}

void Scan::children(const Stmt* s, llvm::SmallVectorImpl<const Stmt*>& out) {
  if (const auto* c = dyn_cast<CoroutineSuspendExpr>(s)) {
    out.push_back(c->getCommonExpr());
    return;
  }
  if (const auto* c = dyn_cast<CoreturnStmt>(s)) {
    // return_value's argument holds the operand and what converts it.
    if (returns_value(c) && c->getPromiseCall())
      out.push_back(c->getPromiseCall());
    else if (c->getOperand())
      out.push_back(c->getOperand());
    return;
  }
  if (const auto* l = dyn_cast<LambdaExpr>(s)) {
    for (const Expr* init : l->capture_inits())
      if (init) out.push_back(init);
    return;
  }
  if (const auto* copy = dyn_cast<ArrayInitLoopExpr>(s)) {
    out.push_back(copy->getCommonExpr()->getSourceExpr());
    return;
  }
  if (const auto* d = dyn_cast<CXXDefaultArgExpr>(s)) {
    out.push_back(d->getExpr());
    return;
  }
  if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr, OpaqueValueExpr>(s)) return;
  if (const auto* t = dyn_cast<CXXTypeidExpr>(s); t && !t->isPotentiallyEvaluated()) return;
  if (const auto* r = dyn_cast<CXXRewrittenBinaryOperator>(s)) {
    out.push_back(r->getSemanticForm());
    return;
  }
  if (const auto* f = dyn_cast<CXXForRangeStmt>(s)) {
    for (const Stmt* part : {static_cast<const Stmt*>(f->getInit()), static_cast<const Stmt*>(f->getRangeStmt()),
                             static_cast<const Stmt*>(f->getBeginStmt()), static_cast<const Stmt*>(f->getEndStmt()),
                             static_cast<const Stmt*>(f->getCond()), static_cast<const Stmt*>(f->getInc()),
                             static_cast<const Stmt*>(f->getLoopVarStmt()), f->getBody()})
      if (part) out.push_back(part);
    return;
  }
  for (const Stmt* child : s->children())
    if (child) out.push_back(child);
}

void Scan::count_jumps(const Stmt* s) {
  if (const auto* g = dyn_cast<GotoStmt>(s)) ++jumps_[g->getLabel()];
  llvm::SmallVector<const Stmt*, 8> parts;
  children(s, parts);
  for (const Stmt* p : parts) count_jumps(p);
}

Scan::Inside Scan::walk(const Stmt* s) {
  Inside inside;
  inside.suspends = isa<CoawaitExpr, CoyieldExpr>(s);
  bool temporary = isa<MaterializeTemporaryExpr, CXXBindTemporaryExpr>(s);
  const auto* made = dyn_cast<MaterializeTemporaryExpr>(s);
  bool extended = made && made->getExtendingDecl();
  // The text of a discarded branch is gone from an instantiation: an `if constexpr` is never copied as text.
  const auto* constant_if = dyn_cast<IfStmt>(s);
  inside.constant = constant_if && instance_ && constant_if->isConstexpr();
  inside.cases = isa<SwitchCase>(s);
  if (const auto* l = dyn_cast<LabelStmt>(s)) inside.labels.insert(l->getDecl());
  if (const auto* g = dyn_cast<GotoStmt>(s)) ++inside.jumps[g->getLabel()];
  llvm::SmallVector<const Stmt*, 8> parts;
  children(s, parts);
  for (const Stmt* p : parts) {
    const Inside part = walk(p);
    inside.suspends |= part.suspends;
    inside.cases |= part.cases && !isa<SwitchStmt>(s);
    inside.labels.insert(part.labels.begin(), part.labels.end());
    for (const auto& [label, count] : part.jumps) inside.jumps[label] += count;
    temporary |= temporaries_.count(p) != 0;
    inside.constant |= part.constant;
    extended |= isa<Expr>(s) && extended_.count(p) != 0;
  }
  if (inside.suspends) suspends_.insert(s);
  if (temporary) temporaries_.insert(s);
  if (extended) extended_.insert(s);
  if (inside.constant || inside.cases) open_.insert(s);
  for (const LabelDecl* l : inside.labels)
    if (const auto to = inside.jumps.find(l); (to == inside.jumps.end() ? 0 : to->second) != jumps_[l]) open_.insert(s);
  return inside;
}

// `context` says what happens to the glvalue that `s` denotes.
void Scan::uses(const Stmt* s, Use context) {
  if (const auto* ref = dyn_cast<DeclRefExpr>(s)) {
    if (const auto* v = dyn_cast<VarDecl>(ref->getDecl())) {
      if (context != read) modified_.insert(v);
      if (context == address) escaped_.insert(v);
    }
    return;
  }
  if (isa<ParenExpr, ExprWithCleanups, ConstantExpr>(s)) {
    for (const Stmt* c : s->children())
      if (c) uses(c, context);
    return;
  }
  if (const auto* cast = dyn_cast<CastExpr>(s)) {
    const bool loads = cast->getCastKind() == CK_LValueToRValue || cast->getCastKind() == CK_ToVoid;
    uses(cast->getSubExpr(), loads ? read : cast->getCastKind() == CK_NoOp ? context : address);
    return;
  }
  if (const auto* b = dyn_cast<BinaryOperator>(s)) {
    if (b->isAssignmentOp()) {
      uses(b->getLHS(), context == address ? address : write);
      uses(b->getRHS(), address);
      return;
    }
    if (b->getOpcode() == BO_Comma) {
      uses(b->getLHS(), read);
      uses(b->getRHS(), context);
      return;
    }
  }
  if (const auto* u = dyn_cast<UnaryOperator>(s)) {
    if (u->isIncrementDecrementOp()) {
      uses(u->getSubExpr(), context == address && u->isGLValue() ? address : write);
      return;
    }
  }
  if (const auto* l = dyn_cast<LambdaExpr>(s)) {
    for (const LambdaCapture& c : l->captures())
      if (c.capturesVariable())
        if (const auto* v = dyn_cast<VarDecl>(c.getCapturedVar()))
          if (c.getCaptureKind() == LCK_ByRef) {
            escaped_.insert(v);
            modified_.insert(v);
          }
    for (const Expr* init : l->capture_inits())
      if (init) uses(init, read);
    // Inside the body a variable captured by copy is another object; constants may be named without capture.
    return;
  }
  if (const auto* a = dyn_cast<GCCAsmStmt>(s)) {
    for (const Expr* out : a->outputs()) uses(out, address);
    for (const Expr* in : a->inputs()) uses(in, in->isGLValue() ? address : read);
    return;
  }
  if (const auto* r = dyn_cast<CoreturnStmt>(s)) {
    // return_value may take the operand by reference, but nothing of this coroutine runs after it.
    if (r->getOperand()) uses(r->getOperand(), read);
    return;
  }
  llvm::SmallVector<const Stmt*, 8> parts;
  children(s, parts);
  // A full-expression statement or a condition discards or loads what it denotes.
  const bool statement = !isa<Expr>(s) && !isa<DeclStmt>(s);
  for (const Stmt* p : parts) uses(p, statement ? read : address);
}

namespace {

// Every token that names a variable: references, declarations, captures.
class Owners : public RecursiveASTVisitor<Owners> {
 public:
  Owners(const SourceText& t, llvm::DenseMap<unsigned, const VarDecl*>& out, llvm::DenseSet<const VarDecl*>& inside) : text_(t), out_(out), inside_(inside) {}
  bool shouldVisitLambdaBody() const { return true; }
  bool VisitDeclRefExpr(DeclRefExpr* e) {
    if (const auto* v = dyn_cast<VarDecl>(e->getDecl())) {
      own(e->getLocation(), v);
      if (depth_) inside_.insert(v);
    }
    return true;
  }
  bool VisitVarDecl(VarDecl* v) {
    own(v->getLocation(), v);
    return true;
  }
  bool TraverseLambdaCapture(LambdaExpr* l, const LambdaCapture* c, Expr* init) {
    if (c->capturesVariable())
      if (const auto* v = dyn_cast<VarDecl>(c->getCapturedVar())) own(c->getLocation(), v);
    return RecursiveASTVisitor::TraverseLambdaCapture(l, c, init);
  }
  bool TraverseLambdaExpr(LambdaExpr* l) { return inside([&] { return RecursiveASTVisitor::TraverseLambdaExpr(l); }); }
  bool TraverseCXXRecordDecl(CXXRecordDecl* r) { return inside([&] { return RecursiveASTVisitor::TraverseCXXRecordDecl(r); }); }

 private:
  void own(SourceLocation at, const VarDecl* v) {
    const SourceText::Range r = text_.tokens(at);
    if (!r.empty()) out_[r.begin] = v;
  }
  template <class F>
  bool inside(F traverse) {
    ++depth_;
    const bool ok = traverse();
    --depth_;
    return ok;
  }
  const SourceText& text_;
  llvm::DenseMap<unsigned, const VarDecl*>& out_;
  llvm::DenseSet<const VarDecl*>& inside_;
  unsigned depth_ = 0;
};

}  // namespace

void Scan::run(const Stmt* body, SourceRange range) {
  count_jumps(body);
  walk(body);
  uses(body, read);
  llvm::DenseMap<unsigned, const VarDecl*> owners;
  Owners(text_, owners, named_inside_).TraverseStmt(const_cast<Stmt*>(body));
  const SourceText::Range r = text_.tokens(range);
  for (unsigned i = r.begin; i < r.end; ++i) {
    if (!text_.identifier(i)) continue;
    if (const auto it = owners.find(i); it != owners.end()) {
      ++owned_[it->second];
      ++identifiers_[text_.spelling(i).str()];
      continue;
    }
    // Members and qualified names are looked up elsewhere.
    const bool member = i > r.begin && (text_.kind(i - 1) == tok::period || text_.kind(i - 1) == tok::arrow || text_.kind(i - 1) == tok::coloncolon);
    if (!member || text_.spelling(i).starts_with("hel_")) ++identifiers_[text_.spelling(i).str()];
  }
}

bool Scan::clashes(const VarDecl* v) const {
  const auto all = identifiers_.find(v->getNameAsString());
  const auto own = owned_.find(v);
  return (all == identifiers_.end() ? 0 : all->second) != (own == owned_.end() ? 0 : own->second);
}

bool Scan::has_reserved_name(std::string& name) const {
  const auto it = identifiers_.lower_bound("hel_");
  if (it == identifiers_.end() || !StringRef(it->first).starts_with("hel_")) return false;
  name = it->first;
  return true;
}

}  // namespace hel::frontend
