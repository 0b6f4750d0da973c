// The Clang headers that the frontend uses, in one place: precompiled once.
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/QualTypeNames.h>
#include <clang/AST/RecordLayout.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/AST/StmtCXX.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/Version.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/Syntax/Tokens.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>

// Visitors of types take one more argument since LLVM 22: whether the qualifier is visited, too.
#if CLANG_VERSION_MAJOR >= 22
#  define HEL_TRAVERSE_QUALIFIER , bool traverse_qualifier
#  define HEL_TRAVERSE_UNNAMED , bool = true
#  define HEL_TRAVERSE_IGNORED , bool
#  define HEL_PASS_QUALIFIER , traverse_qualifier
#else
#  define HEL_TRAVERSE_QUALIFIER
#  define HEL_TRAVERSE_UNNAMED
#  define HEL_TRAVERSE_IGNORED
#  define HEL_PASS_QUALIFIER
#endif
