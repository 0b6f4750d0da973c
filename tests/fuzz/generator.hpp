#pragma once

#include "model.hpp"
#include "random.hpp"
#include "scope.hpp"

namespace hel::fuzz {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}
  Program program();

 private:
  // expressions; depth: how many levels may follow
  Expr integer(int depth);
  Expr plain_integer();  // no effects
  Expr await_integer(int depth);
  Expr child(int depth);
  Expr prvalue(int depth);
  Expr lvalue(int depth);  // if there is an object in scope, else number(0)
  Expr object(int depth);  // of any category
  Expr plain_object();
  Expr stable_lvalue(int depth, bool writable);
  Expr make(int depth);
  Expr pair_first(int depth);
  std::vector<Expr> integers(int count, int depth);
  std::vector<Expr> objects(int count, int depth);
  std::vector<Expr> pair(int depth);
  Expr order(Expr e);  // at most one operand with effects, where compilers may choose the order
  Expr node(Op op, std::vector<Expr> kids, int value = 0, std::string name = {});
  Expr number(int n) { return node(Op::number, {}, n); }
  Expr condition(int depth);
  int object_id();
  // Not assigned to inside.
  Expr without_assignment(Expr (Generator::*make)(int), int depth);

  // statements
  void statements(Body& body, int depth, int count);
  void statement(Body& body, int depth);
  void simple(Body& body, int depth);
  void declaration(Body& body, int depth);
  void compound(Body& body, int depth);
  void jump(Body& body, int depth);
  void guarded(Body& body, Stmt s);
  void raise(Body& body);
  void assignment(Body& body, int depth);
  Body block(int depth);
  Body inner(int depth);  // in the scope of its head
  Stmt loop(Kind kind, int depth);
  Stmt if_statement(int depth);
  Stmt range_for(int depth);
  Stmt switch_statement(int depth);
  Stmt duff(int depth);
  Stmt label(int depth);
  Stmt try_statement(int depth);
  void lambda(Body& body, int depth);
  void job(Body& body, int depth);
  std::string fresh();  // a name not yet in the innermost scopes
  std::string counter();
  void define(const std::string& name, Names kind, bool constant = false, bool fixed = false, int length = 0);
  int depth() { return random_.chance(60) ? random_.between(1, 2) : random_.between(2, 4); }

  Random random_;
  Scopes names_;
  std::vector<Coroutine> later_;  // those that the one being made may call
  std::vector<Stmt> enclosing_labels_;
  int budget_ = 0;
  int labels_made_ = 0;
  int loops_ = 0, switches_ = 0, tries_ = 0;
  bool may_suspend_ = true, may_assign_ = true, in_handler_ = false;
};

}  // namespace hel::fuzz
