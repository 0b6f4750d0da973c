#include "interpreter.hpp"

#include <algorithm>

namespace hel::fuzz {

Variable& Interpreter::find(const std::string& name) {
  for (std::size_t i = frame_->names.size(); i-- > 0;) {
    if (frame_->names[i].first == name) return *frame_->names[i].second;
  }
  throw Abandoned{};
}

const Coroutine& Interpreter::callee(const std::string& name) const {
  for (const Coroutine& c : program_.coroutines) {
    if (c.name == name) return c;
  }
  throw Abandoned{};
}

int Interpreter::number(const Expr& e) {
  const int n = number_of(e);
  if (n > 1'000'000 || n < -1'000'000) throw Abandoned{};
  return n;
}

int Interpreter::number_of(const Expr& e) {
  switch (e.op) {
  case Op::number: return e.value;
  case Op::int_variable: return *find(e.name).number;
  case Op::int_element: {
    const int i = number(e.kids[0]);
    const Variable& v = find(e.name);
    return v.numbers[static_cast<std::size_t>(at(i, v.numbers.size()))];
  }
  case Op::id: return machine_.use(glvalue(e.kids[0]))->id;
  case Op::plus: {
    const Object* o = glvalue(e.kids[0]);
    const int n = number(e.kids[1]);
    return machine_.use(o)->id + n;
  }
  case Op::binary: {
    const int a = number(e.kids[0]);
    const int b = number(e.kids[1]);
    switch (e.value) {
    case 0: return a + b;
    case 1: return a - b;
    case 2:
      if (a > 1000 || a < -1000 || b > 1000 || b < -1000) throw Abandoned{};
      return a * b;
    case 3: return a < b;
    default: return a == b;
    }
  }
  case Op::negate: return !number(e.kids[0]);
  case Op::logical_and: return number(e.kids[0]) && number(e.kids[1]);
  case Op::logical_or: return number(e.kids[0]) || number(e.kids[1]);
  case Op::conditional: return number(e.kids[0]) ? number(e.kids[1]) : number(e.kids[2]);
  case Op::conditional_throw:
    if (number(e.kids[0])) return number(e.kids[1]);
    machine_.raise(Caught::integer, number(e.kids[2]));
    return 0;
  case Op::comma: return number(e.kids[0]), number(e.kids[1]);
  case Op::note: {
    const int n = number(e.kids[0]);
    machine_.say("n", n);
    return n;
  }
  case Op::boom: {
    const int n = number(e.kids[0]);
    machine_.say("b", n);
    if (n % 4 == 3) machine_.raise(Caught::error, n);
    return n;
  }
  case Op::use: {
    const Object* a = glvalue(e.kids[0]);
    const int n = number(e.kids[1]);
    const Object* b = glvalue(e.kids[2]);
    machine_.say("u", n);
    return machine_.use(a)->id + n + machine_.use(b)->id;
  }
  case Op::sum: {
    int s = 0;
    for (const Expr& k : e.kids) s += number(k);
    machine_.say("s", s);
    return s;
  }
  case Op::ids: {
    std::vector<Object*> objects = elements(e.kids);
    int s = 0;
    for (const Object* o : objects) s += o->id;
    push(std::move(objects), true);
    machine_.say("i", s);
    return s;
  }
  case Op::shift: {
    int s = 0;
    for (const Expr& k : e.kids) {
      const bool object = k.type() != Type::integer;
      const int n = object ? machine_.use(glvalue(k))->id : number(k);
      machine_.say(object ? "O" : "o", n);
      s += n;
    }
    return s;
  }
  case Op::both: {
    const Object* x = glvalue(e.kids[0]);
    const Object* y = glvalue(e.kids[1]);
    Object* a = machine_.copy(x);
    Object* b = machine_.copy(y);
    push({a, b}, true);
    return a->id + b->id;
  }
  case Op::own_new: {
    Object* o = machine_.make(number(e.kids[0]));
    machine_.say("w", o->id);
    const int id = o->id;
    machine_.destroy(o);
    return id;
  }
  case Op::own_array: {
    const std::vector<Object*> objects = elements(e.kids);
    int s = 0;
    for (const Object* o : objects) s += o->id;
    machine_.say("w", s);
    for (std::size_t i = objects.size(); i-- > 0;) machine_.destroy(objects[i]);
    return s;
  }
  case Op::with_default: {
    const int n = number(e.kids[0]);
    if (e.value == 0) {
      machine_.say("n", 7);
      const Object* t = temporary(machine_.make(7));
      machine_.say("f", t->id);
      machine_.say("g", n);
      return n + t->id;
    }
    const Object* t = temporary(machine_.make(9));
    Object* o = machine_.copy(t);
    push({o}, true);
    return n + o->id;
  }
  case Op::short_conditional: {
    const int n = number(e.kids[0]);
    return n ? n : number(e.kids[1]);
  }
  case Op::pair_number: {
    std::vector<int> numbers;
    push(elements(e.kids, &numbers, false), true);
    return numbers[0];
  }
  case Op::assign: {
    const int n = number(e.kids[0]);
    return *find(e.name).number = n;
  }
  case Op::call_lambda: {
    const int n = number(e.kids[0]);
    return call(find(e.name), n);
  }
  case Op::await_int:
  case Op::await_on:
  case Op::yield_int:
  case Op::yield_trace: return await(e);
  case Op::await_job: return await(*find(e.name).job);
  case Op::await_child: {
    const int n = number(e.kids[0]);
    Object* o = glvalue(e.kids[1]);
    std::shared_ptr<Frame> job = start(machine_, callee(e.name), n, o);
    frame_->stack.push_back({{}, job, true});
    return await(*job);
  }
  default: throw Abandoned{};
  }
}

// The body of a lambda: names are what it captured, its temporaries are its own.
int Interpreter::call(const Variable& lambda, int argument) {
  auto body = std::make_shared<Frame>();
  body->names = lambda.captured;
  body->names.emplace_back("x", std::make_shared<Variable>());
  *body->names.back().second->number = argument;
  Interpreter inner(program_, machine_, body);
  machine_.say("l", argument);
  return inner.full(lambda.lambda->exprs[0]);
}

int Interpreter::await(const Expr& e) {
  if (e.op == Op::await_on) {
    const Object* o = glvalue(e.kids[0]);
    machine_.suspend();
    return machine_.use(o)->id;
  }
  if (e.op == Op::yield_trace) {
    const int id = machine_.use(glvalue(e.kids[0]))->id;
    machine_.say("T", id);
    machine_.suspend();
    return id;
  }
  const int n = number(e.kids[0]);
  if (e.op == Op::yield_int) {
    machine_.say("Y", n);
    machine_.suspend();
    return n;
  }
  const auto which = static_cast<Awaiter>(e.value);
  switch (which) {
  case Awaiter::pause:
  case Awaiter::hop: machine_.suspend(); return n;
  case Awaiter::ready: return n;
  case Awaiter::decline: machine_.say("d"); return n;
  case Awaiter::self: machine_.say("h"); return n;
  default: break;
  }
  const Object* o = temporary(machine_.make(n));
  if (which == Awaiter::fail_ready) machine_.raise(Caught::integer, n);
  if (which == Awaiter::fail_suspend) machine_.raise(Caught::error, n);
  machine_.suspend();
  if (which == Awaiter::fail_resume) machine_.raise(Caught::integer, n);
  return o->id;
}

int Interpreter::await(Frame& job) {
  if (!job.done) {
    std::shared_ptr<Frame> shared(frame_, &job);  // lives as long as this coroutine does
    Interpreter(program_, machine_, shared).run(false);
  }
  if (job.error) throw Thrown{std::exchange(job.error, nullptr)};
  return job.result;
}

Object* Interpreter::temporary(Object* o) {
  push({o}, true);
  return o;
}

Object* Interpreter::prvalue(const Expr& e) {
  switch (e.op) {
  case Op::make: return machine_.make(number(e.kids[0]));
  case Op::make_call: {
    const int n = number(e.kids[0]);
    machine_.say("k");
    return machine_.make(n);
  }
  case Op::await_give: {
    const int n = number(e.kids[0]);
    machine_.suspend();
    return machine_.make(n);
  }
  case Op::trace_conditional: return initialize(e.kids[number(e.kids[0]) ? 1 : 2]);
  case Op::trace_comma: number(e.kids[0]); return prvalue(e.kids[1]);
  case Op::copy: return machine_.copy(glvalue(e.kids[0]));
  default: throw Abandoned{};
  }
}

Object* Interpreter::initialize(const Expr& e) {
  switch (e.type()) {
  case Type::prvalue: return prvalue(e);
  case Type::xvalue: return machine_.move(glvalue(e));
  default: return machine_.copy(glvalue(e));
  }
}

Object* Interpreter::glvalue(const Expr& e) {
  switch (e.op) {
  case Op::trace_variable:
  case Op::move: return find(e.name).objects[0];
  case Op::field: return find(e.name).objects[e.value == 1 ? 1 : 0];
  case Op::trace_element: {
    const int i = number(e.kids[0]);
    const Variable& v = find(e.name);
    return v.objects[static_cast<std::size_t>(at(i, v.objects.size()))];
  }
  case Op::lvalue_conditional: return glvalue(e.kids[number(e.kids[0]) ? 1 : 2]);
  case Op::lvalue_comma: number(e.kids[0]); return glvalue(e.kids[1]);
  case Op::ref: {
    Object* o = glvalue(e.kids[0]);
    machine_.say("f", machine_.use(o)->id);
    return o;
  }
  case Op::await_lend: {
    Object* o = glvalue(e.kids[0]);
    machine_.suspend();
    return o;
  }
  case Op::pair_first: {
    std::vector<int> numbers;
    std::vector<Object*> objects = elements(e.kids, &numbers, false);
    Object* first = objects[0];
    push(std::move(objects), true);
    return first;
  }
  default: return temporary(prvalue(e));
  }
}

// The parts of a braced list, in order. Until all are complete, each is destroyed on its own.
std::vector<Object*> Interpreter::elements(const std::vector<Expr>& exprs, std::vector<int>* numbers, bool array) {
  const std::size_t start = frame_->stack.size();
  std::vector<Object*> objects;
  for (const Expr& e : exprs) {
    if (e.type() == Type::integer) {
      const int n = number(e);
      if (numbers) numbers->push_back(n);
      continue;
    }
    objects.push_back(initialize(e));
    const std::size_t place = machine_.quirk && array ? start + objects.size() - 1 : frame_->stack.size();
    frame_->stack.insert(frame_->stack.begin() + static_cast<std::ptrdiff_t>(place),
                         Cleanup{{objects.back()}, nullptr, false});
  }
  std::erase_if(frame_->stack, [&](const Cleanup& c) {
    return c.objects.size() == 1 && !c.temporary &&
           std::find(objects.begin(), objects.end(), c.objects[0]) != objects.end();
  });
  return objects;
}

}  // namespace hel::fuzz
