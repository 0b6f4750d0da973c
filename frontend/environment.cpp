#include "frontend/environment.hpp"

namespace hel::frontend {

using namespace clang;

namespace {

class Recorder : public PPCallbacks {
 public:
  Recorder(const SourceManager& sm, bool& found) : sm_(sm), found_(found) {}
  void Defined(const Token& name, const MacroDefinition&, SourceRange) override { test(name); }
  void Ifdef(SourceLocation, const Token& name, const MacroDefinition&) override { test(name); }
  void Ifndef(SourceLocation, const Token& name, const MacroDefinition&) override { test(name); }
  void Elifdef(SourceLocation, const Token& name, const MacroDefinition&) override { test(name); }
  void Elifndef(SourceLocation, const Token& name, const MacroDefinition&) override { test(name); }
  void MacroExpands(const Token& name, const MacroDefinition&, SourceRange, const MacroArgs*) override { test(name); }

 private:
  void test(const Token& name) {
    const IdentifierInfo* i = name.getIdentifierInfo();
    if (!i || (i->getName() != "__cpp_impl_coroutine" && i->getName() != "__cpp_lib_coroutine")) return;
    found_ = found_ || !sm_.isInSystemHeader(name.getLocation());
  }
  const SourceManager& sm_;
  bool& found_;
};

}  // namespace

void FeatureTests::attach(Preprocessor& preprocessor) {
  preprocessor.addPPCallbacks(std::make_unique<Recorder>(preprocessor.getSourceManager(), found_));
}

const char* const define_features = "#if !defined(__cpp_impl_coroutine)\n"
                                    "#define __cpp_impl_coroutine 201902L\n"
                                    "#define HEL_WITHOUT_COROUTINES\n"
                                    "#endif\n";

void check_library_types(ASTContext& ctx, Diagnostics& diag) {
  const SourceManager& sm = ctx.getSourceManager();
  // What <coroutine>, <exception> and <new> declare and lowered code uses.
  const char* const names[] = {"coroutine_traits", "coroutine_handle",  "suspend_always",
                               "suspend_never",    "align_val_t",       "nothrow_t",
                               "exception_ptr",    "current_exception", "rethrow_exception"};
  for (const NamedDecl* found : ctx.getTranslationUnitDecl()->lookup(&ctx.Idents.get("std"))) {
    const auto* std = dyn_cast<NamespaceDecl>(found);
    if (!std) continue;
    for (const char* name : names)
      for (const NamedDecl* d : std->lookup(&ctx.Idents.get(name))) {
        // Clang itself declares some of them, in no place.
        SourceLocation first;
        for (const Decl* one : d->redecls())
          if (const SourceLocation at = sm.getExpansionLoc(one->getLocation());
              at.isValid() && !one->isImplicit() && (first.isInvalid() || sm.isBeforeInTranslationUnit(at, first)))
            first = at;
        if (first.isValid() && !sm.isInSystemHeader(first)) diag.error(first, Hel::own_library_types, name);
      }
  }
}

}  // namespace hel::frontend
