// What a source finds out about the compiler's coroutines: it is parsed by Clang, which has them, and compiled without.
#pragma once

#include "frontend/clang.hpp"
#include "frontend/diagnostics.hpp"

namespace hel::frontend {

// Whether the source, or a header that is no system header, asks by a macro if there are coroutines.
class FeatureTests {
 public:
  // Records from now on; `this` must outlive the preprocessor's run.
  void attach(clang::Preprocessor& preprocessor);
  bool found() const { return found_; }

 private:
  bool found_ = false;
};

// Defines the macro as Clang does, where the compiler does not: both see the same source.
extern const char* const define_features;

// A program that brings types of its own in the place of the standard library's <coroutine> is refused: lowered code
// needs that header.
void check_library_types(clang::ASTContext& ctx, Diagnostics& diag);

}  // namespace hel::frontend
