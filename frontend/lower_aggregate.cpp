// Aggregates whose elements suspend: built element by element, in place, so that each element has its final address from
// the start and is destroyed on its own until the whole is complete ([dcl.init.aggr]).
#include <algorithm>

#include "frontend/lower_function.hpp"
#include "frontend/substituter.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

namespace {

// A braced or (C++20) parenthesized list, every element given: for what nobody wrote there is an implied initializer.
struct Elements {
  QualType type;
  llvm::ArrayRef<Expr*> inits;
  const Expr* filler = nullptr;  // for the rest of an array
  const FieldDecl* of_union = nullptr;
  bool designated_array = false;
};

std::optional<Elements> elements_of(const Expr* e) {
  while (isa<CXXFunctionalCastExpr, ImplicitCastExpr, CXXBindTemporaryExpr, ConstantExpr, ExprWithCleanups>(e)) e = cast<Expr>(*e->children().begin());
  Elements all;
  if (const auto* list = dyn_cast<InitListExpr>(e)) {
    if (!list->isSemanticForm() && list->getSemanticForm()) list = list->getSemanticForm();
    if (list->isTransparent() && !list->getType()->isArrayType()) return std::nullopt;
    all.inits = const_cast<InitListExpr*>(list)->inits();
    all.filler = list->getArrayFiller();
    all.of_union = list->getInitializedFieldInUnion();
    if (const InitListExpr* written = list->getSyntacticForm(); written && list->getType()->isArrayType())
      for (const Expr* x : written->inits()) all.designated_array |= isa_and_nonnull<DesignatedInitExpr>(x);
  } else if (const auto* list = dyn_cast<CXXParenListInitExpr>(e)) {
    all.inits = const_cast<CXXParenListInitExpr*>(list)->getInitExprs();
    all.filler = list->getArrayFiller();
    all.of_union = list->getInitializedFieldInUnion();
  } else {
    return std::nullopt;
  }
  all.type = e->getType();
  if (!all.type->isRecordType() && !all.type->isConstantArrayType()) return std::nullopt;
  return all;
}

// Nobody wrote it: the element is initialized from an empty list.
bool implied(const Expr* x) {
  x = x->IgnoreImplicit();
  if (isa<ImplicitValueInitExpr>(x)) return true;
  if (const auto* list = dyn_cast<InitListExpr>(x)) {
    if (list->getType()->isScalarType()) return list->getNumInits() == 0;
    return std::all_of(list->begin(), list->end(), [](const Stmt* s) { return isa<CXXDefaultInitExpr>(s) || implied(cast<Expr>(s)); });
  }
  const auto* c = dyn_cast<CXXConstructExpr>(x);
  return c && !isa<CXXTemporaryObjectExpr>(c) && std::all_of(c->arg_begin(), c->arg_end(), [](const Expr* a) { return isa<CXXDefaultArgExpr>(a); });
}

// Elements that must not be moved afterwards.
bool has_objects(const Elements& all) {
  if (all.designated_array) return true;  // g++ takes no array designators
  return std::any_of(all.inits.begin(), all.inits.end(), [](const Expr* x) {
    if (implied(x)) return false;
    if (x->isPRValue() && x->getType()->isRecordType()) return true;
    const auto inner = elements_of(x);
    return inner && has_objects(*inner);
  });
}

// Its storage may hold other elements, too.
bool shares_bytes(QualType t, const FieldDecl* f) {
  const CXXRecordDecl* r = t->getAsCXXRecordDecl();
  return r && r->isEmpty() && (!f || f->hasAttr<NoUniqueAddressAttr>());
}

}  // namespace

// It has elements of class type, or default member initializers that must run between the others.
bool FunctionLowering::has_parts(const Expr* e) const {
  const auto all = elements_of(e);
  if (!all) return false;
  if (has_objects(*all)) return true;
  const auto last = std::find_if(all->inits.rbegin(), all->inits.rend(), [&](const Expr* x) { return scan_.suspends(x); });
  return std::any_of(last, all->inits.rend(), [&](const Expr* x) {
    const auto* d = dyn_cast<CXXDefaultInitExpr>(x);
    return d && !d->getExpr()->isConstantInitializer(ctx_, false);
  });
}

// A list that suspends must be built in a place of its own, part by part.
bool FunctionLowering::needs_parts(const Expr* e) const { return scan_.suspends(e) && has_parts(e); }

bool FunctionLowering::build_parts(const Expr* list, const Destination& d) {
  if (!has_parts(list)) return false;
  if (fn_.slots[d.slot].type.empty()) diag_.error(list->getBeginLoc(), Hel::unspeakable_type, fn_.slots[d.slot].name);
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
  build_elements(list, d.slot, d.place.empty() ? slot_ref(d.slot) : d.place, parts);
  hoist_ = hoisted;
  make_whole(depth, parts);
  return true;
}

// The braces around an inner list may have been left out.
Text FunctionLowering::braced(const InitListExpr* list, Text text) const {
  if (list->isStringLiteralInit() || list->getNumInits() == 0) return text;
  const SourceText::Range brace = text_.tokens(list->getLBraceLoc());
  const bool written = !brace.empty() && text_.kind(brace.begin) == tok::l_brace && list->getInit(0)->getBeginLoc() != list->getLBraceLoc();
  return written ? text : "{" + text + "}";
}

// The elements of `list`, which initializes `whole`; what covers them is added to `parts`.
void FunctionLowering::build_elements(const Expr* list, SlotId slot, const Text& whole, std::vector<CleanupId>& parts) {
  const Elements all = *elements_of(list);
  Element e;
  e.slot = slot;
  e.whole = whole;
  e.at = list->getBeginLoc();
  if (const ConstantArrayType* a = ctx_.getAsConstantArrayType(all.type)) {
    e.type = a->getElementType();
    const std::uint64_t size = a->getSize().getZExtValue();
    for (std::uint64_t i = 0; i < all.inits.size() && i < size; ++i) {
      e.place = whole + "[" + std::to_string(i) + "]";
      build_element(all.inits[i], e, parts);
    }
    if (all.inits.size() < size) {
      // The rest, all alike, is one array.
      const std::string rest = std::to_string(size - all.inits.size());
      e.place = "::hel::abi::rest<" + rest + ">(" + whole + "[" + std::to_string(all.inits.size()) + "])";
      build({slot, e.place, "::hel::abi::boxed<" + type_name(e.type, e.at, "element") + "[" + rest + "]>"}, Init::list, "{}");
      cover(e, parts);
    }
    return;
  }
  const auto* r = all.type->getAsCXXRecordDecl();
  unsigned i = 0;
  const auto next = [&]() -> const Expr* { return i < all.inits.size() ? all.inits[i++] : nullptr; };
  const auto field = [&](const FieldDecl* f) {
    e.field = f;
    e.type = f->getType();
    e.place = whole + "." + f->getNameAsString();
    if (const Expr* x = next()) build_element(x, e, parts);
  };
  if (r->isUnion()) {
    if (all.of_union) field(all.of_union);
    return;
  }
  for (const CXXBaseSpecifier& base : r->bases()) {
    e.base = true;
    e.type = base.getType();
    e.place = "::hel::abi::base<" + type_name(e.type, e.at, "base") + ">(" + whole + ")";
    if (const Expr* x = next()) build_element(x, e, parts);
  }
  e.base = false;
  for (const FieldDecl* f : r->fields())
    if (!f->isUnnamedBitField()) field(f);
}

void FunctionLowering::cover(const Element& e, std::vector<CleanupId>& parts) {
  if (trivially_destroyed(e.type)) return;
  Cleanup c;
  c.slot = e.slot;
  c.place = e.place;
  b_.push(std::move(c));
  parts.push_back(b_.top());
}

void FunctionLowering::build_element(const Expr* x, const Element& e, std::vector<CleanupId>& parts) {
  while (isa<ConstantExpr, ExprWithCleanups>(x)) x = cast<Expr>(*x->children().begin());
  const FieldDecl* f = e.field;
  const std::string name = f ? f->getNameAsString() : e.base ? "base" : "element";
  const SourceLocation at = x->getBeginLoc().isValid() && !isa<CXXDefaultInitExpr>(x) ? x->getBeginLoc() : e.at;
  const auto refuse = [&](const std::string& what) { diag_.error(at, Hel::default_member_initializer, what); };
  const auto evaluate = [&](Text code) {
    Instr i;
    i.op = Op::eval;
    i.text = std::move(code);
    b_.emit(std::move(i));
  };
  // The members of an anonymous one are members of what it is in.
  if (f && f->isAnonymousStructOrUnion() && isa<InitListExpr>(x)) return build_elements(x, e.slot, e.whole, parts);
  std::optional<Text> text;
  if (const auto* d = dyn_cast<CXXDefaultInitExpr>(x)) {
    text = default_member(d, e.whole);
    if (!text) return refuse("the default member initializer of '" + name + "'");
  }
  if (isa<NoInitExpr, DesignatedInitUpdateExpr, ArrayInitLoopExpr>(x) || (f && f->isAnonymousStructOrUnion()))
    return refuse("this initializer");
  if (e.type->isReferenceType()) {
    if (!text) text = value(x);
    const ASTRecordLayout& layout = ctx_.getASTRecordLayout(f->getParent());
    return evaluate("::hel::abi::bind<" + std::to_string(layout.getSize().getQuantity()) + ", " +
                    std::to_string(layout.getFieldOffset(f->getFieldIndex()) / 8) + ">(" + e.whole + ", " + *text + ")");
  }
  if (f && f->isBitField()) {
    if (e.type.isConstQualified()) return refuse("the constant bit-field '" + name + "'");
    if (const auto* list = dyn_cast<InitListExpr>(x)) x = list->getNumInits() ? list->getInit(0) : nullptr;
    if (!text) text = !x || implied(x) ? "0" : value(x);
    return evaluate("::hel::abi::base<::std::remove_cvref_t<decltype(" + e.whole + ")>>(" + e.whole + ")." + name + " = static_cast<" +
                    type_name(e.type, at, name) + ">(" + *text + ")");
  }
  // A closure's type, say, has no name but that of the member.
  const Text type = spellable(e.type, ctx_, fd_, &local_names_) ? type_name(e.type, at, name) : "::std::remove_reference_t<decltype((" + e.place + "))>";
  const Destination part{e.slot, e.place, e.type->isArrayType() ? "::hel::abi::boxed<" + type + ">" : type};
  const auto* list = dyn_cast<InitListExpr>(x);
  if (text) {
    if (e.type->isArrayType())
      build(part, Init::list, "{" + *text + "}");
    else
      build(part, text->starts_with('{') ? Init::list : Init::direct, *text);
  } else if (implied(x)) {
    const auto* c = dyn_cast<CXXConstructExpr>(x->IgnoreImplicit());
    const Text by_default = c ? default_arguments(c) : Text();
    const bool shared = (e.base || f) && shares_bytes(e.type, f);
    if (by_default.empty())
      build(part, shared ? Init::none : Init::list, shared ? "" : "{}");
    else
      build(part, Init::direct, by_default);
  } else if (e.type->isArrayType()) {
    const auto inner = elements_of(x);
    if (inner && (scan_.suspends(x) || scan_.has_temporary(x) || inner->designated_array)) return build_elements(x, e.slot, e.place, parts);
    build(part, Init::list, "{" + (list ? braced(list, plain(x)) : plain(x)) + "}");
  } else if (x->isPRValue() && e.type->isRecordType()) {
    into(x, part);
  } else if (list) {
    build(part, Init::list, "{" + value(list->getInit(0)) + "}");
  } else {
    build(part, Init::direct, value(x));
  }
  cover(e, parts);
}

}  // namespace hel::frontend
