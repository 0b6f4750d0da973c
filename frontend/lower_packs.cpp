// Parameter packs: each element is a variable of its own, with a name of its own.
#include "frontend/instantiations.hpp"
#include "frontend/lower_function.hpp"

namespace hel::frontend {

using namespace clang;

void FunctionLowering::find_packs() {
  if (packs_ == &own_packs_ && pattern_) own_packs_.add(pattern_, text_);
  if (packs_->empty()) return;
  // The pattern's parameters are known by their place: a pack may have no element here.
  const auto token = [&](const Decl* d) {
    const SourceText::Range r = text_.tokens(d->getLocation());
    return r.empty() ? ~0u : r.begin;
  };
  for (const auto& [at, p] : packs_->parameters(fd_->getLocation())) {
    element_counts_[at] = 0;
    if (p->getDeclName()) continue;
    unnamed_packs_[at] = "hel_pack" + std::to_string(p->getFunctionScopeIndex() + 1);
    named_.push_back({p->getLocation(), unnamed_packs_[at]});
  }
  for (const ParmVarDecl* p : fd_->parameters())
    if (packs_->declares(token(p))) ++element_counts_[token(p)];
  if (const auto* m = dyn_cast<CXXMethodDecl>(fd_); m && m->getParent()->isLambda())
    for (const LambdaCapture& c : m->getParent()->captures())
      if (c.capturesVariable() && packs_->declares(token(c.getCapturedVar()))) ++element_counts_[token(c.getCapturedVar())];
}

// The text mentions no element of an empty pack, which compilers then call unused.
void FunctionLowering::use_empty_packs() {
  for (const auto& [at, p] : packs_->parameters(fd_->getLocation()))
    if (element_counts_[at] == 0) fn_.declarations.push_back({"((void)" + (p->getDeclName() ? p->getNameAsString() : unnamed_packs_.at(at)) + ", ...);", {}});
}

std::optional<std::string> FunctionLowering::ramp_element(const VarDecl* v, const CXXRecordDecl* closure) const {
  const SourceText::Range at = text_.tokens(v->getLocation());
  if (at.empty() || !packs_->declares(at.begin)) return std::nullopt;
  std::size_t index = 0;
  if (closure) {
    for (const LambdaCapture& c : closure->captures()) {
      if (!c.capturesVariable()) continue;
      if (c.getCapturedVar() == v) break;
      index += c.getCapturedVar()->getLocation() == v->getLocation();
    }
  } else {
    for (const ParmVarDecl* p : fd_->parameters()) {
      if (p == v) break;
      index += p->getLocation() == v->getLocation();
    }
  }
  return "::hel::abi::pick<" + std::to_string(index) + ">(" + (v->getDeclName() ? v->getNameAsString() : unnamed_packs_.at(at.begin)) + "...)";
}

bool FunctionLowering::is_element(unsigned token) const {
  if (!packs_->inner(token)) return true;
  for (const FunctionLowering* f = this; f; f = f->outer_)
    if (f->element_counts_.count(token)) return true;
  return false;
}

std::optional<std::size_t> FunctionLowering::element_count(unsigned token) const {
  for (const FunctionLowering* f = this; f; f = f->outer_)
    if (const auto it = f->element_counts_.find(token); it != f->element_counts_.end()) return it->second;
  return std::nullopt;
}

std::size_t FunctionLowering::pack_size(const TemplateTypeParmDecl* parameter) const { return pack_argument_size(fd_, parameter); }

const std::string* FunctionLowering::pack_name(const VarDecl* v) {
  for (FunctionLowering* f = this; f; f = f->outer_)
    if (const auto it = f->pack_names_.find(v); it != f->pack_names_.end()) return &it->second;
  const SourceText::Range at = text_.tokens(v->getLocation());
  if (at.empty() || !packs_->declares(at.begin)) return nullptr;
  for (unsigned n = 1;; ++n) {
    const std::string name = (v->getDeclName() ? v->getNameAsString() : "hel_pack") + "_" + std::to_string(n);
    if (names_.count(name) || scan_.uses_identifier(name)) continue;
    names_.insert(name);
    return &(pack_names_[v] = name);
  }
}

}  // namespace hel::frontend
