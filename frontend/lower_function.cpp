#include "frontend/lower_function.hpp"

#include "frontend/hidden_locals.hpp"
#include "frontend/instantiations.hpp"
#include "frontend/type_text.hpp"
#include "lowering/ir/verify.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

SourceRange body_range(const CoroutineBodyStmt* s) {
  const SourceRange r = s->getBody()->getSourceRange();
  if (r.isValid()) return r;
  const auto* c = dyn_cast<CompoundStmt>(s->getBody());  // wrapped around the try statement by Clang
  return c && c->size() ? (*c->body_begin())->getSourceRange() : r;
}

FunctionLowering::FunctionLowering(ASTContext& ctx, const SourceText& text, Diagnostics& diag, const FunctionDecl* fd, const FunctionDecl* pattern, bool device, FunctionLowering* outer)
    : ctx_(ctx), outer_(outer), text_(text), diag_(diag), fd_(fd), pattern_(pattern), body_(cast<CoroutineBodyStmt>(fd->getBody())), packs_(outer && !outer->packs_->empty() ? outer->packs_ : &own_packs_), scan_(ctx, text, fd->isTemplateInstantiation() || fd->isTemplated() || in_instance(fd)), b_(fn_) {
  fn_.device = device;
}

SourceLine FunctionLowering::line(SourceLocation l) const {
  const PresumedLoc p = ctx_.getSourceManager().getPresumedLoc(ctx_.getSourceManager().getExpansionLoc(l));
  return p.isValid() ? SourceLine{p.getLine(), p.getColumn()} : SourceLine{};
}

std::string FunctionLowering::unique_name(const std::string& wish) {
  std::string name = wish;
  for (unsigned n = 2; names_.count(name) || (n > 2 && scan_.uses_identifier(name)); ++n) name = wish + "_" + std::to_string(n);
  names_.insert(name);
  return name;
}

// Not hidden by those of coroutines inside: g++ 12 and nvcc take one for another.
std::string FunctionLowering::numbered(const std::string& name, unsigned number) const {
  unsigned depth = 0;
  for (const FunctionLowering* f = outer_; f; f = f->outer_) ++depth;
  return name + std::to_string(number) + (depth ? "_" + std::to_string(depth) : "");
}

bool FunctionLowering::trivially_destroyed(QualType t) const {
  return ctx_.getBaseElementType(t).isDestructedType() == QualType::DK_none;
}

CleanupId FunctionLowering::push_cleanup(SlotId s) {
  Cleanup c;
  c.slot = s;
  b_.push(c);
  return b_.top();
}

Text FunctionLowering::type_name(QualType t, SourceLocation at, const std::string& what) {
  t = t.getCanonicalType();
  if (!spellable(t, ctx_, fd_, &local_names_)) {
    diag_.error(at, Hel::unspeakable_type, what);
    return "int";
  }
  const std::string text = type_text(t, ctx_, &local_names_);
  if (simple_declarator(t)) return text;
  const std::string alias = numbered("hel_t", ++types_);
  fn_.declarations.push_back({"using " + alias + " = " + text + ";", {}});
  return alias;
}

// What decltype says of the variable. A reference's name stands in parentheses of its own: more may follow it.
Text FunctionLowering::declared_type(const VarDecl* v, SourceLocation at) {
  const QualType t = v->getType();
  if (!t->isReferenceType()) return type_name(t, at, v->getNameAsString());
  const Slot& s = fn_.slots[slots_.lookup(v)];
  const Text object = spellable(t.getNonReferenceType(), ctx_, fd_, &local_names_) || s.type.empty() ? type_name(t.getNonReferenceType(), at, v->getNameAsString()) : s.type;
  return "::std::type_identity_t<" + object + (t->isLValueReferenceType() ? "&>" : "&&>");
}

// A type without a name is the type of an expression that is written once, in the ramp: a function object makes it from
// the variables that the expression mentions. `call` becomes the expression for the body.
Text FunctionLowering::made_type(const Text& expression, Text& call) {
  const std::string number = numbered({}, ++makers_);
  std::string parameters, arguments, types;
  const auto add = [&](const std::string& parameter, const Text& argument, const std::string& type) {
    parameters += (parameters.empty() ? "" : ", ") + parameter;
    arguments += (arguments.empty() ? "" : ", ") + argument;
    types += (types.empty() ? "" : ", ") + type;
  };
  for (SlotId s : slots_of(expression))
    add("auto& " + fn_.slots[s].name, slot_ref(s),
        "::hel::abi::lvalue<" + fn_.slots[s].type + ">()");
  if (mentions(expression, Mark::self)) add("auto* const& hel_this", mark(Mark::self), "this");
  if (mentions(expression, Mark::promise)) add("auto& hel_own_promise", mark(Mark::promise), "::hel::abi::lvalue<hel_promise_type>()");
  const std::string text = render(expression, [&](Mark k, std::uint32_t n) -> std::string {
    return k == Mark::slot ? fn_.slots[n].name : k == Mark::self ? "hel_this" : k == Mark::promise ? "hel_own_promise" : "";
  });
  fn_.declarations.push_back({"[[maybe_unused]] auto hel_make" + number + " = [](" + parameters + ") { return " + text + "; };", {}});
  fn_.declarations.push_back({"using hel_maker" + number + " = decltype(hel_make" + number + ");", {}});
  const std::string alias = numbered("hel_t", ++types_);
  fn_.declarations.push_back({"using " + alias + " = decltype(hel_make" + number + "(" + types + "));", {}});
  call = "hel_maker" + number + "{}(" + arguments + ")";
  return alias;
}

// A type that has no name where the frame is: what the trait makes of the expression's.
Text FunctionLowering::type_of(const Text& expression, const std::string& trait) {
  const std::string text = render(expression, [&](Mark k, std::uint32_t n) -> std::string {
    return k == Mark::slot ? "::hel::abi::lvalue<" + fn_.slots[n].type + ">()" : k == Mark::self ? "this" : k == Mark::promise ? "::hel::abi::lvalue<hel_promise_type>()" : "";
  });
  const std::string alias = numbered("hel_t", ++types_);
  fn_.declarations.push_back({"using " + alias + " = ::std::" + trait + "<decltype((" + text + "))>;", {}});
  return alias;
}

void FunctionLowering::describe_type(Slot& s, QualType t) const {
  s.display = display_type(t, ctx_);
  s.array = t->isArrayType() && s.form == Form::object;
  s.trivial = s.form != Form::object || trivially_destroyed(t);
  if (same_for_all_ && !spellable(t, ctx_, fd_, &local_names_)) {
    s.display = "(unnamed)";
    s.trivial = s.form != Form::object;
    s.size = s.align = 1;
    return;
  }
  if (t->isIncompleteType() || t->isFunctionType() || t->isDependentType()) return;
  s.size = static_cast<std::uint64_t>(ctx_.getTypeSizeInChars(t).getQuantity());
  s.align = static_cast<std::uint64_t>(ctx_.getTypeAlignInChars(t).getQuantity());
  if (const CXXRecordDecl* r = t->getAsCXXRecordDecl(); r && s.form == Form::object) {
    s.empty = r->isEmpty();
    s.closure = r->isLambda();
    s.aggregate = !r->isLambda() && r->isAggregate();
  }
}

SlotId FunctionLowering::object_slot(QualType t, Origin origin, const std::string& name, const Expr* for_expr) {
  Slot s;
  s.name = unique_name(name);
  s.origin = origin;
  if (spellable(t, ctx_, fd_, &local_names_)) s.type = type_name(t, for_expr->getExprLoc(), name);
  describe_type(s, t);
  return b_.new_slot(std::move(s));
}

SlotId FunctionLowering::slot_of_type(QualType t, Origin origin, const std::string& name, const Expr* for_expr) {
  if (!t->isReferenceType() && (!t->isScalarType() || origin == Origin::flag)) return object_slot(t, origin, name, for_expr);
  Slot s;
  s.name = unique_name(name);
  s.origin = origin;
  s.form = t->isReferenceType() ? Form::reference : Form::scalar;
  t = t->isReferenceType() ? t.getNonReferenceType() : t.getUnqualifiedType();
  if (spellable(t, ctx_, fd_, &local_names_)) s.type = type_name(t, for_expr->getExprLoc(), name);
  describe_type(s, t);
  return b_.new_slot(std::move(s));
}

void FunctionLowering::check_signature() {
  if (fd_->isVariadic()) diag_.error(fd_->getLocation(), Hel::c_variadic);
  std::string reserved;
  if (scan_.has_reserved_name(reserved)) diag_.error(fd_->getLocation(), Hel::reserved_name, reserved);

  // What is refused wherever it stands in the body.
  struct Checker : RecursiveASTVisitor<Checker> {
    FunctionLowering& f;
    unsigned lambdas = 0;
    explicit Checker(FunctionLowering& l) : f(l) {}
    bool TraverseLambdaExpr(LambdaExpr* l) {
      if (isa_and_nonnull<CoroutineBodyStmt>(l->getBody())) return true;  // checked on its own
      ++lambdas;
      const bool ok = RecursiveASTVisitor::TraverseLambdaExpr(l);
      --lambdas;
      return ok;
    }
    bool VisitStmtExpr(StmtExpr* e) {
      if (f.scan_.suspends(e)) f.diag_.error(e->getBeginLoc(), Hel::statement_expression);
      return true;
    }
    bool VisitCallExpr(CallExpr* e) {
      if (const FunctionDecl* callee = e->getDirectCallee()) {
        // Clang has it begin with the function's name, behind the object.
        if (const auto* m = dyn_cast<CXXMethodDecl>(callee); m && m->isExplicitObjectMemberFunction() && !lambdas && !isa<CXXOperatorCallExpr>(e))
          f.diag_.error(e->getExprLoc(), Hel::unsupported_expression, "a call of a function with an explicit object parameter");
        const unsigned builtin = callee->getBuiltinID();
        const StringRef name = callee->getIdentifier() ? callee->getName() : StringRef();
        if (!lambdas && (builtin == Builtin::BI__builtin_alloca || name == "alloca")) f.diag_.error(e->getBeginLoc(), Hel::alloca_call);
        if (f.fn_.device && !lambdas)
          if (const auto* m = dyn_cast<CXXMethodDecl>(callee))
            if (m->getParent()->getName() == "coroutine_handle" && m->getParent()->isInStdNamespace() && (name == "resume" || name == "destroy"))
              f.diag_.error(e->getExprLoc(), Hel::device_resume, name.str());
      }
      return true;
    }
    bool VisitCXXTryStmt(CXXTryStmt* s) {
      if (f.fn_.device) f.diag_.error(s->getBeginLoc(), Hel::device_exceptions);
      return true;
    }
    bool VisitCXXThrowExpr(CXXThrowExpr* e) {
      if (f.fn_.device) f.diag_.error(e->getBeginLoc(), Hel::device_exceptions);
      return true;
    }
  } checker(*this);
  checker.TraverseStmt(const_cast<Stmt*>(static_cast<const Stmt*>(body_->getBody())));
}

void FunctionLowering::parameters() {
  unsigned number = 0;
  for (const ParmVarDecl* p : fd_->parameters()) {
    ++number;
    const QualType t = p->getType();
    std::string name = p->getNameAsString();
    const std::optional<std::string> of_pack = ramp_element(p, nullptr);
    if (of_pack) {
      name = *of_pack;
    } else if (name.empty()) {
      name = "hel_p" + std::to_string(number);
      named_.push_back({p->getLocation(), name});
    }
    Slot s;
    s.spelling = p->getNameAsString();
    s.name = of_pack ? *pack_name(p) : !p->getDeclName() ? name : scan_.clashes(p) ? unique_name(name + "_2") : unique_name(name);
    names_.insert(s.name);
    s.origin = Origin::parameter;
    QualType object = t.getNonReferenceType();
    if (t->isReferenceType())
      s.form = Form::reference;
    else if (t->isScalarType() && !scan_.address_taken(p) && !t.isVolatileQualified()) {
      s.form = Form::scalar;
      object = t.getUnqualifiedType();
      s.loaded = scan_.modified(p);
    }
    if (spellable(object, ctx_, fd_, &local_names_)) {
      s.type = type_name(object, p->getLocation(), name);
    } else {
      s.type = numbered("hel_t", ++types_);
      fn_.declarations.push_back({"using " + s.type + " = ::std::remove_reference_t<decltype(" + name + ")>;", {}});
    }
    describe_type(s, object);
    s.array = false;
    s.where = line(p->getLocation());
    const SlotId id = b_.new_slot(std::move(s));
    slots_[p] = id;
    fn_.parameters.push_back({id, name});
  }
}

// A lambda coroutine reaches its captures through the closure: the frame keeps their addresses.
void FunctionLowering::captures() {
  const auto* m = dyn_cast<CXXMethodDecl>(fd_);
  if (!m) return;
  if (!m->getParent()->isLambda()) {
    fn_.has_this = m->isImplicitObjectMemberFunction();
    return;
  }
  llvm::DenseMap<const ValueDecl*, FieldDecl*> fields;
  FieldDecl* self = nullptr;
  m->getParent()->getCaptureFields(fields, self);
  if (self) fn_.has_this = true;
  if (self && outer_) {
    fn_.this_expression = "HEL_OUTER_THIS_";
    outer_names_[fn_.this_expression] = outer_self_;
  }
  for (const LambdaCapture& c : m->getParent()->captures()) {
    if (c.getCaptureKind() == LCK_StarThis && outer_) copied_self(self->getType(), m->isConst());
    if (!c.capturesVariable()) continue;
    if (const auto* b = dyn_cast<BindingDecl>(c.getCapturedVar())) {
      captured_binding(b, c, m->isConst() && c.getCaptureKind() == LCK_ByCopy);
      continue;
    }
    const auto* v = cast<VarDecl>(c.getCapturedVar());
    // Inside another coroutine an implicitly captured name may be spelled otherwise.
    std::string ramp_name = v->getNameAsString();
    if (const auto element = ramp_element(v, m->getParent())) ramp_name = outer_ ? *outer_->pack_name(v) : *element;
    if (outer_ && !c.isExplicit()) {
      // A reference is captured by its name (Substituter::capture_by_name).
      if (const auto it = outer_->slots_.find(v); it != outer_->slots_.end() && outer_->fn_.slots[it->second].form != Form::reference) {
        ramp_name = "HEL_OUTER_" + std::to_string(it->second) + "_";
        outer_names_[ramp_name] = slot_ref(it->second);
      }
    }
    Slot s;
    s.spelling = v->getNameAsString();
    s.name = unique_name(s.spelling);
    s.origin = Origin::capture;
    s.form = Form::reference;
    QualType t = v->getType().getNonReferenceType();
    const bool constant = c.getCaptureKind() == LCK_ByRef ? outer_ && outer_->constant_captures_.count(v) : m->isConst();
    if (constant) constant_captures_.insert(v);
    if (constant) t = t.withConst();
    // By name where g++ 12 does not take the type of an init-capture, a lambda inside a template.
    if (spellable(t, ctx_, fd_, &local_names_) && (!isa<FunctionDecl>(v->getDeclContext()) || (outer_ && (c.isExplicit() || !same_for_all_)))) {
      s.type = type_name(t, c.getLocation(), s.spelling);
    } else {
      // The name is in scope in the ramp: its type is that of the expression.
      const std::string alias = numbered("hel_t", ++types_);
      fn_.declarations.push_back({"using " + alias + " = " + (t.isConstQualified() ? "const " : "") + "::std::remove_reference_t<decltype((" + ramp_name + "))>;", {}});
      s.type = alias;
    }
    s.display = display_type(t, ctx_);
    s.loaded = false;
    const SlotId id = b_.new_slot(std::move(s));
    slots_[v] = id;
    fn_.captures.push_back({id, ramp_name});
  }
}

// Inside another coroutine the closure's own copy of *this has a name.
void FunctionLowering::copied_self(QualType t, bool constant) {
  t = t.getUnqualifiedType().getCanonicalType();
  // Clang 19 forgets that it is const in some closures; g++ 12 does not survive the type of the name in a generic one.
  fn_.this_expression = constant ? "::hel::abi::address(::std::as_const(hel_object))" : "::hel::abi::address(hel_object)";
  if (spellable(t, ctx_, fd_, &local_names_)) fn_.this_type = (constant ? "const " : "") + type_text(t, ctx_, &local_names_);
}

// It has the name in the closure, where it was captured by that.
void FunctionLowering::captured_binding(const BindingDecl* b, const LambdaCapture& c, bool constant) {
  std::string ramp_name = b->getNameAsString();
  if (outer_ && !c.isExplicit()) {
    if (!outer_->bindings_.count(b)) return diag_.error(c.getLocation(), Hel::structured_binding);
  }
  Slot s;
  s.spelling = b->getNameAsString();
  s.name = unique_name(s.spelling);
  s.origin = Origin::capture;
  s.form = Form::reference;
  s.type = numbered("hel_t", ++types_);
  fn_.declarations.push_back({"using " + s.type + " = " + (constant ? "const " : "") + "::std::remove_reference_t<decltype((" + ramp_name + "))>;", {}});
  s.display = display_type(b->getType(), ctx_);
  s.loaded = false;
  const SlotId id = b_.new_slot(std::move(s));
  bindings_[b] = slot_ref(id);
  fn_.captures.push_back({id, ramp_name});
}

void FunctionLowering::promise() {
  const VarDecl* p = body_->getPromiseDecl();
  fn_.promise_type = type_name(p->getType(), fd_->getLocation(), "promise_type");
  fn_.promise_size = static_cast<std::uint64_t>(ctx_.getTypeSizeInChars(p->getType()).getQuantity());
  fn_.promise_align = static_cast<std::uint64_t>(ctx_.getTypeAlignInChars(p->getType()).getQuantity());
  const Expr* init = p->getInit();
  if (init) init = init->IgnoreImplicit();
  std::vector<Text> preview;
  const auto* method = dyn_cast<CXXMethodDecl>(fd_);
  if (method && method->isImplicitObjectMemberFunction() && !method->getParent()->isLambda()) preview.push_back("*this");
  for (const Parameter& parameter : fn_.parameters) preview.push_back(slot_ref(parameter.slot));
  if (const auto* c = dyn_cast_or_null<CXXConstructExpr>(init)) {
    unsigned given = 0;
    for (const Expr* a : c->arguments()) given += !isa<CXXDefaultArgExpr>(a);
    if (given > 0 && given <= preview.size())
      fn_.promise_arguments.assign(preview.end() - given, preview.end());
  }

  const auto* proto = fd_->getType()->castAs<FunctionProtoType>();
  (void)proto;
  // operator new: the form that overload resolution chose.
  const auto* allocate = dyn_cast_or_null<CallExpr>(body_->getAllocate() ? body_->getAllocate()->IgnoreImplicit() : nullptr);
  const FunctionDecl* op_new = allocate ? allocate->getDirectCallee() : nullptr;
  const bool own_new = op_new && isa<CXXMethodDecl>(op_new);
  fn_.own_allocation = own_new;
  fn_.allocation_may_fail = body_->getReturnStmtOnAllocFailure() != nullptr;
  if (own_new) {
    fn_.allocate = "hel_promise_type::operator new(sizeof(" + mark(Mark::frame_type) + ")";
    const unsigned args = allocate->getNumArgs();
    unsigned given = 0;
    for (unsigned i = 1; i < args; ++i) given += !isa<CXXDefaultArgExpr>(allocate->getArg(i));
    // operator new sees the parameters themselves.
    std::vector<Text> originals;
    if (method && method->isImplicitObjectMemberFunction() && !method->getParent()->isLambda()) originals.push_back("*this");
    for (const Parameter& parameter : fn_.parameters) originals.push_back(parameter.name);
    if (fn_.allocation_may_fail && given == 1 && allocate->getArg(1)->getType().getAsString().find("nothrow") != std::string::npos) {
      fn_.allocate += ", ::std::nothrow";
    } else if (given == originals.size()) {
      for (const Text& o : originals) fn_.allocate += ", " + o;
    } else if (given != 0) {
      diag_.error(fd_->getLocation(), Hel::unsupported_expression, "this form of the promise's operator new");
    }
    fn_.allocate += ")";
  } else {
    fn_.allocate = (fn_.allocation_may_fail ? "::hel::abi::allocate_nothrow<" : "::hel::abi::allocate<") + mark(Mark::frame_type) + ">()";
  }
  const auto* deallocate = dyn_cast_or_null<CallExpr>(body_->getDeallocate() ? body_->getDeallocate()->IgnoreImplicit() : nullptr);
  const FunctionDecl* op_delete = deallocate ? deallocate->getDirectCallee() : nullptr;
  if (op_delete && isa<CXXMethodDecl>(op_delete))
    fn_.deallocate = std::string("hel_promise_type::operator delete(hel_f") + (op_delete->getNumParams() > 1 ? ", sizeof(*hel_f))" : ")");
  else
    fn_.deallocate = "::hel::abi::deallocate<" + mark(Mark::frame_type) + ">(hel_f)";

  QualType gro;
  if (const Expr* get = body_->getReturnValueInit()) gro = get->getType();
  const QualType result = fd_->getReturnType();
  if (result->isVoidType()) {
    fn_.void_get_return_object = true;
  } else if (!gro.isNull()) {
    if (const CXXRecordDecl* r = result->getAsCXXRecordDecl(); r && ctx_.hasSameUnqualifiedType(gro, result)) {
      bool movable = r->hasSimpleMoveConstructor() || r->hasSimpleCopyConstructor();
      for (const CXXConstructorDecl* c : r->ctors())
        if (c->isCopyOrMoveConstructor() && !c->isDeleted()) movable = true;
      fn_.immovable_return = !movable;
    }
    // A reference may be to the promise, which is gone if the coroutine runs to its end at once.
    if (body_->getReturnValueInit()->isGLValue() && !result->isReferenceType()) fn_.immovable_return = true;
  }
  fn_.catches = body_->getExceptionHandler() != nullptr;
  fn_.hidden_locals = may_hide_locals(fd_);
}

std::optional<Function> FunctionLowering::run() {
  const SourceRange braces = body_range(body_);
  scan_.run(body_->getBody(), braces);
  llvm::raw_string_ostream name(fn_.name);
  PrintingPolicy names(ctx_.getLangOpts());
  names.SuppressTagKeyword = true;
  names.AnonymousTagLocations = false;
  fd_->getNameForDiagnostic(name, names, /*Qualified=*/true);
  if (const auto* m = dyn_cast<CXXMethodDecl>(fd_); m && m->getParent()->isLambda()) fn_.name = "lambda at line " + std::to_string(line(fd_->getLocation()).line);
  fn_.where = line(fd_->getLocation());
  b_.where = fn_.where;
  find_packs();
  check_signature();
  if (diag_.failed()) return std::nullopt;
  for (const auto& [type, parameter] : named_arguments(fd_))
    if (const TagDecl* tag = type->getAsTagDecl(); tag && !spellable(type.getUnqualifiedType(), ctx_, fd_) && !local_names_.count(tag)) {
      // Const or not, whatever the argument is.
      if (parameter.find('<') == std::string::npos && !type.hasQualifiers()) {
        local_names_[tag] = parameter;
      } else {
        const std::string alias = numbered("hel_t", ++types_);
        fn_.declarations.push_back({"using " + alias + " = ::std::remove_cv_t<" + parameter + ">;", {}});
        local_names_[tag] = alias;
      }
    }
  parameters();
  use_empty_packs();
  captures();
  promise();
  initial_suspend();

  scope_region_ = b_.region();
  const BlockId final = b_.new_block();
  fn_.final = final;
  const Stmt* written = body_->getBody();
  if (written->getBeginLoc().isInvalid()) written = *cast<CompoundStmt>(written)->body_begin();
  statement(written);
  b_.where = line(braces.getEnd());
  if (b_.reachable()) {
    if (const Stmt* end = body_->getFallthroughHandler()) {
      if (isa<CoreturnStmt>(end)) {  // a promise type may have neither return_void nor return_value
        Instr i;
        i.op = Op::eval;
        i.text = mark(Mark::promise) + ".return_void()";
        b_.emit(std::move(i));
      }
      b_.leave(final, none);
    } else {
      b_.terminate({.exit = Exit::dead, .text = {}, .to = {}, .labels = {}, .await = {}, .where = b_.where});
    }
  }
  resolve_jumps();
  b_.enter(final, none);
  final_suspend();
  for (const Slot& s : fn_.slots)
    if (s.type.empty()) diag_.error(fd_->getLocation(), Hel::unspeakable_type, s.spelling.empty() ? s.name : s.spelling);
  if (diag_.failed()) return std::nullopt;
  // The final block was numbered first; it reads best at the end.
  return std::move(fn_);
}

}  // namespace hel::frontend
