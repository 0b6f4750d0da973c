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
  Spelling(ASTContext& ctx, const FunctionDecl* from) : ctx_(ctx), from_(from) {}

  bool ok(QualType t) const {
    t = t.getCanonicalType();
    if (const auto* tag = t->getAs<TagType>()) return ok(tag->getDecl());
    if (t->isReferenceType() || t->isPointerType()) return ok(t->getPointeeType());
    if (const auto* m = t->getAs<MemberPointerType>()) return ok(m->getPointeeType()) && ok(QualType(m->getClass(), 0));
    if (const ArrayType* a = ctx_.getAsArrayType(t)) return ok(a->getElementType());
    if (const auto* f = t->getAs<FunctionProtoType>()) {
      for (QualType p : f->param_types())
        if (!ok(p)) return false;
      return ok(f->getReturnType());
    }
    return !t->isDependentType();
  }

 private:
  bool ok(const TagDecl* tag) const {
    if (const auto* r = dyn_cast<CXXRecordDecl>(tag); r && r->isLambda()) return false;
    if (!tag->getIdentifier() && !tag->getTypedefNameForAnonDecl()) return false;
    for (const DeclContext* c = tag->getDeclContext(); c; c = c->getParent()) {
      if (isa<FunctionDecl>(c) && c != from_) {
        // A local type of another function.
        return false;
      }
      if (c == from_) break;
    }
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
    default: return true;
    }
  }

  // The coroutine is a member of the class that `d` is a non-public member of.
  bool inside(const Decl* d) const {
    for (const DeclContext* c = from_; c; c = c->getParent())
      if (c->Equals(d->getDeclContext())) return true;
    return false;
  }

  ASTContext& ctx_;
  const FunctionDecl* from_;
};

}  // namespace

std::string type_text(QualType t, ASTContext& ctx) {
  return TypeName::getFullyQualifiedName(t.getCanonicalType(), ctx, policy(ctx), /*WithGlobalNsPrefix=*/true);
}

std::string display_type(QualType t, ASTContext& ctx) {
  PrintingPolicy p(ctx.getLangOpts());
  p.adjustForCPlusPlus();
  p.SuppressTagKeyword = true;
  p.AnonymousTagLocations = false;
  if (const auto* a = t->getContainedAutoType(); a && a->isDeduced() && t->getAs<AutoType>() == a)
    return a->getDeducedType().getAsString(p);
  return t.getAsString(p);
}

bool spellable(QualType t, ASTContext& ctx, const FunctionDecl* from) { return Spelling(ctx, from).ok(t); }

bool simple_declarator(QualType t) {
  t = t.getCanonicalType();
  while (t->isPointerType() || t->isReferenceType()) t = t->getPointeeType();
  return !t->isFunctionType() && !t->isArrayType() && !t->isMemberPointerType();
}

}  // namespace hel::frontend
