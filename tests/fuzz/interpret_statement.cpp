#include "interpret.hpp"
#include "interpreter.hpp"

namespace hel::fuzz {

std::shared_ptr<Frame> Interpreter::start(Machine& m, const Coroutine& c, int number, Object* object) {
  auto frame = std::make_shared<Frame>();
  frame->coroutine = &c;
  frame->names.emplace_back("a", std::make_shared<Variable>());
  *frame->names.back().second->number = number;
  if (c.passing == Passing::value) object = frame->parameter = m.move(object);
  frame->names.emplace_back("t", std::make_shared<Variable>());
  frame->names.back().second->objects = {object};
  return frame;
}

void Interpreter::run(bool root) {
  try {
    BlockScope scope(machine_, *frame_);
    const Flow flow = statements(frame_->coroutine->body);
    if (flow.way != Way::returns) {
      FullExpression end(machine_, *frame_);
      frame_->result = number(frame_->coroutine->result);
      machine_.say("r", frame_->result);
    }
  } catch (const Thrown& t) {
    if (root)
      machine_.say("unhandled");
    else
      frame_->error = t.payload;
  }
  frame_->done = true;
}

Interpreter::Flow Interpreter::statements(const Body& body) {
  for (const Stmt& s : body) {
    machine_.spend();
    Flow flow = statement(s);
    if (flow.way != Way::on) return flow;
  }
  return {};
}

Interpreter::Flow Interpreter::block(const Body& body) {
  BlockScope scope(machine_, *frame_);
  return statements(body);
}

Interpreter::Flow Interpreter::statement(const Stmt& s) {
  switch (s.kind) {
  case Kind::say: {
    FullExpression end(machine_, *frame_);
    machine_.say(s.name, number(s.exprs[0]));
    return {};
  }
  case Kind::discard: {
    FullExpression end(machine_, *frame_);
    if (s.exprs[0].type() == Type::integer)
      number(s.exprs[0]);
    else
      glvalue(s.exprs[0]);
    return {};
  }
  case Kind::assign_int:
  case Kind::assign_value:
  case Kind::assign_element:
  case Kind::assign_trace: assignment(s); return {};
  case Kind::if_: return if_statement(s);
  case Kind::while_:
  case Kind::do_while:
  case Kind::for_:
  case Kind::forever: return loop(s);
  case Kind::range_for: return range_for(s);
  case Kind::switch_: return switch_statement(s);
  case Kind::duff: return duff(s);
  case Kind::block: return block(s.bodies[0]);
  case Kind::label: return label(s);
  case Kind::goto_:
    if (!s.name.empty() && (*find(s.name).number)++ >= s.value) return {};
    return {Way::jumps, s.target};
  case Kind::break_: return {Way::leaves_loop, {}};
  case Kind::continue_: return {Way::continues, {}};
  case Kind::return_: {
    FullExpression end(machine_, *frame_);
    frame_->result = number(s.exprs[0]);
    machine_.say("r", frame_->result);
    return {Way::returns, {}};
  }
  case Kind::try_: return try_statement(s);
  case Kind::throw_: throw_statement(s); return {};
  case Kind::rethrow: throw Thrown{handled_.back()};
  default: declaration(s); return {};
  }
}

void Interpreter::declaration(const Stmt& s) {
  FullExpression end(machine_, *frame_);
  Variable v;
  switch (s.kind) {
  case Kind::declare_int: v.own = number(s.exprs[0]); break;
  case Kind::declare_trace:
    v.objects = {initialize(s.exprs[0])};
    push(v.objects, false);
    break;
  case Kind::declare_relay: {
    Object* parameter = temporary(initialize(s.exprs[0]));
    machine_.say("y", parameter->id);
    v.objects = {machine_.move(parameter)};
    push(v.objects, false);
    break;
  }
  case Kind::declare_ref:
    if (s.exprs[0].type() == Type::prvalue) {
      v.objects = {prvalue(s.exprs[0])};
      push(v.objects, false);
    } else {
      v.objects = {glvalue(s.exprs[0])};
      if (s.exprs[0].op == Op::pair_first) frame_->stack.back().temporary = false;  // all of it lives on
    }
    break;
  case Kind::declare_pair:
  case Kind::declare_array:
  case Kind::declare_ints:
    v.objects = elements(s.exprs, &v.numbers, s.kind != Kind::declare_pair);
    if (!v.objects.empty()) push(v.objects, false);
    break;
  case Kind::declare_bindings: {
    std::vector<Object*> objects;
    int n = 0;
    if (s.exprs.empty()) {
      const Variable& pair = find(s.name);
      objects = pair.objects;
      n = pair.numbers[0];
      if (s.style == 0) {
        for (Object*& o : objects) o = machine_.copy(o);
        push(objects, false);
      }
    } else {
      objects = elements(s.exprs, &v.numbers, false);
      n = v.numbers[0];
      push(objects, false);
    }
    for (int i : {0, 1}) declare(s.names[static_cast<std::size_t>(i)]).objects = {objects[static_cast<std::size_t>(i)]};
    declare(s.names[2]).own = n;
    return;
  }
  case Kind::declare_lambda: {
    v.lambda = &s;
    for (const Capture& c : s.captures) {
      std::shared_ptr<Variable> captured;
      for (const auto& [name, variable] : frame_->names) {
        if (name == c.name) captured = variable;
      }
      if (!captured) throw Abandoned{};
      if (!c.by_reference) {
        auto copy = std::make_shared<Variable>();
        copy->own = *captured->number;
        for (const Object* o : captured->objects) copy->objects.push_back(machine_.copy(o));
        v.objects.insert(v.objects.end(), copy->objects.begin(), copy->objects.end());
        captured = copy;
      }
      v.captured.emplace_back(c.name, captured);
    }
    push(v.objects, false);
    break;
  }
  case Kind::declare_job: {
    const Coroutine& c = callee(s.target);
    const int n = number(s.exprs[0]);
    Object* o = c.passing == Passing::value ? temporary(initialize(s.exprs[1])) : glvalue(s.exprs[1]);
    v.job = start(machine_, c, n, o);
    frame_->stack.push_back({{}, v.job, false});
    break;
  }
  default: throw Abandoned{};
  }
  Variable& made = declare(s.name);
  made.own = v.own;
  made.objects = std::move(v.objects);
  made.numbers = std::move(v.numbers);
  made.job = std::move(v.job);
  made.lambda = v.lambda;
  made.captured = std::move(v.captured);
}

void Interpreter::assignment(const Stmt& s) {
  FullExpression end(machine_, *frame_);
  switch (s.kind) {
  case Kind::assign_int: {
    const int n = number(s.exprs[0]);
    int& v = *find(s.name).number;
    v = s.style ? v + n : n;
    if (v > 1'000'000 || v < -1'000'000) throw Abandoned{};
    break;
  }
  case Kind::assign_value: {
    const int n = number(s.exprs[0]);
    const Object* parameter = temporary(initialize(s.exprs[1]));
    machine_.say("v", n);
    *find(s.name).number = parameter->id + n;
    break;
  }
  case Kind::assign_element: {
    const int n = number(s.exprs[1]);
    const int i = number(s.exprs[0]);
    Variable& v = find(s.name);
    v.numbers[static_cast<std::size_t>(at(i, v.numbers.size()))] = n;
    break;
  }
  default: {
    const Object* o = glvalue(s.exprs[0]);
    Object* target = find(s.name).objects[0];
    machine_.use(target);
    machine_.say("=", machine_.use(o)->id);
    target->id = o->id;
  }
  }
}

// A condition that declares a Check.
bool Interpreter::check(const std::string& name, const Expr& id, const auto& value) {
  FullExpression end(machine_, *frame_);
  const int i = number(id);
  const int n = value();
  Object* o = machine_.make(i);
  push({o}, false);
  declare(name).objects = {o};
  return n != 0;
}

Interpreter::Flow Interpreter::if_statement(const Stmt& s) {
  BlockScope scope(machine_, *frame_);
  if (s.style == 1 || s.style == 3) {
    const int n = full(s.exprs[1]);
    declare(s.names[0]).own = n;
  }
  const bool yes =
      s.style >= 2 ? check(s.name, s.exprs[0], [&] { return number(s.exprs.back()); }) : full(s.exprs[0]) != 0;
  if (yes) return block(s.bodies[0]);
  return s.bodies.size() > 1 ? block(s.bodies[1]) : Flow{};
}

Interpreter::Flow Interpreter::loop(const Stmt& s) {
  BlockScope scope(machine_, *frame_);
  if (s.kind == Kind::for_) full(s.exprs[0]);
  int& counter = declare(s.name).own;
  const auto condition = [&] {
    switch (s.kind) {
    case Kind::for_: full(s.exprs[1]); return counter < s.value;
    case Kind::forever: return counter++ < s.value;
    default:
      if (s.kind == Kind::while_ && s.style == 1)
        return check(s.names[0], s.exprs[0], [&] { return counter++ < s.value; });
      full(s.exprs[0]);
      return counter++ < s.value;
    }
  };
  for (;;) {
    machine_.spend();
    {
      BlockScope iteration(machine_, *frame_);
      if (s.kind != Kind::do_while && !condition()) break;
      Flow flow = block(s.bodies[0]);
      if (flow.way == Way::leaves_loop) break;
      if (flow.way != Way::on && flow.way != Way::continues) return flow;
    }
    if (s.kind == Kind::do_while && !condition()) break;
    if (s.kind == Kind::for_) {
      ++counter;
      full(s.exprs[2]);
    }
  }
  return {};
}

Interpreter::Flow Interpreter::range_for(const Stmt& s) {
  BlockScope scope(machine_, *frame_);
  auto list = std::make_shared<Variable>();
  Variable* range = list.get();
  if (s.style < 2) {
    range = &find(s.target);
  } else {
    FullExpression end(machine_, *frame_);
    list->objects = elements(s.exprs, &list->numbers);
    if (!list->objects.empty()) push(list->objects, false);
  }
  const bool objects = s.style == 1 || s.style == 3;
  const std::size_t size = objects ? range->objects.size() : range->numbers.size();
  for (std::size_t i = 0; i < size; ++i) {
    machine_.spend();
    BlockScope iteration(machine_, *frame_);
    Variable& v = declare(s.name);
    if (objects) {
      v.objects = {s.value == 0 ? machine_.copy(range->objects[i]) : range->objects[i]};
      if (s.value == 0) push(v.objects, false);
    } else if (s.value == 0) {
      v.own = range->numbers[i];
    } else {
      v.number = &range->numbers[i];
    }
    Flow flow = block(s.bodies[0]);
    if (flow.way == Way::leaves_loop) break;
    if (flow.way != Way::on && flow.way != Way::continues) return flow;
  }
  return {};
}

Interpreter::Flow Interpreter::switch_statement(const Stmt& s) {
  BlockScope scope(machine_, *frame_);
  if (s.style == 1) {
    const int n = full(s.exprs[0]);
    declare(s.name).own = n;
  }
  const int n = full(s.exprs.back());
  if (s.style == 2) declare(s.target);
  std::size_t first = s.cases.size();
  for (std::size_t i = 0; i < s.cases.size(); ++i) {
    const Case& c = s.cases[i];
    if (!c.is_default && c.value <= n && n <= c.value + c.more) first = i;
  }
  for (std::size_t i = 0; first == s.cases.size() && i < s.cases.size(); ++i) {
    if (s.cases[i].is_default) first = i;
  }
  for (std::size_t i = first; i < s.cases.size(); ++i) {
    Flow flow = block(s.bodies[i]);
    if (flow.way == Way::leaves_loop) break;
    if (flow.way != Way::on) return flow;
    if (!s.cases[i].falls_through) break;
  }
  return {};
}

Interpreter::Flow Interpreter::duff(const Stmt& s) {
  BlockScope scope(machine_, *frame_);
  int& counter = declare(s.name).own;
  std::size_t first = static_cast<std::size_t>(at(full(s.exprs[0]), 3));
  do {
    machine_.spend();
    for (std::size_t i = std::exchange(first, 0); i < 3; ++i) {
      Flow flow = block(s.bodies[i]);
      if (flow.way == Way::leaves_loop) return {};
      if (flow.way == Way::continues) break;
      if (flow.way != Way::on) return flow;
    }
  } while (counter++ < s.value);
  return {};
}

Interpreter::Flow Interpreter::label(const Stmt& s) {
  BlockScope scope(machine_, *frame_);
  if (s.style == 1) declare(s.name);
  for (;;) {
    machine_.spend();
    Flow flow = block(s.bodies[0]);
    if (flow.way != Way::jumps || flow.label != s.names[0]) return flow;
    if (s.style == 0) return {};
  }
}

Interpreter::Flow Interpreter::try_statement(const Stmt& s) {
  std::shared_ptr<Payload> caught;
  std::size_t handler_index = 0;
  try {
    return block(s.bodies[0]);
  } catch (const Thrown& t) {
    while (handler_index < s.handlers.size() && s.handlers[handler_index] != t.payload->type &&
           s.handlers[handler_index] != Caught::anything) {
      ++handler_index;
    }
    if (handler_index == s.handlers.size()) throw;
    caught = t.payload;
  }
  handled_.push_back(std::move(caught));
  struct End {
    std::vector<std::shared_ptr<Payload>>& handled;
    ~End() noexcept(false) { handled.pop_back(); }
  } end{handled_};
  return handler(s, handler_index, handled_.back());
}

Interpreter::Flow Interpreter::handler(const Stmt& s, std::size_t i, const std::shared_ptr<Payload>& caught) {
  BlockScope scope(machine_, *frame_);
  machine_.say("caught");
  if (s.handlers[i] == Caught::trace)
    declare("e").objects = {caught->object};
  else if (s.handlers[i] != Caught::anything)
    declare("e").own = caught->number;
  return statements(s.bodies[i + 1]);
}

void Interpreter::throw_statement(const Stmt& s) {
  {
    // The exception object is complete before the temporaries of its full-expression are destroyed.
    FullExpression end(machine_, *frame_);
    if (s.style == 2) machine_.raise(Caught::trace, 0, prvalue(s.exprs[0]));
    machine_.raise(s.style == 0 ? Caught::integer : Caught::error, number(s.exprs[0]));
  }
}

std::optional<std::string> interpret(const Program& p, int stop, int* suspensions, bool quirk) {
  Machine m;
  m.quirk = quirk;
  m.stop = stop;
  try {
    Object* argument = m.make(p.object);
    std::shared_ptr<Frame> root = Interpreter::start(m, p.coroutines[0], p.argument, argument);
    m.destroy(argument);
    if (stop != 0) {
      try {
        Interpreter(p, m, root).run(true);
      } catch (const Destroyed&) {
      }
    }
    m.say("~");
    m.destroy(*root);
    m.say("#");
  } catch (const Abandoned&) {
    return std::nullopt;
  } catch (const Thrown&) {
    return std::nullopt;
  }
  if (suspensions) *suspensions = m.suspensions;
  if (m.alive != 0) return std::nullopt;
  return m.trace;
}

std::optional<std::string> interpret(const Program& p, bool quirk) {
  std::string all;
  for (int stop : p.stops) {
    const std::optional<std::string> run = interpret(p, stop, nullptr, quirk);
    if (!run) return std::nullopt;
    all += *run;
  }
  return all + "alive0 ";
}

}  // namespace hel::fuzz
