// Expressions by destination passing.
#include "frontend/lower_function.hpp"
#include "frontend/relocate.hpp"
#include "frontend/substituter.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

bool FunctionLowering::must_decompose(const Expr* e) const {
  if (const auto* c = dyn_cast<CallExpr>(e->IgnoreImplicit()); c && synthetic(c)) return true;  // has no text of its own
  return scan_.suspends(e) || (hoist_ && scan_.has_temporary(e)) || (extending_ && scan_.has_extended(e));
}

Text FunctionLowering::plain(SourceText::Range r, const Stmt* in, std::vector<Replacement> extra, std::map<const Packs::Expansion*, std::vector<Text>> given) {
  Substituter sub(*this, r, std::move(given));
  sub.keep_labels(in);
  sub.TraverseStmt(const_cast<Stmt*>(in));
  std::vector<Replacement> all = sub.finish();
  if (elsewhere_) {
    const std::optional<std::vector<Replacement>> names = relocate(in, {}, ctx_, text_, fd_, &local_names_);
    if (names)
      all.insert(all.begin(), names->begin(), names->end());
    else
      diag_.error(elsewhere_->getUsedLocation(), Hel::default_argument_temporary,
                  elsewhere_->getParam()->getNameAsString());
  }
  all.insert(all.begin(), extra.begin(), extra.end());  // these win over a name alone
  return text_.render(r, std::move(all));
}

// `p->` of an object: what is written is the operand and half of the member access, which stays where it is.
const Expr* FunctionLowering::arrow_operand(const Expr* e) {
  const auto* o = dyn_cast<CXXOperatorCallExpr>(e->IgnoreImplicit());
  return o && o->getOperator() == OO_Arrow ? o->getArg(0) : nullptr;
}

SourceText::Range FunctionLowering::range(const Stmt* s, SourceText::Range inside) const {
  SourceText::Range r = packs_->widen(text_.tokens(s->getSourceRange()), inside);
  if (!r.empty() && text_.kind(r.end - 1) == tok::arrow) --r.end;
  return r;
}

Text FunctionLowering::plain(const Expr* e) {
  if (const Expr* of = arrow_operand(e)) return plain(of) + ".operator->()";
  const SourceText::Range r = text_.tokens(e->getSourceRange());
  const Packs::Expansion* fold = packs_->operation(e->IgnoreImplicit());
  if (!fold) fold = packs_->folded(r);
  if (!fold) return plain(range(e), e);
  Substituter sub(*this, r);
  return "(" + sub.fold_text(e, *fold) + ")";
}

// Evaluating it later, or again, gives the same: an operand that need not be kept across a suspension.
bool FunctionLowering::stable(const Expr* e) const {
  e = e->IgnoreParens();
  if (isa<IntegerLiteral, CharacterLiteral, FloatingLiteral, StringLiteral, CXXBoolLiteralExpr, CXXNullPtrLiteralExpr, CXXThisExpr,
          UnaryExprOrTypeTraitExpr, CXXDefaultArgExpr, PredefinedExpr>(e))
    return true;
  if (const auto* ref = dyn_cast<DeclRefExpr>(e)) {
    if (isa<EnumConstantDecl, FunctionDecl>(ref->getDecl())) return true;
    const auto* v = dyn_cast<VarDecl>(ref->getDecl());
    return v && v->getTLSKind() == VarDecl::TLS_None;
  }
  if (const auto* m = dyn_cast<MemberExpr>(e)) {
    if (isa<CXXMethodDecl>(m->getMemberDecl())) return stable(m->getBase());
    return isa<FieldDecl>(m->getMemberDecl()) && !m->getMemberDecl()->getType()->isReferenceType() &&
           (m->isArrow() ? isa<CXXThisExpr>(m->getBase()->IgnoreParenImpCasts()) : m->getBase()->isGLValue() && stable(m->getBase()));
  }
  if (const auto* c = dyn_cast<ImplicitCastExpr>(e)) {
    switch (c->getCastKind()) {
    case CK_LValueToRValue: {
      // A read: the same later only if nobody can write in between.
      const auto* ref = dyn_cast<DeclRefExpr>(c->getSubExpr()->IgnoreParens());
      const auto* v = ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
      if (!v) return false;
      if (v->getType()->isReferenceType()) return false;
      return (v->getType().isConstQualified() && !v->getType().isVolatileQualified()) ||
             (slots_.count(v) && !scan_.modified(v) && !scan_.address_taken(v) && v->hasLocalStorage());
    }
    case CK_NoOp:
    case CK_FunctionToPointerDecay:
    case CK_ArrayToPointerDecay:
    case CK_BuiltinFnToFnPtr:
    case CK_IntegralCast:
    case CK_NullToPointer:
    case CK_UncheckedDerivedToBase:
    case CK_DerivedToBase: return stable(c->getSubExpr());
    default: return false;
    }
  }
  if (const auto* c = dyn_cast<ConstantExpr>(e)) return stable(c->getSubExpr());
  return false;
}

Text FunctionLowering::value(const Expr* e) {
  if (!must_decompose(e)) return plain(e);
  return decompose(e);
}

Text FunctionLowering::decompose(const Expr* e) {
  if (e->isPRValue() && needs_parts(e)) return spill({e, true});
  if (const auto* w = dyn_cast<CoroutineSuspendExpr>(e)) {
    b_.where = line(w->getKeywordLoc());
    return await(w, isa<CoyieldExpr>(w) ? AwaitKind::yield : AwaitKind::await);
  }
  if (const auto* read = dyn_cast<ImplicitCastExpr>(e); read && read->getCastKind() == CK_LValueToRValue && read->getSubExpr()->refersToBitField())
    if (const auto* c = dyn_cast<ConditionalOperator>(read->getSubExpr()->IgnoreParens())) return conditional(c, true);
  if (isa<ExprWithCleanups, ConstantExpr, ImplicitCastExpr, SubstNonTypeTemplateParmExpr>(e))
    return value(cast<Expr>(*e->children().begin()));
  if (const auto* t = dyn_cast<CXXBindTemporaryExpr>(e)) {
    if (!hoist_ || e->isGLValue()) return value(t->getSubExpr());
    if (!scan_.suspends(e) && !scan_.has_temporary(t->getSubExpr())) return plain(e);
    return value(t->getSubExpr());
  }
  if (const auto* p = dyn_cast<ParenExpr>(e)) return "(" + value(p->getSubExpr()) + ")";
  if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) return materialise(m);
  if (const auto* c = dyn_cast<AbstractConditionalOperator>(e)) return conditional(c);
  if (const auto* c = dyn_cast<CallExpr>(e); c && synthetic(c)) return synthetic_call(c);

  std::vector<Operand> list;
  if (const auto* b = dyn_cast<BinaryOperator>(e)) {
    if (b->isLogicalOp()) return logical(b);
    if (b->getOpcode() == BO_Comma) {
      discard(b->getLHS());
      return value(b->getRHS());
    }
    if (b->isAssignmentOp()) return operands(e, {{b->getRHS()}, {b->getLHS()}}, true);
    return operands(e, {{b->getLHS()}, {b->getRHS()}}, b->isPtrMemOp() || b->isShiftOp());
  }
  if (const auto* r = dyn_cast<CXXRewrittenBinaryOperator>(e))
    return operands(e, {{r->getLHS()}, {r->getRHS()}}, false);
  if (const Expr* of = arrow_operand(e)) return value(of) + ".operator->()";
  if (const auto* o = dyn_cast<CXXOperatorCallExpr>(e)) {
    arguments(list, o->arguments());
    const OverloadedOperatorKind k = o->getOperator();
    const bool left_first = k == OO_LessLess || k == OO_GreaterGreater || k == OO_Subscript || k == OO_Comma || k == OO_AmpAmp || k == OO_PipePipe || k == OO_ArrowStar || k == OO_Call;
    if (o->isAssignmentOp() && list.size() == 2) {
      std::swap(list[0], list[1]);
      return operands(e, std::move(list), true);
    }
    return operands(e, std::move(list), left_first && k != OO_Call);
  }
  if (const auto* m = dyn_cast<CXXMemberCallExpr>(e)) {
    if (const auto* pointer = dyn_cast<BinaryOperator>(m->getCallee()->IgnoreParens())) {
      list.push_back({pointer->getLHS()});
      list.push_back({pointer->getRHS()});
    } else {
      list.push_back({m->getCallee()});
    }
    arguments(list, m->arguments());
    const bool one = list.size() <= 2;  // the callee comes before a single argument
    return operands(e, std::move(list), one);
  }
  if (const auto* c = dyn_cast<CallExpr>(e)) {
    if (c->getBuiltinCallee() == Builtin::BI__builtin_constant_p) {  // does not evaluate its argument
      Expr::EvalResult known;
      return c->EvaluateAsInt(known, ctx_) && known.Val.getInt().getBoolValue() ? "1" : "0";
    }
    list.push_back({c->getCallee()});
    arguments(list, c->arguments());
    const bool one = list.size() <= 2;  // the callee comes before a single argument
    return operands(e, std::move(list), one);
  }
  if (const auto* c = dyn_cast<CXXConstructExpr>(e)) {
    if (c->isElidable() && c->getNumArgs() == 1) return value(c->getArg(0));
    arguments(list, c->arguments());
    // An implicit conversion has no text of its own.
    if (c->getParenOrBraceRange().isInvalid() && !isa<CXXTemporaryObjectExpr>(c)) {
      if (!list.empty() && list.back().by_default) return conversion(c);
      if (list.size() == 1) return value(list[0].e);
    }
    return operands(e, std::move(list), c->isListInitialization());
  }
  if (const auto* i = dyn_cast<InitListExpr>(e)) {
    for (const Expr* x : i->inits())
      if (!isa<ImplicitValueInitExpr, CXXDefaultInitExpr>(x)) elements(x, list);
    return operands(e, std::move(list), true);
  }
  if (const auto* s = dyn_cast<CXXStdInitializerListExpr>(e)) {
    // The backing array is an object like others; the list refers to it.
    const Expr* array = s->getSubExpr();
    while (!isa<MaterializeTemporaryExpr>(array)) array = cast<Expr>(*array->children().begin());
    const auto* m = cast<MaterializeTemporaryExpr>(array);
    const Text object = materialise(m, true);
    return "(::hel::abi::list(" + slot_ref(*slots_of(object).begin()) + "))";
  }
  if (const auto* c = dyn_cast<ExplicitCastExpr>(e)) {
    const Expr* sub = c->getSubExpr();
    while (isa<ImplicitCastExpr, CXXBindTemporaryExpr, MaterializeTemporaryExpr, ConstantExpr>(sub) && sub->getSourceRange() == c->getSourceRange())
      sub = cast<Expr>(*sub->children().begin());
    // T(x) is the construction of a T: its range is that of the cast.
    if (const auto* construct = dyn_cast<CXXConstructExpr>(sub); construct && !isa<CXXTemporaryObjectExpr>(construct)) {
      arguments(list, construct->arguments());
      if (!list.empty() && list.back().by_default && !isa<CXXFunctionalCastExpr>(c)) return conversion(construct);
      const bool ordered = construct->isListInitialization() || list.size() == 1;
      return operands(e, std::move(list), ordered);
    }
    return operands(e, {{sub}}, true);
  }
  if (const auto* u = dyn_cast<UnaryOperator>(e)) return operands(e, {{u->getSubExpr()}}, true);
  if (const auto* m = dyn_cast<MemberExpr>(e)) return operands(e, {{m->getBase()}}, true);
  if (const auto* a = dyn_cast<ArraySubscriptExpr>(e)) return operands(e, {{a->getLHS()}, {a->getRHS()}}, true);
  if (const auto* t = dyn_cast<CXXThrowExpr>(e); t && t->getSubExpr()) return operands(e, {{t->getSubExpr()}}, true);
  if (const auto* d = dyn_cast<CXXDeleteExpr>(e)) return operands(e, {{d->getArgument()}}, true);
  if (const auto* l = dyn_cast<LambdaExpr>(e)) {
    auto init = l->capture_init_begin();
    for (const LambdaCapture& c : l->captures()) {
      if (*init && l->isInitCapture(&c)) list.push_back({*init, (*init)->isPRValue()});
      ++init;
    }
    if (!list.empty()) return operands(e, std::move(list), true);
    return plain(e);
  }
  if (const auto* p = dyn_cast<CXXParenListInitExpr>(e)) {
    for (const Expr* x : const_cast<CXXParenListInitExpr*>(p)->getUserSpecifiedInitExprs()) list.push_back({x, x->isPRValue()});
    return operands(e, std::move(list), true);
  }
  if (const auto* n = dyn_cast<CXXNewExpr>(e)) return new_expression(n);
  if (isa<DeclRefExpr, CXXThisExpr>(e)) return plain(e);
  if (isa<StmtExpr>(e)) return {};  // refused where it was found
  diag_.error(e->getBeginLoc(), Hel::unsupported_expression, e->getStmtClassName());
  return {};
}

// The elements of nested lists are operands of the whole.
void FunctionLowering::elements(const Expr* e, std::vector<Operand>& list) const {
  const auto* inner = dyn_cast<InitListExpr>(e);
  if (!inner || !inner->getType()->isArrayType()) return list.push_back({e, e->isPRValue()});
  for (const Expr* x : inner->inits())
    if (!isa<ImplicitValueInitExpr>(x)) elements(x, list);
}

// Operands in the order of evaluation. All before the last that matters are evaluated now and kept; that one and the
// rest stay in the text of the whole.
Text FunctionLowering::operands(const Expr* whole, std::vector<Operand> list, bool ordered) {
  std::size_t last = 0;
  bool any = false;
  for (std::size_t i = 0; i < list.size(); ++i)
    if (must_decompose(list[i].e) || (!ordered && !list[i].by_default && !stable(list[i].e))) {
      last = i;
      any = true;
    }
  const SourceText::Range inside = text_.tokens(whole->getSourceRange());
  const Packs::Expansion* fold = packs_->operation(whole);
  // All elements of a pack, or none.
  const auto expansion = [&](const Expr* e) {
    const SourceText::Range at = text_.tokens(e->getSourceRange());
    if (isa<LambdaExpr>(whole) && !at.empty())
      for (const Packs::Expansion& capture : packs_->all())
        if (capture.kind == Packs::Kind::capture && within(at, capture.whole)) return &capture;
    const Packs::Expansion* x = packs_->at(at);
    return x && x->kind == Packs::Kind::list && !within(inside, x->pattern) ? x : nullptr;
  };
  std::set<const Packs::Expansion*> expanded;
  for (std::size_t i = 0; any && i <= last; ++i)
    if (const auto* x = list[i].by_default ? nullptr : expansion(list[i].e)) expanded.insert(x);
  std::map<const Packs::Expansion*, std::vector<Text>> given;
  std::map<const Expr*, Text> operand;  // of a fold
  std::vector<Replacement> replacements;
  std::vector<Text> by_default;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Expr* e = list[i].e;
    if (list[i].by_default) {
      by_default.push_back(default_argument(list[i], !any || i >= last));
      continue;
    }
    const Packs::Expansion* x = expansion(e);
    const bool now = any && i <= last;
    if (!now && !expanded.count(x) && !fold) continue;
    const SourceText::Range r = range(e, inside);
    if (r.empty()) continue;  // implicit: `this`
    Text t;
    if (!now)
      t = plain(e);
    else if (i == last)
      t = value(e);
    else if (const auto* m = dyn_cast<MemberExpr>(e->IgnoreParens()); m && isa<CXXMethodDecl>(m->getMemberDecl())) {
      // The callee of a member call: its object is the operand.
      if (const auto* self = dyn_cast<CXXThisExpr>(m->getBase()->IgnoreImpCasts()); self && self->isImplicit()) continue;
      const SourceText::Range base = range(m->getBase(), inside);
      if (!base.empty()) replacements.push_back({base.begin, base.end, spill({m->getBase()})});
      continue;
    } else {
      t = spill(list[i]);
    }
    if (fold)
      operand[e] = std::move(t);
    else if (x)
      given[x].push_back(std::move(t));
    else
      replacements.push_back({r.begin, r.end, std::move(t)});
  }
  if (!by_default.empty() && !add_arguments(whole, by_default, replacements) && hoist_) diag_.error(whole->getBeginLoc(), Hel::default_argument_temporary, list.back().by_default->getParam()->getNameAsString());
  if (fold) {
    // What is written is one operation; the others are made of it.
    const auto join = [&](const Expr* left, const Expr* right) { return "(" + operand[left] + " " + BinaryOperator::getOpcodeStr(fold->op).str() + " " + operand[right] + ")"; };
    if (const auto* b = dyn_cast<BinaryOperator>(whole)) return join(b->getLHS(), b->getRHS());
    if (const auto* r = dyn_cast<CXXRewrittenBinaryOperator>(whole)) return join(r->getLHS(), r->getRHS());
    return join(cast<CXXOperatorCallExpr>(whole)->getArg(0), cast<CXXOperatorCallExpr>(whole)->getArg(1));
  }
  SourceText::Range r = range(whole, inside);
  // A construction that initialises a variable spans its name: only the list is text.
  if (const auto* c = dyn_cast<CXXConstructExpr>(whole); c && !isa<CXXTemporaryObjectExpr>(c) && c->getParenOrBraceRange().isValid())
    r = text_.tokens(c->getParenOrBraceRange());
  return plain(r, whole, std::move(replacements), std::move(given));
}

Text FunctionLowering::temporary_value(SlotId s, const Expr* e) const {
  if (e->isLValue()) return slot_ref(s);
  return "static_cast<" + (fn_.slots[s].array ? "decltype(" + slot_ref(s) + ")" : fn_.slots[s].type + "&&") + ">(" + slot_ref(s) + ")";
}

// Evaluates `o` now; the result can be used after a suspension.
Text FunctionLowering::spill(const Operand& o) {
  const Expr* e = o.e;
  if (stable(e)) return plain(e);
  const bool hoisted = hoist_;
  hoist_ = true;
  Text result;
  const std::string name = "hel_v" + std::to_string(++temporaries_);
  while (isa<ExprWithCleanups, ConstantExpr>(e)) e = cast<Expr>(*e->children().begin());
  const Expr* bare = e;
  while (const auto* c = dyn_cast<ImplicitCastExpr>(bare)) {
    if (c->getCastKind() != CK_NoOp || !c->isGLValue()) break;
    bare = c->getSubExpr();
  }
  if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(bare)) {
    result = materialise(m);
  } else if (e->isGLValue()) {
    if (e->refersToBitField()) diag_.error(e->getBeginLoc(), Hel::bit_field_reference);
    const SlotId s = slot_of_type(ctx_.getLValueReferenceType(e->getType()), Origin::temporary, name, e);
    fn_.slots[s].loaded = false;
    build({s, {}, {}}, Init::bind, value(e));
    result = temporary_value(s, e);
  } else if (e->getType()->isVoidType()) {
    discard(e);
  } else if (e->getType()->isScalarType()) {
    const Text t = value(e);
    const SlotId s = slot_of_type(e->getType(), Origin::temporary, name, e);
    fn_.slots[s].loaded = false;
    build({s, {}, {}}, Init::assign, t);
    result = slot_ref(s);
  } else {
    const CXXRecordDecl* r = e->getType()->getAsCXXRecordDecl();
    bool movable = !r || r->hasSimpleMoveConstructor() || r->hasSimpleCopyConstructor();
    if (r)
      for (const CXXConstructorDecl* c : r->ctors()) movable |= c->isCopyOrMoveConstructor() && !c->isDeleted();
    if (o.by_value && !movable) diag_.error(e->getBeginLoc(), Hel::immovable_argument, display_type(e->getType(), ctx_));
    const SlotId id = object_slot(e->getType(), Origin::temporary, name, e);
    into(e, {id, {}, {}});
    push_temporary(id);
    result = "static_cast<" + fn_.slots[id].type + "&&>(" + slot_ref(id) + ")";
  }
  hoist_ = hoisted;
  return result;
}

void FunctionLowering::discard(const Expr* e) {
  const bool hoisted = hoist_;
  hoist_ = true;
  if (!e->getType()->isVoidType() && e->isPRValue() && e->getType()->isRecordType()) {
    spill({e});  // a discarded temporary lives to the end of the full-expression
  } else {
    Instr i;
    i.op = Op::eval;
    i.text = value(e);
    b_.emit(std::move(i));
  }
  hoist_ = hoisted;
}

void FunctionLowering::arms(const Expr* condition, const std::function<void()>& yes, const std::function<void()>& no) {
  const bool hoisted = std::exchange(hoist_, true);
  const Text c = value(condition);
  hoist_ = hoisted;
  arms(c, yes, no);
}

// Runs `yes` or `no` by a condition; temporaries of either live on to the end of the full-expression, under a flag.
void FunctionLowering::arms(const Text& c, const std::function<void()>& yes, const std::function<void()>& no) {
  const bool hoisted = std::exchange(hoist_, true);
  if (!b_.reachable()) b_.enter(b_.new_block(), b_.top());  // code after a jump is lowered like other code
  const BlockId before = b_.here();
  const BlockId then = b_.new_block(), otherwise = b_.new_block(), join = b_.new_block();
  const CleanupId top = b_.top();
  if (conditional_++ == 0) flags_at_ = before;
  b_.branch(c, then, otherwise, b_.where);
  b_.enter(then, top);
  yes();
  const BlockId then_end = b_.here();
  const CleanupId then_top = b_.top();
  b_.enter(otherwise, top);
  if (then_top != top) b_.drop_to(then_top);
  no();
  const CleanupId both = b_.top();
  const BlockId no_end = b_.here();
  if (no_end != none) b_.leave(join, both);
  if (then_end != none) {
    b_.resume_at(then_end, then_top);
    if (then_top != both) b_.drop_to(both);
    b_.leave(join, both);
  }
  b_.enter(join, both);
  --conditional_;
  hoist_ = hoisted;
}

// Nothing comes after it: the other arm alone leads on.
void FunctionLowering::throw_arm(const Expr* e) {
  discard(e);
  b_.terminate({.exit = Exit::dead, .text = {}, .to = {}, .labels = {}, .await = {}, .where = b_.where});
}

// `read`: its value is wanted, whatever it denotes. A bit-field has no other.
Text FunctionLowering::conditional(const AbstractConditionalOperator* e, bool read) {
  const bool glvalue = e->isGLValue() && !read;
  const auto* c = dyn_cast<ConditionalOperator>(e);
  if (c && e->getType()->isVoidType()) {
    arms(c->getCond(), [&] { discard(c->getTrueExpr()); }, [&] { discard(c->getFalseExpr()); });
    return "static_cast<void>(0)";
  }
  const std::string name = "hel_v" + std::to_string(++temporaries_);
  if (!glvalue && !e->getType()->isScalarType()) return spill({e, true});
  const SlotId s = slot_of_type(glvalue ? ctx_.getLValueReferenceType(e->getType()) : e->getType().getUnqualifiedType(), Origin::temporary, name, e);
  const auto arm = [&](const Expr* x) {
    if (glvalue && x->refersToBitField()) diag_.error(x->getBeginLoc(), Hel::bit_field_reference);
    if (isa<CXXThrowExpr>(x->IgnoreParens())) return throw_arm(x);
    const auto* inner = dyn_cast<ConditionalOperator>(x->IgnoreParens());
    if (read && inner && inner->refersToBitField() && must_decompose(inner)) return build({s, {}, {}}, Init::assign, conditional(inner, true));
    build({s, {}, {}}, glvalue ? Init::bind : Init::assign, value(x));
  };
  if (c) {
    arms(c->getCond(), [&] { arm(c->getTrueExpr()); }, [&] { arm(c->getFalseExpr()); });
  } else {
    // GNU's x ?: y. What is asked is also the result, evaluated once.
    const Text common = spill({cast<BinaryConditionalOperator>(e)->getCommon()});
    arms("static_cast<bool>(" + common + ")", [&] { build({s, {}, {}}, glvalue ? Init::bind : Init::assign, common); }, [&] { arm(e->getFalseExpr()); });
  }
  return !glvalue ? slot_ref(s) : temporary_value(s, e);
}

Text FunctionLowering::logical(const BinaryOperator* e) {
  const SlotId s = slot_of_type(ctx_.BoolTy, Origin::temporary, "hel_v" + std::to_string(++temporaries_), e);
  const bool is_and = e->getOpcode() == BO_LAnd;
  const auto decided = [&] { build({s, {}, {}}, Init::assign, is_and ? "false" : "true"); };
  const auto other = [&] { build({s, {}, {}}, Init::assign, "static_cast<bool>(" + value(e->getRHS()) + ")"); };
  if (is_and)
    arms(e->getLHS(), other, decided);
  else
    arms(e->getLHS(), decided, other);
  return slot_ref(s);
}

}  // namespace hel::frontend
