#include "generator.hpp"

#include <utility>

namespace hel::fuzz {

std::string Generator::fresh() {
  constexpr const char* pool[] = {"a", "b", "c", "d", "t", "u", "v", "w"};
  for (int i = 0; i < 20; ++i) {
    const std::string name = pool[random_.below(8)];
    if (names_.declare({name})) return name;
  }
  std::string name = "z" + std::to_string(random_.below(1000));
  while (!names_.declare({name})) name += "z";
  return name;
}

std::string Generator::counter() {
  for (const char* name : {"i", "j", "k", "l", "m"}) {
    if (!names_.find(name)) {
      names_.declare({name});
      return name;
    }
  }
  std::string name = "n";
  while (!names_.declare({name})) name += "n";
  return name;
}

void Generator::define(const std::string& name, Names kind, bool constant, bool fixed, int length) {
  *names_.find(name) = {name, kind, constant, fixed, length};
}

void Generator::statements(Body& body, int depth, int count) {
  for (int i = 0; i < count && budget_ > 0; ++i) statement(body, depth);
}

Body Generator::inner(int depth) {
  Body body;
  statements(body, depth, random_.between(1, 4));
  return body;
}

Body Generator::block(int depth) {
  Scope scope(names_);
  return inner(depth);
}

void Generator::statement(Body& body, int depth) {
  --budget_;
  const int choice = random_.below(100);
  if (choice < 30)
    simple(body, depth);
  else if (choice < 62)
    declaration(body, depth);
  else if (choice < 70)
    assignment(body, depth);
  else if (choice < 90 && depth > 0)
    compound(body, depth - 1);
  else
    jump(body, depth);
}

void Generator::simple(Body& body, int) {
  Stmt s;
  if (random_.chance(15)) {
    s.kind = Kind::discard;
    s.exprs = {random_.chance(50) ? prvalue(depth()) : integer(depth())};
  } else {
    constexpr const char* names[] = {"A", "B", "C", "D", "E", "F"};
    s.kind = Kind::say;
    s.name = names[random_.below(6)];
    s.exprs = {integer(depth())};
  }
  body.push_back(std::move(s));
}

void Generator::declaration(Body& body, int) {
  Stmt s;
  const int choice = random_.below(22);
  if (choice == 0) return lambda(body, depth());
  if (choice == 1) return job(body, depth());
  if (choice == 2) {
    std::vector<Name> pairs = names_.visible(Names::pair);
    s.kind = Kind::declare_bindings;
    s.style = random_.below(3);
    if (!pairs.empty() && random_.chance(50)) {
      const Name pair = random_.pick(pairs);
      s.name = pair.name;
      if (pair.constant) s.style = random_.chance(50) ? 0 : 2;
      for (int i = 0; i < 3; ++i) s.names.push_back(fresh());
      for (const std::string& n : s.names) {
        if (n == s.name) return;  // the pair is hidden by its own parts
      }
    } else {
      if (s.style == 1) s.style = 0;
      for (int i = 0; i < 3; ++i) s.names.push_back(fresh());
      s.exprs = pair(depth());
    }
    define(s.names[0], Names::trace, s.style == 2);
    define(s.names[1], Names::trace, s.style == 2);
    define(s.names[2], Names::number, true);
    body.push_back(std::move(s));
    return;
  }
  s.name = fresh();
  if (choice < 8) {
    s.kind = Kind::declare_int;
    s.style = random_.below(3);
    s.exprs = {integer(depth())};
    define(s.name, Names::number);
  } else if (choice < 14) {
    s.kind = Kind::declare_trace;
    s.style = random_.below(5);
    s.exprs = {object(depth())};
    define(s.name, Names::trace, s.style == 4);
  } else if (choice < 17) {
    s.kind = Kind::declare_ref;
    const int d = depth();
    const Expr bound = stable_lvalue(d, false);
    if (random_.chance(30) && bound.op != Op::number) {
      s.style = bound.constant ? 0 : random_.chance(50) ? 0 : 2;
      s.exprs = {bound};
    } else {
      s.style = random_.below(2);
      s.exprs = {random_.chance(25) ? pair_first(d - 1) : prvalue(d)};
    }
    define(s.name, Names::trace, s.style == 0);
  } else if (choice < 18) {
    s.kind = Kind::declare_pair;
    s.style = random_.below(3);
    s.exprs = pair(depth());
    define(s.name, Names::pair, s.style == 2);
  } else if (choice < 20) {
    s.kind = Kind::declare_array;
    s.style = random_.below(2);
    s.exprs = objects(random_.between(1, 3), depth());
    define(s.name, Names::traces, false, false, static_cast<int>(s.exprs.size()));
  } else if (choice < 21) {
    s.kind = Kind::declare_ints;
    s.style = random_.below(2);
    s.exprs = integers(random_.between(1, 3), depth());
    define(s.name, Names::ints, false, false, static_cast<int>(s.exprs.size()));
  } else {
    s.kind = Kind::declare_relay;
    s.exprs = {object(depth())};
    define(s.name, Names::trace);
  }
  body.push_back(std::move(s));
}

void Generator::lambda(Body& body, int depth) {
  Stmt s;
  s.kind = Kind::declare_lambda;
  s.name = fresh();
  Scopes inside;
  inside.enter();
  std::vector<Name> names = names_.visible(Names::number);
  for (const Name& n : names_.visible(Names::trace)) names.push_back(n);
  int objects_copied = 0;
  for (const Name& n : names) {
    if (n.fixed || random_.chance(50)) continue;
    bool by_reference = random_.chance(50);
    if (n.kind == Names::trace && !by_reference && objects_copied++) by_reference = true;  // their order is not fixed
    s.captures.push_back({n.name, by_reference});
    inside.declare({n.name, n.kind, n.constant || !by_reference});
  }
  inside.declare({"x", Names::number, true});
  std::swap(inside, names_);
  const bool saved = std::exchange(may_suspend_, false);
  s.exprs = {without_assignment(&Generator::integer, depth)};
  may_suspend_ = saved;
  std::swap(inside, names_);
  define(s.name, Names::lambda);
  body.push_back(std::move(s));
}

void Generator::job(Body& body, int depth) {
  if (later_.empty()) return simple(body, depth);
  const Coroutine& c = random_.pick(later_);
  Stmt s;
  s.kind = Kind::declare_job;
  s.name = fresh();
  s.target = c.name;
  if (c.passing == Passing::value) {
    s.exprs = {plain_integer(), without_assignment(&Generator::object, depth)};
  } else {
    Expr o = stable_lvalue(0, c.passing == Passing::reference);
    if (o.op == Op::number) return simple(body, depth);
    s.exprs = {plain_integer(), std::move(o)};
  }
  define(s.name, Names::job);
  body.push_back(std::move(s));
  if (may_suspend_ && random_.chance(50)) {
    Stmt awaited;
    awaited.kind = Kind::say;
    awaited.name = "J";
    awaited.exprs = {node(Op::await_job, {}, 0, body.back().name)};
    body.push_back(std::move(awaited));
  }
}

void Generator::assignment(Body& body, int d) {
  Stmt s;
  std::vector<Name> numbers = names_.visible(Names::number);
  std::erase_if(numbers, [](const Name& n) { return n.fixed || n.constant; });
  std::vector<Name> variables = names_.visible(Names::trace);
  std::erase_if(variables, [](const Name& n) { return n.constant; });
  std::vector<Name> arrays = names_.visible(Names::ints);
  const int choice = random_.below(6);
  if (choice < 3 && !numbers.empty()) {
    s.kind = Kind::assign_int;
    s.style = random_.below(2);
    s.name = random_.pick(numbers).name;
    s.exprs = {without_assignment(&Generator::integer, depth())};
  } else if (choice == 3 && !numbers.empty()) {
    s.kind = Kind::assign_value;
    s.name = random_.pick(numbers).name;
    s.exprs = {plain_integer(), without_assignment(&Generator::object, depth())};
  } else if (choice == 4 && !arrays.empty()) {
    const Name array = random_.pick(arrays);
    s.kind = Kind::assign_element;
    s.name = array.name;
    s.value = array.length;
    s.exprs = {without_assignment(&Generator::integer, depth() - 1), without_assignment(&Generator::integer, depth())};
  } else if (!variables.empty()) {
    s.kind = Kind::assign_trace;
    s.name = random_.pick(variables).name;
    s.exprs = {without_assignment(&Generator::object, depth())};
  } else {
    return simple(body, d);
  }
  body.push_back(std::move(s));
}

void Generator::jump(Body& body, int depth) {
  Stmt s;
  const int choice = random_.below(8);
  if (choice < 3 && (loops_ || switches_))
    s.kind = loops_ && random_.chance(50) ? Kind::continue_ : Kind::break_;
  else if (choice < 5 && !enclosing_labels_.empty()) {
    const Stmt& label = random_.pick(enclosing_labels_);
    s.kind = Kind::goto_;
    s.target = label.names[0];
    if (label.style == 1) s.name = label.name, s.value = label.value;
  } else if (choice < 6) {
    s.kind = Kind::return_;
    s.exprs = {integer(this->depth())};
  } else if (in_handler_ && random_.chance(50)) {
    s.kind = Kind::rethrow;
  } else if (tries_ || random_.chance(20)) {
    s.kind = Kind::throw_;
    s.style = random_.below(3);
    s.exprs = {s.style == 2 ? prvalue(this->depth()) : integer(this->depth())};
  } else {
    return simple(body, depth);
  }
  if (random_.chance(6))
    body.push_back(std::move(s));
  else
    guarded(body, std::move(s));
}

void Generator::guarded(Body& body, Stmt s) {
  Stmt guard;
  guard.kind = Kind::if_;
  guard.exprs = {condition(depth() - 1)};
  guard.bodies = {{std::move(s)}};
  body.push_back(std::move(guard));
}

// Something that throws, always or sometimes.
void Generator::raise(Body& body) {
  Stmt s;
  s.kind = Kind::say;
  s.name = "R";
  const int choice = random_.below(may_suspend_ ? 6 : 3);
  if (choice == 0) {
    s.kind = Kind::throw_;
    s.style = random_.below(3);
    s.exprs = {s.style == 2 ? prvalue(depth()) : integer(depth())};
  } else if (choice == 1) {
    s.exprs = {node(Op::boom, {number(3)})};
  } else if (choice == 2) {
    s.kind = Kind::discard;
    s.exprs = {node(Op::make, {number(13)})};
  } else {
    s.exprs = {node(Op::await_int, {plain_integer()}, random_.between(6, 8))};
  }
  if (s.kind != Kind::throw_ && random_.chance(50)) {  // beside other things that then are destroyed
    Expr inside = std::move(s.exprs[0]);
    const bool object = inside.type() != Type::integer;
    s.kind = Kind::say;
    if (object)
      s.exprs = {node(Op::shift, {without_assignment(&Generator::prvalue, 1), std::move(inside)})};
    else
      s.exprs = {order(node(Op::use, {without_assignment(&Generator::prvalue, 1), std::move(inside), plain_object()}))};
  }
  if (random_.chance(50))
    body.push_back(std::move(s));
  else
    guarded(body, std::move(s));
}

void Generator::compound(Body& body, int depth) {
  switch (random_.below(14)) {
  case 0:
  case 1: body.push_back(if_statement(depth)); break;
  case 2: body.push_back(loop(Kind::for_, depth)); break;
  case 3: body.push_back(loop(Kind::while_, depth)); break;
  case 4: body.push_back(loop(Kind::do_while, depth)); break;
  case 5: body.push_back(loop(Kind::forever, depth)); break;
  case 6:
  case 7: body.push_back(range_for(depth)); break;
  case 8:
  case 9: body.push_back(switch_statement(depth)); break;
  case 10: body.push_back(random_.chance(40) ? duff(depth) : label(depth)); break;
  case 11:
  case 12: body.push_back(try_statement(depth)); break;
  default: {
    Stmt s;
    s.kind = Kind::block;
    s.bodies = {block(depth)};
    body.push_back(std::move(s));
  }
  }
}

Stmt Generator::if_statement(int d) {
  Scope scope(names_);
  Stmt s;
  s.kind = Kind::if_;
  s.style = random_.below(4);
  Expr initial;
  if (s.style == 1 || s.style == 3) {
    s.names = {fresh()};
    initial = integer(depth());
    define(s.names[0], Names::number);
  }
  if (s.style >= 2) s.name = fresh();
  s.exprs = {s.style >= 2 ? without_assignment(&Generator::integer, depth() - 1) : condition(depth())};
  if (s.style == 1 || s.style == 3) s.exprs.push_back(initial);
  if (s.style >= 2) {
    s.exprs.push_back(condition(depth()));
    define(s.name, Names::check);
  }
  const Scopes saved = names_;
  s.bodies.push_back(inner(d));
  names_ = saved;
  if (random_.chance(50)) s.bodies.push_back(inner(d));
  return s;
}

Stmt Generator::loop(Kind kind, int d) {
  Scope scope(names_);
  Stmt s;
  s.kind = kind;
  s.name = counter();
  s.value = random_.between(1, 3);
  const auto extra = [&] { return random_.chance(40) ? number(1) : integer(depth() - 1); };
  if (kind == Kind::for_) s.exprs.push_back(extra());
  define(s.name, Names::number, false, true);
  if (kind == Kind::for_) s.exprs.push_back(extra());
  if (kind != Kind::forever) s.exprs.push_back(extra());
  if (kind == Kind::while_ && random_.chance(50)) {
    s.style = 1;
    s.names = {fresh()};
    s.exprs = {without_assignment(&Generator::integer, depth() - 1)};
    define(s.names[0], Names::check);
  }
  ++loops_;
  s.bodies = {inner(d)};
  --loops_;
  return s;
}

Stmt Generator::range_for(int d) {
  Scope scope(names_);
  Stmt s;
  s.kind = Kind::range_for;
  s.style = random_.below(4);
  s.name = fresh();
  bool constant = false;
  if (s.style < 2) {
    std::vector<Name> ranges = names_.visible(s.style == 1 ? Names::traces : Names::ints);
    if (ranges.empty())
      s.style += 2;
    else
      s.target = random_.pick(ranges).name;
  }
  const bool objects = s.style == 1 || s.style == 3;
  if (s.style >= 2)
    s.exprs =
        objects ? this->objects(random_.between(1, 3), depth() - 1) : integers(random_.between(1, 3), depth() - 1);
  s.value = random_.below(s.style == 1 ? 3 : 2);
  constant = s.value == 1;
  define(s.name, objects ? Names::trace : Names::number, constant);
  ++loops_;
  s.bodies = {inner(d)};
  --loops_;
  return s;
}

Stmt Generator::switch_statement(int d) {
  Scope scope(names_);
  Stmt s;
  s.kind = Kind::switch_;
  s.style = random_.below(3);
  if (s.style == 1) {
    s.name = fresh();
    s.exprs = {integer(depth())};
    define(s.name, Names::number);
  }
  // Mostly one of the cases.
  s.exprs.push_back(integer(depth()));
  ++switches_;
  const int count = random_.between(1, 4);
  const int with_default = random_.below(count + 1);
  std::vector<Stmt> first;
  if (s.style == 2) {
    s.target = "late" + std::to_string(++labels_made_);
    for (int i = 0; i < count; ++i) {
      Stmt set;
      set.kind = Kind::assign_int;
      set.name = s.target;
      set.exprs = {without_assignment(&Generator::integer, depth())};
      first.push_back(std::move(set));
    }
    names_.declare({s.target, Names::number});
  }
  for (int i = 0; i < count; ++i) {
    s.cases.push_back({i, i == with_default, random_.chance(40)});
    if (i + 1 == count && random_.chance(30)) s.cases.back().more = random_.between(1, 9);
    s.bodies.push_back(block(d));
    if (s.style == 2) s.bodies.back().insert(s.bodies.back().begin(), first[static_cast<std::size_t>(i)]);
  }
  --switches_;
  return s;
}

Stmt Generator::duff(int d) {
  Scope scope(names_);
  Stmt s;
  s.kind = Kind::duff;
  s.name = counter();
  s.value = random_.between(1, 2);
  s.exprs = {integer(depth())};
  define(s.name, Names::number, false, true);
  ++loops_;
  for (int i = 0; i < 3; ++i) s.bodies.push_back(block(d));
  --loops_;
  return s;
}

Stmt Generator::label(int d) {
  Scope scope(names_);
  Stmt s;
  s.kind = Kind::label;
  s.style = random_.below(2);
  if (s.style == 1) {
    s.name = counter();
    s.value = random_.between(1, 2);
    define(s.name, Names::number, false, true);
  }
  s.names = {"L" + std::to_string(++labels_made_)};
  names_.declare({s.names[0], Names::label});
  enclosing_labels_.push_back(s);
  {
    Scope inside(names_);
    s.bodies = {inner(d)};
    Stmt jump;
    jump.kind = Kind::goto_;
    jump.target = s.names[0];
    jump.name = s.name;
    jump.value = s.value;
    if (random_.chance(70)) guarded(s.bodies[0], std::move(jump));
    if (random_.chance(30)) statement(s.bodies[0], d);
  }
  enclosing_labels_.pop_back();
  return s;
}

Stmt Generator::try_statement(int d) {
  Stmt s;
  s.kind = Kind::try_;
  ++tries_;
  {
    Scope inside(names_);
    s.bodies = {inner(d)};
    if (random_.chance(70)) raise(s.bodies[0]);
  }
  --tries_;
  const bool saved_suspend = std::exchange(may_suspend_, false);
  const bool saved_handler = std::exchange(in_handler_, true);
  for (const Caught c : {Caught::integer, Caught::error, Caught::trace, Caught::anything}) {
    if (random_.chance(50) && !(c == Caught::anything && s.handlers.empty())) continue;
    Scope scope(names_);
    names_.declare({"e"});
    if (c == Caught::trace)
      define("e", Names::trace, true);
    else if (c != Caught::anything)
      define("e", Names::number, true);
    s.handlers.push_back(c);
    s.bodies.push_back(inner(d));
  }
  may_suspend_ = saved_suspend;
  in_handler_ = saved_handler;
  return s;
}

}  // namespace hel::fuzz
