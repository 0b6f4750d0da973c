// Objects by destination passing: prvalues, aggregates part by part, new, temporaries and how long they live.
#include <algorithm>

#include "frontend/lower_function.hpp"
#include "frontend/relocate.hpp"
#include "frontend/substituter.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

void FunctionLowering::build(const Destination& d, Init init, Text text, bool aggregate) {
  if (Slot& s = fn_.slots[d.slot]; s.type.empty() && d.place.empty() && !text.empty()) {
    const char* const kept = s.form == Form::reference ? "remove_reference_t" : "decay_t";
    const Text type = type_of(text, kept);
    fn_.slots[d.slot].type = type;
  }
  Instr i;
  i.op = Op::build;
  i.slot = d.slot;
  i.place = d.place;
  i.type = d.type;
  i.init = init;
  i.aggregate = aggregate;
  i.text = std::move(text);
  b_.emit(std::move(i));
}

// The type of the variable that is being initialised, as its declaration has it: a template, say, whose arguments are closures.
Text FunctionLowering::written_type(const Destination& d) const {
  if (!extending_ || !d.place.empty() || slots_.lookup(extending_) != d.slot || !extending_->getTypeSourceInfo()) return {};
  return text_.render(text_.tokens(extending_->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc().getSourceRange()));
}

// Builds the prvalue `e` in `d`. `style` is how a variable's declaration writes its initializer.
void FunctionLowering::into(const Expr* e, const Destination& d, Init style) {
  while (isa<ExprWithCleanups, CXXBindTemporaryExpr, ConstantExpr>(e)) e = cast<Expr>(*e->children().begin());
  if (const auto* c = dyn_cast<ImplicitCastExpr>(e); c && c->getCastKind() == CK_NoOp && c->isPRValue()) return into(c->getSubExpr(), d, style);
  if (const auto* p = dyn_cast<ParenExpr>(e); p && p->isPRValue() && must_decompose(p)) return into(p->getSubExpr(), d);
  // T{prvalue of T} is that prvalue (CWG2311).
  if (const auto* l = dyn_cast<InitListExpr>(e); l && l->isTransparent() && e->getType()->isRecordType()) return into(l->getInit(0), d);
  if (must_decompose(e)) {
    if (const auto* c = dyn_cast<AbstractConditionalOperator>(e)) {
      Instr begin;
      begin.op = Op::begin;
      begin.slot = d.slot;
      if (d.place.empty()) b_.emit(std::move(begin));
      const auto arm = [&](const Expr* x) { isa<CXXThrowExpr>(x->IgnoreParens()) ? throw_arm(x) : into(x, d); };
      if (const auto* short_form = dyn_cast<BinaryConditionalOperator>(c)) {
        const Text common = spill({short_form->getCommon()});
        arms("static_cast<bool>(" + common + ")", [&] { build(d, Init::direct, common); }, [&] { arm(c->getFalseExpr()); });
        return;
      }
      arms(c->getCond(), [&] { arm(c->getTrueExpr()); }, [&] { arm(c->getFalseExpr()); });
      return;
    }
    if (const auto* b = dyn_cast<BinaryOperator>(e); b && b->getOpcode() == BO_Comma) {
      discard(b->getLHS());
      return into(b->getRHS(), d);
    }
    if (build_parts(e, d)) return;
  }
  Slot* s = &fn_.slots[d.slot];
  const Expr* inner = e->IgnoreImplicit();
  const auto* construct = dyn_cast<CXXConstructExpr>(inner);
  const CXXRecordDecl* const made = inner->getType()->getAsCXXRecordDecl();
  // A construction written as the variable's own parentheses or braces, and default-initialisation.
  if (construct && !isa<CXXTemporaryObjectExpr>(construct)) {
    if (construct->getParenOrBraceRange().isInvalid()) {
      unsigned given = 0;
      for (const Expr* a : construct->arguments()) given += !isa<CXXDefaultArgExpr>(a);
      if (given == 0) {
        if (s->type.empty()) diag_.error(e->getExprLoc(), Hel::unspeakable_type, s->name);
        const Text by_default = default_arguments(construct);
        return build(d, by_default.empty() ? Init::none : Init::direct, by_default);
      }
    } else {
      const bool braces = text_.kind(text_.tokens(construct->getParenOrBraceRange()).begin) == tok::l_brace;
      Text t = must_decompose(construct) ? operands(construct, [&] {
        std::vector<Operand> list;
        arguments(list, construct->arguments());
        return list;
      }(), construct->isListInitialization())
                                         : plain(text_.tokens(construct->getParenOrBraceRange()), construct);
      if (fn_.slots[d.slot].type.empty()) {
        Text call;
        fn_.slots[d.slot].type = "int";  // while the text is being taken apart
        check_statics(e, nullptr);
        const Text type = made_type(written_type(d) + t, call);
        fn_.slots[d.slot].type = type;
        return build(d, Init::direct, call, made && made->isAggregate());
      }
      if (braces && !t.starts_with('{')) return build(d, Init::direct, t);  // a list made over an array
      if (!braces) t = t.substr(1, t.size() - 2);
      return build(d, braces ? Init::list : Init::direct, t);
    }
  }
  // An array's copy, for a structured binding.
  if (const auto* copy = dyn_cast<ArrayInitLoopExpr>(inner)) {
    const Text from = value(copy->getCommonExpr()->getSourceExpr());
    return build(d, Init::direct, "::hel::abi::copy<" + fn_.slots[d.slot].type + ">(" + from + ")");
  }
  Text t = value(e);
  s = &fn_.slots[d.slot];
  if (s->type.empty()) {
    Text call;
    if (t.starts_with('{')) t = written_type(d) + t;
    s->type = "int";  // while the text is being taken apart
    check_statics(e, nullptr);
    const Text type = made_type(t, call);
    fn_.slots[d.slot].type = type;
    return build(d, Init::direct, call, made && made->isAggregate());
  }
  if (isa<InitListExpr>(inner) && e->getType()->isVectorType())  // GNU's; g++ takes no list in `new`
    return build(d, Init::direct, "(" + s->type + ")" + t);
  if (const auto* list = dyn_cast<InitListExpr>(inner)) t = braced(list, t);
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
  const CXXRecordDecl* record = inner->isPRValue() && ctx_.hasSameUnqualifiedType(inner->getType(), e->getType()) ? inner->getType()->getAsCXXRecordDecl() : nullptr;
  const bool aggregate = record && record->isAggregate() && !construct && !isa<CXXParenListInitExpr>(inner);
  return build(d, explicit_rivals ? Init::copy : Init::direct, t, aggregate);
}

// The `parts` above `depth` have become one object, which the caller covers; temporaries among them stay.
void FunctionLowering::make_whole(CleanupId depth, const std::vector<CleanupId>& parts) {
  std::vector<CleanupId> stay;
  std::vector<Cleanup> kept;
  for (CleanupId c = b_.top(); c != depth; c = fn_.cleanups[c].parent)
    if (std::find(parts.begin(), parts.end(), c) == parts.end()) {
      stay.insert(stay.begin(), c);
      kept.insert(kept.begin(), fn_.cleanups[c]);
    }
  b_.merge(depth, kept);
  // Those of the variable's scope have new numbers.
  CleanupId c = b_.top();
  for (std::size_t i = stay.size(); i-- > 0; c = fn_.cleanups[c].parent) std::replace(kept_.begin(), kept_.end(), stay[i], c);
}

SlotId FunctionLowering::flag_slot() {
  Slot s;
  s.name = unique_name("hel_flag" + std::to_string(++temporaries_));
  s.type = "bool";
  s.origin = Origin::flag;
  describe_type(s, ctx_.BoolTy);
  return b_.new_slot(std::move(s));
}

// The text of a default member initializer, for the object `whole`. Nothing when it means nothing outside of the class.
std::optional<Text> FunctionLowering::default_member(const CXXDefaultInitExpr* e, const Text& whole) {
  const Expr* init = e->getExpr();
  auto names = relocate(init, whole, ctx_, text_, fd_, &local_names_);
  const SourceText::Range r = text_.tokens(init->getSourceRange());
  if (!names || r.empty()) return std::nullopt;
  return text_.render(r, std::move(*names));
}

// The outermost branch leads to the slot's storage or past it: the storage is needed from there on.
void FunctionLowering::begin_at_branch(SlotId s) {
  Instr begin;
  begin.op = Op::begin;
  begin.slot = s;
  fn_.blocks[flags_at_].instrs.push_back(std::move(begin));
}

void FunctionLowering::push_temporary(SlotId s) {
  Cleanup c;
  c.slot = s;
  if (conditional_) begin_at_branch(s);  // whichever way is taken, its scope is the whole full-expression
  if (conditional_ && !fn_.slots[s].trivial) {
    const SlotId flag = flag_slot();
    fn_.slots[flag].region = fn_.slots[s].region;
    c.flag = flag;
    Instr clear;
    clear.op = Op::flag;
    clear.slot = flag;
    clear.text = "false";
    fn_.blocks[flags_at_].instrs.push_back(std::move(clear));
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

// Nothing is evaluated after `e` in the initializer of the variable: what else is made in it may go with its statement.
bool FunctionLowering::ends_initializer(const Expr* e) const {
  const Expr* last = extending_ ? extending_->getInit() : nullptr;
  while (last && last != e)
    last = isa<ExprWithCleanups, ConstantExpr, ParenExpr, ImplicitCastExpr, MaterializeTemporaryExpr, CXXStdInitializerListExpr>(last) ? cast<Expr>(*last->children().begin()) : nullptr;
  return last;
}

// `in_slot`: whether or not it must outlive its statement.
Text FunctionLowering::materialise(const MaterializeTemporaryExpr* e, bool in_slot) {
  const bool extended = e->getExtendingDecl() && e->getExtendingDecl() == extending_;
  if (!hoist_ && !extended && !in_slot && !needs_parts(e->getSubExpr())) return value(e->getSubExpr());
  if (e->getStorageDuration() == SD_Static || e->getStorageDuration() == SD_Thread) return value(e->getSubExpr());
  const bool hoisted = hoist_;
  hoist_ |= !extended || !ends_initializer(e) || scan_.suspends(e);
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
    kept_.push_back(b_.top());
  }
  return temporary_value(id, e);
}

}  // namespace hel::frontend
