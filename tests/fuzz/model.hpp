// A random program: coroutines made of statements and expressions over ints and trace objects. Expressions and
// statements are plain trees with names in them, so that a part can be deleted or replaced by another of its type;
// check.hpp says whether what is left is still a program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hel::fuzz {

enum class Op {
  // int
  number,        // value
  int_variable,  // name
  int_element,   // name[at(kid, length)]
  id,            // kid.id
  plus,          // kid.plus(kid)
  binary,        // kid op kid; value: which of + - * < ==
  negate,        // !kid
  logical_and,
  logical_or,
  conditional,        // kid ? kid : kid
  conditional_throw,  // kid ? kid : throw kid
  comma,              // kid, kid
  note,               // prints and returns its argument
  boom,               // throws for some arguments
  use,                // a call with a reference to an object, an int, and another object
  sum,                // initializer_list<int>
  ids,                // initializer_list<Trace>
  shift,              // a chain of << over ints and objects
  both,               // an object made of two, by parentheses or braces (value)
  pair_number,        // Pair{kid, kid, kid}.n
  own_new,            // own(new Trace(kid))
  own_array,          // own_all(new Trace[n]{kids}, n)
  with_default,       // a default argument with temporaries; value: of a function, of a constructor (braces)
  short_conditional,  // kid ?: kid
  assign,             // name = kid
  call_lambda,        // name(kid)
  await_int,          // value: which awaiter
  await_on,           // awaiter that holds a reference to an object
  await_child,        // co_await name(kid, kid)
  await_job,          // co_await name
  yield_int,
  yield_trace,
  // Trace, prvalue
  make,        // Trace(kid)
  make_call,   // make(kid)
  await_give,  // the result of an await
  trace_conditional,
  trace_comma,
  copy,  // Trace(lvalue)
  // Trace, lvalue
  trace_variable,  // name
  field,           // name.first or .second (value), or .t of a check
  trace_element,   // name[at(kid, length)]
  lvalue_conditional,
  lvalue_comma,
  ref,         // ref(kid), a const reference to it
  await_lend,  // an await whose result is the object itself
  // Trace, xvalue
  move,        // std::move(name)
  pair_first,  // Pair{kid, kid, kid}.first
};

enum class Type { integer, prvalue, lvalue, xvalue };

// Awaiters with an int result; value of Op::await_int.
enum class Awaiter { pause, ready, hold, decline, self, hop, fail_ready, fail_suspend, fail_resume };
inline constexpr int awaiter_count = 9;

struct Expr {
  Op op = Op::number;
  int value = 0;
  std::string name;
  std::vector<Expr> kids;
  bool constant = false;  // an lvalue of const type

  Type type() const {
    if (op < Op::make) return Type::integer;
    if (op < Op::trace_variable) return Type::prvalue;
    return op < Op::move ? Type::lvalue : Type::xvalue;
  }
};

enum class Kind {
  say,          // prints an int
  discard,      // an expression for its effects
  declare_int,  // style: = or braces
  declare_trace,
  declare_relay,     // Trace name = relay(init): by value in, by value out
  declare_ref,       // reference; style: const& or &&, bound to an object or to a temporary whose life it extends
  declare_pair,      // aggregate of two objects and an int
  declare_array,     // of objects
  declare_ints,      // style: array or vector
  declare_bindings,  // names: three; exprs: the parts of a pair, or none and name: a pair variable
  declare_lambda,    // captures, one parameter, an int
  declare_job,       // name = target(expr, expr)
  assign_int,        // style: = or +=
  assign_value,      // name = value_of(expr, object by value)
  assign_element,    // name[at(exprs[0])] = exprs[1]: the right side first
  assign_trace,
  if_,     // exprs: condition; style: condition variable, initialiser; bodies: then, else
  while_,  // name: counter, value: how often; style: condition variable
  do_while,
  for_,       // exprs: one beside each of initialiser, condition, increment
  forever,    // for (;;) with a break
  range_for,  // over a variable or a list
  switch_,    // exprs: initialiser, condition; one body a case
  duff,       // a switch into the middle of a loop
  block,
  label,  // names[0]: label; style: jumps go behind the block, or to its begin
  goto_,
  break_,
  continue_,
  return_,
  try_,  // bodies: the block, then one for each handler
  throw_,
  rethrow,
};

struct Capture {
  std::string name;
  bool by_reference = false;
};

enum class Caught { integer, error, trace, anything };

struct Case {
  int value = 0;
  bool is_default = false;
  bool falls_through = false;
  int more = 0;  // values that it is also for
};

struct Stmt {
  Kind kind = Kind::block;
  int style = 0;
  int value = 0;
  std::string name;    // what is declared, assigned or counted
  std::string target;  // what else is named
  std::vector<std::string> names;
  std::vector<Expr> exprs;
  std::vector<std::vector<Stmt>> bodies;
  std::vector<Capture> captures;
  std::vector<Caught> handlers;
  std::vector<Case> cases;
};

using Body = std::vector<Stmt>;

enum class Passing { reference, constant_reference, value };

struct Coroutine {
  std::string name;
  Passing passing = Passing::value;  // of the object; the parameters are called a (int) and t
  Body body;
  Expr result;  // co_return at its end
};

struct Program {
  std::uint64_t seed = 0;
  std::vector<Coroutine> coroutines;  // each calls only later ones; the first one is run
  int argument = 1, object = 1;       // what it is called with
  std::vector<int> stops;             // after how many steps it is destroyed, run by run; -1: runs to its end
};

}  // namespace hel::fuzz
