#include "check.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "scope.hpp"

namespace hel::fuzz {

namespace {

bool any(const Expr& e, bool (*test)(const Expr&)) {
  return test(e) || std::any_of(e.kids.begin(), e.kids.end(), [&](const Expr& k) { return any(k, test); });
}

// Operands without an order between them: those of built-in operators, arguments in parentheses.
bool is_unordered(const Expr& e) {
  return e.op == Op::binary || e.op == Op::use || e.op == Op::await_child || (e.op == Op::both && e.value == 0);
}

// Where an assignment may stand: nothing else in the full-expression is unsequenced with it.
bool passes_assignments(Op op) {
  return op == Op::comma || op == Op::logical_and || op == Op::logical_or || op == Op::conditional ||
         op == Op::short_conditional || op == Op::assign;
}

}  // namespace

bool suspends(const Expr& e) {
  return any(e, [](const Expr& x) {
    return (x.op >= Op::await_int && x.op <= Op::yield_trace) || x.op == Op::await_give || x.op == Op::await_lend;
  });
}

bool has_effects(const Expr& e) {
  return any(e, [](const Expr& x) {
    switch (x.op) {
    case Op::number:
    case Op::int_variable:
    case Op::int_element:
    case Op::id:
    case Op::plus:
    case Op::binary:
    case Op::negate:
    case Op::logical_and:
    case Op::logical_or:
    case Op::conditional:
    case Op::short_conditional:
    case Op::comma:
    case Op::trace_variable:
    case Op::field:
    case Op::trace_element:
    case Op::lvalue_conditional:
    case Op::lvalue_comma:
    case Op::move: return false;
    default: return true;
    }
  });
}

bool is_stable(const Expr& e) {
  switch (e.op) {
  case Op::trace_variable:
  case Op::field:
  case Op::trace_element: return true;
  case Op::lvalue_conditional: return is_stable(e.kids[1]) && is_stable(e.kids[2]);
  case Op::lvalue_comma: return is_stable(e.kids[1]);
  case Op::ref:
  case Op::await_lend: return is_stable(e.kids[0]);
  default: return false;
  }
}

bool is_ordered(const Expr& e) {
  if (e.op == Op::with_default && has_effects(e.kids[0])) return false;  // the default argument has some
  if (is_unordered(e)) {
    // Compilers reorder what stands behind the last suspension; so it may only be one operand that has effects.
    int effects = 0;
    const Expr* last = nullptr;
    for (const Expr& kid : e.kids) {
      if (has_effects(kid)) ++effects, last = &kid;
    }
    if (effects > 1 && !suspends(*last)) return false;
  }
  return std::all_of(e.kids.begin(), e.kids.end(), is_ordered);
}

namespace {

// Constructs to leave out while a fault with them is open: HEL_FUZZ_AVOID=throw,pair,list
bool avoided(const char* construct) {
  static const char* const list = std::getenv("HEL_FUZZ_AVOID");
  return list && std::strstr(list, construct);
}

bool supported(const Expr& e) {
  if (e.op == Op::conditional_throw && avoided("throw")) return false;
  if ((e.op == Op::pair_first || e.op == Op::pair_number) && avoided("pair")) return false;
  if ((e.op == Op::own_new || e.op == Op::own_array) && avoided("new")) return false;
  if (e.op == Op::with_default && avoided("default")) return false;
  return std::all_of(e.kids.begin(), e.kids.end(), supported);
}

}  // namespace

bool is_supported(const Expr& e) { return !suspends(e) || supported(e); }

bool has_array(const Expr& e) {
  return any(e, [](const Expr& x) { return x.op == Op::own_array; });
}

bool has_early_array(const Expr& e) {
  if (e.op == Op::own_array) return std::any_of(e.kids.begin(), e.kids.end(), has_array);
  if (e.op == Op::conditional) return has_array(e.kids[0]) || has_early_array(e.kids[1]) || has_early_array(e.kids[2]);
  const bool last_is_last = e.op == Op::negate || e.op == Op::note || e.op == Op::comma || e.op == Op::logical_and ||
                            e.op == Op::logical_or || e.op == Op::short_conditional;
  if (!last_is_last) return has_array(e);
  return std::any_of(e.kids.begin(), e.kids.end() - 1, has_array) || has_early_array(e.kids.back());
}

bool is_built_in_place(const Expr& e) {
  if (e.op == Op::trace_comma) return is_built_in_place(e.kids[1]);
  return e.op != Op::trace_conditional || !suspends(e);
}

namespace {

class Checker {
 public:
  explicit Checker(const Program& p) : program_(p) {}

  bool program() {
    for (std::size_t i = 0; i < program_.coroutines.size(); ++i) {
      const Coroutine& c = program_.coroutines[i];
      coroutine_ = i;
      Scope scope(names_);
      names_.declare({"a", Names::number});
      names_.declare({"t", Names::trace, c.passing == Passing::constant_reference});
      statements(c.body);
      full(c.result, Type::integer);
    }
    return good_;
  }

 private:
  struct Place {  // what surrounds a statement
    bool loop = false, breakable = false;
  };

  void require(bool condition) { good_ = good_ && condition; }
  const Name* known(const std::string& name, Names kind) {
    const Name* n = names_.find(name);
    require(n && n->kind == kind);
    return good_ ? n : nullptr;
  }
  // A name cannot be used in its own initialiser.
  void declare(const std::string& name) { require(names_.declare({name})); }
  void define(const std::string& name, Names kind, bool constant = false, bool fixed = false, int length = 0) {
    if (Name* n = names_.find(name)) *n = {name, kind, constant, fixed, length};
  }

  const Coroutine* callee(const std::string& name) {
    for (std::size_t i = coroutine_ + 1; i < program_.coroutines.size(); ++i) {
      if (program_.coroutines[i].name == name) return &program_.coroutines[i];
    }
    require(false);
    return nullptr;
  }

  void expression(const Expr& e, bool assignable) {
    if (!good_) return;
    if (e.op == Op::assign) require(assignable);
    switch (e.op) {
    case Op::int_variable: known(e.name, Names::number); break;
    case Op::assign:
      if (const Name* n = known(e.name, Names::number)) require(!n->fixed && !n->constant);
      break;
    case Op::int_element:
      if (const Name* n = known(e.name, Names::ints)) require(n->length == e.value);
      break;
    case Op::trace_element:
      if (const Name* n = known(e.name, Names::traces)) require(n->length == e.value && n->constant == e.constant);
      break;
    case Op::trace_variable:
      if (const Name* n = known(e.name, Names::trace)) require(n->constant == e.constant);
      break;
    case Op::field:
      if (const Name* n = known(e.name, e.value == 2 ? Names::check : Names::pair)) require(n->constant == e.constant);
      break;
    case Op::move:
      if (const Name* n = known(e.name, Names::trace)) require(!n->constant);
      break;
    case Op::call_lambda: known(e.name, Names::lambda); break;
    case Op::await_job: known(e.name, Names::job); break;
    case Op::await_lend: require(!e.kids[0].constant && e.kids[0].type() == Type::lvalue); break;
    case Op::await_child:
      if (const Coroutine* c = callee(e.name)) {
        require(c->passing != Passing::value);
        if (c->passing == Passing::reference) require(e.kids[1].type() == Type::lvalue && !e.kids[1].constant);
      }
      break;
    case Op::trace_conditional:
      for (int i : {1, 2}) {
        require(e.kids[i].type() == Type::prvalue || (e.kids[i].type() == Type::lvalue && !e.kids[i].constant));
      }
      require(e.kids[1].type() == Type::prvalue || e.kids[2].type() == Type::prvalue);
      break;
    default: break;
    }
    for (const Expr& kid : e.kids) expression(kid, assignable && passes_assignments(e.op));
  }

  void full(const Expr& e) {
    expression(e, true);
    require(is_ordered(e) && is_supported(e) && !has_early_array(e));
    if (in_handler_) require(!suspends(e));
  }
  // A list in braces is one full-expression.
  void full(const std::vector<Expr>& list) {
    for (const Expr& e : list) full(e), require(list.size() == 1 || !has_array(e));
    if (std::any_of(list.begin(), list.end(), suspends)) {
      for (const Expr& e : list) require(supported(e));
    }
  }
  void full(const Expr& e, Type type) {
    require(e.type() == type);
    full(e);
  }

  void statements(const Body& body) {
    for (const Stmt& s : body) {
      if (good_) statement(s);
    }
  }
  void block(const Body& body) {
    Scope scope(names_);
    statements(body);
  }
  void in(Place place, auto&& check) {
    const Place saved = place_;
    place_ = place;
    check();
    place_ = saved;
  }
  void loop_body(const Stmt& s) {
    in({true, true}, [&] { statements(s.bodies[0]); });
  }
  void counter(const Stmt& s) {
    declare(s.name);
    define(s.name, Names::number, false, true);
  }

  void parts(const std::vector<Expr>& exprs) {  // of a pair, written in braces
    full(exprs);
    require(exprs[2].type() == Type::integer);
  }

  void statement(const Stmt& s) {
    switch (s.kind) {
    case Kind::say: full(s.exprs[0], Type::integer); break;
    case Kind::discard: full(s.exprs[0]); break;
    case Kind::declare_int:
      declare(s.name);
      full(s.exprs[0], Type::integer);
      define(s.name, Names::number);
      break;
    case Kind::declare_trace:
      declare(s.name);
      full(s.exprs[0]);
      require(s.style != 2 || !suspends(s.exprs[0]) || !avoided("list"));
      define(s.name, Names::trace, s.style == 4);
      break;
    case Kind::declare_relay:
      declare(s.name);
      full(s.exprs[0]);
      require(is_built_in_place(s.exprs[0]));
      define(s.name, Names::trace);
      break;
    case Kind::declare_ref:
      declare(s.name);
      full(s.exprs[0]);
      require(s.exprs[0].type() != Type::lvalue || is_stable(s.exprs[0]));
      if (s.style == 1) require(s.exprs[0].type() != Type::lvalue);
      if (s.style == 2) require(s.exprs[0].type() == Type::lvalue && !s.exprs[0].constant);
      define(s.name, Names::trace, s.style == 0);
      break;
    case Kind::declare_pair:
      declare(s.name);
      parts(s.exprs);
      define(s.name, Names::pair, s.style == 2);
      break;
    case Kind::declare_array:
      declare(s.name);
      full(s.exprs);
      require(!s.exprs.empty());
      define(s.name, Names::traces, false, false, static_cast<int>(s.exprs.size()));
      break;
    case Kind::declare_ints:
      declare(s.name);
      full(s.exprs);
      for (const Expr& e : s.exprs) require(e.type() == Type::integer);
      require(!s.exprs.empty());
      define(s.name, Names::ints, false, false, static_cast<int>(s.exprs.size()));
      break;
    case Kind::declare_bindings: {
      for (const std::string& name : s.names) declare(name);
      if (s.exprs.empty()) {
        const Name* n = known(s.name, Names::pair);
        if (n && s.style == 1) require(!n->constant);
      } else {
        parts(s.exprs);
        require(s.style != 1);
      }
      const bool constant = s.style == 2;
      define(s.names[0], Names::trace, constant);
      define(s.names[1], Names::trace, constant);
      define(s.names[2], Names::number, true);  // not assigned to
      break;
    }
    case Kind::declare_lambda: lambda(s); break;
    case Kind::declare_job:
      declare(s.name);
      if (const Coroutine* c = callee(s.target)) {
        if (c->passing != Passing::value) require(is_stable(s.exprs[1]));
        if (c->passing == Passing::reference) require(!s.exprs[1].constant);
      }
      full(s.exprs[0], Type::integer);
      full(s.exprs[1]);
      require(!(has_effects(s.exprs[0]) && has_effects(s.exprs[1])));
      require(s.exprs[1].type() == Type::lvalue || (!has_effects(s.exprs[0]) && is_built_in_place(s.exprs[1])));
      define(s.name, Names::job);
      break;
    case Kind::assign_int:
    case Kind::assign_value:
      if (const Name* n = known(s.name, Names::number)) require(!n->fixed && !n->constant);
      full(s.exprs[0], Type::integer);
      if (s.kind == Kind::assign_value) {
        full(s.exprs[1]);
        require(!has_effects(s.exprs[0]) && is_built_in_place(s.exprs[1]));
      }
      break;
    case Kind::assign_element:
      if (const Name* n = known(s.name, Names::ints)) require(n->length == s.value);
      full(s.exprs[0], Type::integer);
      full(s.exprs[1], Type::integer);
      break;
    case Kind::assign_trace:
      if (const Name* n = known(s.name, Names::trace)) require(!n->constant);
      full(s.exprs[0]);
      break;
    case Kind::if_: if_statement(s); break;
    case Kind::while_:
    case Kind::do_while:
    case Kind::for_:
    case Kind::forever: {
      Scope scope(names_);
      declare(s.name);
      if (s.kind == Kind::for_) full(s.exprs[0], Type::integer);
      define(s.name, Names::number, false, true);
      for (std::size_t i = s.kind == Kind::for_; i < s.exprs.size(); ++i) full(s.exprs[i], Type::integer);
      if (s.style == 1 && s.kind == Kind::while_) {
        declare(s.names[0]);
        define(s.names[0], Names::check);
      }
      loop_body(s);
      break;
    }
    case Kind::range_for: range_for(s); break;
    case Kind::switch_: {
      Scope scope(names_);
      if (s.style == 1) declare(s.name);
      full(s.exprs[0], Type::integer);
      if (s.style == 1) define(s.name, Names::number), full(s.exprs[1], Type::integer);
      // A variable without an initializer that the labels jump past: each case sets it first.
      if (s.style == 2) require(!names_.find(s.target));
      for (const Body& b : s.bodies) {
        if (s.style != 2) break;
        require(!b.empty() && b[0].kind == Kind::assign_int && b[0].style == 0 && b[0].name == s.target);
        if (good_) full(b[0].exprs[0], Type::integer);
      }
      if (s.style == 2) declare(s.target), define(s.target, Names::number);
      in({place_.loop, true}, [&] {
        for (const Body& b : s.bodies) block(b);
      });
      break;
    }
    case Kind::duff: {
      Scope scope(names_);
      full(s.exprs[0], Type::integer);
      counter(s);
      in({true, true}, [&] {
        for (const Body& b : s.bodies) block(b);
      });
      break;
    }
    case Kind::block: block(s.bodies[0]); break;
    case Kind::label: {
      Scope scope(names_);
      if (s.style == 1) counter(s);
      require(names_.declare({s.names[0], Names::label}));
      block(s.bodies[0]);
      break;
    }
    case Kind::goto_: {
      const Name* n = names_.find(s.target);
      require(n && n->kind == Names::label);
      if (!s.name.empty()) {
        if (const Name* c = known(s.name, Names::number)) require(c->fixed);
      }
      break;
    }
    case Kind::break_: require(place_.breakable); break;
    case Kind::continue_: require(place_.loop); break;
    case Kind::return_: full(s.exprs[0], Type::integer); break;
    case Kind::try_: try_statement(s); break;
    case Kind::throw_:
      full(s.exprs[0]);
      require(!has_array(s.exprs[0]));
      require(s.style < 2 ? s.exprs[0].type() == Type::integer
                          : s.exprs[0].type() == Type::prvalue && is_built_in_place(s.exprs[0]));
      break;
    case Kind::rethrow: require(in_handler_); break;
    }
  }

  void lambda(const Stmt& s) {
    declare(s.name);
    Scopes inner;
    inner.enter();
    for (const Capture& c : s.captures) {
      const Name* n = names_.find(c.name);
      require(n && (n->kind == Names::number || n->kind == Names::trace) && !n->fixed);
      if (!good_) return;
      require(inner.declare({c.name, n->kind, n->constant || !c.by_reference}));
    }
    require(inner.declare({"x", Names::number, true}));
    std::swap(inner, names_);
    require(!suspends(s.exprs[0]));
    full(s.exprs[0], Type::integer);
    std::swap(inner, names_);
    define(s.name, Names::lambda);
  }

  void if_statement(const Stmt& s) {
    Scope scope(names_);
    if (s.style == 1 || s.style == 3) {
      declare(s.names[0]);
      full(s.exprs[1], Type::integer);
      define(s.names[0], Names::number);
    }
    if (s.style >= 2) {
      declare(s.name);
      full(s.exprs[0], Type::integer);
      full(s.exprs.back(), Type::integer);
      define(s.name, Names::check);
    } else {
      full(s.exprs[0], Type::integer);
    }
    const Scopes saved = names_;
    statements(s.bodies[0]);
    names_ = saved;
    if (s.bodies.size() > 1) statements(s.bodies[1]);
  }

  void range_for(const Stmt& s) {
    Scope scope(names_);
    declare(s.name);
    const bool objects = s.style == 1 || s.style == 3;
    bool constant = false;
    if (s.style < 2) {
      const Name* n = known(s.target, objects ? Names::traces : Names::ints);
      constant = n && n->constant;
    } else {
      require(!s.exprs.empty());
      full(s.exprs);
      if (!objects) {
        for (const Expr& e : s.exprs) require(e.type() == Type::integer);
      }
    }
    if (objects)
      define(s.name, Names::trace, constant || s.value != 0);
    else
      define(s.name, Names::number, s.value != 0);
    if (objects && s.value == 2) require(s.style == 1 && !constant), define(s.name, Names::trace);
    loop_body(s);
  }

  void try_statement(const Stmt& s) {
    block(s.bodies[0]);
    const bool saved = std::exchange(in_handler_, true);
    for (std::size_t i = 1; i < s.bodies.size(); ++i) {
      Scope scope(names_);
      const Caught caught = s.handlers[i - 1];
      require(caught != Caught::anything || i + 1 == s.bodies.size());
      declare("e");
      if (caught == Caught::trace)
        define("e", Names::trace, true);
      else if (caught != Caught::anything)
        define("e", Names::number, true);
      statements(s.bodies[i]);
    }
    in_handler_ = saved;
  }

  const Program& program_;
  Scopes names_;
  Place place_;
  std::size_t coroutine_ = 0;
  bool in_handler_ = false;
  bool good_ = true;
};

}  // namespace

bool is_valid(const Program& p) { return Checker(p).program(); }

}  // namespace hel::fuzz
