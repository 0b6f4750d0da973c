#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;

namespace {

PrintingPolicy policy(ASTContext& ctx) {
  PrintingPolicy p(ctx.getLangOpts());
  p.adjustForCPlusPlus();
  p.SuppressTagKeyword = true;
  p.SuppressUnwrittenScope = true;
  p.FullyQualifiedName = true;
  p.AnonymousTagLocations = false;
  return p;
}

// Walks the parts of a canonical type that its spelling names.
class Spelling {
 public:
  Spelling(ASTContext& ctx, const FunctionDecl* from, const LocalNames* local) : ctx_(ctx), from_(from), local_(local), sees_(instance(from) ? sees_up_to(ctx, from) : SourceLocation()) {}

  bool ok(QualType t) const {
    t = t.getCanonicalType();
    if (const auto* tag = t->getAs<TagType>()) return ok(tag->getDecl());
    if (t->isReferenceType() || t->isPointerType()) return ok(t->getPointeeType());
    if (const auto* m = t->getAs<MemberPointerType>()) return ok(m->getPointeeType()) && ok(m->getMostRecentCXXRecordDecl());
    if (const ArrayType* a = ctx_.getAsArrayType(t)) return ok(a->getElementType());
    if (const auto* f = t->getAs<FunctionProtoType>()) {
      for (QualType p : f->param_types())
        if (!ok(p)) return false;
      return ok(f->getReturnType());
    }
    return !t->isDependentType();
  }

  bool later(const NamedDecl* d) const {
    if (const auto* s = dyn_cast<ClassTemplateSpecializationDecl>(d)) d = s->getSpecializedTemplate();
    const SourceLocation at = d->getCanonicalDecl()->getLocation();
    return sees_.isValid() && at.isValid() && ctx_.getSourceManager().isBeforeInTranslationUnit(sees_, ctx_.getSourceManager().getExpansionLoc(at));
  }

 private:
  // Inside an instantiation; elsewhere nothing can be meant that is declared later.
  static bool instance(const FunctionDecl* f) {
    for (const DeclContext* c = f; c && !c->isFileContext(); c = c->getParent()) {
      if (const auto* function = dyn_cast<FunctionDecl>(c); function && function->isTemplateInstantiation()) return true;
      if (isa<ClassTemplateSpecializationDecl>(c)) return true;
    }
    return false;
  }

  // Where the body of a template stands, what is declared later has no name: an argument may be of such a type. A body
  // inside of a class sees all of the class.
  static SourceLocation sees_up_to(ASTContext& ctx, const FunctionDecl* f) {
    const SourceManager& sm = ctx.getSourceManager();
    SourceLocation at = sm.getExpansionLoc(f->getLocation());
    for (const DeclContext* c = f->getParent(); c && !c->isFileContext(); c = c->getParent())
      if (const auto* r = dyn_cast<CXXRecordDecl>(c)) {
        const SourceLocation end = sm.getExpansionLoc(r->getBraceRange().getEnd());
        if (end.isValid() && sm.isBeforeInTranslationUnit(at, end)) at = end;
      }
    return at;
  }

  bool ok(const TagDecl* tag) const {
    if (local_ && local_->count(tag)) return true;
    if (const auto* r = dyn_cast<CXXRecordDecl>(tag); r && r->isLambda()) return false;
    if (!tag->getIdentifier() && !tag->getTypedefNameForAnonDecl() && !(local_ && local_->count(tag))) return false;
    bool local = false;
    for (const DeclContext* c = tag->getDeclContext(); c && !local; c = c->getParent()) {
      local = isa<FunctionDecl>(c);
      if (local && !encloses(c)) return false;  // a local type of another function
    }
    if (!local && later(tag)) return false;
    for (const Decl* d = tag; d; d = dyn_cast_or_null<Decl>(d->getDeclContext())) {
      if (isa<FunctionDecl>(d)) break;
      const AccessSpecifier access = d->getAccess();
      if ((access == AS_private || access == AS_protected) && !inside(d)) return false;
    }
    if (const auto* s = dyn_cast<ClassTemplateSpecializationDecl>(tag))
      for (const TemplateArgument& a : s->getTemplateArgs().asArray())
        if (!ok(a)) return false;
    if (const auto* outer = dyn_cast<TagDecl>(tag->getDeclContext())) return ok(outer);
    return true;
  }

  bool ok(const TemplateArgument& a) const {
    switch (a.getKind()) {
    case TemplateArgument::Type: return ok(a.getAsType());
    case TemplateArgument::Pack:
      for (const TemplateArgument& p : a.pack_elements())
        if (!ok(p)) return false;
      return true;
    case TemplateArgument::Integral: return ok(a.getIntegralType());
    case TemplateArgument::Declaration: return !isa<TemplateParamObjectDecl>(a.getAsDecl()) && !later(a.getAsDecl());
    case TemplateArgument::Template: return !a.getAsTemplate().getAsTemplateDecl() || !later(a.getAsTemplate().getAsTemplateDecl());
    default: return true;
    }
  }

  bool encloses(const DeclContext* function) const {
    for (const DeclContext* c = from_; c; c = c->getParent())
      if (c == function) return true;
    return false;
  }

  // The coroutine is a member of the class that `d` is a non-public member of.
  bool inside(const Decl* d) const {
    for (const DeclContext* c = from_; c; c = c->getParent())
      if (c->Equals(d->getDeclContext())) return true;
    return false;
  }

  ASTContext& ctx_;
  const FunctionDecl* from_;
  const LocalNames* local_;
  SourceLocation sees_;
};

}  // namespace

namespace {

// Prints canonical types so that every name is looked up from the global namespace.
class Printer {
 public:
  Printer(ASTContext& ctx, const LocalNames* local) : ctx_(ctx), policy_(policy(ctx)), local_(local) {}

  // `inner` is the declarator built so far.
  std::string print(QualType t, const std::string& inner = {}) const {
    t = t.getCanonicalType();
    std::string cv = qualifiers(t);
    const Type* type = t.getTypePtr();
    if (const auto* p = dyn_cast<PointerType>(type)) return behind(p->getPointeeType(), "*" + (cv.empty() ? "" : " " + cv) + (cv.empty() || inner.empty() ? "" : " ") + inner);
    if (const auto* r = dyn_cast<ReferenceType>(type)) return behind(r->getPointeeType(), (t->isLValueReferenceType() ? "&" : "&&") + inner);
    if (const auto* m = dyn_cast<MemberPointerType>(type))
      return behind(m->getPointeeType(), name(m->getMostRecentCXXRecordDecl()) + "::*" + (cv.empty() ? "" : " " + cv) + inner);
    if (const ArrayType* a = ctx_.getAsArrayType(t)) {
      std::string size;
      if (const auto* c = dyn_cast<ConstantArrayType>(a)) size = std::to_string(c->getSize().getZExtValue());
      return print(a->getElementType(), inner + "[" + size + "]");
    }
    if (const auto* f = dyn_cast<FunctionProtoType>(type)) {
      std::string parameters;
      for (QualType p : f->param_types()) parameters += (parameters.empty() ? "" : ", ") + print(p);
      if (f->isVariadic()) parameters += parameters.empty() ? "..." : ", ...";
      std::string tail = "(" + parameters + ")";
      if (f->isConst()) tail += " const";
      if (f->isVolatile()) tail += " volatile";
      if (f->getRefQualifier() == RQ_LValue) tail += " &";
      if (f->getRefQualifier() == RQ_RValue) tail += " &&";
      if (f->isNothrow()) tail += " noexcept";
      return print(f->getReturnType(), inner + tail);
    }
    std::string name;
    if (const auto* tag = dyn_cast<TagType>(type)) {
      dependent_ = false;
      name = this->name(tag->getDecl());
      // Wrapped, as `struct x{` would be a definition.
      if (hidden(tag->getDecl())) name = "::std::type_identity_t<" + tag->getDecl()->getKindName().str() + " " + name + ">";
      if (dependent_ && name.find("::") != std::string::npos) name = "typename " + name;
    } else {
      QualType bare = t.getUnqualifiedType();
      name = bare.getAsString(policy_);
    }
    if (!cv.empty()) name = cv + " " + name;
    if (inner.empty()) return name;
    return name + (inner[0] == '*' || inner[0] == '&' || inner[0] == '[' ? "" : " ") + inner;
  }

  std::string name(const NamedDecl* d) const {
    std::string own = d->getNameAsString();
    if (local_)
      if (const auto it = local_->find(d); it != local_->end()) {
        own = it->second;
        if (!isa<FunctionDecl>(d->getDeclContext())) {  // what a template parameter stands for
          dependent_ = true;
          return own;
        }
      }
    if (const auto* tag = dyn_cast<TagDecl>(d); tag && own.empty() && tag->getTypedefNameForAnonDecl())
      own = tag->getTypedefNameForAnonDecl()->getNameAsString();
    if (const auto* s = dyn_cast<ClassTemplateSpecializationDecl>(d)) own += "<" + arguments(s->getTemplateArgs().asArray()) + ">";
    // In an unnamed namespace, beside another type of the same name outside: found from inside only.
    if (d->isInAnonymousNamespace() && d->getDeclContext()->isFileContext() && declared_beside(d, [&](const NamedDecl* other) {
          return (isa<TypeDecl>(other) || isa<TemplateDecl>(other)) && !other->getDeclContext()->Equals(d->getDeclContext());
        }))
      return own;
    const DeclContext* c = d->getDeclContext();
    while (c && !c->isFileContext() && !isa<TagDecl>(c) && !isa<FunctionDecl>(c)) c = c->getParent();
    while (const auto* n = dyn_cast_or_null<NamespaceDecl>(c)) {
      if (!n->isInline() && !n->isAnonymousNamespace()) break;
      c = n->getParent();
    }
    if (!c || c->isTranslationUnit()) return "::" + own;
    if (isa<FunctionDecl>(c)) return own;  // local: its definition has moved to the ramp
    const bool so_far = std::exchange(dependent_, false);
    const std::string scope = name(cast<NamedDecl>(c));
    if (dependent_ && isa<ClassTemplateSpecializationDecl>(d)) own = "template " + own;
    dependent_ |= so_far;
    return scope + "::" + own;
  }

 private:
  static std::string qualifiers(QualType t) {
    std::string cv;
    if (t.isLocalConstQualified()) cv = "const";
    if (t.isLocalVolatileQualified()) cv += cv.empty() ? "volatile" : " volatile";
    return cv;
  }

  std::string behind(QualType pointee, const std::string& declarator) const {
    pointee = pointee.getCanonicalType();
    return print(pointee, pointee->isFunctionType() || pointee->isArrayType() ? "(" + declarator + ")" : declarator);
  }

  // What is declared by d's name where it is looked up from outside: in its own scope, and around unnamed namespaces.
  template <class Test>
  static bool declared_beside(const NamedDecl* d, Test test) {
    for (const DeclContext* c = d->getDeclContext(); c; c = c->getParent()) {
      if (c->isFileContext() && d->getIdentifier())
        for (const NamedDecl* other : c->getRedeclContext()->lookup(d->getDeclName()))
          if (other->getCanonicalDecl() != d->getCanonicalDecl() && test(other)) return true;
      const auto* n = dyn_cast<NamespaceDecl>(c);
      if (!n || (!n->isInline() && !n->isAnonymousNamespace())) return false;
    }
    return false;
  }
  // A function or a variable has the same name: the type is found with its keyword only.
  bool hidden(const TagDecl* d) const {
    if (local_ && local_->count(d)) return false;
    return declared_beside(d,
                           [](const NamedDecl* other) { return !isa<TypeDecl>(other) && !isa<TemplateDecl>(other); });
  }

  std::string arguments(llvm::ArrayRef<TemplateArgument> list) const {
    std::string out;
    for (const TemplateArgument& a : list) {
      const std::string one = argument(a);
      if (a.getKind() == TemplateArgument::Pack && one.empty()) continue;
      out += (out.empty() ? "" : ", ") + one;
    }
    return out;
  }

  std::string argument(const TemplateArgument& a) const {
    switch (a.getKind()) {
    case TemplateArgument::Type: return print(a.getAsType());
    case TemplateArgument::Pack: return arguments(a.pack_elements());
    case TemplateArgument::NullPtr: return "nullptr";
    case TemplateArgument::Integral: {
      const QualType t = a.getIntegralType();
      if (t->isBooleanType()) return a.getAsIntegral().getBoolValue() ? "true" : "false";
      const std::string value = llvm::toString(a.getAsIntegral(), 10);
      return t->isSpecificBuiltinType(BuiltinType::Int) ? value : "static_cast<" + print(t) + ">(" + value + (t->isUnsignedIntegerType() ? "u" : "") + ")";
    }
    case TemplateArgument::Declaration:
      return (a.getParamTypeForDecl()->isReferenceType() ? "" : "&") + name(a.getAsDecl());
    case TemplateArgument::Template: return name(a.getAsTemplate().getAsTemplateDecl());
    default: {
      std::string text;
      llvm::raw_string_ostream out(text);
      a.print(policy_, out, /*IncludeType=*/true);
      return text;
    }
    }
  }

  ASTContext& ctx_;
  PrintingPolicy policy_;
  const LocalNames* local_;
  mutable bool dependent_ = false;  // a template parameter was named
};

}  // namespace

std::string type_text(QualType t, ASTContext& ctx, const LocalNames* local) { return Printer(ctx, local).print(t); }

std::string display_type(QualType t, ASTContext& ctx) {
  PrintingPolicy p(ctx.getLangOpts());
  p.adjustForCPlusPlus();
  p.SuppressTagKeyword = true;
  p.AnonymousTagLocations = false;
  if (const auto* a = t->getContainedAutoType(); a && a->isDeduced() && t->getAs<AutoType>() == a)
    return a->getDeducedType().getAsString(p);
  return t.getAsString(p);
}

bool spellable(QualType t, ASTContext& ctx, const FunctionDecl* from, const LocalNames* local) {
  return Spelling(ctx, from, local).ok(t);
}

bool nameable(const NamedDecl* d, ASTContext& ctx, const FunctionDecl* from) { return !Spelling(ctx, from, nullptr).later(d); }

std::string name_text(const NamedDecl* d, ASTContext& ctx, const LocalNames* local) {
  return Printer(ctx, local).name(d);
}

bool accessible(const NamedDecl* d, const FunctionDecl* from) {
  if (d->getAccess() != AS_private && d->getAccess() != AS_protected) return true;
  for (const DeclContext* c = from; c; c = c->getParent())
    if (c->Equals(d->getDeclContext())) return true;
  return false;
}

bool simple_declarator(QualType t) {
  t = t.getCanonicalType();
  while (t->isPointerType() || t->isReferenceType()) t = t->getPointeeType();
  return !t->isFunctionType() && !t->isArrayType() && !t->isMemberPointerType();
}

}  // namespace hel::frontend
