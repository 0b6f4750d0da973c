#include "lowering/ir/interpret.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace hel::lowering::ir {

using Way = Choice::Way;
using What = Event::What;

struct Machine::Program {
  InterpretOptions options;
  std::vector<Object> objects;
  std::map<std::pair<SlotId, Text>, std::uint32_t> numbers;
  std::map<SlotId, std::uint32_t> memory;
  std::vector<std::vector<SlotId>> overlaps;  // of a slot: those that share bytes with it
  std::vector<bool> finish;                   // blocks of the final suspension

  std::uint32_t number(SlotId s, const Text& place) {
    const auto [it, fresh] = numbers.try_emplace({s, place}, static_cast<std::uint32_t>(objects.size()));
    if (fresh) objects.push_back({s, place, false});
    return it->second;
  }

  Program(const Function& f, InterpretOptions o) : options(std::move(o)) {
    for (std::size_t s = 0; s < f.slots.size(); ++s) number(static_cast<SlotId>(s), {});
    for (const Block& b : f.blocks)
      for (const Instr& i : b.instrs)
        if (i.op == Op::build) number(i.slot, i.place);
    for (const Cleanup& c : f.cleanups) {
      if (c.slot == none) continue;
      number(c.slot, c.place);
      if (c.code.empty() || memory.count(c.slot)) continue;
      memory[c.slot] = static_cast<std::uint32_t>(objects.size());
      objects.push_back({c.slot, {}, true});
    }
    overlaps.resize(f.slots.size());
    for (const Bytes& a : options.layout)
      for (const Bytes& b : options.layout)
        if (a.slot != b.slot && a.begin < b.end && b.begin < a.end) overlaps[a.slot].push_back(b.slot);
    finish.resize(f.blocks.size());
    std::vector<BlockId> work{f.final};
    while (!work.empty()) {
      const BlockId b = work.back();
      work.pop_back();
      if (b >= finish.size() || finish[b]) continue;
      finish[b] = true;
      for (BlockId to : f.blocks[b].term.to) work.push_back(to);
    }
  }
};

Machine::Machine(const Function& f, InterpretOptions options)
    : program_(std::make_shared<const Program>(f, std::move(options))), fn_(&f) {
  state_.slots.resize(f.slots.size());
  const auto made = [&](SlotId s) {
    state_.slots[s].built = Place::value;
    state_.slots[s].stored = true;
  };
  for (const Parameter& p : f.parameters) made(p.slot);
  for (const Parameter& p : f.captures) made(p.slot);
  for (const Instr& i : f.initial.objects) {
    made(i.slot);
    if (!f.slots[i.slot].trivial) state_.alive.push_back(program_->numbers.at({i.slot, {}}));
  }
  state_.block = f.entry;
  state_.top = f.blocks[f.entry].entry;
  suspend(f.initial.live);
}

void Machine::fault(const std::string& what) {
  state_.faults.push_back(what);
  state_.mode = Mode::over;
}

void Machine::event(What what, const std::string& text) {
  if (trace_) trace_->push_back({what, text});
}

std::string Machine::name(std::uint32_t object) const {
  const Object& o = program_->objects[object];
  const std::string& slot = fn_->slots[o.slot].name;
  if (o.memory) return "the memory of " + slot;
  if (o.place.empty()) return slot;
  return render(o.place, [&](Mark k, std::uint32_t n) { return k == Mark::slot ? fn_->slots[n].name : std::string(); });
}

bool Machine::tracked(const Cleanup& c) const {
  return c.slot != none && (!c.code.empty() || !c.place.empty() || !fn_->slots[c.slot].trivial);
}

std::uint32_t Machine::object_of(const Cleanup& c) const {
  return c.code.empty() ? program_->numbers.at({c.slot, c.place}) : program_->memory.at(c.slot);
}

bool Machine::is_alive(std::uint32_t object) const {
  return std::find(state_.alive.begin(), state_.alive.end(), object) != state_.alive.end();
}

// Its parts exist, not (yet) the whole.
bool Machine::in_parts(SlotId s) const {
  const auto part = [&](std::uint32_t o) {
    return program_->objects[o].slot == s && !program_->objects[o].place.empty();
  };
  return state_.complete.count(s) || std::any_of(state_.parts.begin(), state_.parts.end(), part) ||
         std::any_of(state_.alive.begin(), state_.alive.end(), part);
}

void Machine::forget_parts(SlotId s) {
  std::erase_if(state_.parts, [&](std::uint32_t o) { return program_->objects[o].slot == s; });
}

void Machine::write(SlotId s) {
  if (fn_->slots[s].storage != Storage::frame) return;
  state_.slots[s].stored = true;
  for (SlotId other : program_->overlaps[s]) state_.slots[other].stored = false;
}

// The storage still holds what was put there.
void Machine::access(SlotId s) {
  const Place& p = state_.slots[s];
  const Slot& slot = fn_->slots[s];
  if (p.built == Place::lost) return fault(slot.name + " is used after a suspension that it was not kept across");
  if (program_->options.placed && slot.storage == Storage::frame && slot.form == Form::object &&
      p.built == Place::value && !p.stored)
    fault(slot.name + " is used after its bytes in the frame were given to another slot");
}

void Machine::use(SlotId s) {
  access(s);
  if (state_.slots[s].built == Place::nothing)
    return fault(fn_->slots[s].name + " is used, but nothing was built there");
  // Only what may be destroyed is known to live; storage alone is enough for what is built in parts.
  if (fn_->slots[s].trivial || fn_->slots[s].early || fn_->slots[s].origin == Origin::parameter) return;
  if (!is_alive(program_->numbers.at({s, {}})) && !in_parts(s))
    fault(fn_->slots[s].name + " is used, but is not built");
}

void Machine::use(const Text& t, SlotId except) {
  for (SlotId s : slots_of(t))
    if (s != except) use(s);
}

void Machine::build(const Instr& i) {
  use(i.text, i.slot);
  const std::uint32_t object = program_->numbers.at({i.slot, i.place});
  event(What::build, name(object));
  if (is_alive(object)) return fault(name(object) + " is built while alive");
  Place& p = state_.slots[i.slot];
  if (!i.place.empty()) {
    if (p.built != Place::value) return fault(name(object) + " is built, but its storage is not there");
    access(i.slot);
    use(i.place, i.slot);
    state_.parts.insert(object);
    return;
  }
  if (in_parts(i.slot)) return fault(name(object) + " is built while its parts are alive");
  const Slot& s = fn_->slots[i.slot];
  p.built = Place::value;
  if (!s.trivial) state_.alive.push_back(object);
  // A scalar that changes is in a register: it is stored at suspensions.
  if (s.form != Form::scalar || !s.loaded) write(i.slot);
}

void Machine::push(CleanupId id) {
  const Cleanup& c = fn_->cleanups[id];
  if (c.parent != state_.top) fault("push onto a cleanup that is not current");
  state_.top = id;
  if (!tracked(c)) return;
  const std::uint32_t object = object_of(c);
  if (!c.code.empty()) return state_.alive.push_back(object);
  if (is_alive(object) && c.place.empty()) return;
  // A part becomes an object of its own; parts become the whole.
  const bool built = c.place.empty() ? in_parts(c.slot) : state_.parts.count(object) || state_.complete.count(c.slot);
  if (!built || is_alive(object))
    return fault(name(object) + (built ? " is covered twice" : " is covered, but not built"));
  state_.complete.erase(c.slot);
  if (c.place.empty())
    forget_parts(c.slot);
  else
    state_.parts.erase(object);
  state_.alive.push_back(object);
}

void Machine::drop_to(CleanupId target) {
  std::vector<CleanupId> before, after;
  for (CleanupId c = state_.top; c != none; c = fn_->cleanups[c].parent) before.push_back(c);
  for (CleanupId c = target; c != none; c = fn_->cleanups[c].parent) after.push_back(c);
  state_.top = target;
  std::vector<std::uint32_t> order;
  bool rebuilt = false;
  for (CleanupId c : after) {
    rebuilt |= std::find(before.begin(), before.end(), c) == before.end();
    if (tracked(fn_->cleanups[c])) order.insert(order.begin(), object_of(fn_->cleanups[c]));
  }
  for (CleanupId c : before) {
    const Cleanup& gone = fn_->cleanups[c];
    if (!tracked(gone) || std::find(after.begin(), after.end(), c) != after.end()) continue;
    const std::uint32_t object = object_of(gone);
    if (std::find(order.begin(), order.end(), object) != order.end() || (gone.place.empty() && gone.code.empty()))
      continue;
    std::erase(state_.alive, object);
    // Parts are a whole from here on; the memory of an object is the user's.
    if (gone.code.empty()) {
      state_.complete.insert(gone.slot);
    } else {
      state_.complete.erase(gone.slot);
      forget_parts(gone.slot);
    }
  }
  // A stack that was put together anew: its order is the one to keep.
  if (!rebuilt) return;
  std::erase_if(order, [&](std::uint32_t o) { return !is_alive(o); });
  if (order.size() == state_.alive.size()) state_.alive = order;
}

void Machine::drop(std::uint32_t object) {
  event(What::drop, name(object));
  const Object& o = program_->objects[object];
  if (!is_alive(object)) return fault(name(object) + " is dropped, but is not alive");
  access(o.slot);
  std::erase(state_.alive, object);
  if (o.memory) forget_parts(o.slot);
  if (o.place.empty() && !o.memory) state_.slots[o.slot].built = Place::nothing;
}

void Machine::run(const Cleanup& c) {
  if (c.slot == none) return;
  if (c.flag != none) {
    access(c.flag);
    if (state_.slots[c.flag].built != Place::value ||
        (fn_->slots[c.flag].storage == Storage::frame && !state_.slots[c.flag].stored))
      return fault("the flag " + fn_->slots[c.flag].name + " is asked, but has no value");
    if (!state_.slots[c.flag].set) return;
  }
  if (tracked(c))
    drop(object_of(c));
  else
    state_.slots[c.slot].built = Place::nothing;  // the end of its scope
}

// What lives is what the stack covers, in this order.
void Machine::covered() {
  if (state_.mode == Mode::over) return;
  std::vector<std::uint32_t> stack;
  for (CleanupId c = state_.top; c != none; c = fn_->cleanups[c].parent) {
    const Cleanup& cleanup = fn_->cleanups[c];
    if (!tracked(cleanup)) continue;
    const std::uint32_t object = object_of(cleanup);
    if (cleanup.flag == none || state_.slots[cleanup.flag].set) stack.insert(stack.begin(), object);
  }
  if (!state_.complete.empty())
    return fault("the parts of " + fn_->slots[*state_.complete.begin()].name +
                 " are complete, but the whole is not covered");
  if (stack == state_.alive) return;
  for (std::uint32_t o : state_.alive)
    if (std::find(stack.begin(), stack.end(), o) == stack.end())
      return fault(name(o) + " is alive, but the stack does not cover it");
  for (std::uint32_t o : stack)
    if (!is_alive(o)) return fault(name(o) + " is covered, but not alive");
  fault("the stack is not in reverse order of construction");
}

void Machine::go(BlockId b) {
  if (b >= fn_->blocks.size()) return fault("an edge to a missing block");
  if (program_->finish[b] && !program_->finish[state_.block]) return finish();
  if (state_.top != fn_->blocks[b].entry)
    return fault("another cleanup is current at the entry of b" + std::to_string(b));
  state_.block = b;
  state_.at = 0;
}

// To the final suspension, which is a function of its own.
void Machine::finish() {
  event(What::finish);
  covered();
  if (state_.mode == Mode::over) return;
  if (!state_.alive.empty()) return fault(name(state_.alive.back()) + " is alive at the final suspension");
  if (state_.top != none) return fault("a cleanup is current at the final suspension");
  for (std::size_t s = 0; program_->options.placed && s < state_.slots.size(); ++s)
    if (state_.slots[s].built == Place::value) state_.slots[s].built = Place::lost;
  state_.block = fn_->final;
  state_.at = 0;
}

void Machine::unwind() {
  event(What::exception);
  covered();
  while (state_.mode == Mode::running) {
    if (state_.top == none) return finish();
    const Cleanup& c = fn_->cleanups[state_.top];
    state_.top = c.parent;
    if (c.handler != none) {
      event(What::caught);
      return go(fn_->handlers[c.handler].block);
    }
    run(c);
  }
}

void Machine::suspend(const std::set<SlotId>& live) {
  state_.mode = Mode::suspended;
  covered();
  for (std::size_t i = 0; program_->options.placed && i < state_.slots.size(); ++i) {
    const auto id = static_cast<SlotId>(i);
    const Slot& s = fn_->slots[i];
    Place& p = state_.slots[i];
    if (!live.count(id)) {
      const bool stays = (s.storage == Storage::frame && s.form == Form::object) || s.empty;
      if (p.built == Place::value && !stays) p.built = Place::lost;
      continue;
    }
    if (s.storage != Storage::frame) return fault(s.name + " is alive across a suspension, but not in the frame");
    if (p.built != Place::value) return fault(s.name + " is kept across a suspension, but nothing was built there");
    if (s.form == Form::scalar && s.loaded) write(id);
  }
  // Read back when it is resumed.
  for (SlotId s : live)
    if (program_->options.placed && fn_->slots[s].form != Form::object && !state_.slots[s].stored)
      return fault(fn_->slots[s].name + " is kept across a suspension in bytes that another slot has");
}

void Machine::destroy() {
  event(What::destroy);
  while (state_.top != none && state_.faults.empty()) {
    const Cleanup& c = fn_->cleanups[state_.top];
    state_.top = c.parent;
    if (c.handler == none) run(c);
  }
  if (state_.faults.empty() && !state_.alive.empty()) fault(name(state_.alive.back()) + " is left when the frame goes");
  state_.mode = Mode::over;
  event(What::over);
}

bool Machine::may_throw(const Instr& i) const {
  if (!fn_->catches) return false;
  switch (i.op) {
  case Op::build: return i.init != Init::none || fn_->slots[i.slot].form == Form::object;
  case Op::eval:
  case Op::statement: return true;
  case Op::pop: return tracked(fn_->cleanups[i.cleanup]);
  default: return false;
  }
}

std::vector<Choice> Machine::choices() const {
  switch (state_.mode) {
  case Mode::over: return {};
  case Mode::suspended: {
    const Terminator& t = fn_->blocks[state_.block].term;
    if (state_.at != 0 && t.await.kind == AwaitKind::final) return {{Way::destroyed}};
    return {{Way::resumes}, {Way::destroyed}};
  }
  case Mode::running: break;
  }
  const Block& b = fn_->blocks[state_.block];
  std::vector<Choice> all;
  if (state_.at < b.instrs.size()) {
    const Instr& i = b.instrs[state_.at];
    all = {{Way::on}};
    if (may_throw(i)) all.push_back({Way::throws});
    for (BlockId x : i.exits) all.push_back({Way::to, x});
    return all;
  }
  const Terminator& t = b.term;
  switch (t.exit) {
  case Exit::jump: return {{Way::to, t.to[0]}};
  case Exit::branch:
  case Exit::select:
    for (BlockId to : t.to) all.push_back({Way::to, to});
    break;
  case Exit::await:
    if (t.await.suspends == Suspends::release) return {{Way::suspends}};  // the frame goes
    all = {{Way::ready}, {Way::suspends}};
    break;
  case Exit::destroy:
  case Exit::dead: return {{Way::on}};
  }
  if (fn_->catches) all.push_back({Way::throws});
  return all;
}

void Machine::take(const Choice& c) {
  if (state_.mode == Mode::suspended) {
    if (c.way == Way::destroyed) return destroy();
    event(What::resume);
    state_.mode = Mode::running;
    if (state_.at != 0) return go(fn_->blocks[state_.block].term.to[0]);
    return;  // from the initial suspension to the first block
  }
  const Block& b = fn_->blocks[state_.block];
  if (state_.at < b.instrs.size())
    step(b.instrs[state_.at], c);
  else
    leave(b.term, c);
}

void Machine::step(const Instr& i, const Choice& c) {
  ++state_.at;
  const bool throws = c.way == Way::throws;
  switch (i.op) {
  case Op::build:
    if (throws) {
      use(i.text, i.slot);
      break;
    }
    return build(i);
  case Op::eval:
  case Op::statement:
    event(What::eval, render(i.text, [&](Mark k, std::uint32_t n) {
            return k == Mark::slot ? fn_->slots[n].name : std::string();
          }));
    use(i.text);
    if (c.way == Way::to) {
      covered();
      if (state_.mode == Mode::running) go(c.block);
      return;
    }
    break;
  case Op::push: return push(i.cleanup);
  case Op::pop: {
    const Cleanup& cleanup = fn_->cleanups[i.cleanup];
    if (i.init != Init::assign) {  // otherwise the stack is already as it is without it
      covered();
      if (state_.top != i.cleanup) return fault("pop of a cleanup that is not current");
      state_.top = cleanup.parent;
    }
    if (state_.mode == Mode::running) run(cleanup);
    break;
  }
  case Op::drop: return drop_to(i.cleanup);
  case Op::begin: {
    const std::uint32_t whole = program_->numbers.at({i.slot, {}});
    if (is_alive(whole)) return fault(name(whole) + " is alive, but its storage begins anew");
    state_.slots[i.slot].built = Place::value;
    if (fn_->slots[i.slot].form == Form::object) write(i.slot);
    return;
  }
  case Op::flag:
    state_.slots[i.slot].built = Place::value;
    state_.slots[i.slot].set = i.text == "true";
    return write(i.slot);
  }
  if (throws && state_.mode == Mode::running) unwind();
}

void Machine::leave(const Terminator& t, const Choice& c) {
  const auto over = [&] {
    if (!state_.alive.empty()) fault(name(state_.alive.back()) + " is left when the frame goes");
    state_.mode = Mode::over;
    event(What::over);
  };
  switch (t.exit) {
  case Exit::jump: return go(t.to[0]);
  case Exit::branch:
  case Exit::select: use(t.text); break;
  case Exit::await:
    use(t.await.awaiter);
    if (t.await.suspends == Suspends::release) return over();
    break;
  case Exit::destroy:
    if (state_.top != none) fault("a cleanup is current when the frame goes");
    return over();
  case Exit::dead: state_.mode = Mode::over; return event(What::over);
  }
  if (state_.mode != Mode::running) return;
  switch (c.way) {
  case Way::throws: return unwind();
  case Way::to: return go(c.block);
  case Way::ready: return go(t.to[0]);
  case Way::suspends:
    state_.at = static_cast<std::uint32_t>(fn_->blocks[state_.block].instrs.size()) + 1;  // never 0
    event(What::suspend);
    return suspend(t.await.live);
  default: return;
  }
}

std::string Machine::key() const {
  std::string k;
  const auto number = [&](std::uint32_t n) {
    for (int shift = 0; shift < 32; shift += 8) k += static_cast<char>(n >> shift);
  };
  k += static_cast<char>(state_.mode);
  number(state_.block);
  number(state_.at);
  number(state_.top);
  for (const Place& p : state_.slots) k += static_cast<char>(p.built | (p.stored ? 4 : 0) | (p.set ? 8 : 0));
  for (std::uint32_t o : state_.alive) number(o);
  number(none);
  for (std::uint32_t o : state_.parts) number(o);
  number(none);
  for (SlotId s : state_.complete) number(s);
  return k;
}

std::string Machine::position() const {
  const Block& b = fn_->blocks[state_.block];
  std::string s = "b" + std::to_string(state_.block);
  const SourceLine where = state_.at < b.instrs.size() ? b.instrs[state_.at].where : b.term.where;
  if (where.line) s += " at " + std::to_string(where.line) + ":" + std::to_string(where.column);
  return s;
}

std::string to_string(const std::vector<Event>& trace) {
  static constexpr const char* words[] = {"build",   "eval",      "drop",   "suspend", "resume",
                                          "destroy", "exception", "caught", "finish",  "over"};
  std::string s;
  for (const Event& e : trace)
    s += (s.empty() ? "" : "; ") + std::string(words[static_cast<int>(e.what)]) + (e.text.empty() ? "" : " " + e.text);
  return s;
}

Run interpret(const Function& f, const InterpretOptions& options,
              const std::function<std::size_t(const std::vector<Choice>&)>& choose, std::size_t limit) {
  Run run;
  Machine m(f, options);
  m.record(&run.trace);
  for (std::size_t n = 0; n < limit; ++n) {
    const std::vector<Choice> all = m.choices();
    if (all.empty()) break;
    m.take(all[all.size() == 1 ? 0 : std::min(choose(all), all.size() - 1)]);
  }
  run.faults = m.faults();
  return run;
}

}  // namespace hel::lowering::ir
