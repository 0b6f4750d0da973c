#include "frontend/relocate.hpp"

namespace hel::frontend {

using namespace clang;
using lowering::ir::Text;

namespace {

struct Names : RecursiveASTVisitor<Names> {
  ASTContext& ctx;
  const SourceText& text;
  const FunctionDecl* from;
  const LocalNames* local;
  const Text& self;
  std::vector<Replacement> replacements;
  bool possible = true;

  Names(ASTContext& c, const SourceText& t, const FunctionDecl* f, const LocalNames* l, const Text& s)
      : ctx(c), text(t), from(f), local(l), self(s) {}

  void replace(SourceRange r, Text t) {
    const SourceText::Range range = text.tokens(r);
    if (range.empty())
      possible = false;
    else
      replacements.push_back({range.begin, range.end, std::move(t)});
  }
  void use(const NamedDecl* d) { possible = possible && nameable(d, ctx, from) && accessible(d, from); }

  bool VisitMemberExpr(MemberExpr* m) {
    use(m->getMemberDecl());
    if (const auto* object = dyn_cast<CXXThisExpr>(m->getBase()->IgnoreImpCasts()); object && object->isImplicit()) {
      const SourceText::Range at = text.tokens(m->getBeginLoc());
      if (at.empty() || self.empty())
        possible = false;
      else
        replacements.push_back({at.begin, at.begin, self + "."});
    }
    return true;
  }
  bool VisitCXXThisExpr(CXXThisExpr* t) {
    if (!t->isImplicit()) replace(t->getLocation(), "(&" + self + ")");
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr* c) {
    use(c->getConstructor());
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr* r) {
    use(r->getDecl());
    if (r->getNameInfo().getName().getNameKind() != DeclarationName::Identifier) return true;  // an operator
    if (r->getDecl()->getDeclContext()->isFunctionOrMethod()) possible = false;
    replace(SourceRange(r->getBeginLoc(), r->getLocation()), name_text(r->getDecl(), ctx, local));
    return true;
  }
  // Looked up where they stand; and what a lambda's body names would have to be looked into.
  bool VisitUserDefinedLiteral(UserDefinedLiteral*) { return possible = false, true; }
  bool VisitLambdaExpr(LambdaExpr*) { return possible = false, true; }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc& a) {
    if (a.getArgument().getKind() == TemplateArgument::Template) possible = false;
    return RecursiveASTVisitor::TraverseTemplateArgumentLoc(a);
  }
  bool TraverseTypeLoc(TypeLoc t HEL_TRAVERSE_UNNAMED) {
    if (t.getType()->isDependentType() || !spellable(t.getType(), ctx, from, local))
      possible = false;
    else
      replace(t.getSourceRange(), type_text(t.getType(), ctx, local));
    return true;
  }
};

}  // namespace

std::optional<std::vector<Replacement>> relocate(const Stmt* e, const Text& self, ASTContext& ctx,
                                                 const SourceText& text, const FunctionDecl* from,
                                                 const LocalNames* local) {
  Names names(ctx, text, from, local, self);
  names.TraverseStmt(const_cast<Stmt*>(e));
  if (!names.possible) return std::nullopt;
  return std::move(names.replacements);
}

}  // namespace hel::frontend
