#include "check.hpp"
#include "generator.hpp"

#include <utility>

namespace hel::fuzz {

Expr Generator::node(Op op, std::vector<Expr> kids, int value, std::string name) {
  Expr e;
  e.op = op;
  e.kids = std::move(kids);
  e.value = value;
  e.name = std::move(name);
  switch (op) {
  case Op::lvalue_conditional: e.constant = e.kids[1].constant || e.kids[2].constant; break;
  case Op::lvalue_comma: e.constant = e.kids[1].constant; break;
  case Op::ref: e.constant = true; break;
  default: break;
  }
  return e;
}

int Generator::object_id() {
  const int id = random_.between(1, 60);
  return id % 16 != 13 || random_.chance(tries_ ? 30 : 5) ? id : id + 1;
}

Expr Generator::without_assignment(Expr (Generator::*make)(int), int depth) {
  const bool saved = std::exchange(may_assign_, false);
  Expr e = (this->*make)(depth);
  may_assign_ = saved;
  return e;
}

Expr Generator::order(Expr e) {
  if (!is_ordered(e)) {
    const std::size_t keep = static_cast<std::size_t>(random_.below(static_cast<int>(e.kids.size())));
    for (std::size_t i = 0; i < e.kids.size(); ++i) {
      if (i != keep && has_effects(e.kids[i]))
        e.kids[i] = e.kids[i].type() == Type::integer ? plain_integer() : plain_object();
    }
    // Without an object in scope the plain one is made, too.
    if (!is_ordered(e)) return e.kids[keep].type() == Type::integer ? e.kids[keep] : number(random_.between(0, 9));
  }
  return e;
}

Expr Generator::plain_integer() {
  std::vector<Name> numbers = names_.visible(Names::number);
  if (!numbers.empty() && random_.chance(60)) return node(Op::int_variable, {}, 0, random_.pick(numbers).name);
  if (random_.chance(25)) {
    const Expr o = plain_object();
    if (!has_effects(o)) return node(Op::id, {o});
  }
  return number(random_.between(0, 9));
}

Expr Generator::plain_object() {
  Expr o = lvalue(0);
  return o.op == Op::number ? node(Op::make, {number(object_id())}) : o;
}

std::vector<Expr> Generator::integers(int count, int depth) {
  std::vector<Expr> list;
  for (int i = 0; i < count; ++i) list.push_back(without_assignment(&Generator::integer, depth));
  return list;
}

std::vector<Expr> Generator::objects(int count, int depth) {
  std::vector<Expr> list;
  for (int i = 0; i < count; ++i) list.push_back(without_assignment(&Generator::object, depth));
  return list;
}

std::vector<Expr> Generator::pair(int depth) {
  std::vector<Expr> parts = objects(2, depth);
  parts.push_back(without_assignment(&Generator::integer, depth));
  return parts;
}

Expr Generator::condition(int depth) {
  if (random_.chance(30)) return integer(depth);
  if (random_.chance(30)) {
    return order(
        node(Op::binary,
             {without_assignment(&Generator::integer, depth - 1), without_assignment(&Generator::integer, depth - 1)},
             random_.between(3, 4)));
  }
  if (random_.chance(20)) return node(Op::negate, {integer(depth - 1)});
  // Either way, evenly.
  return order(
      node(Op::binary, {without_assignment(&Generator::integer, depth - 1), number(random_.between(2, 30))}, 3));
}

Expr Generator::integer(int depth) {
  if (depth <= 0) {
    if (may_suspend_ && random_.chance(35))
      return node(Op::await_int, {plain_integer()}, random_.chance(70) ? 0 : random_.below(6));
    return random_.chance(20) ? node(Op::note, {plain_integer()}) : plain_integer();
  }
  if (may_suspend_ && random_.chance(40)) return await_integer(depth - 1);
  const int d = depth - 1;
  const auto operand = [&] { return without_assignment(&Generator::integer, d); };
  switch (random_.below(26)) {
  case 22: return node(Op::own_new, {operand()});
  case 23: return node(Op::own_array, objects(random_.between(1, 3), d));
  case 24: return node(Op::with_default, {plain_integer()}, random_.below(3));
  case 25: {
    Expr a = integer(d);
    return node(Op::short_conditional, {std::move(a), integer(d)});
  }
  case 0:
  case 1: return node(Op::id, {without_assignment(&Generator::object, d)});
  case 2: return node(Op::plus, {without_assignment(&Generator::object, d), operand()});
  case 3:
  case 4: {
    Expr a = operand();
    return order(node(Op::binary, {std::move(a), operand()}, random_.below(5)));
  }
  case 5: {
    Expr a = integer(d);
    return node(random_.chance(50) ? Op::logical_and : Op::logical_or, {std::move(a), integer(d)});
  }
  case 6:
  case 7: {
    Expr c = condition(d);
    Expr a = integer(d);
    return node(Op::conditional, {std::move(c), std::move(a), integer(d)});
  }
  case 8: {
    Expr a = integer(d);
    return node(Op::comma, {std::move(a), integer(d)});
  }
  case 9: return node(Op::note, {operand()});
  case 10:
  case 11: {
    std::vector<Expr> kids = objects(2, d);
    kids.insert(kids.begin() + 1, operand());
    return order(node(Op::use, std::move(kids)));
  }
  case 12: return node(Op::sum, integers(random_.between(1, 3), d));
  case 13: return node(Op::ids, objects(random_.between(1, 3), d));
  case 14: {
    std::vector<Expr> kids;
    for (int i = random_.between(1, 3); i-- > 0;)
      kids.push_back(random_.chance(50) ? operand() : without_assignment(&Generator::object, d));
    return node(Op::shift, std::move(kids));
  }
  case 15: return order(node(Op::both, objects(2, d), random_.below(2)));
  case 16: return node(Op::pair_number, pair(d));
  case 17: {
    std::vector<Name> numbers = names_.visible(Names::number);
    std::erase_if(numbers, [](const Name& n) { return n.fixed || n.constant; });
    if (!may_assign_ || numbers.empty()) return operand();
    return node(Op::assign, {integer(d)}, 0, random_.pick(numbers).name);
  }
  case 18: {
    std::vector<Name> lambdas = names_.visible(Names::lambda);
    if (lambdas.empty()) return node(Op::note, {operand()});
    return node(Op::call_lambda, {operand()}, 0, random_.pick(lambdas).name);
  }
  case 19: {
    std::vector<Name> arrays = names_.visible(Names::ints);
    if (arrays.empty()) return plain_integer();
    const Name array = random_.pick(arrays);
    return node(Op::int_element, {operand()}, array.length, array.name);
  }
  case 20:
    if (tries_ || random_.chance(10)) return node(Op::boom, {operand()});
    return node(Op::note, {operand()});
  default:
    if (tries_ || random_.chance(10)) {
      Expr c = condition(d);
      Expr a = integer(d);
      return node(Op::conditional_throw, {std::move(c), std::move(a), operand()});
    }
    return plain_integer();
  }
}

Expr Generator::await_integer(int depth) {
  const auto operand = [&] { return without_assignment(&Generator::integer, depth); };
  switch (random_.below(10)) {
  case 0: return node(Op::await_on, {without_assignment(&Generator::object, depth)});
  case 1: return node(Op::yield_int, {operand()});
  case 2: return node(Op::yield_trace, {without_assignment(&Generator::object, depth)});
  case 3:
  case 4: return child(depth);
  case 5: {
    std::vector<Name> jobs = names_.visible(Names::job);
    if (!jobs.empty()) return node(Op::await_job, {}, 0, random_.pick(jobs).name);
    [[fallthrough]];
  }
  default: {
    int which = random_.chance(40) ? 0 : random_.below(6);
    if (random_.chance(tries_ ? 20 : 2)) which = random_.between(6, 8);
    return node(Op::await_int, {operand()}, which);
  }
  }
}

Expr Generator::child(int depth) {
  std::vector<const Coroutine*> callees;
  for (const Coroutine& c : later_) {
    if (c.passing != Passing::value) callees.push_back(&c);
  }
  if (callees.empty()) return node(Op::await_int, {without_assignment(&Generator::integer, depth)}, 2);
  const Coroutine& c = *random_.pick(callees);
  Expr o = c.passing == Passing::reference ? stable_lvalue(depth, true) : without_assignment(&Generator::object, depth);
  if (o.op == Op::number) return node(Op::await_int, {number(random_.between(0, 9))}, 2);
  Expr n = without_assignment(&Generator::integer, depth);
  Expr call = node(Op::await_child, {std::move(n), std::move(o)}, 0, c.name);
  if (!is_ordered(call)) call.kids[0] = plain_integer();
  if (!is_ordered(call)) call.kids[0] = number(random_.between(0, 9));
  return call;
}

Expr Generator::make(int depth) {
  if (random_.chance(60)) return node(Op::make, {number(object_id())});
  return node(Op::make, {without_assignment(&Generator::integer, depth)});
}

Expr Generator::pair_first(int depth) { return node(Op::pair_first, pair(depth)); }

Expr Generator::prvalue(int depth) {
  if (depth <= 0) return make(0);
  const int d = depth - 1;
  switch (random_.below(10)) {
  case 0: return node(Op::make_call, {without_assignment(&Generator::integer, d)});
  case 1:
  case 2:
    if (may_suspend_) return node(Op::await_give, {without_assignment(&Generator::integer, d)});
    return make(d);
  case 3:
  case 4: {
    Expr c = condition(d);
    Expr a = prvalue(d);
    Expr b = prvalue(d);
    if (random_.chance(30)) {
      const Expr o = lvalue(d);
      if (o.op != Op::number && !o.constant) (random_.chance(50) ? a : b) = o;
    }
    return node(Op::trace_conditional, {std::move(c), std::move(a), std::move(b)});
  }
  case 5: {
    Expr first = integer(d);
    return node(Op::trace_comma, {std::move(first), prvalue(d)});
  }
  case 6: {
    const Expr o = lvalue(d);
    return o.op == Op::number ? make(d) : node(Op::copy, {o});
  }
  default: return make(d);
  }
}

Expr Generator::lvalue(int depth) {
  std::vector<Expr> found;
  const auto add = [&](Op op, const Name& n, int value, std::vector<Expr> kids = {}) {
    found.push_back(node(op, std::move(kids), value, n.name));
    found.back().constant = n.constant;
  };
  for (const Name& n : names_.visible(Names::trace)) add(Op::trace_variable, n, 0);
  for (const Name& n : names_.visible(Names::pair)) add(Op::field, n, random_.below(2));
  for (const Name& n : names_.visible(Names::check)) add(Op::field, n, 2);
  for (const Name& n : names_.visible(Names::traces)) {
    add(Op::trace_element, n, n.length,
        {depth > 0 ? without_assignment(&Generator::integer, depth - 1) : plain_integer()});
  }
  if (found.empty()) return number(0);
  Expr o = random_.pick(found);
  if (depth <= 0) return o;
  switch (random_.below(8)) {
  case 0: {
    const Expr other = lvalue(depth - 1);
    return node(Op::lvalue_conditional, {condition(depth - 1), o, other});
  }
  case 1: return node(Op::lvalue_comma, {integer(depth - 1), o});
  case 2: return node(Op::ref, {o});
  case 3:
    if (may_suspend_ && !o.constant) return node(Op::await_lend, {o});
    return o;
  default: return o;
  }
}

Expr Generator::stable_lvalue(int depth, bool writable) {
  for (int i = 0; i < 4; ++i) {
    Expr o = lvalue(depth);
    if (o.op != Op::number && is_stable(o) && !(writable && o.constant)) return o;
  }
  return number(0);
}

Expr Generator::object(int depth) {
  switch (random_.below(10)) {
  case 0:
  case 1:
  case 2: {
    Expr o = lvalue(depth);
    if (o.op != Op::number) return o;
    return prvalue(depth);
  }
  case 3: {
    std::vector<Name> variables = names_.visible(Names::trace);
    std::erase_if(variables, [](const Name& n) { return n.constant; });
    if (variables.empty()) return prvalue(depth);
    return node(Op::move, {}, 0, random_.pick(variables).name);
  }
  case 4:
    if (depth > 0 && random_.chance(50)) return pair_first(depth - 1);
    return prvalue(depth);
  case 5:
    if (depth > 0) return node(Op::ref, {prvalue(depth - 1)});
    return prvalue(depth);
  default: return prvalue(depth);
  }
}

}  // namespace hel::fuzz
