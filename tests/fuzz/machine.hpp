// The state of the interpreter: what was printed, the objects that exist, the frames of the coroutines.
//
// A suspended program is never resumed here: it either runs through, or is destroyed at one suspension. So a
// coroutine's body is interpreted by plain recursion, an await of another one included, and destruction at a suspension
// is an exception of the interpreter's own that leaves everything as it is. What then is alive stands on each frame's
// stack of cleanups.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model.hpp"

namespace hel::fuzz {

struct Object {
  int id = 0;
  bool alive = true;
};

struct Frame;

// What is destroyed together: an object, the elements of an aggregate or an array, a coroutine.
struct Cleanup {
  std::vector<Object*> objects;
  std::shared_ptr<Frame> job;
  bool temporary = false;  // at the end of the full-expression, not of the scope
};

struct Variable {
  int own = 0;
  int* number = &own;
  std::vector<Object*> objects;
  std::vector<int> numbers;
  std::shared_ptr<Frame> job;
  const Stmt* lambda = nullptr;
  std::vector<std::pair<std::string, std::shared_ptr<Variable>>> captured;
};
using Environment = std::vector<std::pair<std::string, std::shared_ptr<Variable>>>;

struct Machine;

struct Payload {  // an exception object
  Machine& machine;
  Caught type;
  int number = 0;
  Object* object = nullptr;
  ~Payload();
};
struct Thrown {
  std::shared_ptr<Payload> payload;
};
struct Destroyed {};  // the program was destroyed at a suspension
struct Abandoned {};  // the program runs too long or its numbers grow too large

struct Frame {
  const Coroutine* coroutine = nullptr;
  Environment names;
  std::vector<Cleanup> stack;
  Object* parameter = nullptr;  // if it is the coroutine's own
  bool done = false;
  int result = 0;
  std::shared_ptr<Payload> error;
};

struct Machine {
  std::string trace;
  int stop = -1;  // the number of the suspension to be destroyed at
  int suspensions = 0;
  int alive = 0;
  int work = 0;
  bool quirk = false;  // destroy the elements of an unfinished array as clang does, see known-native.txt
  bool dying = false;  // scopes leave everything as it is

  void say(const char* what) { trace += what, trace += ' ', spend(); }
  void say(const std::string& what, int n) { trace += what + std::to_string(n) + ' ', spend(); }
  void spend() {
    if (++work > 4000 && !dying && !std::uncaught_exceptions()) throw Abandoned{};
  }
  void suspend() {
    say("|");
    if (++suspensions == stop) dying = true, throw Destroyed{};
    if (suspensions > 80) throw Abandoned{};
  }
  void raise(Caught type, int number, Object* object = nullptr) {
    throw Thrown{std::shared_ptr<Payload>(new Payload{*this, type, number, object})};
  }

  Object* build(const char* how, int id) {
    objects_.push_back(std::make_unique<Object>(Object{id, true}));
    say(how, id), ++alive;
    return objects_.back().get();
  }
  Object* make(int id) {
    if (id % 16 == 13) say("!", id), raise(Caught::integer, id);
    return build("+", id);
  }
  Object* copy(const Object* o) { return build("c", use(o)->id); }
  Object* move(const Object* o) { return build("m", use(o)->id); }
  void destroy(Object* o) { say("-", use(o)->id), --alive, o->alive = false; }
  void destroy(const Cleanup& c) {
    for (std::size_t i = c.objects.size(); i-- > 0;) destroy(c.objects[i]);
    if (c.job) destroy(*c.job);
  }
  // A suspended coroutine, or a finished one.
  void destroy(Frame& f) {
    while (!f.stack.empty()) {
      const Cleanup c = std::move(f.stack.back());
      f.stack.pop_back();
      destroy(c);
    }
    if (f.parameter) destroy(std::exchange(f.parameter, nullptr));
  }
  // A dead object: the generator made a dangling reference.
  const Object* use(const Object* o) {
    if (!o->alive && !dying && !std::uncaught_exceptions()) throw Abandoned{};
    return o;
  }

 private:
  std::vector<std::unique_ptr<Object>> objects_;
};

inline Payload::~Payload() {
  if (object) machine.destroy(object);
}

// A block: names end with it, objects are destroyed in reverse.
class BlockScope {
 public:
  BlockScope(Machine& m, Frame& f) : machine_(m), frame_(f), objects_(f.stack.size()), names_(f.names.size()) {}
  BlockScope(const BlockScope&) = delete;
  ~BlockScope() noexcept(false) {
    frame_.names.resize(names_);
    while (!machine_.dying && frame_.stack.size() > objects_) {
      const Cleanup c = std::move(frame_.stack.back());
      frame_.stack.pop_back();
      machine_.destroy(c);
    }
  }

 private:
  Machine& machine_;
  Frame& frame_;
  std::size_t objects_, names_;
};

// A full-expression: at its end temporaries are destroyed, what it declared stays; an exception destroys both.
class FullExpression {
 public:
  FullExpression(Machine& m, Frame& f)
      : machine_(m), frame_(f), objects_(f.stack.size()), exceptions_(std::uncaught_exceptions()) {}
  FullExpression(const FullExpression&) = delete;
  ~FullExpression() noexcept(false) {
    if (machine_.dying) return;
    const bool thrown = std::uncaught_exceptions() > exceptions_;
    std::vector<Cleanup> kept;
    while (frame_.stack.size() > objects_) {
      Cleanup c = std::move(frame_.stack.back());
      frame_.stack.pop_back();
      if (c.temporary || thrown)
        machine_.destroy(c);
      else
        kept.push_back(std::move(c));
    }
    while (!kept.empty()) frame_.stack.push_back(std::move(kept.back())), kept.pop_back();
  }

 private:
  Machine& machine_;
  Frame& frame_;
  std::size_t objects_;
  int exceptions_;
};

}  // namespace hel::fuzz
