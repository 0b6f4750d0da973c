// Finds what must be replaced in a piece of the user's text that is moved into the body of a lowered coroutine.
#pragma once

#include <utility>
#include <vector>

#include "frontend/lower_function.hpp"

namespace hel::frontend {

class Substituter : public clang::RecursiveASTVisitor<Substituter> {
  using Base = clang::RecursiveASTVisitor<Substituter>;

 public:
  explicit Substituter(FunctionLowering& f) : f_(f) {}
  std::vector<Replacement> replacements;
  // Jumps to a label in `piece` stay as they are.
  void keep_labels(const clang::Stmt* piece);

  bool TraverseForStmt(clang::ForStmt* s) { return nested(s, &Base::TraverseForStmt, true); }
  bool TraverseWhileStmt(clang::WhileStmt* s) { return nested(s, &Base::TraverseWhileStmt, true); }
  bool TraverseDoStmt(clang::DoStmt* s) { return nested(s, &Base::TraverseDoStmt, true); }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* s) { return nested(s, &Base::TraverseCXXForRangeStmt, true); }
  bool TraverseSwitchStmt(clang::SwitchStmt* s) { return nested(s, &Base::TraverseSwitchStmt, false); }
  // Members of a local class have a body of their own.
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl* d) { return member(d, &Base::TraverseCXXMethodDecl); }
  bool TraverseCXXConstructorDecl(clang::CXXConstructorDecl* d) { return member(d, &Base::TraverseCXXConstructorDecl); }
  bool TraverseCXXDestructorDecl(clang::CXXDestructorDecl* d) { return member(d, &Base::TraverseCXXDestructorDecl); }
  bool TraverseCXXConversionDecl(clang::CXXConversionDecl* d) { return member(d, &Base::TraverseCXXConversionDecl); }
  bool TraverseLambdaExpr(clang::LambdaExpr* s);
  bool TraverseLambdaCapture(clang::LambdaExpr* l, const clang::LambdaCapture* c, clang::Expr* init);
  bool TraverseCoreturnStmt(clang::CoreturnStmt* s);
  bool TraverseDecltypeTypeLoc(clang::DecltypeTypeLoc t HEL_TRAVERSE_QUALIFIER);

  bool VisitTypeLoc(clang::TypeLoc t);
  bool VisitTypeDecl(clang::TypeDecl* d);
  bool VisitCXXMethodDecl(clang::CXXMethodDecl* d);
  bool VisitDeclRefExpr(clang::DeclRefExpr* e);
  bool VisitVarDecl(clang::VarDecl* v);
  bool VisitMemberExpr(clang::MemberExpr* e);
  bool VisitCXXThisExpr(clang::CXXThisExpr* e);
  bool VisitPredefinedExpr(clang::PredefinedExpr* e);
  bool VisitSourceLocExpr(clang::SourceLocExpr* e);
  bool VisitBreakStmt(clang::BreakStmt* s);
  bool VisitContinueStmt(clang::ContinueStmt* s);
  bool VisitGotoStmt(clang::GotoStmt* s);

 private:
  template <class S, class F>
  bool nested(S* s, F traverse, bool loop) {
    loops_ += loop;
    ++breakables_;
    const bool ok = (this->*traverse)(s, nullptr);
    --breakables_;
    loops_ -= loop;
    return ok;
  }
  template <class D, class F>
  bool member(D* d, F traverse) {
    ++loops_, ++breakables_, ++lambdas_;
    const lowering::ir::Text self = self_;
    const bool outside = std::exchange(own_self_, true);  // `this` is the local object's
    const bool ok = (this->*traverse)(d);
    own_self_ = outside;
    self_ = self;
    --loops_, --breakables_, --lambdas_;
    return ok;
  }
  void replace(clang::SourceRange r, lowering::ir::Text t);
  const std::string* local_name(const clang::NamedDecl* d) const;
  lowering::ir::Text exit(lowering::ir::BlockId b);

  FunctionLowering& f_;
  lowering::ir::Text self_ = lowering::ir::mark(lowering::ir::Mark::self);  // what `this` is called here
  lowering::ir::Text captured_self_;  // the same outside of the lambda
  bool own_self_ = false;
  unsigned loops_ = 0, breakables_ = 0, lambdas_ = 0;
  llvm::DenseSet<const clang::ValueDecl*> own_;     // captured explicitly: the name means the closure's copy
  llvm::DenseSet<const clang::LabelDecl*> here_;  // labels inside the piece
};

}  // namespace hel::frontend
