// Coroutines inside a coroutine: lambdas, generic ones with each call that the file makes, and members of local
// classes.
#include "frontend/annotation.hpp"
#include "frontend/instantiations.hpp"
#include "frontend/lower_function.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

Text FunctionLowering::nested(const LambdaExpr* l, std::vector<Replacement>& names, const Text& self) {
  const FunctionTemplateDecl* generic = l->getDependentCallOperator();
  if (!generic) return nested(l->getCallOperator(), nullptr, &names, self);
  const FunctionDecl* pattern = generic->getTemplatedDecl();
  std::vector<Variant> variants;
  std::vector<NamedTemplateParameter> named;
  for (const FunctionDecl* f : generic->specializations()) {
    if (!isa_and_nonnull<CoroutineBodyStmt>(f->getBody())) continue;
    const Text code = nested(f, pattern, variants.empty() ? &names : nullptr, self);
    if (code.empty()) return {};
    variants.push_back({f, instantiation_condition(f, ctx_, named, fd_), code});
  }
  for (const NamedTemplateParameter& p : named) {
    const SourceText::Range at = text_.tokens(p.at);
    if (!at.empty()) names.push_back({at.begin, at.begin, " " + p.name});
  }
  const auto code = variants.empty() ? uninstantiated_body(pattern) : choose(variants, here_);
  if (!code) diag_.error(l->getBeginLoc(), Hel::coroutine_template, "lambda");
  return code.value_or("");
}

Text FunctionLowering::nested(const FunctionDecl* f, const FunctionDecl* pattern, std::vector<Replacement>* names,
                              const Text& self) {
  // A lambda is for whom the function around it is for; a member of a class, for whom it says.
  const Annotation marked = std::max(annotation_of(f), pattern ? annotation_of(pattern) : Annotation::none);
  const auto* member = cast<CXXMethodDecl>(f);
  if (fn_.device &&
      (marked == Annotation::host_task || (marked == Annotation::none && !member->getParent()->isLambda()))) {
    diag_.error(f->getLocation(), Hel::device_nested_host);
    return {};
  }
  // In the text of a generic lambda or of a member template around it: its types are not known there.
  if (f->isDependentContext()) {
    diag_.error(f->getLocation(), Hel::nested_in_template);
    return {};
  }
  FunctionLowering inner(ctx_, text_, diag_, f, pattern, fn_.device, this);
  inner.on_nested(finish_, here_);
  inner.outer_self_ = self;
  if (same_for_all_) inner.same_for_all();
  std::optional<Function> fn = inner.run();
  if (!fn) return {};
  for (const NamedParameter& p : inner.named_) {
    const SourceText::Range at = text_.tokens(p.at);
    if (at.empty()) {
      diag_.error(p.at, Hel::in_macro, "a parameter without a name");
      return {};
    }
    if (names) names->push_back({at.begin, at.begin, " " + p.name});
  }
  Text code = finish_(*fn, f);
  for (const auto& [placeholder, meaning] : inner.outer_names_)
    for (std::size_t at = code.find(placeholder); at != Text::npos; at = code.find(placeholder, at + meaning.size()))
      code.replace(at, placeholder.size(), meaning);
  return code;
}

}  // namespace hel::frontend
