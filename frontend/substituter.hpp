// Finds what must be replaced in a piece of the user's text that is moved into the body of a lowered coroutine.
#pragma once

#include <utility>
#include <vector>

#include "frontend/lower_function.hpp"

namespace hel::frontend {

class Substituter : public clang::RecursiveASTVisitor<Substituter> {
  using Base = clang::RecursiveASTVisitor<Substituter>;

 public:
  // The elements of pack expansions that are already text.
  using Given = std::map<const Packs::Expansion*, std::vector<lowering::ir::Text>>;

  // `range` is what will be rendered: the expansion that it is an element of is not one inside of it.
  Substituter(FunctionLowering& f, SourceText::Range range, Given given = {});
  std::vector<Replacement> replacements;
  // All of them, of the text in the range: with the pack expansions, once everything in it was traversed.
  std::vector<Replacement> finish();
  // The operation of a fold that `e` is, with all its operands; or the one element that there is.
  lowering::ir::Text fold_text(const clang::Expr* e, const Packs::Expansion& fold);
  // Jumps to a label in `piece` stay as they are.
  void keep_labels(const clang::Stmt* piece);

  bool TraverseStmt(clang::Stmt* s);
  bool TraverseTypeLoc(clang::TypeLoc t HEL_TRAVERSE_UNNAMED);
  bool TraverseInitListExpr(clang::InitListExpr* s);
  bool TraverseForStmt(clang::ForStmt* s) { return nested(s, &Base::TraverseForStmt, true); }
  bool TraverseWhileStmt(clang::WhileStmt* s) { return nested(s, &Base::TraverseWhileStmt, true); }
  bool TraverseDoStmt(clang::DoStmt* s) { return nested(s, &Base::TraverseDoStmt, true); }
  bool TraverseCXXForRangeStmt(clang::CXXForRangeStmt* s) { return nested(s, &Base::TraverseCXXForRangeStmt, true); }
  bool TraverseSwitchStmt(clang::SwitchStmt* s) { return nested(s, &Base::TraverseSwitchStmt, false); }
  // Members of a local class have a body of their own.
  bool TraverseCXXMethodDecl(clang::CXXMethodDecl* d);
  bool TraverseCXXConstructorDecl(clang::CXXConstructorDecl* d) { return member(d, &Base::TraverseCXXConstructorDecl); }
  bool TraverseCXXDestructorDecl(clang::CXXDestructorDecl* d) { return member(d, &Base::TraverseCXXDestructorDecl); }
  bool TraverseCXXConversionDecl(clang::CXXConversionDecl* d) { return member(d, &Base::TraverseCXXConversionDecl); }
  bool TraverseLambdaExpr(clang::LambdaExpr* s);
  void capture_by_name(clang::LambdaExpr* l, std::vector<const clang::ValueDecl*>& added);
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
  bool VisitSizeOfPackExpr(clang::SizeOfPackExpr* e);
  bool VisitSubstNonTypeTemplateParmExpr(clang::SubstNonTypeTemplateParmExpr* e);
  // The argument is not written here.
  bool TraverseSubstNonTypeTemplateParmExpr(clang::SubstNonTypeTemplateParmExpr* e) { return VisitSubstNonTypeTemplateParmExpr(e); }
  bool VisitPredefinedExpr(clang::PredefinedExpr* e);
  bool VisitSourceLocExpr(clang::SourceLocExpr* e);
  bool VisitCallExpr(clang::CallExpr* e);
  bool VisitCXXConstructExpr(clang::CXXConstructExpr* e);
  bool VisitCXXFunctionalCastExpr(clang::CXXFunctionalCastExpr* e);
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
  void name_function(const clang::Expr* call, clang::CallExpr::const_arg_range all);
  const std::string* local_name(const clang::NamedDecl* d) const;
  lowering::ir::Text exit(lowering::ir::BlockId b);
  void replace_body(const clang::CoroutineBodyStmt* body, const std::function<lowering::ir::Text()>& text);

  template <class Traverse>
  lowering::ir::Text element(SourceText::Range r, const Packs::Expansion* of, Traverse traverse);
  lowering::ir::Text element(const clang::Stmt* s, SourceText::Range r, const Packs::Expansion* of = nullptr);
  void pick(const clang::DeclRefExpr* e, const clang::ParmVarDecl* p);
  bool expands(const Packs::Expansion& x) const;
  // A name of a pack in the element that is being written.
  bool of_element(clang::SourceLocation at) const;
  lowering::ir::Text written(const Packs::Expansion& fold) const;

  FunctionLowering& f_;
  SourceText::Range range_;
  const Packs::Expansion* inside_ = nullptr;
  Given found_, given_;
  bool twice_ = false;  // in the form of a list that was visited already
  lowering::ir::Text self_ = lowering::ir::mark(lowering::ir::Mark::self);  // what `this` is called here
  lowering::ir::Text captured_self_;  // the same outside of the lambda
  bool own_self_ = false;
  const clang::VarDecl* variable_ = nullptr;  // visited last
  unsigned loops_ = 0, breakables_ = 0, lambdas_ = 0;
  llvm::DenseSet<const clang::ValueDecl*> own_;     // captured explicitly: the name means the closure's copy
  std::vector<SourceText::Range> bodies_;           // of coroutines inside, which are lowered as a whole
  llvm::DenseSet<const clang::LabelDecl*> here_;  // labels inside the piece
};

}  // namespace hel::frontend
