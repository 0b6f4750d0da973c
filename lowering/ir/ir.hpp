// The coroutine IR: blocks of destination-passing instructions with one cleanup stack.
//
// A Function is one coroutine. Every object that the flattened body makes has a Slot (its storage). Objects are built
// directly in their slot (guaranteed elision = the destination is passed on). The cleanup stack is a tree of Cleanup
// nodes: at each point exactly one node is current, and leaving by any way (end of scope, break, goto, co_return,
// exception, destroy() while suspended) runs the nodes from the current one up to an ancestor. Nothing else decides
// what is destroyed where.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "lowering/ir/text.hpp"

namespace hel::lowering::ir {

struct SourceLine {
  unsigned line = 0, column = 0;
  bool operator==(const SourceLine&) const = default;
};

enum class Origin { parameter, local, temporary, awaiter, backing_array, flag, capture };
// How a slot holds its value. object: storage for an object that is built with ::new. scalar: an arithmetic, pointer
// or enumeration value whose address nobody takes, so it may live in a register between suspensions. reference: the
// address of the object a reference is bound to.
enum class Form { object, scalar, reference };
enum class Storage { plain, frame };

struct Slot {
  std::string name;      // unique in the function, a valid identifier
  std::string spelling;  // what the user called it; empty for temporaries
  Text type;             // C++ spelling of the type (of the referenced type for a reference, without reference)
  std::string display;   // the type as a person would write it
  Origin origin = Origin::local;
  Form form = Form::object;
  std::uint32_t region = 0;
  bool trivial = true;    // its destructor does nothing
  bool empty = false;     // no value representation at all: need not be kept across a suspension
  bool aggregate = false;  // of an aggregate class
  bool closure = false;    // of a lambda's type
  bool array = false;     // an array type: held in a one-member struct so that it can be list-initialised
  bool loaded = true;     // scalar: false when its value never changes after it was built
  bool early = false;     // its address is used before it is built: storage from `begin` on
  std::uint64_t size = 0, align = 1;  // bytes, as the frontend's target has them
  std::uint64_t alignas_ = 0;         // alignment that the variable asks for beyond its type's; 0: none
  SourceLine where;
  Storage storage = Storage::plain;  // set by place_slots()
  std::string why;                   // why it is in the frame
  bool operator==(const Slot&) const = default;
};

// What destroys an object when control leaves the range in which it lives; or, with a handler, a try block: an exception
// stops there, every other way out passes it by.
struct Cleanup {
  CleanupId parent = none;
  std::uint32_t handler = none;  // index into Function::handlers
  SlotId slot = none;
  Text place;          // lvalue of the object, when it is a part of a slot; empty: the slot
  Text type;           // its type; empty: the slot's
  SlotId flag = none;  // run only if this flag is set
  Text code;           // what to run instead of a destructor: the slot is raw memory to give back
  bool operator==(const Cleanup&) const = default;
};

enum class Op {
  build,      // construct the object `place` of `slot` from `text`
  eval,       // evaluate a full-expression for its effects
  statement,  // an opaque statement of the user's, maybe with exits
  push,       // cleanup becomes current
  pop,        // the parent becomes current, then the cleanup runs
  drop,       // `cleanup` (an ancestor) becomes current without running anything: parts became a whole
  begin,      // the storage of a slot is needed from here on (it is built in parts, or only on some paths)
  flag,       // set `slot` (a flag) to `text`
};

enum class Init {
  none,    // default-initialised
  direct,  // text is what stands in parentheses
  list,    // text is a braced list, braces included
  copy,    // text is an expression that must be copy-initialised (converting constructors only)
  bind,    // text is a glvalue: the reference is bound to it
  assign,  // text is the value of a scalar
};

struct Instr {
  Op op = Op::eval;
  SlotId slot = none;
  CleanupId cleanup = none;
  Init init = Init::none;
  Text text;
  bool aggregate = false;       // build: the text is a prvalue of the slot's (or part's) own type, an aggregate class
  Text place, type;             // build: a part of the slot and its type; empty: the whole slot
  std::vector<BlockId> exits;  // statement: where its jumps go
  SourceLine where;
  bool operator==(const Instr&) const = default;
};

enum class Suspends {
  void_,
  bool_,
  handle,
  release,  // final only: not await_suspend but await_release, which ends the promise; then the parameters and the frame
            // go, then next() says what runs
};
enum class AwaitKind { initial, await, yield, final };

struct Await {
  AwaitKind kind = AwaitKind::await;
  Text awaiter;  // lvalue
  Suspends suspends = Suspends::void_;
  std::uint32_t index = 0;      // suspension index, stored in the frame
  std::set<SlotId> live;        // frame slots that hold a value while suspended here; set by place_slots()
  bool operator==(const Await&) const = default;
};

enum class Exit {
  jump,      // to[0]
  branch,    // text ? to[0] : to[1]
  select,    // a user's switch: case labels[i] goes to to[i]; an empty label is default
  await,     // ready: to[0]; otherwise suspend, later resume at to[0]
  destroy,   // the frame is destroyed and the coroutine is over
  dead,      // never reached
};

struct Terminator {
  Exit exit = Exit::dead;
  Text text;
  std::vector<BlockId> to;
  std::vector<Text> labels;
  Await await;
  SourceLine where;
  bool operator==(const Terminator&) const = default;
};

struct Block {
  CleanupId entry = none;  // current cleanup on entry
  std::vector<Instr> instrs;
  Terminator term;
  bool operator==(const Block&) const = default;
};

// A region is a scope of storage: a block of the user's or a full-expression. Siblings never live at the same time.
struct Region {
  std::uint32_t parent = none;
  bool operator==(const Region&) const = default;
};

struct Parameter {
  SlotId slot = none;
  std::string name;  // as the ramp sees it
  bool operator==(const Parameter&) const = default;
};

// The handlers of a try block that holds a suspension. Its block runs after everything inside the try was destroyed; the
// block's first instruction is the statement that holds the catch clauses.
struct Handler {
  CleanupId node = none;
  BlockId block = none;
  bool operator==(const Handler&) const = default;
};

// Text for the ramp, before the frame; `where` for the user's own.
struct Declaration {
  Text text;
  SourceLine where;
  bool operator==(const Declaration&) const = default;
};

// The first suspension point is evaluated in the ramp: its exceptions go to the caller.
struct InitialAwait {
  std::vector<Instr> objects;  // builds, in order: what operator co_await is called on, then the awaiter
  SlotId slot = none;          // the awaiter
  Suspends suspends = Suspends::void_;
  std::set<SlotId> live;  // frame slots that hold a value while suspended here; set by place_slots()
  bool operator==(const InitialAwait&) const = default;
};

struct Function {
  std::string name;                      // qualified, for people
  Text promise_type, return_type;
  std::vector<Declaration> declarations;  // local types, constants and makers, in order, for the ramp
  std::vector<Parameter> parameters;     // in order; references are slots of form reference
  std::vector<Parameter> captures;       // of a lambda coroutine: name is the expression the ramp takes the address of
  bool has_this = false;
  Text this_expression = "this";         // in the ramp
  Text this_type;                        // of what it points to; empty: as the expression says
  std::vector<Text> promise_arguments;   // ramp expressions (of the copies); empty: default-constructed
  Text allocate, deallocate;             // expressions; markers of the emitter stand for size and address
  bool own_allocation = false;           // the promise type has operator new
  bool allocation_may_fail = false;      // get_return_object_on_allocation_failure
  bool immovable_return = false;
  bool void_get_return_object = false;
  InitialAwait initial;
  std::vector<Slot> slots;
  std::vector<Cleanup> cleanups;
  std::vector<Handler> handlers;
  std::vector<Region> regions{{}};
  std::vector<Block> blocks;
  BlockId entry = 0;      // runs when the initial suspension is resumed
  BlockId final = 0;      // builds and awaits the final awaiter
  std::uint32_t suspensions = 1;  // 0 is the initial one
  bool catches = true;    // the promise has unhandled_exception (host)
  bool device = false;    // annotated for the device, too
  bool hidden_locals = false;  // functions that it calls may be inlined with variables that are taken for alive
  std::uint64_t promise_size = 1, promise_align = 1;  // bytes, for descriptions
  SourceLine where;
  bool operator==(const Function&) const = default;

  // Bytes before the slots: the two host pointers (or the device's type id and index), the promise, the index.
  std::uint64_t header_size(bool on_device, std::uint64_t index_size) const {
    const std::uint64_t first = on_device ? 4 : 16;
    const std::uint64_t promise = (first + promise_align - 1) / promise_align * promise_align;
    const std::uint64_t end = promise + promise_size;
    return on_device ? end : (end + index_size - 1) / index_size * index_size + index_size;
  }
  std::uint64_t header_align(bool on_device) const { return std::max<std::uint64_t>(on_device ? 4 : 8, promise_align); }
};

}  // namespace hel::lowering::ir
