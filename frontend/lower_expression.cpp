// Expressions by destination passing.
#include "frontend/lower_function.hpp"
#include "frontend/substituter.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

bool FunctionLowering::must_decompose(const Expr* e) const {
  if (const auto* c = dyn_cast<CallExpr>(e->IgnoreImplicit()); c && synthetic(c)) return true;  // has no text of its own
  return scan_.suspends(e) || (hoist_ && scan_.has_temporary(e)) || (extending_ && scan_.has_extended(e));
}

Text FunctionLowering::plain(SourceText::Range r, const Stmt* in, std::vector<Replacement> extra) {
  Substituter sub(*this);
  sub.TraverseStmt(const_cast<Stmt*>(in));
  sub.replacements.insert(sub.replacements.begin(), extra.begin(), extra.end());  // these win over a name alone
  return text_.render(r, std::move(sub.replacements));
}

Text FunctionLowering::plain(const Expr* e) { return plain(text_.tokens(e->getSourceRange()), e); }

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

  const auto arguments = [this](std::vector<Operand>& list, auto range) {
    for (const Expr* a : range) {
      if (const auto* d = dyn_cast<CXXDefaultArgExpr>(a))
        default_argument(d);
      else
        list.push_back({a, a->isPRValue()});
    }
  };
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
    list.push_back({c->getCallee()});
    arguments(list, c->arguments());
    const bool one = list.size() <= 2;  // the callee comes before a single argument
    return operands(e, std::move(list), one);
  }
  if (const auto* c = dyn_cast<CXXConstructExpr>(e)) {
    if (c->isElidable() && c->getNumArgs() == 1) return value(c->getArg(0));
    arguments(list, c->arguments());
    // An implicit conversion has no text of its own.
    if (list.size() == 1 && c->getParenOrBraceRange().isInvalid() && !isa<CXXTemporaryObjectExpr>(c)) return value(list[0].e);
    return operands(e, std::move(list), c->isListInitialization());
  }
  if (const auto* i = dyn_cast<InitListExpr>(e)) {
    // Default member initializers run when the text is evaluated: after the last suspension.
    const Expr* last = nullptr;
    for (const Expr* x : i->inits())
      if (scan_.suspends(x)) last = x;
    bool before = last != nullptr;
    for (const Expr* x : i->inits()) {
      if (const auto* d = dyn_cast<CXXDefaultInitExpr>(x)) {
        if (before && !d->getExpr()->isConstantInitializer(ctx_, false)) {
          diag_.error(e->getBeginLoc(), Hel::default_member_initializer);
          return {};
        }
      } else if (!isa<ImplicitValueInitExpr>(x)) {
        elements(x, list);
      }
      before &= x != last;
    }
    return operands(e, std::move(list), true);
  }
  if (const auto* s = dyn_cast<CXXStdInitializerListExpr>(e)) {
    // The backing array is an object like others; the list refers to it.
    const bool hoisted = hoist_;
    hoist_ = true;
    const Expr* array = s->getSubExpr();
    while (!isa<MaterializeTemporaryExpr>(array)) array = cast<Expr>(*array->children().begin());
    const auto* m = cast<MaterializeTemporaryExpr>(array);
    const Text object = materialise(m);
    hoist_ = hoisted;
    return "(::hel::abi::list(" + slot_ref(*slots_of(object).begin()) + "))";
  }
  if (const auto* c = dyn_cast<ExplicitCastExpr>(e)) {
    const Expr* sub = c->getSubExpr();
    while (isa<ImplicitCastExpr, CXXBindTemporaryExpr, MaterializeTemporaryExpr, ConstantExpr>(sub) && sub->getSourceRange() == c->getSourceRange())
      sub = cast<Expr>(*sub->children().begin());
    // T(x) is the construction of a T: its range is that of the cast.
    if (const auto* construct = dyn_cast<CXXConstructExpr>(sub); construct && !isa<CXXTemporaryObjectExpr>(construct)) {
      arguments(list, construct->arguments());
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

// Its temporaries should live to the end of the full-expression, but nobody wrote them here. Allocators and the like of
// the standard library make no difference.
void FunctionLowering::default_argument(const CXXDefaultArgExpr* e) {
  if (!hoist_) return;
  struct Finder : RecursiveASTVisitor<Finder> {
    bool found = false;
    bool VisitMaterializeTemporaryExpr(MaterializeTemporaryExpr*) { return !(found = true); }
    bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr*) { return !(found = true); }
  } finder;
  finder.TraverseStmt(const_cast<Expr*>(e->getExpr()));
  if (finder.found && !ctx_.getSourceManager().isInSystemHeader(e->getParam()->getLocation()))
    diag_.error(e->getUsedLocation(), Hel::default_argument_temporary, e->getParam()->getNameAsString());
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
    if (must_decompose(list[i].e) || (!ordered && !stable(list[i].e))) {
      last = i;
      any = true;
    }
  std::vector<Replacement> replacements;
  for (std::size_t i = 0; any && i <= last; ++i) {
    const Expr* e = list[i].e;
    const SourceText::Range r = text_.tokens(e->getSourceRange());
    if (r.empty()) continue;  // implicit: `this`
    Text t;
    if (i == last)
      t = value(e);
    else if (const auto* m = dyn_cast<MemberExpr>(e->IgnoreParens()); m && isa<CXXMethodDecl>(m->getMemberDecl())) {
      // The callee of a member call: its object is the operand.
      if (const auto* self = dyn_cast<CXXThisExpr>(m->getBase()->IgnoreImpCasts()); self && self->isImplicit()) continue;
      const SourceText::Range base = text_.tokens(m->getBase()->getSourceRange());
      if (!base.empty()) replacements.push_back({base.begin, base.end, spill({m->getBase()})});
      continue;
    } else {
      t = spill(list[i]);
    }
    replacements.push_back({r.begin, r.end, std::move(t)});
  }
  SourceText::Range r = text_.tokens(whole->getSourceRange());
  // A construction that initialises a variable spans its name: only the list is text.
  if (const auto* c = dyn_cast<CXXConstructExpr>(whole); c && !isa<CXXTemporaryObjectExpr>(c) && c->getParenOrBraceRange().isValid())
    r = text_.tokens(c->getParenOrBraceRange());
  return plain(r, whole, std::move(replacements));
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

void FunctionLowering::build(const Destination& d, Init init, Text text) {
  Instr i;
  i.op = Op::build;
  i.slot = d.slot;
  i.place = d.place;
  i.type = d.type;
  i.init = init;
  i.text = std::move(text);
  b_.emit(std::move(i));
}

// Builds the prvalue `e` in `d`. `style` is how a variable's declaration writes its initializer.
void FunctionLowering::into(const Expr* e, const Destination& d, Init style) {
  while (isa<ExprWithCleanups, CXXBindTemporaryExpr, ConstantExpr>(e)) e = cast<Expr>(*e->children().begin());
  if (const auto* c = dyn_cast<ImplicitCastExpr>(e); c && c->getCastKind() == CK_NoOp && c->isPRValue()) return into(c->getSubExpr(), d, style);
  if (const auto* p = dyn_cast<ParenExpr>(e); p && p->isPRValue() && must_decompose(p)) return into(p->getSubExpr(), d);
  // T{prvalue of T} is that prvalue (CWG2311).
  if (const auto* l = dyn_cast<InitListExpr>(e); l && l->isTransparent() && e->getType()->isRecordType()) return into(l->getInit(0), d);
  if (must_decompose(e)) {
    if (const auto* c = dyn_cast<ConditionalOperator>(e)) {
      Instr begin;
      begin.op = Op::begin;
      begin.slot = d.slot;
      if (d.place.empty()) b_.emit(std::move(begin));
      const auto arm = [&](const Expr* x) { isa<CXXThrowExpr>(x->IgnoreParens()) ? throw_arm(x) : into(x, d); };
      arms(c->getCond(), [&] { arm(c->getTrueExpr()); }, [&] { arm(c->getFalseExpr()); });
      return;
    }
    if (const auto* b = dyn_cast<BinaryOperator>(e); b && b->getOpcode() == BO_Comma) {
      discard(b->getLHS());
      return into(b->getRHS(), d);
    }
    const Expr* list = e;
    if (const auto* f = dyn_cast<CXXFunctionalCastExpr>(e)) list = f->getSubExpr()->IgnoreImplicit();
    if (const auto* i = dyn_cast<InitListExpr>(list); i && build_parts(i, d)) return;
  }
  Slot* s = &fn_.slots[d.slot];
  const Expr* inner = e->IgnoreImplicit();
  const auto* construct = dyn_cast<CXXConstructExpr>(inner);
  // A construction written as the variable's own parentheses or braces, and default-initialisation.
  if (construct && !isa<CXXTemporaryObjectExpr>(construct)) {
    if (construct->getParenOrBraceRange().isInvalid()) {
      unsigned given = 0;
      for (const Expr* a : construct->arguments()) given += !isa<CXXDefaultArgExpr>(a);
      if (given == 0) {
        if (s->type.empty()) diag_.error(e->getExprLoc(), Hel::unspeakable_type, s->name);
        return build(d, Init::none, {});
      }
    } else {
      const bool braces = text_.kind(text_.tokens(construct->getParenOrBraceRange()).begin) == tok::l_brace;
      Text t = must_decompose(construct) ? operands(construct, [&] {
        std::vector<Operand> list;
        for (const Expr* a : construct->arguments())
          if (!isa<CXXDefaultArgExpr>(a)) list.push_back({a, a->isPRValue()});
        return list;
      }(), construct->isListInitialization())
                                         : plain(text_.tokens(construct->getParenOrBraceRange()), construct);
      if (braces && !t.starts_with('{')) return build(d, Init::direct, t);  // a list made over an array
      if (!braces) t = t.substr(1, t.size() - 2);
      return build(d, braces ? Init::list : Init::direct, t);
    }
  }
  Text t = value(e);
  s = &fn_.slots[d.slot];
  if (s->type.empty()) {
    Text call;
    s->type = "int";  // while the text is being taken apart
    const Text type = made_type(t, call);
    fn_.slots[d.slot].type = type;
    t = call;
    style = Init::direct;
  }
  if (isa<InitListExpr>(inner) || (isa<CXXStdInitializerListExpr>(inner) && t.starts_with('{')))
    return build(d, Init::list, s->array && d.place.empty() ? "{" + t + "}" : t);
  if (s->array) {
    // "text" for a character array, or another array's copy inside a closure.
    return build(d, Init::list, "{" + t + "}");
  }
  if (isa<CXXParenListInitExpr>(inner) && t.starts_with('(')) t = t.substr(1, t.size() - 2);
  if (const auto* o = dyn_cast<CXXOperatorCallExpr>(inner); o && o->getOperator() == OO_Comma) t = "(" + t + ")";
  // Copy-initialisation from another type considers converting constructors only.
  const bool same = construct && construct->getConstructor()->isCopyOrMoveConstructor();
  const bool converts = style == Init::copy && construct && !isa<CXXTemporaryObjectExpr>(construct) && !same;
  bool explicit_rivals = false;
  if (converts)
    for (const CXXConstructorDecl* c : construct->getConstructor()->getParent()->ctors()) explicit_rivals |= c->isExplicit();
  return build(d, explicit_rivals ? Init::copy : Init::direct, t);
}

// An aggregate whose elements suspend is built element by element, in place: each is destroyed on its own until the
// whole is complete. Only where an element of class type would otherwise have to be moved.
bool FunctionLowering::build_parts(const InitListExpr* list, const Destination& d) {
  if (!list->isSemanticForm() && list->getSemanticForm()) list = list->getSemanticForm();
  const QualType t = list->getType();
  bool objects = false;
  for (const Expr* x : list->inits()) objects |= x->isPRValue() && x->getType()->isRecordType();
  if (!objects) return false;
  std::vector<std::pair<Text, QualType>> places;
  const Text whole = d.place.empty() ? slot_ref(d.slot) : d.place;
  if (const auto* r = t->getAsCXXRecordDecl()) {
    if (r->isUnion()) {
      diag_.error(list->getBeginLoc(), Hel::default_member_initializer);
      return true;
    }
    for (const CXXBaseSpecifier& base : r->bases())
      places.push_back({"static_cast<" + type_name(base.getType(), list->getBeginLoc(), "base") + "&>(" + whole + ")", base.getType()});
    for (const FieldDecl* f : r->fields())
      if (!f->isUnnamedBitField()) places.push_back({whole + "." + f->getNameAsString(), f->getType()});
  } else if (const ConstantArrayType* a = ctx_.getAsConstantArrayType(t)) {
    for (std::uint64_t i = 0; i < a->getSize().getZExtValue(); ++i) places.push_back({whole + "[" + std::to_string(i) + "]", a->getElementType()});
  } else {
    return false;
  }
  if (t->isArrayType() && list->getNumInits() < places.size() && list->getArrayFiller() && !isa<ImplicitValueInitExpr>(list->getArrayFiller())) {
    diag_.error(list->getBeginLoc(), Hel::default_member_initializer);
    return true;
  }
  if (!t->isArrayType() && places.size() != list->getNumInits()) {
    diag_.error(list->getBeginLoc(), Hel::default_member_initializer);
    return true;
  }
  if (d.place.empty()) {
    Instr begin;
    begin.op = Op::begin;
    begin.slot = d.slot;
    b_.emit(std::move(begin));
  }
  const CleanupId depth = b_.top();
  const bool hoisted = hoist_;
  hoist_ = true;
  std::vector<CleanupId> parts;
  for (unsigned i = 0; i < places.size(); ++i) {
    const Expr* x = i < list->getNumInits() ? list->getInit(i) : list->getArrayFiller();
    const QualType pt = places[i].second;
    const SourceLocation at = x && x->getBeginLoc().isValid() ? x->getBeginLoc() : list->getBeginLoc();
    if (pt->isReferenceType() || (x && x->refersToBitField())) {
      diag_.error(at, Hel::default_member_initializer);
      continue;
    }
    const Destination part{d.slot, places[i].first, type_name(pt, list->getBeginLoc(), "element")};
    if (!x || isa<ImplicitValueInitExpr>(x)) {
      build(part, Init::list, "{}");
    } else if (const auto* implied = dyn_cast<CXXDefaultInitExpr>(x)) {
      const auto text = default_member(implied, whole);
      if (!text || pt->isArrayType()) {
        diag_.error(at, Hel::default_member_initializer);
        continue;
      }
      build(part, text->starts_with('{') ? Init::list : Init::direct, *text);
    } else if (x->isPRValue() && pt->isRecordType()) {
      into(x, part);
    } else if (pt->isArrayType()) {
      diag_.error(at, Hel::default_member_initializer);
    } else {
      build(part, Init::direct, value(x));
    }
    if (!trivially_destroyed(pt)) {
      Cleanup c;
      c.slot = d.slot;
      c.place = part.place;
      c.type = part.type;
      if (conditional_) diag_.error(x->getBeginLoc(), Hel::unsupported_expression, "an aggregate inside ?:, && or ||");
      b_.push(std::move(c));
      parts.push_back(b_.top());
    }
  }
  hoist_ = hoisted;
  // Temporaries of the elements stay; the parts become one object, which the caller covers.
  std::vector<Cleanup> kept;
  for (CleanupId c = b_.top(); c != depth; c = fn_.cleanups[c].parent)
    if (std::find(parts.begin(), parts.end(), c) == parts.end()) kept.insert(kept.begin(), fn_.cleanups[c]);
  b_.merge(depth, kept);
  return true;
}

SlotId FunctionLowering::flag_slot() {
  Slot s;
  s.name = unique_name("hel_flag" + std::to_string(++temporaries_));
  s.type = "bool";
  s.origin = Origin::flag;
  describe_type(s, ctx_.BoolTy);
  return b_.new_slot(std::move(s));
}

// The text of a default member initializer, for the object `whole`: every name in it is spelled so that it means the same
// outside of the class. Nothing when that cannot be done.
std::optional<Text> FunctionLowering::default_member(const CXXDefaultInitExpr* e, const Text& whole) {
  struct Names : RecursiveASTVisitor<Names> {
    FunctionLowering& f;
    const Text& whole;
    std::vector<Replacement> replacements;
    bool possible = true;
    Names(FunctionLowering& l, const Text& w) : f(l), whole(w) {}
    void replace(SourceRange r, Text t) {
      const SourceText::Range range = f.text_.tokens(r);
      if (range.empty()) possible = false;
      else replacements.push_back({range.begin, range.end, std::move(t)});
    }
    bool VisitMemberExpr(MemberExpr* m) {
      if (const auto* self = dyn_cast<CXXThisExpr>(m->getBase()->IgnoreImpCasts()); self && self->isImplicit()) {
        const SourceText::Range at = f.text_.tokens(m->getBeginLoc());
        if (at.empty()) possible = false;
        else replacements.push_back({at.begin, at.begin, whole + "."});
      }
      return true;
    }
    bool VisitCXXThisExpr(CXXThisExpr* t) {
      if (!t->isImplicit()) replace(t->getLocation(), "(&" + whole + ")");
      return true;
    }
    bool VisitDeclRefExpr(DeclRefExpr* r) {
      if (isa<CXXOperatorCallExpr>(r) || r->getNameInfo().getName().getNameKind() != DeclarationName::Identifier) return true;
      if (r->hasExplicitTemplateArgs()) possible = false;
      std::string name;
      llvm::raw_string_ostream out(name);
      r->getDecl()->printQualifiedName(out);
      if (r->getDecl()->getDeclContext()->isFunctionOrMethod() || name.find('(') != std::string::npos) possible = false;
      replace(SourceRange(r->getBeginLoc(), r->getLocation()), "::" + name);
      return true;
    }
    bool VisitLambdaExpr(LambdaExpr*) { return possible = false, true; }
    bool TraverseTypeLoc(TypeLoc t HEL_TRAVERSE_UNNAMED) {
      if (t.getType()->isDependentType() || !spellable(t.getType(), f.ctx_, f.fd_, &f.local_names_)) possible = false;
      else replace(t.getSourceRange(), type_text(t.getType(), f.ctx_));
      return true;
    }
  } names(*this, whole);
  const Expr* init = e->getExpr();
  names.TraverseStmt(const_cast<Expr*>(init));
  const SourceText::Range r = text_.tokens(init->getSourceRange());
  if (!names.possible || r.empty()) return std::nullopt;
  return text_.render(r, std::move(names.replacements));
}

// [expr.new]: the memory is there before the initializer is evaluated, and goes back when that does not come to an end.
Text FunctionLowering::new_expression(const CXXNewExpr* e) {
  std::vector<Operand> list;
  for (const Expr* p : e->placement_arguments())
    if (!isa<CXXDefaultArgExpr>(p)) list.push_back({p, p->isPRValue()});
  if (e->isArray() && *e->getArraySize()) list.push_back({*e->getArraySize()});
  const Expr* init = e->getInitializer();
  if (!init || !scan_.suspends(init)) {
    // Only placement arguments or the size suspend; what follows is text.
    if (hoist_ && init && scan_.has_temporary(init)) diag_.error(e->getBeginLoc(), Hel::unsupported_expression, "new with temporaries before a suspension");
    return operands(e, std::move(list), true);
  }
  const FunctionDecl* allocate = e->getOperatorNew();
  const FunctionDecl* deallocate = e->getOperatorDelete();
  if (e->isArray() || e->getNumPlacementArgs() || !allocate) {
    diag_.error(e->getBeginLoc(), Hel::unsupported_expression, e->isArray() ? "new of an array" : "new with placement");
    return {};
  }
  const QualType t = e->getAllocatedType();
  const Text type = type_name(t, e->getBeginLoc(), "new");
  const auto owner = [&](const FunctionDecl* f) {
#if CLANG_VERSION_MAJOR >= 22
    return isa<CXXMethodDecl>(f) ? type_text(ctx_.getCanonicalTagType(cast<CXXMethodDecl>(f)->getParent()), ctx_) : std::string();
#else
    return isa<CXXMethodDecl>(f) ? type_text(ctx_.getRecordType(cast<CXXMethodDecl>(f)->getParent()), ctx_) : std::string();
#endif
  };
  const std::string size = "sizeof(" + type + ")";
  const std::string alignment = e->passAlignment() ? ", ::std::align_val_t(alignof(" + type + "))" : "";
  Slot memory;
  memory.name = unique_name("hel_memory" + std::to_string(++temporaries_));
  memory.type = "void*";
  memory.origin = Origin::temporary;
  describe_type(memory, ctx_.VoidPtrTy);
  const SlotId m = b_.new_slot(std::move(memory));
  build({m, {}, {}}, Init::direct, owner(allocate) + "::operator new(" + size + alignment + ")");
  const CleanupId depth = b_.top();
  Cleanup free;
  free.slot = m;
  if (deallocate) {
    const bool sized = isa<CXXMethodDecl>(deallocate) && deallocate->getNumParams() > 1 && !e->passAlignment();
    free.code = owner(deallocate) + "::operator delete(" + slot_ref(m) + (sized ? ", " + size : "") + alignment + ")";
  }
  if (conditional_) diag_.error(e->getBeginLoc(), Hel::unsupported_expression, "new inside ?:, && or ||");
  b_.push(std::move(free));
  const CleanupId freeing = b_.top();
  const Destination object{m, "(*static_cast<" + type + "*>(" + slot_ref(m) + "))", type};
  const bool hoisted = hoist_;
  hoist_ = true;
  if (t->isRecordType())
    into(init, object, e->getInitializationStyle() == CXXNewInitializationStyle::Braces ? Init::list : Init::direct);
  else if (const auto* l = dyn_cast<InitListExpr>(init))
    build(object, Init::list, l->getNumInits() ? "{" + value(l->getInit(0)) + "}" : "{}");
  else
    build(object, Init::direct, value(init));
  hoist_ = hoisted;
  // The object is complete: the memory is its own now, temporaries stay.
  std::vector<Cleanup> kept;
  for (CleanupId c = b_.top(); c != depth; c = fn_.cleanups[c].parent)
    if (c != freeing) kept.insert(kept.begin(), fn_.cleanups[c]);
  Cleanup storage;
  storage.slot = m;  // no code: keeps the pointer's slot alive to the end of the full-expression
  kept.insert(kept.begin(), storage);
  b_.merge(depth, kept);
  return "static_cast<" + type + "*>(" + slot_ref(m) + ")";
}

void FunctionLowering::push_temporary(SlotId s) {
  Cleanup c;
  c.slot = s;
  if (conditional_ && !fn_.slots[s].trivial) {
    const SlotId flag = flag_slot();
    c.flag = flag;
    // Cleared before the outermost branch.
    Instr clear;
    clear.op = Op::flag;
    clear.slot = flag;
    clear.text = "false";
    Instr begin;
    begin.op = Op::begin;
    begin.slot = s;
    fn_.blocks[flags_at_].instrs.push_back(std::move(clear));
    fn_.blocks[flags_at_].instrs.push_back(std::move(begin));
    Instr set;
    set.op = Op::flag;
    set.slot = flag;
    set.text = "true";
    b_.push(std::move(c));
    b_.emit(std::move(set));
    return;
  }
  b_.push(std::move(c));
}

Text FunctionLowering::materialise(const MaterializeTemporaryExpr* e) {
  const bool extended = e->getExtendingDecl() && e->getExtendingDecl() == extending_;
  if (!hoist_ && !extended && !needs_parts(e->getSubExpr())) return value(e->getSubExpr());
  if (e->getStorageDuration() == SD_Static || e->getStorageDuration() == SD_Thread) return value(e->getSubExpr());
  const bool hoisted = hoist_;
  hoist_ = true;
  const QualType t = e->getType();
  const Origin origin = isa<CXXStdInitializerListExpr>(e->getSubExpr()) ? Origin::backing_array : Origin::temporary;
  const SlotId id = object_slot(t, origin, "hel_m" + std::to_string(++temporaries_), e);
  if (extended) fn_.slots[id].region = scope_region_;
  const Expr* made = e->getSubExpr();
  while (isa<ExprWithCleanups, ConstantExpr>(made)) made = cast<Expr>(*made->children().begin());
  if (t->isScalarType()) {
    const Text v = value(made);
    build({id, {}, {}}, Init::direct, v);
  } else {
    into(made, {id, {}, {}});
  }
  hoist_ = hoisted;
  push_temporary(id);
  if (extended) {
    if (conditional_) diag_.error(e->getBeginLoc(), Hel::unsupported_expression, "a lifetime-extended temporary inside ?:, && or ||");
    kept_.push_back(b_.top());
  }
  return temporary_value(id, e);
}

// Runs `yes` or `no` by a condition; temporaries of either live on to the end of the full-expression, under a flag.
void FunctionLowering::arms(const Expr* condition, const std::function<void()>& yes, const std::function<void()>& no) {
  const bool hoisted = hoist_;
  hoist_ = true;
  const Text c = value(condition);
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

// An aggregate that has elements of class type and suspends: it must be built in a place of its own, part by part.
bool FunctionLowering::needs_parts(const Expr* e) const {
  e = e->IgnoreImplicit();
  if (const auto* f = dyn_cast<CXXFunctionalCastExpr>(e)) e = f->getSubExpr()->IgnoreImplicit();
  const auto* list = dyn_cast<InitListExpr>(e);
  if (!list || list->isTransparent() || !list->getType()->isRecordType() || !scan_.suspends(list)) return false;
  for (const Expr* x : list->inits())
    if (x->isPRValue() && x->getType()->isRecordType()) return true;
  return false;
}

Text FunctionLowering::conditional(const AbstractConditionalOperator* e) {
  const auto* c = dyn_cast<ConditionalOperator>(e);
  if (!c) {
    diag_.error(e->getBeginLoc(), Hel::unsupported_expression, "?: without a second operand");
    return {};
  }
  if (e->getType()->isVoidType()) {
    arms(c->getCond(), [&] { discard(c->getTrueExpr()); }, [&] { discard(c->getFalseExpr()); });
    return "static_cast<void>(0)";
  }
  const std::string name = "hel_v" + std::to_string(++temporaries_);
  if (e->isPRValue() && !e->getType()->isScalarType()) return spill({e, true});
  const SlotId s = slot_of_type(e->isGLValue() ? ctx_.getLValueReferenceType(e->getType()) : e->getType(), Origin::temporary, name, e);
  const auto arm = [&](const Expr* x) {
    if (e->isGLValue() && x->refersToBitField()) diag_.error(x->getBeginLoc(), Hel::bit_field_reference);
    if (isa<CXXThrowExpr>(x->IgnoreParens())) return throw_arm(x);
    build({s, {}, {}}, e->isGLValue() ? Init::bind : Init::assign, value(x));
  };
  arms(c->getCond(), [&] { arm(c->getTrueExpr()); }, [&] { arm(c->getFalseExpr()); });
  return e->isPRValue() ? slot_ref(s) : temporary_value(s, e);
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
