#include "frontend/substituter.hpp"

namespace hel::frontend {

using namespace clang;
using lowering::ir::Mark;
using lowering::ir::mark;
using lowering::ir::Text;

void Substituter::replace(SourceRange r, Text t) {
  const SourceText::Range range = f_.text_.tokens(r);
  if (!range.empty()) replacements.push_back({range.begin, range.end, std::move(t)});
}

Text Substituter::exit(lowering::ir::BlockId b) {
  f_.exits_->push_back(b);
  return mark(Mark::exit, static_cast<std::uint32_t>(f_.exits_->size() - 1));
}

const std::string* Substituter::local_name(const NamedDecl* d) const {
  for (const FunctionLowering* f = &f_; f; f = f->outer_)
    if (const auto it = f->local_names_.find(d); it != f->local_names_.end()) return &it->second;
  return nullptr;
}

bool Substituter::VisitTypeLoc(TypeLoc t) {
  const NamedDecl* named = nullptr;
  SourceLocation at;
  if (const auto tag = t.getAs<TagTypeLoc>()) {
    named = tag.getDecl();
    at = tag.getNameLoc();
  } else if (const auto alias = t.getAs<TypedefTypeLoc>()) {
#if CLANG_VERSION_MAJOR >= 22
    named = alias.getDecl();
#else
    named = alias.getTypedefNameDecl();
#endif
    at = alias.getNameLoc();
  } else if (const auto injected = t.getAs<InjectedClassNameTypeLoc>()) {
    named = injected.getDecl();
    at = injected.getNameLoc();
  }
  if (const auto pack = t.getAs<SubstTemplateTypeParmTypeLoc>(); pack && pack.getTypePtr()->getPackIndex() && of_element(pack.getNameLoc())) {
    const TemplateTypeParmDecl* parameter = pack.getTypePtr()->getReplacedParameter();
    const std::size_t size = f_.pack_size(parameter);
    if (size <= *pack.getTypePtr()->getPackIndex()) f_.diag_.error(pack.getNameLoc(), Hel::parameter_pack, parameter->getNameAsString());
    else replace(pack.getNameLoc(), "::hel::abi::element<" + std::to_string(size - 1 - *pack.getTypePtr()->getPackIndex()) + ", " + parameter->getNameAsString() + "...>");
    return true;
  }
  if (named && named->getIdentifier())
    if (const std::string* name = local_name(named)) replace(at, *name);
  return true;
}

bool Substituter::VisitTypeDecl(TypeDecl* d) {
  const std::string* name = local_name(d);
  if (!name) return true;
  if (d->getIdentifier()) {
    replace(d->getLocation(), *name);
  } else if (const auto* tag = dyn_cast<TagDecl>(d)) {
    const SourceText::Range brace = f_.text_.tokens(tag->getBraceRange().getBegin());
    if (!brace.empty()) replacements.push_back({brace.begin, brace.begin, " " + *name + " "});
  }
  return true;
}

// Constructors and destructors repeat the name of their class.
bool Substituter::VisitCXXMethodDecl(CXXMethodDecl* d) {
  const std::string* name = local_name(d->getParent());
  if (!name || !isa<CXXConstructorDecl, CXXDestructorDecl>(d) || d->isImplicit()) return true;
  const SourceText::Range at = f_.text_.tokens(d->getLocation());
  const unsigned token = at.begin + (isa<CXXDestructorDecl>(d) ? 1 : 0);
  if (!at.empty()) replacements.push_back({token, token + 1, *name});
  return true;
}

bool Substituter::VisitDeclRefExpr(DeclRefExpr* e) {
  if (const auto* b = dyn_cast<BindingDecl>(e->getDecl()); b && !own_.count(b))
    if (const auto it = f_.bindings_.find(b); it != f_.bindings_.end()) {
      replace(e->getLocation(), it->second);
      return true;
    }
  const auto* v = dyn_cast<VarDecl>(e->getDecl());
  if (!v) return true;
  if (const auto* p = dyn_cast<ParmVarDecl>(v); p && !f_.packs_->empty()) pick(e, p);
  if (own_.count(v)) {
    if (const std::string* name = f_.pack_name(v)) replace(e->getLocation(), *name);
    return true;
  }
  if (const auto it = f_.slots_.find(v); it != f_.slots_.end())
    replace(e->getLocation(), lowering::ir::slot_ref(it->second));
  else
    for (const FunctionLowering* f = &f_; f; f = f->outer_)
      if (const auto r = f->renamed_.find(v); r != f->renamed_.end()) {
        replace(e->getLocation(), r->second);
        break;
      }
  return true;
}

bool Substituter::VisitVarDecl(VarDecl* v) {
  variable_ = v;
  if (const auto r = f_.renamed_.find(v); r != f_.renamed_.end()) replace(v->getLocation(), r->second);
  return true;
}

void Substituter::replace_body(const CoroutineBodyStmt* body, const std::function<Text()>& text) {
  const SourceText::Range r = f_.text_.tokens(body_range(body));
  if (r.empty()) return f_.diag_.error(body->getBeginLoc(), Hel::in_macro, "a coroutine inside of it");
  bodies_.push_back(r);
  replacements.push_back({r.begin, r.end, text()});
}

bool Substituter::TraverseCXXMethodDecl(CXXMethodDecl* d) {
  const auto* body = d->doesThisDeclarationHaveABody() ? dyn_cast_or_null<CoroutineBodyStmt>(d->getBody()) : nullptr;
  if (!body || d->getParent()->isLambda()) return member(d, &Base::TraverseCXXMethodDecl);
  if (const TypeSourceInfo* written = d->getTypeSourceInfo()) TraverseTypeLoc(written->getTypeLoc());
  replace_body(body, [&] { return f_.nested(d, nullptr, &replacements, {}); });
  return true;
}

bool Substituter::TraverseLambdaExpr(LambdaExpr* l) {
  // What the lambda captures explicitly keeps its name inside.
  std::vector<const ValueDecl*> added;
  for (const LambdaCapture& c : l->captures())
    if (c.isExplicit() && c.capturesVariable())
      if (const ValueDecl* v = c.getCapturedVar(); own_.insert(v).second) added.push_back(v);
  const Text self = self_;
  capture_by_name(l, added);
  const Text captured = std::exchange(captured_self_, self_);
  for (const LambdaCapture& c : l->captures())
    if (c.capturesThis() && c.isExplicit()) self_ = c.getCaptureKind() == LCK_StarThis ? "(&hel_object)" : self == mark(Mark::self) ? self : "hel_inner";
  ++loops_, ++breakables_, ++lambdas_;
  // Base traverses captures, too: they must see the outer meaning.
  bool ok = true;
  if (isa_and_nonnull<CoroutineBodyStmt>(l->getBody())) {
    auto init = l->capture_init_begin();
    for (const LambdaCapture& c : l->captures()) ok &= TraverseLambdaCapture(l, &c, *init++);
    replace_body(cast<CoroutineBodyStmt>(l->getBody()), [&] { return f_.nested(l, replacements, self_); });
  } else {
    ok = Base::TraverseLambdaExpr(l);
  }
  --loops_, --breakables_, --lambdas_;
  self_ = self;
  captured_self_ = captured;
  for (const ValueDecl* v : added) own_.erase(v);
  return ok;
}

// What the body knows by a pointer of its own, references and `this`, would be captured as that pointer: by reference it
// is gone with this call of the body, by copy it is no copy of the object. So it is captured by its name.
void Substituter::capture_by_name(LambdaExpr* l, std::vector<const ValueDecl*>& added) {
  if (l->getCaptureDefault() == LCD_None) return;
  Text list;
  for (const LambdaCapture& c : l->captures()) {
    if (c.isExplicit()) continue;
    if (c.capturesThis()) {
      if (l->getCaptureDefault() == LCD_ByRef && (self_ == mark(Mark::self) || self_ == "hel_inner")) list += ", " + self_;
      continue;
    }
    if (!c.capturesVariable() || own_.count(c.getCapturedVar())) continue;
    const ValueDecl* const v = c.getCapturedVar();
    std::string name = v->getNameAsString();
    Text meaning;
    if (const auto* b = dyn_cast<BindingDecl>(v)) {
      if (const auto it = f_.bindings_.find(b); it != f_.bindings_.end()) meaning = it->second;
    } else if (const auto it = f_.slots_.find(cast<VarDecl>(v)); it != f_.slots_.end()) {
      if (f_.fn_.slots[it->second].form != lowering::ir::Form::reference) continue;
      meaning = lowering::ir::slot_ref(it->second);
      if (const auto element = f_.pack_name(cast<VarDecl>(v))) name = *element;
    }
    if (meaning.empty()) continue;
    if (c.getCaptureKind() == LCK_ByCopy && v->getType().getNonReferenceType()->isArrayType())
      f_.diag_.error(l->getBeginLoc(), Hel::unsupported_expression, "a copy of the array '" + name + "', of which there are several");
    list += std::string(c.getCaptureKind() == LCK_ByRef ? ", &" : ", ") + name + " = " + meaning;
    own_.insert(v);
    added.push_back(v);
  }
  if (list.empty() || twice_) return;
  const SourceText::Range end = f_.text_.tokens(l->getIntroducerRange().getEnd());
  if (end.empty()) return f_.diag_.error(l->getBeginLoc(), Hel::in_macro, "a lambda that captures a reference");
  replacements.push_back({end.begin, end.begin, list});
}

bool Substituter::TraverseLambdaCapture(LambdaExpr* l, const LambdaCapture* c, Expr* init) {
  if (!c->isExplicit()) return true;
  if (c->capturesThis()) {
    SourceText::Range at = f_.text_.tokens(c->getLocation());
    if (c->getCaptureKind() == LCK_StarThis) {
      // `*` and `this`
      if (f_.text_.kind(at.begin) == tok::kw_this) --at.begin;
      else ++at.end;
      replacements.push_back({at.begin, at.end, "hel_object = *" + captured_self_});
      return true;
    }
    // [=, this] names what [=] captures anyway once `this` is a variable.
    if (self_ != "hel_inner" && l->getCaptureDefault() == LCD_ByCopy && at.begin > 0 && f_.text_.kind(at.begin - 1) == tok::comma)
      replacements.push_back({at.begin - 1, at.end, Text()});
    else
      replacements.push_back({at.begin, at.end, self_ == "hel_inner" ? "hel_inner = " + captured_self_ : mark(Mark::self)});
    return true;
  }
  if (!c->capturesVariable()) return true;
  if (const auto* b = dyn_cast<BindingDecl>(c->getCapturedVar())) {
    if (const auto it = f_.bindings_.find(b); it != f_.bindings_.end()) replace(c->getLocation(), b->getNameAsString() + " = " + it->second);
    return true;
  }
  const auto* v = dyn_cast<VarDecl>(c->getCapturedVar());
  if (!v) return true;
  if (const SourceText::Range name = f_.text_.tokens(c->getLocation()); !name.empty() && f_.packs_->capture(name.begin)) {
    const Packs::Expansion* x = f_.packs_->capture(name.begin);
    Text from;
    if (l->isInitCapture(c)) {
      const Expr* e = v->getInit();
      const auto given = given_.find(x);
      from = given != given_.end() ? given->second[found_[x].size()] : element(e, f_.text_.tokens(e->getSourceRange()), x);
    } else if (const auto it = f_.slots_.find(v); it != f_.slots_.end()) {
      from = lowering::ir::slot_ref(it->second);
      // Not as an initializer where there is no need: g++ 12 does not take that in every template.
      if (f_.fn_.slots[it->second].form != lowering::ir::Form::reference && f_.fn_.slots[it->second].name == *f_.pack_name(v)) {
        if (!twice_) found_[x].push_back((c->getCaptureKind() == LCK_ByRef ? "&" : "") + from);
        return true;
      }
    } else {
      from = *f_.pack_name(v);
    }
    if (!twice_) found_[x].push_back((c->getCaptureKind() == LCK_ByRef ? "&" : "") + *f_.pack_name(v) + " = " + from);
    return true;
  }
  if (l->isInitCapture(c)) {
    // The initialiser is evaluated outside of the lambda.
    std::vector<const ValueDecl*> hidden;
    for (const LambdaCapture& other : l->captures())
      if (other.capturesVariable() && own_.erase(other.getCapturedVar())) hidden.push_back(other.getCapturedVar());
    const Text inside = std::exchange(self_, captured_self_);
    const bool ok = TraverseStmt(const_cast<Expr*>(dyn_cast<VarDecl>(v)->getInit()));
    self_ = inside;
    for (const ValueDecl* o : hidden) own_.insert(o);
    return ok;
  }
  const auto it = f_.slots_.find(v);
  const auto r = f_.renamed_.find(v);
  if (it == f_.slots_.end() && r == f_.renamed_.end()) return true;
  const std::string name = v->getNameAsString();
  if (it != f_.slots_.end()) {
    const lowering::ir::Slot& s = f_.fn_.slots[it->second];
    const bool same = s.name == name && s.form != lowering::ir::Form::reference;
    if (!same && v->getType()->isArrayType() && c->getCaptureKind() == LCK_ByCopy)
      f_.diag_.error(c->getLocation(), Hel::unsupported_expression, "a copy of the array '" + name + "', of which there are several");
    replace(c->getLocation(), same ? lowering::ir::slot_ref(it->second) : name + " = " + lowering::ir::slot_ref(it->second));
  } else {
    replace(c->getLocation(), name + " = " + r->second);
  }
  (void)init;
  return true;
}

bool Substituter::TraverseCoreturnStmt(CoreturnStmt* s) {
  if (lambdas_) return true;
  const SourceText::Range whole = f_.packs_->widen(f_.text_.tokens(s->getSourceRange()));
  if (whole.empty()) return true;
  Text t = "{ ";
  const Expr* operand = s->getOperand();
  if (returns_value(s)) {
    Text value = f_.plain(operand);
    if (const auto* ref = dyn_cast<DeclRefExpr>(operand->IgnoreParenImpCasts()); ref && operand->isXValue())
      value = "static_cast<::std::remove_reference_t<decltype((" + value + "))>&&>(" + value + ")";
    t += mark(Mark::promise) + ".return_value(" + value + "); ";
  } else {
    if (operand) {
      t += f_.plain(operand) + "; ";
    }
    t += mark(Mark::promise) + ".return_void(); ";
  }
  t += exit(f_.b_.exit_block(f_.fn_.final, lowering::ir::none)) + "; }";
  replacements.push_back({whole.begin, f_.end_with_semicolon(whole.end), std::move(t)});
  return true;
}

bool Substituter::TraverseDecltypeTypeLoc(DecltypeTypeLoc t HEL_TRAVERSE_QUALIFIER) {
  // decltype of a name is the declared type; in the body the name is an alias.
  const auto* type = cast<DecltypeType>(t.getTypePtr());
  if (const auto* ref = dyn_cast<DeclRefExpr>(type->getUnderlyingExpr()))
    if (const auto* v = dyn_cast<VarDecl>(ref->getDecl()); v && f_.slots_.count(v)) {
      replace(t.getSourceRange(), f_.declared_type(v, t.getBeginLoc()));
      return true;
    }
  // A structured binding's is that of the part it names; the name has become an expression.
  if (const auto* ref = dyn_cast<DeclRefExpr>(type->getUnderlyingExpr()))
    if (const auto* b = dyn_cast<BindingDecl>(ref->getDecl()))
      for (const FunctionLowering* f = &f_; f; f = f->outer_)
        if (f->bindings_.count(b)) {
          replace(t.getSourceRange(), f_.type_name(type->getUnderlyingType(), t.getBeginLoc(), b->getNameAsString()));
          return true;
        }
  return Base::TraverseDecltypeTypeLoc(t HEL_PASS_QUALIFIER);
}

bool Substituter::VisitMemberExpr(MemberExpr* e) {
  // A member of a local anonymous union: nobody wrote the object.
  const Expr* base = e->getBase()->IgnoreImpCasts();
  while (const auto* m = dyn_cast<MemberExpr>(base)) {
    if (m->getMemberDecl()->getDeclName()) break;
    base = m->getBase()->IgnoreImpCasts();
  }
  if (const auto* ref = dyn_cast<DeclRefExpr>(base); ref && e->getMemberDecl()->getDeclName())
    if (const auto* v = dyn_cast<VarDecl>(ref->getDecl()); v && !v->getDeclName() && v->getType()->isUnionType())
      if (const auto it = f_.slots_.find(v); it != f_.slots_.end()) {
        replace(e->getMemberLoc(), lowering::ir::slot_ref(it->second) + "." + e->getMemberDecl()->getNameAsString());
        return true;
      }
  if (own_self_) return true;
  const auto* self = dyn_cast<CXXThisExpr>(e->getBase()->IgnoreImpCasts());
  if (self && self->isImplicit()) {
    const SourceText::Range at = f_.text_.tokens(e->getBeginLoc());
    if (!at.empty()) replacements.push_back({at.begin, at.begin, self_ + "->"});
  }
  return true;
}

bool Substituter::VisitCXXThisExpr(CXXThisExpr* e) {
  if (!e->isImplicit() && !own_self_) replace(e->getLocation(), self_);
  return true;
}

bool Substituter::VisitPredefinedExpr(PredefinedExpr* e) {
  if (lambdas_) return true;  // the lambda's own name
  std::string literal = "\"";
  for (char c : e->getFunctionName()->getString()) {
    if (c == '"' || c == '\\') literal += '\\';
    literal += c;
  }
  replace(e->getLocation(), literal + "\"");
  return true;
}

bool Substituter::VisitSourceLocExpr(SourceLocExpr* e) {
  const bool named = e->getIdentKind() == SourceLocIdentKind::Function || e->getIdentKind() == SourceLocIdentKind::FuncSig;
  if (!lambdas_ && named) replace(e->getSourceRange(), "\"" + f_.fd_->getNameAsString() + "\"");
  if (!lambdas_ && f_.elsewhere_ && e->getIdentKind() == SourceLocIdentKind::Line) replace(e->getSourceRange(), std::to_string(f_.line(f_.elsewhere_->getUsedLocation()).line));
  return true;
}

bool Substituter::VisitBreakStmt(BreakStmt* s) {
  if (breakables_ == 0 && !f_.breaks_.empty())
    replace(s->getBeginLoc(), exit(f_.b_.exit_block(f_.breaks_.back().block, f_.breaks_.back().depth)));
  return true;
}

bool Substituter::VisitContinueStmt(ContinueStmt* s) {
  if (loops_ == 0 && !f_.continues_.empty())
    replace(s->getBeginLoc(), exit(f_.b_.exit_block(f_.continues_.back().block, f_.continues_.back().depth)));
  return true;
}

void Substituter::keep_labels(const Stmt* piece) {
  struct Labels : RecursiveASTVisitor<Labels> {
    llvm::DenseSet<const LabelDecl*>& found;
    explicit Labels(llvm::DenseSet<const LabelDecl*>& f) : found(f) {}
    bool VisitLabelStmt(LabelStmt* s) { return found.insert(s->getDecl()), true; }
  };
  Labels(here_).TraverseStmt(const_cast<Stmt*>(piece));
}

bool Substituter::VisitGotoStmt(GotoStmt* s) {
  // Inside a lambda it is the lambda's.
  if (!lambdas_ && !here_.count(s->getLabel()))
    replace(s->getSourceRange(), exit(f_.goto_block(s->getLabel(), s->getGotoLoc())));
  return true;
}

}  // namespace hel::frontend
