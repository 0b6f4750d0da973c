#include "frontend/hidden_locals.hpp"

#include "llvm/ADT/DenseMap.h"

namespace hel::frontend {
namespace {

using namespace clang;

// What a function that can be inlined brings along. Calls in a circle are taken for harmless once.
struct Inlined {
  bool throws = false;     // a call in it, or in what it calls, may throw
  bool in_memory = false;  // it, or what it calls and may throw, has a variable or temporary in memory
};

class Calls {
 public:
  Inlined of(const FunctionDecl* f) {
    if (!f || cannot_throw(f) || f->getBuiltinID()) return {};
    const FunctionDecl* definition = nullptr;
    if (!f->hasBody(definition) || f->hasAttr<NoInlineAttr>() || f->isNoReturn()) return {true, false};
    if (isa<CoroutineBodyStmt>(definition->getBody()))
      return {true, false};  // what a ramp has is destroyed on every way
    if (is_of_the_runtime(f)) return {true, false};
    const auto [at, fresh] = known_.try_emplace(definition->getCanonicalDecl());
    if (!fresh) return at->second;
    Inlined all;
    for (const ParmVarDecl* p : definition->parameters())
      if (!p->getType()->isReferenceType() && !p->getType()->isScalarType()) all.in_memory = true;
    if (const auto* c = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer* i : c->inits()) visit(i->getInit(), all);
    visit(definition->getBody(), all);
    if (!all.throws) all.in_memory = false;
    return known_[definition->getCanonicalDecl()] = all;
  }

  // Everything that is evaluated in `s`, but not what leads to a call that does not return or to a throw: whatever
  // lives there is destroyed by the unwinder.
  void visit(const Stmt* s, Inlined& all) {
    if (!s || isa<LambdaExpr>(s) || isa<UnaryExprOrTypeTraitExpr>(s)) return;
    if (isa<CXXThrowExpr>(s)) {
      all.throws = true;
      return;
    }
    if (const auto* call = dyn_cast<CallExpr>(s)) {
      const FunctionDecl* callee = call->getDirectCallee();
      if (callee && callee->isNoReturn()) {
        all.throws = true;
        return;
      }
      if (callee)
        add(of(callee), all);
      else
        all.throws = true;
    } else if (const auto* construct = dyn_cast<CXXConstructExpr>(s)) {
      add(of(construct->getConstructor()), all);
    } else if (isa<CXXNewExpr>(s) || isa<CXXDynamicCastExpr>(s)) {
      all.throws = true;
    } else if (isa<MaterializeTemporaryExpr>(s) || isa<CXXBindTemporaryExpr>(s) || isa<CXXTryStmt>(s)) {
      all.in_memory = true;
    } else if (const auto* d = dyn_cast<DeclStmt>(s)) {
      for (const Decl* one : d->decls())
        if (const auto* v = dyn_cast<VarDecl>(one);
            v && v->hasLocalStorage() && !v->getType()->isReferenceType() && !v->getType()->isScalarType())
          all.in_memory = true;
    }
    if (const auto* cast = dyn_cast<ImplicitCastExpr>(s); cast && cast->getCastKind() == CK_LValueToRValue)
      if (is_local(cast->getSubExpr())) return;
    if (const auto* assign = dyn_cast<BinaryOperator>(s);
        assign && assign->isAssignmentOp() && is_local(assign->getLHS()))
      return visit(assign->getRHS(), all);
    if (const auto* step = dyn_cast<UnaryOperator>(s);
        step && step->isIncrementDecrementOp() && is_local(step->getSubExpr()))
      return;
    if (is_local(s)) all.in_memory = true;  // bound to a reference, or its address is taken
    for (const Stmt* child : s->children()) visit(child, all);
  }

 private:
  static void add(const Inlined& one, Inlined& all) {
    all.throws |= one.throws;
    all.in_memory |= one.in_memory;
  }
  static bool cannot_throw(const FunctionDecl* f) {
    const auto* t = f->getType()->getAs<FunctionProtoType>();
    return t && !isUnresolvedExceptionSpec(t->getExceptionSpecType()) && t->isNothrow();
  }
  static bool is_local(const Stmt* s) {
    const auto* e = dyn_cast_or_null<Expr>(s);
    const auto* name = e ? dyn_cast<DeclRefExpr>(e->IgnoreParens()) : nullptr;
    const auto* v = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return v && v->hasLocalStorage() && !v->getType()->isReferenceType();
  }
  // The awaitables and promises of the runtime are tested for it; its spawning functions are never inlined by g++.
  static bool is_of_the_runtime(const FunctionDecl* f) {
    const DeclContext* outermost = f->getDeclContext();
    while (outermost->getParent() && !outermost->getParent()->isTranslationUnit()) outermost = outermost->getParent();
    const auto* n = dyn_cast<NamespaceDecl>(outermost);
    if (!n || n->getName() != "hel") return false;
    const auto* m = dyn_cast<CXXMethodDecl>(f);
    if (!m) return f->getIdentifier() && f->getName().starts_with("spawn");
    return m->getIdentifier() && (m->getName().starts_with("await_") || m->getName().starts_with("return_"));
  }

  llvm::DenseMap<const FunctionDecl*, Inlined> known_;
};

// The calls that stand in the coroutine itself: its own variables are seen to elsewhere.
class Body : public RecursiveASTVisitor<Body> {
 public:
  bool found = false;
  bool shouldVisitImplicitCode() const { return true; }
  bool TraverseLambdaExpr(LambdaExpr*) { return true; }
  bool TraverseDecl(Decl* d) { return !d || isa<TagDecl>(d) ? true : RecursiveASTVisitor::TraverseDecl(d); }
  bool VisitCallExpr(CallExpr* e) { return look(e->getDirectCallee()); }
  bool VisitCXXConstructExpr(CXXConstructExpr* e) { return look(e->getConstructor()); }

 private:
  bool look(const FunctionDecl* f) {
    const Inlined i = calls_.of(f);
    found = i.throws && i.in_memory;
    return !found;
  }
  Calls calls_;
};

}  // namespace

bool may_hide_locals(const FunctionDecl* coroutine) {
  // What begins, catches and ends a coroutine is outside the function that the body becomes, or after its last call.
  const auto* parts = cast<CoroutineBodyStmt>(coroutine->getBody());
  Body body;
  body.TraverseStmt(parts->getBody());
  if (!body.found) body.TraverseStmt(parts->getInitSuspendStmt());
  return body.found;
}

}  // namespace hel::frontend
