// [expr.new]: the memory is there before the initializer is evaluated, and goes back when that does not come to an end.
#include "frontend/lower_function.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

namespace {

Text owner(const FunctionDecl* f, ASTContext& ctx) {
  const auto* m = dyn_cast<CXXMethodDecl>(f);
  if (!m) return {};
#if CLANG_VERSION_MAJOR >= 22
  return type_text(ctx.getCanonicalTagType(m->getParent()), ctx);
#else
  return type_text(ctx.getRecordType(m->getParent()), ctx);
#endif
}

// The initializers of an array's elements.
llvm::ArrayRef<Expr*> given_elements(const Expr* init) {
  while (isa<ExprWithCleanups, ConstantExpr, CXXBindTemporaryExpr>(init)) init = cast<Expr>(*init->children().begin());
  if (const auto* list = dyn_cast<InitListExpr>(init)) return const_cast<InitListExpr*>(list)->inits();
  if (const auto* list = dyn_cast<CXXParenListInitExpr>(init))
    return const_cast<CXXParenListInitExpr*>(list)->getUserSpecifiedInitExprs();
  return {};
}

}  // namespace

Text FunctionLowering::new_expression(const CXXNewExpr* e) {
  std::vector<Operand> list;
  for (const Expr* p : e->placement_arguments())
    if (!isa<CXXDefaultArgExpr>(p)) list.push_back({p, p->isPRValue()});
  const Expr* const length = e->getArraySize().value_or(nullptr);  // none of new T[]{...}
  if (length) list.push_back({length});
  const Expr* init = e->getInitializer();
  if (!init || !(scan_.suspends(init) || (hoist_ && scan_.has_temporary(init)))) {
    // Only placement arguments or the size suspend; what follows is text.
    return operands(e, std::move(list), true);
  }
  const FunctionDecl* allocate = e->getOperatorNew();
  const FunctionDecl* deallocate = e->getOperatorDelete();
  const bool in_place = allocate->isReservedGlobalPlacementOperator();
  const QualType t = e->getAllocatedType().getUnqualifiedType();
  const Text type = type_name(t, e->getBeginLoc(), "new");
  const llvm::ArrayRef<Expr*> given = e->isArray() ? given_elements(init) : llvm::ArrayRef<Expr*>();
  const bool cookie = e->isArray() && !in_place && (e->doesUsualArrayDeleteWantSize() || t.isDestructedType());
  const bool throws = !e->shouldNullCheckAllocation() && !in_place;
  const std::string of_array = type + ", " + (cookie ? "true" : "false");

  // What deallocation must know is kept with the memory.
  struct Kept {
    Text member, type, value;
  };
  std::vector<Kept> kept;
  const bool hoisted = hoist_;
  hoist_ = true;
  std::optional<std::uint64_t> fixed;  // the length
  Text count, arguments, size = "sizeof(" + type + ")";
  for (const Expr* p : e->placement_arguments()) {
    const auto* d = dyn_cast<CXXDefaultArgExpr>(p);
    const bool object = p->isPRValue() && p->getType()->isRecordType();
    if (object && !p->getType().isTriviallyCopyableType(ctx_))
      diag_.error(p->getBeginLoc(), Hel::unsupported_expression, "new with a placement argument that is copied");
    const Text v = d ? default_argument({d->getExpr(), p->isPRValue(), d}, false) : spill({p});
    arguments += ", " + v;
    if (in_place || !deallocate) continue;
    const Text name = "hel_a" + std::to_string(kept.size() + 1);
    const QualType of = p->getType().getNonReferenceType();
    const bool by_address = p->isGLValue() || object;
    kept.push_back({name,
                    type_name(by_address ? ctx_.getPointerType(of) : of.getUnqualifiedType(), p->getBeginLoc(),
                              "placement argument"),
                    by_address ? "::hel::abi::address(" + v + ")" : v});
  }
  if (e->isArray()) {
    Expr::EvalResult known;
    if (!length)
      fixed = given.size();
    else if (length->EvaluateAsInt(known, ctx_))  // or nobody wrote it
      fixed = known.Val.getInt().getZExtValue();
    count = fixed ? std::to_string(*fixed) : spill({length});
    size = "::hel::abi::array_bytes<" + of_array + ", " + (throws ? "true" : "false") + ">(" + count + ", " +
           std::to_string(given.size()) + ")";
    kept.insert(kept.begin(), {"hel_count", "::std::size_t", "static_cast<::std::size_t>(" + count + ")"});
  }
  const std::string alignment = e->passAlignment() ? ", ::std::align_val_t(alignof(" + type + "))" : "";
  const std::string brackets = e->isArray() ? "[]" : "";
  const std::string number = std::to_string(++temporaries_);
  Slot memory;
  memory.name = unique_name("hel_memory" + number);
  memory.type = "void*";
  memory.origin = Origin::temporary;
  describe_type(memory, ctx_.VoidPtrTy);
  if (!kept.empty()) {
    memory.type = "hel_new" + number;
    memory.display = "the memory of new";
    memory.size += kept.size() * memory.size;
    memory.aggregate = true;
    Text members = "void* hel_memory;";
    for (const Kept& k : kept) members += " " + k.type + " " + k.member + ";";
    fn_.declarations.push_back({"struct " + memory.type + " { " + members + " };", {}});
  }
  const SlotId m = b_.new_slot(std::move(memory));
  Text made = owner(allocate, ctx_) + "::operator new" + brackets + "(" + size + alignment + arguments + ")";
  for (const Kept& k : kept) made += ", " + k.value;
  build({m, {}, {}}, kept.empty() ? Init::direct : Init::list, kept.empty() ? made : "{" + made + "}");
  const auto part = [&](const Text& member) { return kept.empty() ? slot_ref(m) : slot_ref(m) + "." + member; };
  const Text at = part("hel_memory");
  Text first =
      e->isArray() ? "::hel::abi::elements<" + of_array + ">(" + at + ")" : "static_cast<" + type + "*>(" + at + ")";

  const auto initialise = [&] {
    const CleanupId depth = b_.top();
    Cleanup free;
    free.slot = m;
    if (deallocate && !in_place) {
      Text told = e->getNumPlacementArgs() ? alignment : std::string();
      if (e->getNumPlacementArgs()) {  // the matching one
        for (std::size_t i = e->isArray() ? 1 : 0, p = 0; i < kept.size(); ++i, ++p) {
          const Expr* argument = e->getPlacementArg(static_cast<unsigned>(p));
          const bool by_address = argument->isGLValue() || argument->getType()->isRecordType();
          const Text v = part(kept[i].member);
          told += ", " + (!by_address ? v
                          : argument->isLValue()
                              ? "*" + v
                              : "static_cast<::std::remove_reference_t<decltype(*" + v + ")>&&>(*" + v + ")");
        }
      } else {
        // What the usual one is told, of what it can be told.
        if (isa<CXXMethodDecl>(deallocate) || e->passAlignment())
          for (const ParmVarDecl* p : llvm::drop_begin(deallocate->parameters()))
            told += p->getType()->isAlignValT()      ? alignment
                    : !p->getType()->isIntegerType() ? Text()
                    : e->isArray() ? ", ::hel::abi::array_bytes<" + of_array + ", false>(" + part("hel_count") + ", 0)"
                                   : ", " + size;
      }
      free.code = owner(deallocate, ctx_) + "::operator delete" + brackets + "(" + at + told + ")";
    }
    b_.push(std::move(free));
    std::vector<CleanupId> parts{b_.top()};
    const Destination object{m, "(*" + first + ")", type};
    if (e->isArray()) {
      const auto evaluate = [&](Text text) {
        Instr i;
        i.op = Op::eval;
        i.text = std::move(text);
        b_.emit(std::move(i));
      };
      if (cookie) evaluate("::hel::abi::write_cookie<" + type + ">(" + at + ", " + part("hel_count") + ")");
      Element element;
      element.slot = m;
      element.whole = slot_ref(m);
      element.type = t;
      element.at = e->getBeginLoc();
      for (std::size_t i = 0; i < given.size(); ++i) {
        element.place = first + "[" + std::to_string(i) + "]";
        build_element(given[i], element, parts);
      }
      if (fixed != given.size())
        evaluate("::hel::abi::fill(" + first + ", " + std::to_string(given.size()) + ", " + part("hel_count") + ")");
    } else if (t->isRecordType()) {
      into(init, object, e->getInitializationStyle() == CXXNewInitializationStyle::Braces ? Init::list : Init::direct);
    } else if (const auto* l = dyn_cast<InitListExpr>(init)) {
      build(object, Init::list, l->getNumInits() ? "{" + value(l->getInit(0)) + "}" : "{}");
    } else {
      build(object, Init::direct, value(init));
    }
    // The object is complete: the memory is its own now, temporaries stay.
    make_whole(depth, parts);
    // The pointer's slot is needed to the end of the full-expression.
    Cleanup storage;
    storage.slot = m;
    b_.push(std::move(storage));
  };
  if (e->shouldNullCheckAllocation())
    arms(at + " != nullptr", initialise, [] {});
  else
    initialise();
  hoist_ = hoisted;
  if (conditional_) begin_at_branch(m);
  if (!e->shouldNullCheckAllocation()) return first;
  return "(" + at + " ? " + first + " : nullptr)";
}

}  // namespace hel::frontend
