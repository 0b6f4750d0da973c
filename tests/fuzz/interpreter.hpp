#pragma once

#include "machine.hpp"

namespace hel::fuzz {

// One coroutine's body.
class Interpreter {
 public:
  Interpreter(const Program& p, Machine& m, std::shared_ptr<Frame> f)
      : program_(p), machine_(m), frame_(std::move(f)) {}

  // Runs the body to its end; an exception is kept in the frame.
  void run(bool root);

  // A coroutine with its arguments, not yet started. by_value: the object is moved into the frame.
  static std::shared_ptr<Frame> start(Machine& m, const Coroutine& c, int number, Object* object);

 private:
  enum class Way { on, leaves_loop, continues, returns, jumps };
  struct Flow {
    Way way = Way::on;
    std::string label;
  };

  // expressions
  int number(const Expr& e);
  int number_of(const Expr& e);
  Object* prvalue(const Expr& e);     // a new object that the caller owns
  Object* initialize(const Expr& e);  // the same from any expression
  Object* glvalue(const Expr& e);     // an object; a prvalue becomes a temporary
  std::vector<Object*> elements(const std::vector<Expr>& exprs, std::vector<int>* numbers = nullptr, bool array = true);
  Object* temporary(Object* o);
  int await(const Expr& e);
  int await(Frame& job);
  int call(const Variable& lambda, int argument);
  void push(std::vector<Object*> objects, bool temporary) {
    frame_->stack.push_back({std::move(objects), nullptr, temporary});
  }
  Variable& find(const std::string& name);
  const Coroutine& callee(const std::string& name) const;
  static int at(int n, std::size_t length) {
    const int l = static_cast<int>(length);
    return (n % l + l) % l;
  }

  // statements
  Flow statements(const Body& body);
  Flow block(const Body& body);
  Flow statement(const Stmt& s);
  void declaration(const Stmt& s);
  void assignment(const Stmt& s);
  Flow if_statement(const Stmt& s);
  Flow loop(const Stmt& s);
  Flow range_for(const Stmt& s);
  Flow switch_statement(const Stmt& s);
  Flow duff(const Stmt& s);
  Flow label(const Stmt& s);
  Flow try_statement(const Stmt& s);
  Flow handler(const Stmt& s, std::size_t i, const std::shared_ptr<Payload>& caught);
  void throw_statement(const Stmt& s);
  int full(const Expr& e) {
    FullExpression end(machine_, *frame_);
    return number(e);
  }
  Variable& declare(const std::string& name) {
    frame_->names.emplace_back(name, std::make_shared<Variable>());
    return *frame_->names.back().second;
  }
  bool check(const std::string& name, const Expr& id, const auto& value);

  const Program& program_;
  Machine& machine_;
  std::shared_ptr<Frame> frame_;
  std::vector<std::shared_ptr<Payload>> handled_;
};

}  // namespace hel::fuzz
