// Declarations in a scope that holds a suspension.
#include <algorithm>

#include "frontend/lower_function.hpp"
#include "frontend/substituter.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

// A constant is re-declared in the ramp, where types and bodies see it; it is never in the frame.
bool FunctionLowering::constant(const VarDecl* v) const {
  const QualType t = v->getType();
  if (!t.isConstQualified() && !v->isConstexpr()) return false;
  if (t->isReferenceType() || !ctx_.getBaseElementType(t)->isScalarType() || t.isVolatileQualified()) return false;
  return v->isConstexpr() || (t->isIntegralOrEnumerationType() && v->isUsableInConstantExpressions(ctx_));
}

// No code runs where a static variable like that is declared: it may be anywhere.
bool FunctionLowering::constantly_initialised(const VarDecl* v) const {
  if (v->getType()->isDependentType() || v->needsDestruction(ctx_)) return false;
  const Expr* init = v->getInit();
  if (!init) return v->getType().isPODType(ctx_) || ctx_.getBaseElementType(v->getType())->isScalarType();
  if (v->isConstexpr() || v->hasAttr<ConstInitAttr>()) return true;
  Expr::EvalResult known;
  llvm::SmallVector<PartialDiagnosticAt, 2> notes;
  APValue value;
  return !init->isValueDependent() && init->EvaluateAsInitializer(value, ctx_, v, notes, true) && notes.empty();
}

// What moves to the ramp cannot name a variable of the body.
void FunctionLowering::check_statics(const Stmt* s, const Decl* d) {
  if (body_statics_.empty()) return;
  struct Names : RecursiveASTVisitor<Names> {
    FunctionLowering& f;
    explicit Names(FunctionLowering& l) : f(l) {}
    bool VisitDeclRefExpr(DeclRefExpr* e) {
      if (const auto* v = dyn_cast<VarDecl>(e->getDecl()); v && f.body_statics_.count(v)) f.diag_.error(e->getLocation(), Hel::static_named_in_type, v->getNameAsString());
      return true;
    }
  } names(*this);
  if (s) names.TraverseStmt(const_cast<Stmt*>(s));
  if (d) names.TraverseDecl(const_cast<Decl*>(d));
}

void FunctionLowering::hoist(const DeclStmt* s, const char* prefix) {
  SourceText::Range r = text_.tokens(s->getSourceRange());
  if (r.empty()) return;
  Substituter sub(*this, r);
  for (const Decl* d : s->decls()) sub.TraverseDecl(const_cast<Decl*>(d));
  r.end = end_with_semicolon(r.end);
  const bool types = std::all_of(s->decl_begin(), s->decl_end(), [](const Decl* d) { return isa<TypeDecl>(d); });
  std::vector<Replacement> replacements = sub.finish();
  for (Replacement& p : replacements)
    if (!slots_of(p.text).empty() && types) {
      // A type can mention a variable only where it is not evaluated.
      p.text = render(p.text, [&](Mark k, std::uint32_t n) { return k == Mark::slot ? "::hel::abi::lvalue<" + fn_.slots[n].type + ">()" : std::string(mark(k, n)); });
    } else if (!slots_of(p.text).empty()) {
      // It holds, or Clang would have said so.
      if (s->isSingleDecl() && isa<StaticAssertDecl>(s->getSingleDecl())) return;
      diag_.error(s->getBeginLoc(), Hel::unspeakable_type, "a type that depends on a local variable");
      return;
    }
  fn_.declarations.push_back({prefix + text_.render(r, replacements), line(s->getBeginLoc())});
}

// Local types move to the ramp, where all scopes of the body are one: the second of a name, and one without, get another.
void FunctionLowering::name_types(const DeclStmt* s) {
  for (const Decl* d : s->decls()) {
    const auto* n = dyn_cast<NamedDecl>(d);
    if (!n || !isa<TypeDecl>(d)) continue;
    if (!n->getIdentifier())
      local_names_[n] = unique_name("hel_type");
    else if (!names_.insert(n->getNameAsString()).second)
      local_names_[n] = unique_name(n->getNameAsString() + "_2");
  }
}

void FunctionLowering::declaration(const DeclStmt* s) {
  bool constants = true, statics = true, others = true;
  for (const Decl* d : s->decls()) {
    const auto* v = dyn_cast<VarDecl>(d);
    others &= !v;
    constants &= v && v->hasLocalStorage() && constant(v);
    statics &= v && !v->hasLocalStorage();
  }
  const auto rename = [&](const VarDecl* v) {
    if (scan_.clashes(v)) renamed_[v] = unique_name(v->getNameAsString() + "_2");
    else names_.insert(v->getNameAsString());
  };
  name_types(s);
  if (others) {
    for (const Decl* d : s->decls()) check_statics(nullptr, d);
    hoist(s, "");
    return;
  }
  if (constants) {
    for (const Decl* d : s->decls()) rename(cast<VarDecl>(d));
    hoist(s, "static ");
    return;
  }
  const auto named_inside = [&](const Decl* d) { return scan_.named_inside(cast<VarDecl>(d)); };
  const auto movable = [&](const Decl* d) { return constantly_initialised(cast<VarDecl>(d)); };
  if (statics && std::any_of(s->decl_begin(), s->decl_end(), named_inside) && std::all_of(s->decl_begin(), s->decl_end(), movable)) {
    for (const Decl* d : s->decls()) rename(cast<VarDecl>(d));
    hoist(s, "");
    return;
  }
  if (statics) {
    for (const Decl* d : s->decls()) {
      const auto* v = cast<VarDecl>(d);
      rename(v);
      body_statics_.insert(v);
      if (v->getInit() && scan_.suspends(v->getInit())) {
        diag_.error(v->getLocation(), Hel::await_in_static);
        return;
      }
    }
    opaque(s, s, false);
    return;
  }
  // `struct X {…} x;` declares a type and a variable.
  for (const Decl* d : s->decls()) {
    if (const auto* tag = dyn_cast<TagDecl>(d)) {
      check_statics(nullptr, tag);
      const SourceText::Range r = text_.tokens(tag->getSourceRange());
      Substituter sub(*this, r);
      sub.TraverseDecl(const_cast<TagDecl*>(tag));
      fn_.declarations.push_back({text_.render(r, sub.finish()) + ";", line(tag->getBeginLoc())});
    } else if (const auto* v = dyn_cast<VarDecl>(d)) {
      variable(v);
    }
  }
}

namespace {

// Of a variable that nobody named, so that it is none of the lowering's own names.
std::string hidden_name(const VarDecl* v) {
  const std::string name = v->getNameAsString();
  if (isa<DecompositionDecl>(v)) return "hel_binding";
  if (name.empty()) return "hel_union";
  for (const char* of_range : {"__range", "__begin", "__end"})
    if (name.starts_with(of_range)) return "hel_" + name.substr(2);
  return "hel_get_" + name;  // what a binding refers to
}

}  // namespace

SlotId FunctionLowering::declare(const VarDecl* v) {
  const QualType t = v->getType();
  const bool hidden = v->isImplicit() || isa<DecompositionDecl>(v) || !v->getDeclName();
  const std::string name = v->getNameAsString();
  Slot s;
  s.spelling = hidden ? "" : v->getNameAsString();
  s.name = hidden ? unique_name(hidden_name(v)) : scan_.clashes(v) ? unique_name(name + "_2") : unique_name(name);
  s.origin = Origin::local;
  QualType object = t.getNonReferenceType();
  if (t->isReferenceType()) {
    s.form = Form::reference;
    s.loaded = false;
  } else if (t->isScalarType() && !scan_.address_taken(v) && !t.isVolatileQualified() && !v->hasAttr<AlignedAttr>()) {
    s.form = Form::scalar;
    object = t.getUnqualifiedType();
    s.loaded = scan_.modified(v) || v->isImplicit() || !v->getInit();
  }
  describe_type(s, object);
  s.where = line(v->getLocation());
  if (v->hasAttr<AlignedAttr>() && ctx_.getDeclAlign(v) > ctx_.getTypeAlignInChars(object))
    s.alignas_ = static_cast<std::uint64_t>(ctx_.getDeclAlign(v).getQuantity());
  if (spellable(object, ctx_, fd_, &local_names_)) {
    s.type = type_name(object, v->getLocation(), name);
  } else if (const TypeSourceInfo* written = v->getTypeSourceInfo(); written && !v->getType()->getContainedDeducedType() && !v->isImplicit()) {
    // A template parameter that stands for a closure, say: what the user wrote names it.
    const SourceText::Range r = text_.tokens(written->getTypeLoc().getSourceRange());
    s.type = numbered("hel_t", ++types_);
    fn_.declarations.push_back({"using " + s.type + " = ::std::remove_reference_t<" + text_.render(r) + ">;", {}});
  }
  return b_.new_slot(std::move(s));  // an empty type is made from the initializer
}

void FunctionLowering::variable(const VarDecl* v) {
  b_.where = line(v->getLocation());
  if (v->hasAttr<CleanupAttr>()) diag_.error(v->getLocation(), Hel::variable_attribute, "the attribute cleanup");
  if (v->hasAttr<AsmLabelAttr>()) diag_.error(v->getLocation(), Hel::variable_attribute, "a register of its own");
  const SlotId s = declare(v);
  slots_[v] = s;
  initialise(v, s);
  if (const auto* d = dyn_cast<DecompositionDecl>(v)) decomposition(d, s);
}

// A function that is found by its arguments alone, whatever its name means in the body.
std::string FunctionLowering::found_by_arguments(const std::string& name) const {
  bool hidden = false;
  for (const FunctionLowering* f = this; f; f = f->outer_) hidden |= f->scan_.uses_identifier(name);
  const DeclarationName declared(&ctx_.Idents.get(name));
  for (const DeclContext* c = fd_->getDeclContext(); c && !hidden; c = c->getParent()) {
    if (const auto* r = dyn_cast<CXXRecordDecl>(c); r && r->hasDefinition()) hidden = r->hasMemberName(declared);
    if (c->isFileContext())
      for (const NamedDecl* d : c->lookup(declared)) hidden |= !d->getAsFunction() && !isa<FunctionTemplateDecl>(d);
  }
  return hidden ? "::hel::abi::adl_" + name : name;
}

// [dcl.struct.bind]: the names stand for parts of the hidden object, or for references that get<i>() makes.
void FunctionLowering::decomposition(const DecompositionDecl* d, SlotId slot) {
  for (const BindingDecl* b : d->bindings()) {
    const Expr* part = b->getBinding();
    if (!part) continue;
    if (const VarDecl* held = b->getHoldingVar()) {
      const Expr* init = held->getInit()->IgnoreImplicit();
      const auto* call = dyn_cast<CallExpr>(init);
      const FunctionDecl* get = call ? call->getDirectCallee() : nullptr;
      const TemplateArgumentList* arguments = get ? get->getTemplateSpecializationArgs() : nullptr;
      if (!arguments || arguments->size() == 0 || arguments->get(0).getKind() != TemplateArgument::Integral) {
        diag_.error(b->getLocation(), Hel::structured_binding);
        continue;
      }
      const std::string index = llvm::toString(arguments->get(0).getAsIntegral(), 10);
      Text object = slot_ref(slot);
      if (!d->getType()->isLValueReferenceType())
        object = "static_cast<::std::remove_reference_t<decltype(" + slot_ref(slot) + ")>&&>(" + slot_ref(slot) + ")";
      const Text made = isa<CXXMemberCallExpr>(call) ? "(" + object + ").template get<" + index + ">()" : found_by_arguments("get") + "<" + index + ">(" + object + ")";
      const SlotId id = declare(held);
      fn_.slots[id].spelling = b->getNameAsString();
      slots_[held] = id;
      if (init->isPRValue()) {
        // The reference keeps a temporary alive.
        const SlotId t = object_slot(init->getType(), Origin::temporary, "hel_part" + std::to_string(++temporaries_), held->getInit());
        build({t, {}, {}}, Init::direct, made);
        push_cleanup(t);
        build({id, {}, {}}, Init::bind, "static_cast<" + fn_.slots[t].type + "&&>(" + slot_ref(t) + ")");
      } else {
        build({id, {}, {}}, Init::bind, made);
      }
      bindings_[b] = slot_ref(id);
      continue;
    }
    part = part->IgnoreImplicit();
    if (const auto* m = dyn_cast<MemberExpr>(part)) {
      bindings_[b] = slot_ref(slot) + "." + m->getMemberDecl()->getNameAsString();
    } else if (const auto* a = dyn_cast<ArraySubscriptExpr>(part)) {
      Expr::EvalResult index;
      if (a->getIdx()->EvaluateAsInt(index, ctx_)) bindings_[b] = slot_ref(slot) + "[" + llvm::toString(index.Val.getInt(), 10) + "]";
    }
    if (!bindings_.count(b)) diag_.error(b->getLocation(), Hel::structured_binding);
  }
}

// Ends a full-expression: destroys the temporaries above `depth` but keeps what was pushed for the scope.
void FunctionLowering::settle(CleanupId depth) {
  if (kept_.empty()) {
    b_.pop_to(depth);
    return;
  }
  std::vector<CleanupId> temporaries;  // topmost first
  for (CleanupId c = b_.top(); c != depth; c = fn_.cleanups[c].parent)
    if (std::find(kept_.begin(), kept_.end(), c) == kept_.end()) temporaries.push_back(c);
  std::vector<Cleanup> kept;
  for (CleanupId c : kept_) kept.push_back(fn_.cleanups[c]);
  kept_.clear();
  b_.settle(depth, temporaries, kept);
}

namespace {

bool mentions(const Expr* e, const VarDecl* v) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const VarDecl* variable;
    bool found = false;
    bool shouldVisitImplicitCode() const { return true; }  // captures
    bool VisitDeclRefExpr(DeclRefExpr* r) { return !(found |= r->getDecl() == variable); }
  } finder;
  finder.variable = v;
  finder.TraverseStmt(const_cast<Expr*>(e));
  return finder.found;
}

}  // namespace

void FunctionLowering::initialise(const VarDecl* v, SlotId id) {
  const CleanupId depth = b_.top();
  const std::uint32_t scope = b_.region();
  const std::uint32_t outer_scope = scope_region_;
  scope_region_ = scope;
  b_.open_region();
  extending_ = v;
  const Expr* init = v->getInit();
  if (!init) {
    b_.emit({.op = Op::build, .slot = id, .cleanup = none, .init = Init::none, .text = {}, .place = {}, .type = {}, .exits = {}, .where = {}});
    if (fn_.slots[id].form == Form::object) {
      if (fn_.slots[id].type.empty()) diag_.error(v->getLocation(), Hel::unspeakable_type, v->getNameAsString());
      kept_.push_back(push_cleanup(id));
    }
  } else {
    const Expr* e = init;
    while (isa<ExprWithCleanups, ConstantExpr>(e)) e = cast<Expr>(*e->children().begin());
    if (mentions(init, v)) {  // T x(&x, co_await …)
      fn_.slots[id].early = true;
      Instr begin;
      begin.op = Op::begin;
      begin.slot = id;
      b_.emit(std::move(begin));
    }
    switch (fn_.slots[id].form) {
    case Form::reference: {
      build({id, {}, {}}, Init::bind, value(e));
      break;
    }
    case Form::scalar: {
      Text t;
      if (const auto* list = dyn_cast<InitListExpr>(e))
        t = (v->getType()->isEnumeralType() ? fn_.slots[id].type : Text()) + (list->getNumInits() ? "{" + value(list->getInit(0)) + "}" : "{}");
      else
        t = value(e);
      build({id, {}, {}}, Init::assign, t);
      break;
    }
    case Form::object: {
      Init style = Init::direct;
      switch (v->getInitStyle()) {
      case VarDecl::CInit: style = Init::copy; break;
      case VarDecl::CallInit: style = Init::direct; break;
      case VarDecl::ListInit: style = Init::list; break;
      default: break;
      }
      into(e, {id, {}, {}}, style);
      kept_.push_back(push_cleanup(id));
      break;
    }
    }
  }
  extending_ = nullptr;
  settle(depth);
  b_.close_region();
  scope_region_ = outer_scope;
}

}  // namespace hel::frontend
