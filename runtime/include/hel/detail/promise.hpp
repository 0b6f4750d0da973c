// What the promises of all task types share: who waits for the task, where its outcome goes, how a failure travels.
//
// A task that is over destroys its own frame, then resumes who waits: no call through the frame, no frame that outlives
// its task. The outcome is written to the waiting side's return slot as it is made.
//
// A failure walks from the failing task to the one that handles it. Every task on the way is destroyed at the
// suspension where it stands, the innermost first, so destructors run in the order in which an exception would run
// them. The walk is a loop: a failure from a million calls deep needs no stack.
#pragma once

#include <coroutine>
#include <cstddef>

#include "hel/core/completion_word.hpp"
#include "hel/core/dependency_counter.hpp"
#include "hel/cpu/step_observer.hpp"
#include "hel/detail/context.hpp"
#include "hel/detail/frame_memory.hpp"
#include "hel/error.hpp"

namespace hel::detail {

struct promise_base;

enum class outcome : std::uint8_t { none, value, exception, failure };

// Who is told that the task is over, and of a failure.
enum class reports : std::uint8_t {
  to_task,      // `link` is the waiting task, which fails in turn
  to_caller,    // `link` is a waiting coroutine, which reads the outcome
  step_task,    // the same two in single-step mode: the waiting coroutine is resumed by the executor
  step_caller,
  to_group,     // `link` is a join_group
  to_root,      // `link` is the root's record
};

// The part of a return slot that does not depend on the result's type; detail/result.hpp has the whole.
struct return_slot {
  union {
    void* frame;  // outcome::none: of the task, owned; null: there is no task
    error err;    // outcome::failure
  };
  outcome state = outcome::none;
  reports kind = reports::to_caller;

  HEL_HD return_slot() noexcept : frame(nullptr) {}

  HEL_HD bool has_failed() const noexcept { return state == outcome::failure; }
  HEL_HD bool threw() const noexcept { return state == outcome::exception; }
  HEL_HD error failed_with() const noexcept { return err; }
  HEL_HD void set_failure(error e) noexcept {
    err = e;
    state = outcome::failure;
  }
};

// Several tasks that one coroutine waits for (hel::when_all). A member that fails or ends otherwise arrives; the last
// one wakes the waiter.
struct join_group {
  core::dependency_counter<> remaining;
  std::coroutine_handle<> waiter;
  promise_base* parent = nullptr;  // the waiter's promise when it is a task that fails in turn
  return_slot** members = nullptr;  // in the order written
  std::size_t count = 0;
};

// The first member in the order written that failed, whichever failed first in time; null: none.
HEL_HD inline const return_slot* first_failed(const join_group& g) noexcept {
  for (std::size_t i = 0; i < g.count; ++i)
    if (g.members[i]->has_failed()) return g.members[i];
  return nullptr;
}

struct promise_base {
  void* link;         // see `reports`; written by who starts the task
  return_slot* slot;  // never null once the task runs

  HEL_HD static void* operator new(std::size_t bytes) { return allocate_block(bytes); }
  HEL_HD static void operator delete(void* frame, std::size_t bytes) noexcept { free_block_of(frame, bytes); }
};
static_assert(sizeof(promise_base) == 2 * sizeof(void*));

// Of a suspended task.
HEL_HD inline promise_base& promise_of(void* frame) noexcept {
  return std::coroutine_handle<promise_base>::from_address(frame).promise();
}

// One coroutine or host thread that waits for a root.
struct waiter {
  std::coroutine_handle<> handle;
  exec::executor* home = nullptr;
  promise_base* parent = nullptr;  // the waiting task, which fails in turn; null: it reads the outcome
};

// Keeps alive what a spawned task refers to: the closure it was made from.
struct spawn_extra {
  void (*destroy)(spawn_extra*) noexcept;
};

// A task that was spawned or launched. The record outlives the task's frame until its handle has read the outcome, or,
// when there is no handle any more, until the task is over.
struct root_record {
  core::completion_word<waiter> word;
  exec::executor* home;  // counts the root, until it is over
  spawn_extra* extra;
  std::size_t bytes;  // of the record with the return slot, detail::root in hel/spawn.hpp
};

// Frees the record of a root that is over and whose outcome needs no destruction any more.
HEL_HD inline void free_root(root_record* r) noexcept {
  if (r->extra) r->extra->destroy(r->extra);
  free_block_of(r, r->bytes);
}

// On the device, frames that do not end by themselves are destroyed by the scheduler from a list: a call through the
// frame would recurse.
HEL_HD inline void destroy_frame(std::coroutine_handle<> frame) noexcept {
#if defined(__CUDA_ARCH__)
  cuda::retire(frame.address(), promise_of(frame.address()).link);
#else
  frame.destroy();
#endif
}

HEL_HD inline void count_root_finished(const root_record& r) noexcept {
#if !defined(__CUDA_ARCH__)
  r.home->root_finished();
#endif
}

// A task whose frame is gone has failed with `e`: tells who waits. Returns the coroutine that runs next.
HEL_COLD HEL_HD inline std::coroutine_handle<> fail_on(void* link, return_slot* slot, error e) noexcept {
  for (;;) {
    const reports kind = slot->kind;
    slot->set_failure(e);
    std::coroutine_handle<> frame;  // of the task that fails in turn
    switch (kind) {
    case reports::to_task:
    case reports::step_task: frame = std::coroutine_handle<>::from_address(link); break;
    case reports::to_caller:
    case reports::step_caller: return transfer_or_enqueue(current_home(), std::coroutine_handle<>::from_address(link));
    case reports::to_group: {
      auto& g = *static_cast<join_group*>(link);
      if (!g.remaining.arrive()) return std::noop_coroutine();
      if (!g.parent) return transfer_or_enqueue(current_home(), g.waiter);
      e = first_failed(g)->err;
      frame = g.waiter;
      break;
    }
    case reports::to_root: {
      auto& r = *static_cast<root_record*>(link);
      count_root_finished(r);
      const auto over = r.word.complete();
      if (over.detached) {
        free_root(&r);
        return std::noop_coroutine();
      }
      if (!over.waiter) return std::noop_coroutine();
      if (!over.waiter->parent) return transfer_or_enqueue(over.waiter->home, over.waiter->handle);
      frame = over.waiter->handle;
      break;
    }
    }
    const promise_base& p = promise_of(frame.address());
    link = p.link;
    slot = p.slot;
    destroy_frame(frame);
  }
}

// The task at `frame`, whose promise is `p`, fails with `e` while suspended. Returns the coroutine that runs next.
HEL_COLD HEL_HD inline std::coroutine_handle<> fail_from(promise_base* p, std::coroutine_handle<> frame, error e) noexcept {
  void* const link = p->link;
  return_slot* const slot = p->slot;
  destroy_frame(frame);
  return fail_on(link, slot, e);
}

// A member of a group is over, without a failure of its own.
HEL_HD inline std::coroutine_handle<> group_arrive(join_group& g) noexcept {
  if (!g.remaining.arrive()) return std::noop_coroutine();
  if (g.parent) {
    if (const return_slot* failed = first_failed(g)) return fail_from(g.parent, g.waiter, failed->err);
  }
  return transfer_or_enqueue(current_home(), g.waiter);
}

// A failure reaches a coroutine that is no task of ours.
HEL_HD inline void raise_failure(error e) {
#if defined(__CUDA_ARCH__)
  core::trap("a task failed under a coroutine that is no task");
#else
  throw failure(e);
#endif
}

// Whether a coroutine with promise P is a task, which fails in turn when what it awaits fails.
template <class P>
inline constexpr bool is_task_promise = std::is_base_of_v<promise_base, P>;

// The promise of a waiting coroutine as what can fail in turn, or null for a coroutine that is no task of ours.
template <class P>
HEL_HD promise_base* failing_promise(std::coroutine_handle<P> h) noexcept {
  if constexpr (is_task_promise<P>)
    return __builtin_addressof(h.promise());
  else
    return nullptr;
}

}  // namespace hel::detail
