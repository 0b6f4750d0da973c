#include "frontend/instantiations.hpp"

#include <vector>

#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;

namespace {

struct Argument {
  const NamedDecl* parameter;
  const TemplateArgument* value;
};

void add(const TemplateParameterList* parameters, llvm::ArrayRef<TemplateArgument> arguments, std::vector<Argument>& out) {
  for (unsigned i = 0; i < parameters->size() && i < arguments.size(); ++i) out.push_back({parameters->getParam(i), &arguments[i]});
}

// Of the coroutine and of everything around it.
std::vector<Argument> arguments_of(const FunctionDecl* f) {
  std::vector<Argument> all;
  for (const DeclContext* c = f; c && !c->isFileContext(); c = c->getParent()) {
    if (const auto* function = dyn_cast<FunctionDecl>(c)) {
      if (const auto* arguments = function->getTemplateSpecializationArgs(); arguments && function->getPrimaryTemplate() && !function->getTemplateSpecializationInfo()->isExplicitSpecialization())
        add(function->getPrimaryTemplate()->getTemplateParameters(), arguments->asArray(), all);
    } else if (const auto* s = dyn_cast<ClassTemplateSpecializationDecl>(c); s && !s->isExplicitSpecialization()) {
      const auto from = s->getInstantiatedFrom();
      if (auto* partial = from.dyn_cast<ClassTemplatePartialSpecializationDecl*>())
        add(partial->getTemplateParameters(), s->getTemplateInstantiationArgs().asArray(), all);
      else
        add(s->getSpecializedTemplate()->getTemplateParameters(), s->getTemplateArgs().asArray(), all);
    }
  }
  return all;
}

}  // namespace

bool has_pack(const FunctionDecl* f) {
  for (const Argument& a : arguments_of(f))
    if (a.value->getKind() == TemplateArgument::Pack) return true;
  return false;
}

std::optional<std::string> instantiation_condition(const FunctionDecl* f, ASTContext& ctx) {
  std::string condition;
  const auto also = [&](const std::string& c) { condition += (condition.empty() ? "" : " && ") + c; };
  for (const Argument& a : arguments_of(f)) {
    std::string name = a.parameter->getNameAsString();
    switch (a.value->getKind()) {
    case TemplateArgument::Type: {
      if (!spellable(a.value->getAsType(), ctx, f)) return std::nullopt;
      std::string type = name;
      std::string wanted = type_text(a.value->getAsType(), ctx);
      if (const auto* t = dyn_cast<TemplateTypeParmDecl>(a.parameter); name.empty() || (t && t->isImplicit())) {
        // `auto` in a parameter: the parameter's type says which.
        type.clear();
        const FunctionDecl* pattern = f->getTemplateInstantiationPattern();
        for (unsigned i = 0; pattern && i < pattern->getNumParams(); ++i) {
          const auto* contained = pattern->getParamDecl(i)->getType().getNonReferenceType()->getAs<TemplateTypeParmType>();
          if (contained && t && contained->getDepth() == t->getDepth() && contained->getIndex() == t->getIndex() && !pattern->getParamDecl(i)->getName().empty()) {
            type = "decltype(" + pattern->getParamDecl(i)->getNameAsString() + ")";
            wanted = type_text(f->getParamDecl(i)->getType(), ctx);
          }
        }
        if (type.empty()) return std::nullopt;
      }
      also("::std::is_same_v<" + type + ", " + wanted + ">");
      break;
    }
    case TemplateArgument::Integral:
      if (name.empty()) return std::nullopt;
      also(name + " == static_cast<" + type_text(a.value->getIntegralType(), ctx) + ">(" + llvm::toString(a.value->getAsIntegral(), 10) + ")");
      break;
    default: return std::nullopt;
    }
  }
  if (condition.empty()) return std::nullopt;
  return condition;
}

std::optional<std::string> uninstantiated_body(const FunctionDecl* pattern) {
  const TemplateParameterList* parameters = nullptr;
  for (const DeclContext* c = pattern; c && !c->isFileContext() && !parameters; c = c->getParent()) {
    if (const auto* f = dyn_cast<FunctionDecl>(c); f && f->getDescribedFunctionTemplate())
      parameters = f->getDescribedFunctionTemplate()->getTemplateParameters();
    else if (const auto* r = dyn_cast<CXXRecordDecl>(c)) {
      if (r->getDescribedClassTemplate()) parameters = r->getDescribedClassTemplate()->getTemplateParameters();
      if (const auto* partial = dyn_cast<ClassTemplatePartialSpecializationDecl>(r)) parameters = partial->getTemplateParameters();
    }
  }
  if (!parameters) return std::nullopt;
  // No warning, either: nothing is returned, and no parameter used.
  std::string rest;
  for (const ParmVarDecl* p : pattern->parameters())
    if (!p->getName().empty() && !p->isParameterPack()) rest += " (void)sizeof(" + p->getNameAsString() + ");";
  const auto body = [&](const std::string& type, const std::string& more = "") {
    return "{ static_assert(sizeof(::hel::abi::not_lowered<" + type + ">)" + more + " == 0);" + rest + " __builtin_unreachable(); }";
  };
  for (const NamedDecl* p : *parameters) {
    if (p->getName().empty() || p->isImplicit() || p->isParameterPack()) continue;
    if (isa<TemplateTypeParmDecl>(p)) return body(p->getNameAsString());
    if (isa<NonTypeTemplateParmDecl>(p)) return body("decltype(" + p->getNameAsString() + ")", " * (" + p->getNameAsString() + " == " + p->getNameAsString() + ")");
  }
  for (const ParmVarDecl* p : pattern->parameters())
    if (!p->getName().empty() && !p->isParameterPack()) return body("decltype(" + p->getNameAsString() + ")");
  return std::nullopt;
}

}  // namespace hel::frontend
