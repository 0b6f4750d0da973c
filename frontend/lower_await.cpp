// [expr.await]: from the operand to await_resume.
#include "frontend/lower_function.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

bool FunctionLowering::is_promise(const Expr* e) const {
  const auto* ref = dyn_cast<DeclRefExpr>(e->IgnoreParenImpCasts());
  return ref && ref->getDecl() == body_->getPromiseDecl();
}

namespace {

// What a call goes through: a member function, or a data member that can be called.
const MemberExpr* called_member(const CallExpr* e) {
  const auto* o = dyn_cast<CXXOperatorCallExpr>(e);
  if (o && o->getOperator() != OO_Call) return nullptr;
  return dyn_cast<MemberExpr>((o ? o->getArg(0) : e->getCallee())->IgnoreParenImpCasts());
}

// The call of the named member in an await's subexpressions.
const CallExpr* called(const Expr* in, StringRef name) {
  struct Finder : RecursiveASTVisitor<Finder> {
    StringRef name;
    const CallExpr* found = nullptr;
    bool VisitCallExpr(CallExpr* c) {
      if (const MemberExpr* m = called_member(c); m && m->getMemberDecl()->getDeclName().isIdentifier() && m->getMemberDecl()->getName() == name) found = c;
      return !found;
    }
  } finder;
  finder.name = name;
  finder.TraverseStmt(const_cast<Expr*>(in));
  return finder.found;
}

}  // namespace

// A call that the language makes and nobody wrote: await_transform, yield_value, operator co_await, initial_suspend …
bool FunctionLowering::synthetic(const CallExpr* e) const {
  if (const auto* o = dyn_cast<CXXOperatorCallExpr>(e); o && o->getOperator() == OO_Coawait) return true;
  const MemberExpr* m = called_member(e);
  return m && is_promise(m->getBase());
}

Text FunctionLowering::synthetic_call(const CallExpr* e) {
  const auto* o = dyn_cast<CXXOperatorCallExpr>(e);
  if (o && o->getOperator() == OO_Coawait) {
    const Text operand = value(o->getArg(0));
    const bool member = isa_and_nonnull<CXXMethodDecl>(o->getDirectCallee());
    return member ? "(" + operand + ").operator HEL_CO_AWAIT()" : "operator HEL_CO_AWAIT(" + operand + ")";
  }
  const unsigned first = o ? 1 : 0;  // of an operator's arguments the first is the object
  Text arguments;
  if (e->getNumArgs() > first && !isa<CXXDefaultArgExpr>(e->getArg(first))) arguments = value(e->getArg(first));
  return mark(Mark::promise) + "." + called_member(e)->getMemberDecl()->getNameAsString() + "(" + arguments + ")";
}

Suspends FunctionLowering::suspend_kind(const CoroutineSuspendExpr* e) const {
  const CallExpr* call = called(e->getSuspendExpr(), "await_suspend");
  if (!call || call->getType()->isVoidType()) return Suspends::void_;
  return call->getType()->isBooleanType() ? Suspends::bool_ : Suspends::handle;
}

namespace {

// The object that a member function is called on: not used at all, only read field by field, or possibly kept.
enum class ObjectUse { none, reads, escapes };

ObjectUse object_use(const CallExpr* call) {
  const auto* m = call && !isa<CXXOperatorCallExpr>(call) ? dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee()) : nullptr;
  if (m && m->isStatic()) return ObjectUse::none;
  const FunctionDecl* definition = nullptr;
  if (!m || !m->hasBody(definition) || !definition || m->isVirtual()) return ObjectUse::escapes;
  struct Uses : RecursiveASTVisitor<Uses> {
    unsigned all = 0, reads = 0;
    bool shouldVisitImplicitCode() const { return true; }
    bool VisitCXXThisExpr(CXXThisExpr*) { return ++all, true; }
    bool VisitImplicitCastExpr(ImplicitCastExpr* c) {
      if (c->getCastKind() != CK_LValueToRValue) return true;
      const auto* field = dyn_cast<MemberExpr>(c->getSubExpr()->IgnoreParens());
      if (field && isa<FieldDecl>(field->getMemberDecl()) && isa<CXXThisExpr>(field->getBase()->IgnoreParenImpCasts())) ++reads;
      return true;
    }
  } uses;
  uses.TraverseStmt(definition->getBody());
  return uses.all == 0 ? ObjectUse::none : uses.all == uses.reads ? ObjectUse::reads : ObjectUse::escapes;
}

}  // namespace

// An awaiter of final_suspend that lets lowered code destroy the frame itself: it has a member await_release, which takes
// the promise and returns an object whose next() is called when the frame is gone (hel/abi/lowered.hpp).
bool FunctionLowering::releases_frame(QualType awaiter) const {
  const CXXRecordDecl* r = awaiter.getNonReferenceType()->getAsCXXRecordDecl();
  return r && r->hasDefinition() && r->hasTrivialDestructor() && !r->lookup(&ctx_.Idents.get("await_release")).empty();
}

// Builds the awaiter, suspends, and returns the text of await_resume, to be evaluated next.
Text FunctionLowering::await(const CoroutineSuspendExpr* e, AwaitKind kind) {
  const SourceLine at = line(e->getKeywordLoc());
  const bool hoisted = hoist_;
  hoist_ = true;
  const Expr* common = e->getCommonExpr();
  while (isa<ExprWithCleanups, ParenExpr, ConstantExpr>(common)) common = cast<Expr>(*common->children().begin());
  Text awaiter;
  if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(common)) {
    const SlotId s = object_slot(m->getType(), Origin::awaiter, "hel_awaiter" + std::to_string(++temporaries_), m);
    into(m->getSubExpr(), {s, {}, {}});
    push_temporary(s);
    awaiter = slot_ref(s);
    // Nobody can see the object again once it has suspended: it needs no place in the frame.
    if (fn_.slots[s].trivial && object_use(called(e->getResumeExpr(), "await_resume")) == ObjectUse::none &&
        object_use(called(e->getSuspendExpr(), "await_suspend")) != ObjectUse::escapes &&
        object_use(called(e->getReadyExpr(), "await_ready")) != ObjectUse::escapes)
      fn_.slots[s].empty = true;
  } else if (stable(common)) {
    awaiter = "(" + plain(common) + ")";
  } else {
    awaiter = spill({common, false});
  }
  hoist_ = hoisted;

  Await a;
  a.kind = kind;
  a.awaiter = awaiter;
  a.suspends = kind == AwaitKind::final && releases_frame(common->getType()) ? Suspends::release : suspend_kind(e);
  a.index = fn_.suspensions++;
  const BlockId next = b_.new_block();
  const CleanupId top = b_.top();
  Terminator t;
  t.exit = Exit::await;
  t.to = {next};
  t.await = std::move(a);
  t.where = at;
  b_.terminate(std::move(t));
  b_.enter(next, top);
  return awaiter + ".await_resume()";
}

namespace {

const CoroutineSuspendExpr* find_await(const Stmt* s) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const CoroutineSuspendExpr* found = nullptr;
    bool VisitCoawaitExpr(CoawaitExpr* e) {
      found = e;
      return false;
    }
  } finder;
  finder.TraverseStmt(const_cast<Stmt*>(s));
  return finder.found;
}

}  // namespace

// The ramp builds and asks the awaiter; the body's first block resumes it.
void FunctionLowering::initial_suspend() {
  const CoroutineSuspendExpr* e = find_await(body_->getInitSuspendStmt());
  const Expr* common = e->getCommonExpr();
  while (isa<ExprWithCleanups, ParenExpr>(common)) common = cast<Expr>(*common->children().begin());
  const auto* m = dyn_cast<MaterializeTemporaryExpr>(common);
  const Expr* made = m ? m->getSubExpr()->IgnoreImplicit() : common->IgnoreImplicit();
  CleanupId top = none;
  const auto object = [&](QualType t, bool temporary, const std::string& name, const Text& text) {
    const SlotId s = temporary ? object_slot(t, Origin::awaiter, name, common) : slot_of_type(ctx_.getLValueReferenceType(t), Origin::awaiter, name, common);
    fn_.slots[s].loaded = false;
    // A type that the promise's function keeps to itself is what the call returns.
    if (fn_.slots[s].type.empty()) {
      fn_.slots[s].type = numbered("hel_t", ++types_);
      const Text unevaluated = render(text, [&](Mark k, std::uint32_t n) -> std::string {
        return "::hel::abi::lvalue<" + (k == Mark::promise ? std::string("hel_promise_type") : fn_.slots[n].type) + ">()";
      });
      fn_.declarations.push_back({"using " + fn_.slots[s].type + " = decltype(" + unevaluated + ");", {}});
    }
    Instr i;
    i.op = Op::build;
    i.slot = s;
    i.init = temporary ? Init::direct : Init::bind;
    i.text = text;
    fn_.initial.objects.push_back(std::move(i));
    // On the stack of the body from the start.
    if (temporary) {
      Cleanup c;
      c.slot = s;
      c.parent = top;
      fn_.cleanups.push_back(c);
      top = static_cast<CleanupId>(fn_.cleanups.size() - 1);
    }
    return s;
  };
  Text text = mark(Mark::promise) + ".initial_suspend()";
  if (const auto* call = dyn_cast<CXXOperatorCallExpr>(made); call && call->getOperator() == OO_Coawait) {
    const Expr* operand = call->getArg(0);
    const Expr* inner = operand->IgnoreImplicit();
    const SlotId s = object(inner->getType(), inner->isPRValue(), "hel_initial_operand", text);
    const Text value = inner->isPRValue() && !operand->isLValue() ? "static_cast<" + fn_.slots[s].type + "&&>(" + slot_ref(s) + ")" : slot_ref(s);
    text = isa_and_nonnull<CXXMethodDecl>(call->getDirectCallee()) ? "(" + value + ").operator HEL_CO_AWAIT()" : "operator HEL_CO_AWAIT(" + value + ")";
  }
  const QualType type = common->getType();
  const SlotId s = object(type, m != nullptr, "hel_initial", text);
  fn_.initial.slot = s;
  fn_.initial.suspends = suspend_kind(e);
  if (fn_.device) {
    const CXXRecordDecl* r = type.getNonReferenceType()->getAsCXXRecordDecl();
    if (!r || !r->isInStdNamespace() || r->getName() != "suspend_always") diag_.error(fd_->getLocation(), Hel::device_eager_start);
  }

  fn_.entry = b_.new_block();
  b_.enter(fn_.entry, top);
  Instr resume;
  resume.op = Op::eval;
  resume.text = slot_ref(s) + ".await_resume()";
  b_.emit(std::move(resume));
  b_.pop_to(none);
}

void FunctionLowering::final_suspend() {
  const CoroutineSuspendExpr* e = find_await(body_->getFinalSuspendStmt());
  b_.where = line(body_range(body_).getEnd());
  const std::uint32_t region = b_.open_region();
  (void)region;
  Text resume = await(e, AwaitKind::final);
  if (releases_frame(e->getCommonExpr()->getType())) {
    b_.drop_to(none);
    b_.close_region();
    b_.terminate({.exit = Exit::dead, .text = {}, .to = {}, .labels = {}, .await = {}, .where = b_.where});
    return;
  }
  Instr i;
  i.op = Op::eval;
  i.text = std::move(resume);
  b_.emit(std::move(i));
  b_.pop_to(none);
  b_.close_region();
  b_.terminate({.exit = Exit::destroy, .text = {}, .to = {}, .labels = {}, .await = {}, .where = b_.where});
}

}  // namespace hel::frontend
