// Statements that hold a suspension become blocks; the others stay text.
#include <algorithm>

#include "frontend/lower_function.hpp"
#include "frontend/substituter.hpp"
#include "frontend/type_text.hpp"

namespace hel::frontend {

using namespace clang;
using namespace ir;

unsigned FunctionLowering::end_with_semicolon(unsigned end) const { return text_.kind(end) == tok::semi ? end + 1 : end; }

void FunctionLowering::scoped(const std::function<void()>& inside) {
  const CleanupId depth = b_.top();
  b_.open_region();
  inside();
  b_.pop_to(depth);
  b_.close_region();
}

// A run of statements without suspensions, as text. Jumps out of it become jumps to the blocks that clean up.
void FunctionLowering::opaque(const Stmt* first, const Stmt* last, bool braces) {
  SourceText::Range r = range(first);
  const SourceText::Range end = range(last);
  if (r.empty() || end.empty()) {
    if (!isa<NullStmt>(first)) diag_.error(first->getBeginLoc(), Hel::in_macro, "a statement");
    return;
  }
  b_.where = line(first->getBeginLoc());
  r.end = isa<CompoundStmt>(last) ? end.end : end_with_semicolon(end.end);
  std::vector<BlockId> exits;
  std::vector<BlockId>* outer = exits_;
  exits_ = &exits;
  Substituter sub(*this, r);
  // The run is what stands between first and last in their parent: visit each.
  if (first == last) {
    sub.keep_labels(first);
    sub.TraverseStmt(const_cast<Stmt*>(first));
  } else {
    struct Find : RecursiveASTVisitor<Find> {
      const Stmt* first;
      const CompoundStmt* parent = nullptr;
      bool VisitCompoundStmt(CompoundStmt* c) {
        for (const Stmt* s : c->body())
          if (s == first) parent = c;
        return !parent;
      }
    } find;
    find.first = first;
    find.TraverseStmt(const_cast<Stmt*>(static_cast<const Stmt*>(body_->getBody())));
    bool in = false;
    for (const Stmt* s : find.parent->body()) {
      in |= s == first;
      if (in) sub.keep_labels(s);
      if (in) sub.TraverseStmt(const_cast<Stmt*>(s));
      if (s == last) break;
    }
  }
  exits_ = outer;
  Instr i;
  i.op = Op::statement;
  i.text = text_.render(r, sub.finish());
  if (isa<Expr>(last) && !i.text.ends_with(';')) i.text += ';';
  if (braces) i.text = "{ " + i.text + " }";
  i.exits = std::move(exits);
  i.where = line(first->getBeginLoc());
  b_.emit(std::move(i));
}

void FunctionLowering::compound(const CompoundStmt* s) {
  scoped([&] {
    std::vector<const Stmt*> parts(s->body_begin(), s->body_end());
    // What follows the last suspension or label is a piece of plain C++, with its own locals.
    std::size_t plain_from = parts.size();
    while (plain_from > 0 && !scan_.suspends(parts[plain_from - 1]) && !scan_.has_label(parts[plain_from - 1])) --plain_from;
    bool declares = false;
    for (std::size_t i = plain_from; i < parts.size(); ++i) declares |= isa<DeclStmt>(parts[i]);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (i >= plain_from && declares) {
        while (plain_from < parts.size() && isa<NullStmt>(parts.back()) && parts.size() > plain_from + 1) parts.pop_back();
        opaque(parts[i], parts.back(), true);
        break;
      }
      statement(parts[i]);
    }
  });
}

void FunctionLowering::full_expression(const Expr* e) {
  scoped([&] {
    const CleanupId depth = b_.top();
    Text t = value(e);
    Instr i;
    i.op = Op::eval;
    i.text = std::move(t);
    b_.emit(std::move(i));
    settle(depth);
  });
}

void FunctionLowering::condition(const Expr* e, BlockId yes, BlockId no) {
  const CleanupId depth = b_.top();
  b_.open_region();
  b_.where = line(e->getBeginLoc());
  Text t = value(e);
  if (b_.top() != depth) {
    // The temporaries go before the branch is taken.
    const SlotId s = slot_of_type(ctx_.BoolTy, Origin::temporary, "hel_v" + std::to_string(++temporaries_), e);
    fn_.slots[s].region = fn_.regions[b_.region()].parent;
    build({s, {}, {}}, Init::assign, "static_cast<bool>(" + t + ")");
    b_.pop_to(depth);
    t = slot_ref(s);
  }
  b_.close_region();
  b_.branch(std::move(t), yes, no, b_.where);
}

void FunctionLowering::statement(const Stmt* s) {
  if (const auto* a = dyn_cast<AttributedStmt>(s); a && (scan_.suspends(a) || scan_.has_label(a) || isa<NullStmt>(a->getSubStmt())))
    return statement(a->getSubStmt());  // [[likely]], [[fallthrough]] mean nothing between blocks
  b_.where = line(s->getBeginLoc());
  if (const auto* d = dyn_cast<DeclStmt>(s)) return declaration(d);
  if (const auto* c = dyn_cast<CoreturnStmt>(s)) return return_statement(c);
  if (isa<BreakStmt>(s) && !breaks_.empty()) return b_.leave(breaks_.back().block, breaks_.back().depth, b_.where);
  if (isa<ContinueStmt>(s) && !continues_.empty()) return b_.leave(continues_.back().block, continues_.back().depth, b_.where);
  if (const auto* g = dyn_cast<GotoStmt>(s)) return go_to(g->getLabel(), g->getGotoLoc());
  if (const auto* l = dyn_cast<LabelStmt>(s)) {
    const BlockId b = b_.new_block();
    b_.fall_into(b);
    labels_[l->getDecl()] = {b, b_.top(), position()};
    return statement(l->getSubStmt());
  }
  if (const auto* c = dyn_cast<SwitchCase>(s)) return switch_case(c);
  if (isa<NullStmt>(s)) return;
  if (!scan_.suspends(s) && !scan_.has_label(s)) return opaque(s, s, false);
  if (const auto* e = dyn_cast<Expr>(s)) return full_expression(e);
  switch (s->getStmtClass()) {
  case Stmt::CompoundStmtClass: return compound(cast<CompoundStmt>(s));
  case Stmt::IfStmtClass: return if_statement(cast<IfStmt>(s));
  case Stmt::WhileStmtClass: return while_statement(cast<WhileStmt>(s));
  case Stmt::DoStmtClass: return do_statement(cast<DoStmt>(s));
  case Stmt::ForStmtClass: return for_statement(cast<ForStmt>(s));
  case Stmt::CXXForRangeStmtClass: return range_for(cast<CXXForRangeStmt>(s));
  case Stmt::SwitchStmtClass: return switch_statement(cast<SwitchStmt>(s));
  case Stmt::CXXTryStmtClass: return try_statement(cast<CXXTryStmt>(s));
  default: return diag_.error(s->getBeginLoc(), Hel::unsupported_statement, s->getStmtClassName());
  }
}

void FunctionLowering::if_statement(const IfStmt* s) {
  scoped([&] {
    if (s->isConsteval()) return diag_.error(s->getBeginLoc(), Hel::unsupported_statement, "if consteval");
    if (s->getInit()) statement(s->getInit());
    if (s->getConditionVariableDeclStmt()) declaration(s->getConditionVariableDeclStmt());
    if (s->isConstexpr()) {
      Expr::EvalResult known;
      if (s->getCond()->EvaluateAsConstantExpr(known, ctx_)) {
        const Stmt* taken = known.Val.isInt() && known.Val.getInt().getBoolValue() ? s->getThen() : s->getElse();
        if (taken) scoped([&] { statement(taken); });
        return;
      }
    }
    const BlockId yes = b_.new_block(), no = s->getElse() ? b_.new_block() : ir::none, join = b_.new_block();
    const CleanupId top = b_.top();
    condition(s->getCond(), yes, s->getElse() ? no : join);
    b_.enter(yes, top);
    scoped([&] { statement(s->getThen()); });
    b_.leave(join, top);
    if (s->getElse()) {
      b_.enter(no, top);
      scoped([&] { statement(s->getElse()); });
      b_.leave(join, top);
    }
    b_.enter(join, top);
  });
}

void FunctionLowering::while_statement(const WhileStmt* s) {
  const BlockId head = b_.new_block();
  b_.fall_into(head);
  const CleanupId outside = b_.top();
  const BlockId body = b_.new_block(), leaves = b_.new_block(), out = b_.new_block();
  b_.open_region();
  if (s->getConditionVariableDeclStmt()) declaration(s->getConditionVariableDeclStmt());
  const CleanupId inside = b_.top();
  condition(s->getCond(), body, leaves);
  b_.enter(body, inside);
  breaks_.push_back({out, outside});
  continues_.push_back({head, outside});
  scoped([&] { statement(s->getBody()); });
  breaks_.pop_back();
  continues_.pop_back();
  b_.leave(head, outside);
  b_.enter(leaves, inside);
  b_.leave(out, outside);
  b_.close_region();
  b_.enter(out, outside);
}

void FunctionLowering::do_statement(const DoStmt* s) {
  const BlockId body = b_.new_block(), test = b_.new_block(), out = b_.new_block();
  b_.fall_into(body);
  const CleanupId top = b_.top();
  breaks_.push_back({out, top});
  continues_.push_back({test, top});
  scoped([&] { statement(s->getBody()); });
  breaks_.pop_back();
  continues_.pop_back();
  b_.fall_into(test);
  b_.enter(test, top);
  condition(s->getCond(), body, out);
  b_.enter(out, top);
}

void FunctionLowering::for_statement(const ForStmt* s) {
  scoped([&] {
    if (s->getInit()) statement(s->getInit());
    const BlockId head = b_.new_block(), body = b_.new_block(), leaves = b_.new_block(), next = b_.new_block(), out = b_.new_block();
    b_.fall_into(head);
    const CleanupId outside = b_.top();
    b_.open_region();
    if (s->getConditionVariableDeclStmt()) declaration(s->getConditionVariableDeclStmt());
    const CleanupId inside = b_.top();
    if (s->getCond())
      condition(s->getCond(), body, leaves);
    else
      b_.leave(body, inside);
    b_.enter(body, inside);
    breaks_.push_back({out, outside});
    continues_.push_back({next, inside});
    scoped([&] { statement(s->getBody()); });
    breaks_.pop_back();
    continues_.pop_back();
    b_.leave(next, inside);
    b_.enter(next, inside);
    if (s->getInc()) {
      b_.where = line(s->getInc()->getBeginLoc());
      full_expression(s->getInc());
    }
    b_.leave(head, outside);
    b_.enter(leaves, inside);
    b_.leave(out, outside);
    b_.close_region();
    b_.enter(out, outside);
  });
}

// [stmt.ranged]: __range, __begin and __end are variables like others, but nobody wrote their initializers.
void FunctionLowering::range_for(const CXXForRangeStmt* s) {
  scoped([&] {
    if (s->getInit()) statement(s->getInit());
    const auto* range = cast<VarDecl>(s->getRangeStmt()->getSingleDecl());
    const auto* first = cast<VarDecl>(s->getBeginStmt()->getSingleDecl());
    const auto* last = cast<VarDecl>(s->getEndStmt()->getSingleDecl());
    variable(range);
    const Text object = slot_ref(slots_[range]);
    const auto bound = [&](const VarDecl* v, const char* function, bool end) {
      const Expr* init = v->getInit()->IgnoreImplicit();
      Text t;
      if (const auto* call = dyn_cast<CallExpr>(init)) {
        t = isa<CXXMemberCallExpr>(call) ? object + "." + function + "()" : found_by_arguments(function) + "(" + object + ")";
      } else if (end) {
        const ConstantArrayType* a = ctx_.getAsConstantArrayType(range->getType().getNonReferenceType());
        t = object + " + " + std::to_string(a ? a->getSize().getZExtValue() : 0);
      } else {
        t = object + " + 0";
      }
      const SlotId id = declare(v);
      slots_[v] = id;
      build({id, {}, {}}, fn_.slots[id].form == Form::scalar ? Init::assign : Init::direct, t);
      if (fn_.slots[id].form == Form::object) push_cleanup(id);
    };
    bound(first, "begin", false);
    bound(last, "end", true);
    const BlockId head = b_.new_block(), body = b_.new_block(), next = b_.new_block(), out = b_.new_block();
    b_.fall_into(head);
    const CleanupId top = b_.top();
    const Text at = slot_ref(slots_[first]);
    b_.branch(at + " != " + slot_ref(slots_[last]), body, out, line(s->getForLoc()));
    b_.enter(body, top);
    breaks_.push_back({out, top});
    continues_.push_back({next, top});
    scoped([&] {
      const VarDecl* v = s->getLoopVariable();
      b_.where = line(v->getLocation());
      const SlotId id = declare(v);
      slots_[v] = id;
      const Expr* init = v->getInit();
      const Text element = "*" + at;
      if (fn_.slots[id].form == Form::reference) {
        // A proxy iterator's element is a temporary that the reference keeps alive.
        const Expr* e = init;
        while (isa<ExprWithCleanups, ImplicitCastExpr>(e)) e = cast<Expr>(*e->children().begin());
        if (const auto* m = dyn_cast<MaterializeTemporaryExpr>(e)) {
          const SlotId t = slot_of_type(m->getType(), Origin::temporary, "hel_element" + std::to_string(++temporaries_), m);
          fn_.slots[t].form = Form::object;
          build({t, {}, {}}, Init::direct, element);
          push_cleanup(t);
          build({id, {}, {}}, Init::bind, temporary_value(t, m));
        } else {
          build({id, {}, {}}, Init::bind, element);
        }
      } else {
        build({id, {}, {}}, fn_.slots[id].form == Form::scalar ? Init::assign : Init::direct, element);
        if (fn_.slots[id].form == Form::object) push_cleanup(id);
      }
      if (const auto* d = dyn_cast<DecompositionDecl>(v)) decomposition(d, id);
      scoped([&] { statement(s->getBody()); });
    });
    breaks_.pop_back();
    continues_.pop_back();
    b_.fall_into(next);
    b_.enter(next, top);
    Instr i;
    i.op = Op::eval;
    i.text = "++" + at;
    i.where = line(s->getForLoc());
    b_.emit(std::move(i));
    b_.leave(head, top);
    b_.enter(out, top);
  });
}

void FunctionLowering::switch_statement(const SwitchStmt* s) {
  scoped([&] {
    if (s->getInit()) statement(s->getInit());
    if (s->getConditionVariableDeclStmt()) declaration(s->getConditionVariableDeclStmt());
    const CleanupId top = b_.top();
    const BlockId out = b_.new_block();
    b_.open_region();
    b_.where = line(s->getCond()->getBeginLoc());
    Text t = value(s->getCond());
    if (b_.top() != top) {
      const SlotId v = slot_of_type(s->getCond()->getType(), Origin::temporary, "hel_v" + std::to_string(++temporaries_), s->getCond());
      fn_.slots[v].region = fn_.regions[b_.region()].parent;
      build({v, {}, {}}, Init::assign, t);
      b_.pop_to(top);
      t = slot_ref(v);
    }
    b_.close_region();
    Terminator select;
    select.exit = Exit::select;
    select.text = std::move(t);
    select.where = b_.where;
    bool has_default = false;
    std::vector<std::pair<const SwitchCase*, BlockId>> entries;
    for (const SwitchCase* c = s->getSwitchCaseList(); c; c = c->getNextSwitchCase()) {
      const BlockId edge = b_.new_block();  // enters the scope that the label is in
      entries.push_back({c, edge});
      select.to.push_back(edge);
      cases_[c].block = b_.new_block();
      if (const auto* value_case = dyn_cast<CaseStmt>(c)) {
        select.labels.push_back(plain(value_case->getLHS()));
        if (value_case->getRHS()) select.labels.back() += " ... " + plain(value_case->getRHS());  // GNU's
      } else {
        has_default = true;
        select.labels.push_back({});
      }
    }
    if (!has_default) {
      select.to.push_back(out);
      select.labels.push_back({});
    }
    const Position selects = position();
    b_.terminate(std::move(select));
    breaks_.push_back({out, top});
    scoped([&] { statement(s->getBody()); });
    breaks_.pop_back();
    b_.leave(out, top);
    for (const auto& [c, edge] : entries) {
      b_.enter(edge, top);
      enter_scope(cases_[c], selects, c->getBeginLoc());
    }
    b_.enter(out, top);
  });
}

void FunctionLowering::switch_case(const SwitchCase* s) {
  const auto it = cases_.find(s);
  if (it == cases_.end()) return diag_.error(s->getBeginLoc(), Hel::unsupported_statement, "case");
  b_.fall_into(it->second.block);
  it->second.depth = b_.top();
  it->second.where = position();
  statement(s->getSubStmt());
}

// From `from` to a place inside a scope: what lies on the way in must need no construction.
void FunctionLowering::enter_scope(const Label& to, const Position& from, SourceLocation at) {
  const CleanupId depth = to.depth;
  std::set<CleanupId> target;
  for (CleanupId c = depth; c != ir::none; c = fn_.cleanups[c].parent) target.insert(c);
  CleanupId common = b_.top();
  while (common != ir::none && !target.count(common)) common = fn_.cleanups[common].parent;
  b_.pop_to(common);
  for (CleanupId c = depth; c != common; c = fn_.cleanups[c].parent) {
    const Slot& s = fn_.slots[fn_.cleanups[c].slot];
    if (!s.trivial) diag_.error(at, Hel::jump_into_scope, s.spelling.empty() ? s.name : s.spelling);
  }
  if (common != depth) b_.drop_to(depth);
  // Variables without an initializer that the jump leaves out are there from here on, with no value: what they held
  // before is of no use.
  std::set<std::uint32_t> around;
  for (std::uint32_t r = from.region; r != ir::none; r = fn_.regions[r].parent) around.insert(r);
  for (std::uint32_t r = to.where.region; r != ir::none; r = fn_.regions[r].parent)
    for (std::size_t s = around.count(r) ? from.slots : 0; s < to.where.slots; ++s) {
      if (fn_.slots[s].region != r || fn_.slots[s].origin != Origin::local) continue;
      Instr begin;
      begin.op = Op::begin;
      begin.slot = static_cast<SlotId>(s);
      b_.emit(std::move(begin));
    }
  b_.leave(to.block, depth);
}

void FunctionLowering::try_statement(const CXXTryStmt* s) {
  const CleanupId outside = b_.top();
  const BlockId handlers = b_.new_block(), join = b_.new_block();
  const auto number = static_cast<std::uint32_t>(fn_.handlers.size());
  fn_.handlers.push_back({});
  fn_.blocks[handlers].entry = outside;
  Cleanup c;
  c.handler = number;
  fn_.handlers[number].block = handlers;
  b_.push(std::move(c));
  fn_.handlers[number].node = b_.top();
  compound(s->getTryBlock());
  b_.leave(join, outside);

  // The catch clauses stay as they are: nothing in them can suspend.
  b_.enter(handlers, outside);
  std::vector<BlockId> exits;
  std::vector<BlockId>* outer = exits_;
  exits_ = &exits;
  Instr i;
  i.op = Op::statement;
  i.where = line(s->getHandler(0)->getBeginLoc());
  for (unsigned h = 0; h < s->getNumHandlers(); ++h) {
    const CXXCatchStmt* clause = s->getHandler(h);
    i.text += (h ? "\n" : "") + plain(text_.tokens(clause->getSourceRange()), clause);
  }
  exits_ = outer;
  i.exits = std::move(exits);
  b_.emit(std::move(i));
  b_.leave(join, outside);
  b_.enter(join, outside);
}

void FunctionLowering::return_statement(const CoreturnStmt* s) {
  scoped([&] {
    Instr i;
    i.op = Op::eval;
    i.where = line(s->getKeywordLoc());
    const Expr* operand = s->getOperand();
    if (returns_value(s)) {
      const Expr* argument = operand;
      if (const auto* call = dyn_cast<CallExpr>(s->getPromiseCall()->IgnoreImplicit()); call && call->getNumArgs() == 1) argument = call->getArg(0);
      Text t = value(argument);
      if (const auto* ref = dyn_cast<DeclRefExpr>(operand->IgnoreParenImpCasts()); ref && operand->isXValue() && !must_decompose(operand))
        t = "static_cast<::std::remove_reference_t<decltype((" + t + "))>&&>(" + t + ")";
      i.text = mark(Mark::promise) + ".return_value(" + t + ")";
    } else {
      if (operand) full_expression(operand);
      i.text = mark(Mark::promise) + ".return_void()";
    }
    b_.emit(std::move(i));
  });
  b_.leave(fn_.final, ir::none, line(s->getKeywordLoc()));
}

BlockId FunctionLowering::goto_block(const LabelDecl* to, SourceLocation at) {
  const BlockId edge = b_.new_block();
  fn_.blocks[edge].entry = b_.top();
  jumps_.push_back({edge, position(), to, at});
  return edge;
}

void FunctionLowering::go_to(const LabelDecl* to, SourceLocation at) {
  const BlockId edge = goto_block(to, at);
  b_.leave(edge, b_.top(), line(at));
}

// Labels are known now: fill the blocks that lead to them.
void FunctionLowering::resolve_jumps() {
  for (const Jump& j : jumps_) {
    const auto it = labels_.find(j.to);
    if (it == labels_.end()) {
      diag_.error(j.at, Hel::unsupported_statement, "goto");
      continue;
    }
    b_.enter(j.from, fn_.blocks[j.from].entry);
    enter_scope(it->second, j.where, j.at);
  }
}

}  // namespace hel::frontend
