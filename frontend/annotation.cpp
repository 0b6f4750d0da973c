#include "frontend/annotation.hpp"

namespace hel::frontend {

using namespace clang;

namespace {

Annotation annotation(const Decl* d) {
  for (const auto* a : d->specific_attrs<AnnotateAttr>()) {
    if (a->getAnnotation() == "hel::task") return Annotation::task;
    if (a->getAnnotation() == "hel::host_task") return Annotation::host_task;
  }
  return Annotation::none;
}

}  // namespace

Annotation annotation_of(const FunctionDecl* f) {
  for (const FunctionDecl* d : f->redecls())
    if (const Annotation a = annotation(d); a != Annotation::none) return a;
  if (const CXXRecordDecl* r = f->getReturnType()->getAsCXXRecordDecl()) {
    if (const Annotation a = annotation(r); a != Annotation::none) return a;
  }
  return Annotation::none;
}

bool device_lambda(const FunctionDecl* f) {
  const auto* m = dyn_cast<CXXMethodDecl>(f);
  return m && m->getParent()->isLambda() && m->hasAttr<CUDADeviceAttr>();
}

}  // namespace hel::frontend
