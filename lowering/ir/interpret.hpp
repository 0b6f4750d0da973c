// Executes a Function without the user's code. What the code would decide (which way a branch goes, which expression
// throws, whether an awaiter suspends, whether the suspended coroutine is resumed or destroyed) is a choice that the
// caller makes; objects are only built and dropped. On the way every rule about lifetimes is checked:
//
//   * an object is built once, used only while it lives, and dropped once;
//   * wherever an exception or destroy() may come, what lives is what the cleanup stack covers, in reverse order of
//     construction (a flag decides for what is built on some paths only);
//   * nothing lives when the coroutine is over.
//
// After place_slots() also: a value used after a suspension was in the frame and read back; with the frame's layout, no
// slot was overwritten by another one that shares its bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "lowering/ir/ir.hpp"

namespace hel::lowering::ir {

// Where a slot is in the frame.
struct Bytes {
  SlotId slot = none;
  std::uint64_t begin = 0, end = 0;
};

struct InterpretOptions {
  bool placed = false;        // place_slots() has run: locals are lost at a suspension
  std::vector<Bytes> layout;  // of the slots in the frame; empty: not checked
};

struct Choice {
  enum class Way {
    on,         // the next instruction, without an exception
    throws,     // the expression throws
    to,         // the branch, switch or jump goes to `block`
    ready,      // the awaiter is ready, or declines to suspend
    suspends,   // the awaiter suspends
    resumes,    // the suspended coroutine is resumed,
    destroyed,  // or destroyed
  };
  Way way = Way::on;
  BlockId block = none;
};

struct Event {
  enum class What { build, eval, drop, suspend, resume, destroy, exception, caught, finish, over };
  What what = What::eval;
  std::string text;  // the object, or the expression
};
std::string to_string(const std::vector<Event>& trace);  // "build a; eval f(a); drop a; over"

class Machine {
 public:
  // `f` must outlive the machine and its copies. Suspended at the initial suspension point.
  Machine(const Function& f, InterpretOptions options);

  // What may happen next; empty: the coroutine is over.
  std::vector<Choice> choices() const;
  void take(const Choice& c);
  // The rules that were broken so far; such a machine is over.
  const std::vector<std::string>& faults() const { return state_.faults; }
  void record(std::vector<Event>* trace) { trace_ = trace; }

  // Equal for machines that behave alike from here on.
  std::string key() const;
  // For people: block, line and the text of what comes next.
  std::string position() const;

 private:
  enum class Mode : char { running, suspended, over };
  struct Place {  // a slot as the body sees it
    enum : char { nothing, value, lost } built = nothing;
    bool stored = false;  // its bytes in the frame hold the value
    bool set = false;     // a flag
    bool operator==(const Place&) const = default;
  };
  struct State {
    Mode mode = Mode::suspended;
    BlockId block = 0;
    std::uint32_t at = 0;  // instruction; the number of instructions: the terminator
    CleanupId top = none;
    std::vector<Place> slots;
    std::vector<std::uint32_t> alive;  // objects, in order of construction
    std::set<std::uint32_t> parts;     // built, but not (yet) objects of their own
    std::set<SlotId> complete;         // parts that became a whole, which is not covered yet
    std::vector<std::string> faults;
  };
  struct Object {
    SlotId slot;
    Text place;
    bool memory;  // not the object but the memory for it
    bool operator==(const Object&) const = default;
  };
  struct Program;  // what copies share

  void fault(const std::string& what);
  void event(Event::What what, const std::string& text = {});
  std::string name(std::uint32_t object) const;
  std::uint32_t object_of(const Cleanup& c) const;
  bool tracked(const Cleanup& c) const;
  bool is_alive(std::uint32_t object) const;
  bool in_parts(SlotId s) const;
  void forget_parts(SlotId s);

  void write(SlotId s);
  void access(SlotId s);
  void use(const Text& t, SlotId except = none);
  void use(SlotId s);
  void build(const Instr& i);
  void push(CleanupId id);
  void drop_to(CleanupId target);
  void drop(std::uint32_t object);
  void run(const Cleanup& c);
  void covered();
  void go(BlockId b);
  void finish();
  void unwind();
  void suspend(const std::set<SlotId>& live);
  void destroy();
  bool may_throw(const Instr& i) const;
  void step(const Instr& i, const Choice& c);
  void leave(const Terminator& t, const Choice& c);

  std::shared_ptr<const Program> program_;
  const Function* fn_;
  State state_;
  std::vector<Event>* trace_ = nullptr;
};

// One run. `choose` gets what may happen next and returns its index; after `limit` choices the run ends as it is.
struct Run {
  std::vector<Event> trace;
  std::vector<std::string> faults;
};
Run interpret(const Function& f, const InterpretOptions& options,
              const std::function<std::size_t(const std::vector<Choice>&)>& choose, std::size_t limit = 10'000);

// All runs: every state that any sequence of choices leads to, loops any number of times. Gives up after `limit`
// states.
struct Exploration {
  std::vector<std::string> faults;   // each with the choices that lead to it
  std::size_t states = 0, runs = 0;  // different ones; ways to the end
  bool complete = true;
};
Exploration explore(const Function& f, const InterpretOptions& options, std::size_t limit = 1'000'000);

}  // namespace hel::lowering::ir
