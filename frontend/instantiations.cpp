#include "frontend/instantiations.hpp"

#include <algorithm>
#include <vector>

#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;

bool in_instance(const FunctionDecl* fd) {
  for (const DeclContext* c = fd; c && !c->isFileContext(); c = c->getParent()) {
    if (const auto* f = dyn_cast<FunctionDecl>(c); f && f->isTemplateInstantiation()) return true;
    if (isa<ClassTemplateSpecializationDecl>(c)) return true;
  }
  return false;
}

namespace {

struct Argument {
  const NamedDecl* parameter;
  const TemplateArgument* value;
};

void add(const TemplateParameterList* parameters, llvm::ArrayRef<TemplateArgument> arguments, std::vector<Argument>& out) {
  for (unsigned i = 0; i < parameters->size() && i < arguments.size(); ++i) out.push_back({parameters->getParam(i), &arguments[i]});
}

// Of the coroutine and of everything around it, under the names that hold where its body is written: a member defined
// outside of its class may name the class's parameters otherwise.
// `within`: inside of that function only.
std::vector<Argument> arguments_of(const FunctionDecl* f, const FunctionDecl* within = nullptr) {
  std::vector<Argument> all;
  llvm::SmallVector<const TemplateParameterList*, 4> outside;  // of the classes around the function last met, the outermost first
  for (const DeclContext* c = f; c && !c->isFileContext() && c != within; c = c->getParent()) {
    if (const auto* function = dyn_cast<FunctionDecl>(c)) {
      const FunctionDecl* pattern = function->getTemplateInstantiationPattern();
      if (!pattern) pattern = function;
      outside.clear();
      for (unsigned i = 0; i < pattern->getNumTemplateParameterLists(); ++i) outside.push_back(pattern->getTemplateParameterList(i));
      if (const auto* arguments = function->getTemplateSpecializationArgs(); arguments && function->getPrimaryTemplate() && !function->getTemplateSpecializationInfo()->isExplicitSpecialization()) {
        const FunctionTemplateDecl* written = pattern->getDescribedFunctionTemplate();
        add((written ? written : function->getPrimaryTemplate())->getTemplateParameters(), arguments->asArray(), all);
      }
    } else if (const auto* closure = dyn_cast<CXXRecordDecl>(c); closure && closure->isLambda()) {
      // In the initializer of a variable template.
      if (const auto* v = dyn_cast_or_null<VarTemplateSpecializationDecl>(closure->getLambdaContextDecl()); v && !v->isExplicitSpecialization())
        add(v->getSpecializedTemplate()->getTemplateParameters(), v->getTemplateArgs().asArray(), all);
    } else if (const auto* s = dyn_cast<ClassTemplateSpecializationDecl>(c); s && !s->isExplicitSpecialization()) {
      const auto from = s->getInstantiatedFrom();
      const auto* partial = from.dyn_cast<ClassTemplatePartialSpecializationDecl*>();
      const TemplateParameterList* written = partial ? partial->getTemplateParameters() : nullptr;
      if (!partial) {
        const ClassTemplateDecl* t = s->getSpecializedTemplate();
        for (const RedeclarableTemplateDecl* d : t->redecls())
          if (cast<ClassTemplateDecl>(d)->isThisDeclarationADefinition()) t = cast<ClassTemplateDecl>(d);
        written = t->getTemplateParameters();
      }
      if (!outside.empty()) written = outside.pop_back_val();
      add(written, partial ? s->getTemplateInstantiationArgs().asArray() : s->getTemplateArgs().asArray(), all);
    }
  }
  return all;
}

// The function parameter whose declared type brings in the template parameter: `auto` and what is around it.
int bringing_in(const FunctionDecl* pattern, const TemplateTypeParmDecl* t) {
  struct Finder : RecursiveASTVisitor<Finder> {
    const TemplateTypeParmDecl* wanted = nullptr;
    bool found = false;
    bool VisitTemplateTypeParmType(TemplateTypeParmType* p) {
      found |= p->getDepth() == wanted->getDepth() && p->getIndex() == wanted->getIndex();
      return !found;
    }
  } finder;
  finder.wanted = t;
  for (unsigned i = 0; pattern && i < pattern->getNumParams(); ++i) {
    finder.TraverseType(pattern->getParamDecl(i)->getType());
    if (finder.found) return static_cast<int>(i);
  }
  return -1;
}

// The instantiation's parameter at the same place.
const ParmVarDecl* element_of(const FunctionDecl* f, const ParmVarDecl* pattern) {
  for (const ParmVarDecl* p : f->parameters())
    if (p->getLocation() == pattern->getLocation()) return p;
  return nullptr;
}

std::string qualified(const NamedDecl* d, ASTContext& ctx) {
  std::string name;
  llvm::raw_string_ostream out(name);
  PrintingPolicy policy(ctx.getLangOpts());
  policy.SuppressUnwrittenScope = true;
  d->printQualifiedName(out, policy);
  return "::" + name;
}

std::pair<unsigned, unsigned> position(const NamedDecl* p) {
  if (const auto* t = dyn_cast<TemplateTypeParmDecl>(p)) return {t->getDepth(), t->getIndex()};
  if (const auto* n = dyn_cast<NonTypeTemplateParmDecl>(p)) return {n->getDepth(), n->getIndex()};
  const auto* t = cast<TemplateTemplateParmDecl>(p);
  return {t->getDepth(), t->getIndex()};
}

// What can be said of a type that has no name here: its size, what it is called without its scope, the arguments of a
// template, how a closure is called.
std::optional<std::string> shape(const std::string& name, QualType t, const FunctionDecl* f, ASTContext& ctx) {
  t = t.getNonReferenceType();
  if (t->isIncompleteType() || t->isFunctionType()) return std::nullopt;
  const std::string bare = "::std::remove_cvref_t<" + name + ">";
  std::string known = "::hel::abi::size_of<" + bare + "> == " + std::to_string(ctx.getTypeSizeInChars(t).getQuantity());
  if (const auto* tag = t->getAsTagDecl(); tag && tag->getIdentifier()) known += " && ::hel::abi::is_named<" + bare + ">(\"" + tag->getNameAsString() + "\")";
  const CXXRecordDecl* r = t->getAsCXXRecordDecl();
  if (const auto* s = dyn_cast_or_null<ClassTemplateSpecializationDecl>(r)) {
    unsigned i = 0;
    for (const TemplateArgument& a : s->getTemplateArgs().asArray()) {
      if (a.getKind() != TemplateArgument::Type) break;
      const std::string argument = "::hel::abi::argument<" + bare + ", " + std::to_string(i++) + ">";
      if (spellable(a.getAsType(), ctx, f))
        known += " && ::std::is_same_v<" + argument + ", " + type_text(a.getAsType(), ctx) + ">";
      else if (const auto more = shape(argument, a.getAsType(), f, ctx))
        known += " && " + *more;
    }
  }
  if (!r || !r->isLambda() || r->isGenericLambda()) return known;
  const CXXMethodDecl* call = r->getLambdaCallOperator();
  const auto* proto = call->getType()->castAs<FunctionProtoType>();
  const QualType plain = ctx.getFunctionType(call->getReturnType(), proto->getParamTypes(), {});
  if (spellable(plain, ctx, f)) known += " && ::hel::abi::called_as<" + bare + ", " + type_text(plain, ctx) + (proto->isConst() ? " const" : "") + ">";
  return known;
}

}  // namespace

std::vector<std::pair<QualType, std::string>> named_arguments(const FunctionDecl* f) {
  std::vector<std::pair<QualType, std::string>> named;
  for (const Argument& a : arguments_of(f)) {
    if (a.value->getKind() != TemplateArgument::Type) continue;
    const auto* t = dyn_cast<TemplateTypeParmDecl>(a.parameter);
    std::string name = a.parameter->getNameAsString();
    QualType type = a.value->getAsType();
    if (t && t->isImplicit()) {
      const FunctionDecl* pattern = f->getTemplateInstantiationPattern();
      const int i = bringing_in(pattern, t);
      if (i < 0 || pattern->getParamDecl(static_cast<unsigned>(i))->getName().empty()) continue;
      name = "::std::remove_cvref_t<decltype(" + pattern->getParamDecl(static_cast<unsigned>(i))->getNameAsString() + ")>";
      const ParmVarDecl* own = element_of(f, pattern->getParamDecl(static_cast<unsigned>(i)));
      if (!own) continue;
      type = own->getType().getNonReferenceType();
    } else if (type->isReferenceType()) {
      name = "::std::remove_reference_t<" + name + ">";
      type = type.getNonReferenceType();
    }
    while (type->isPointerType()) {
      name = "::std::remove_pointer_t<" + name + ">";
      type = type->getPointeeType();
    }
    if (!name.empty()) named.push_back({type, name});
  }
  return named;
}

std::size_t pack_argument_size(const FunctionDecl* f, const TemplateTypeParmDecl* parameter) {
  for (const Argument& a : arguments_of(f))
    if (a.value->getKind() == TemplateArgument::Pack && position(a.parameter) == position(parameter) && a.parameter->getName() == parameter->getName()) return a.value->pack_size();
  return 0;
}

namespace {

// That `text` has this value, part by part: the parts of a template argument of class type are public.
std::optional<std::string> has_value(const std::string& text, const APValue& v, QualType t, const FunctionDecl* f, ASTContext& ctx) {
  switch (v.getKind()) {
  case APValue::Int:
    if (!spellable(t, ctx, f)) return std::nullopt;
    return " && " + text + " == static_cast<" + type_text(t.getUnqualifiedType(), ctx) + ">(" + llvm::toString(v.getInt(), 10) + ")";
  case APValue::LValue:
    if (v.isNullPointer()) return " && " + text + " == nullptr";
    return std::nullopt;
  case APValue::Array: {
    std::string all;
    const QualType element = ctx.getAsArrayType(t)->getElementType();
    for (unsigned i = 0; i < v.getArraySize(); ++i) {
      const auto one = has_value(text + "[" + std::to_string(i) + "]", i < v.getArrayInitializedElts() ? v.getArrayInitializedElt(i) : v.getArrayFiller(), element, f, ctx);
      if (!one) return std::nullopt;
      all += *one;
    }
    return all;
  }
  case APValue::Struct: {
    std::string all;
    const auto* r = t->castAs<RecordType>()->getDecl();
    unsigned base = 0;
    if (const auto* c = dyn_cast<CXXRecordDecl>(r))
      for (const CXXBaseSpecifier& b : c->bases()) {
        if (!spellable(b.getType(), ctx, f)) return std::nullopt;
        const auto one = has_value("static_cast<const " + type_text(b.getType(), ctx) + "&>(" + text + ")", v.getStructBase(base++), b.getType(), f, ctx);
        if (!one) return std::nullopt;
        all += *one;
      }
    for (const FieldDecl* field : r->fields()) {
      if (field->isUnnamedBitField()) continue;
      if (!field->getIdentifier()) return std::nullopt;
      const auto one = has_value(text + "." + field->getNameAsString(), v.getStructField(field->getFieldIndex()), field->getType(), f, ctx);
      if (!one) return std::nullopt;
      all += *one;
    }
    return all;
  }
  default: return std::nullopt;
  }
}

// A template argument of class type. Another type than this one's need not have its members.
std::optional<std::string> object_condition(const std::string& name, const TemplateParamObjectDecl* object, const FunctionDecl* f, ASTContext& ctx) {
  const QualType t = object->getType().getUnqualifiedType();
  const auto value = has_value("hel_value", object->getValue(), t, f, ctx);
  if (!value) return std::nullopt;
  if (!spellable(t, ctx, f)) return value->empty() ? shape("decltype(" + name + ")", t, f, ctx) : std::nullopt;
  return "[]<class hel_V>([[maybe_unused]] const hel_V& hel_value) { if constexpr (::std::is_same_v<hel_V, " + type_text(t, ctx) + ">) return true" + *value + "; else return false; }(" + name + ")";
}

// A pack: how many there are, and what can be said of each.
std::optional<std::string> pack_condition(const std::string& name, bool values, const std::vector<TemplateArgument>& elements, const FunctionDecl* f, ASTContext& ctx) {
  std::string list, shapes;
  bool spelled = true;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const TemplateArgument& v = elements[i];
    if (v.getKind() == TemplateArgument::Integral && spellable(v.getIntegralType(), ctx, f)) {
      list += (list.empty() ? "" : ", ") + ("static_cast<" + type_text(v.getIntegralType(), ctx) + ">(" + llvm::toString(v.getAsIntegral(), 10) + ")");
    } else if (v.getKind() == TemplateArgument::Type) {
      const std::string element = "::hel::abi::element<" + std::to_string(i) + ", " + name + "...>";
      if (spellable(v.getAsType(), ctx, f)) {
        const std::string type = type_text(v.getAsType(), ctx);
        list += (list.empty() ? "" : ", ") + type;
        shapes += " && ::std::is_same_v<" + element + ", " + type + ">";
      } else {
        spelled = false;
        if (const auto s = shape(element, v.getAsType(), f, ctx)) shapes += " && " + *s;
      }
    } else {
      return std::nullopt;
    }
  }
  const std::string all = (values ? "::hel::abi::values<" : "::hel::abi::types<");
  if (spelled) return "::std::is_same_v<" + all + name + "...>, " + all + list + ">>";
  return "::std::is_same_v<::hel::abi::count<" + name + "...>, ::hel::abi::number<" + std::to_string(elements.size()) + ">>" + shapes;
}

std::optional<std::string> condition_of(const FunctionDecl* f, const std::vector<Argument>& arguments, ASTContext& ctx, std::vector<NamedTemplateParameter>& named);

}  // namespace

std::optional<std::string> enclosing_condition(const FunctionDecl* f, ASTContext& ctx, std::vector<NamedTemplateParameter>& named) {
  const auto* lambda = dyn_cast<CXXRecordDecl>(f->getDeclContext());
  if (!lambda || !lambda->isLambda() || !f->isTemplateInstantiation()) return "";
  std::vector<Argument> around = arguments_of(f);
  const TemplateArgumentList* own = f->getTemplateSpecializationArgs();
  if (own) around.erase(around.begin(), around.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(own->size(), around.size())));
  if (around.empty()) return "";
  return condition_of(f, around, ctx, named);
}

std::optional<std::string> instantiation_condition(const FunctionDecl* f, ASTContext& ctx, std::vector<NamedTemplateParameter>& named, const FunctionDecl* within) {
  return condition_of(f, arguments_of(f, within), ctx, named);
}

std::optional<std::string> choose(std::vector<Variant> variants, const std::string& here) {
  for (std::size_t i = 0; i < variants.size(); ++i)
    for (std::size_t j = variants.size(); j-- > i + 1;) {
      if (variants[i].code == variants[j].code) {
        // The same text does for both: its condition must not exclude one of them.
        if (!variants[i].condition || !variants[j].condition)
          variants[i].condition.reset();
        else if (variants[i].condition != variants[j].condition)
          variants[i].condition = "(" + *variants[i].condition + ") || (" + *variants[j].condition + ")";
        variants.erase(variants.begin() + static_cast<std::ptrdiff_t>(j));
      } else if (variants[i].condition == variants[j].condition) {
        return std::nullopt;
      }
    }
  if (variants.size() == 1) return variants[0].code;
  // One without a condition can only be the last.
  std::stable_partition(variants.begin(), variants.end(), [](const Variant& v) { return v.condition.has_value(); });
  std::string code = "{\n";
  for (std::size_t i = 0; i < variants.size(); ++i) {
    code += here;
    if (i) code += "  else\n";
    if (i + 1 < variants.size()) code += "  if constexpr (" + *variants[i].condition + ")\n";
    code += variants[i].code + "\n";
  }
  return code + "}";
}

namespace {

std::optional<std::string> condition_of(const FunctionDecl* f, const std::vector<Argument>& arguments, ASTContext& ctx, std::vector<NamedTemplateParameter>& named) {
  std::string condition;
  const auto also = [&](const std::string& c) { condition += (condition.empty() ? "" : " && ") + c; };
  for (const Argument& a : arguments) {
    std::string name = a.parameter->getNameAsString();
    const auto* t = dyn_cast<TemplateTypeParmDecl>(a.parameter);
    const bool unwritten = t && t->isImplicit();
    if (name.empty() && !unwritten) {
      if (a.parameter->getLocation().isMacroID()) return std::nullopt;
      const auto [depth, index] = position(a.parameter);
      name = "hel_T" + std::to_string(depth) + "_" + std::to_string(index);
      const NamedTemplateParameter n{a.parameter->getLocation(), name};
      if (std::find(named.begin(), named.end(), n) == named.end()) named.push_back(n);
    }
    switch (a.value->getKind()) {
    case TemplateArgument::Type: {
      QualType type = a.value->getAsType();
      if (unwritten) {
        const FunctionDecl* pattern = f->getTemplateInstantiationPattern();
        const int i = bringing_in(pattern, t);
        if (i < 0) return std::nullopt;
        const std::string parameter = pattern->getParamDecl(static_cast<unsigned>(i))->getNameAsString();
        name = "decltype(" + (parameter.empty() ? "hel_p" + std::to_string(i + 1) : parameter) + ")";
        const ParmVarDecl* own = element_of(f, pattern->getParamDecl(static_cast<unsigned>(i)));
        if (!own) return std::nullopt;
        type = own->getType();
      }
      if (spellable(type, ctx, f)) {
        also("::std::is_same_v<" + name + ", " + type_text(type, ctx) + ">");
      } else if (const auto s = shape(name, type, f, ctx)) {
        also(*s);
      } else {
        return std::nullopt;
      }
      break;
    }
    case TemplateArgument::Integral:
      if (!spellable(a.value->getIntegralType(), ctx, f)) {
        const auto s = shape("decltype(" + name + ")", a.value->getIntegralType(), f, ctx);
        if (!s) return std::nullopt;
        also(*s);
        also(name + " == static_cast<decltype(" + name + ")>(" + llvm::toString(a.value->getAsIntegral(), 10) + ")");
        break;
      }
      {
        const std::string known = "static_cast<" + type_text(a.value->getIntegralType(), ctx) + ">(" + llvm::toString(a.value->getAsIntegral(), 10) + ")";
        // `auto` takes 3 and 3L for two values, and others that cannot be compared with it; so does a `T V`.
        const auto* value = dyn_cast<NonTypeTemplateParmDecl>(a.parameter);
        also(value && (value->getType()->getContainedAutoType() || value->getType()->isDependentType()) ? "::hel::abi::same_value<" + name + ", " + known + ">" : name + " == " + known);
      }
      break;
    case TemplateArgument::Pack: {
      std::vector<TemplateArgument> elements(a.value->pack_begin(), a.value->pack_end());
      if (unwritten) {
        const FunctionDecl* pattern = f->getTemplateInstantiationPattern();
        const int i = bringing_in(pattern, t);
        if (i < 0 || pattern->getParamDecl(static_cast<unsigned>(i))->getName().empty()) return std::nullopt;
        name = "decltype(" + pattern->getParamDecl(static_cast<unsigned>(i))->getNameAsString() + ")";
        elements.clear();
        for (const ParmVarDecl* p : f->parameters())
          if (p->getLocation() == pattern->getParamDecl(static_cast<unsigned>(i))->getLocation()) elements.push_back(TemplateArgument(p->getType()));
      }
      const auto c = pack_condition(name, isa<NonTypeTemplateParmDecl>(a.parameter), elements, f, ctx);
      if (!c) return std::nullopt;
      also(*c);
      break;
    }
    case TemplateArgument::NullPtr: also(name + " == nullptr"); break;
    case TemplateArgument::Declaration: {
      const ValueDecl* d = a.value->getAsDecl();
      if (const auto* object = dyn_cast<TemplateParamObjectDecl>(d)) {
        const auto c = object_condition(name, object, f, ctx);
        if (!c) return std::nullopt;
        also(*c);
        break;
      }
      if (!d->getDeclName().isIdentifier() || d->getDeclContext()->isFunctionOrMethod() || !nameable(d, ctx, f)) return std::nullopt;
      const bool reference = a.value->getParamTypeForDecl()->isReferenceType();
      also("::hel::abi::same_value<" + std::string(reference ? "&" : "") + name + ", &" + qualified(d, ctx) + ">");
      break;
    }
    case TemplateArgument::Template:
      if (const TemplateDecl* d = a.value->getAsTemplate().getAsTemplateDecl(); d && isa<TemplateTemplateParmDecl>(a.parameter) && !d->getDeclContext()->isFunctionOrMethod() && nameable(d, ctx, f)) {
        // Only templates of types have a trait here.
        for (const NamedDecl* p : *cast<TemplateTemplateParmDecl>(a.parameter)->getTemplateParameters())
          if (!isa<TemplateTypeParmDecl>(p)) return std::nullopt;
        also("::std::is_same_v<::hel::abi::template_tag<" + name + ">, ::hel::abi::template_tag<" + qualified(d, ctx) + ">>");
        break;
      }
      return std::nullopt;
    default: return std::nullopt;
    }
  }
  if (condition.empty()) return std::nullopt;
  return condition;
}

}  // namespace

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
    if (!p->getName().empty()) rest += p->isParameterPack() ? " ((void)sizeof(" + p->getNameAsString() + "), ...);" : " (void)sizeof(" + p->getNameAsString() + ");";
  const auto body = [&](const std::string& type, const std::string& more = "") {
    return "{ static_assert(sizeof(::hel::abi::not_lowered<" + type + ">)" + more + " == 0);" + rest + " __builtin_unreachable(); }";
  };
  for (const NamedDecl* p : *parameters) {
    if (p->getName().empty() || p->isImplicit()) continue;
    if (p->isParameterPack()) {
      if (isa<TemplateTypeParmDecl>(p)) return body(p->getNameAsString() + "...");
      if (isa<NonTypeTemplateParmDecl>(p)) return body("::hel::abi::values<" + p->getNameAsString() + "...>");
      continue;
    }
    if (isa<TemplateTypeParmDecl>(p)) return body(p->getNameAsString());
    if (isa<NonTypeTemplateParmDecl>(p)) return body("decltype(" + p->getNameAsString() + ")", " * (" + p->getNameAsString() + " == " + p->getNameAsString() + ")");
  }
  for (const ParmVarDecl* p : pattern->parameters())
    if (!p->getName().empty()) return body("decltype(" + p->getNameAsString() + ")" + (p->isParameterPack() ? "..." : ""));
  return std::nullopt;
}

}  // namespace hel::frontend
