// What the promises of all task types share: who waits for the task, and how a failure travels.
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
struct frame_owner;

// Several tasks that one coroutine waits for (hel::when_all).
struct join_group {
  core::dependency_counter<> remaining;
  std::coroutine_handle<> waiter;
  promise_base* parent = nullptr;  // the waiter's promise when it is a task that fails in turn
  frame_owner* members = nullptr;  // in the order written
};

// Owns a task's frame and is where the task reports a failure, apart from its continuation. Part of the task object.
struct frame_owner {
  std::coroutine_handle<> frame;  // emptied when a failure destroys the frame
  join_group* group = nullptr;
  union {
    promise_base* parent = nullptr;  // without a group: the waiting task, which fails in turn; null: it reads `failed`
    frame_owner* next_member;        // in a group
  };
  error err;
  bool failed = false;
};

struct promise_base {
  std::coroutine_handle<> continuation;  // resumed at the end; null: a root, a member of a group
  frame_owner* owner = nullptr;          // null: a root, which reports to its header

  HEL_HD static void* operator new(std::size_t bytes);
  HEL_HD static void operator delete(void* frame, std::size_t bytes) noexcept;
};

// One coroutine or host thread that waits for a root.
struct waiter {
  std::coroutine_handle<> handle;
  exec::executor* home = nullptr;
  promise_base* parent = nullptr;  // as in frame_owner
};

// Keeps alive what a spawned task refers to: the closure it was made from.
struct spawn_extra {
  void (*destroy)(spawn_extra*) noexcept;
};

// In front of every frame. Only roots use it: it outlives the frame of a task that failed, until the join handle has
// read the error.
struct alignas(16) frame_header {
  core::completion_word<waiter> word;
  spawn_extra* extra;
  union {
    exec::executor* home;  // counts the root, until it is over
    error err;             // of a root that failed
  };
  std::uint32_t bytes;  // of the block, once the frame is gone and the header is kept
  std::uint16_t keep;   // the frame's deallocation leaves the block to the header's owner
  std::uint16_t failed;
};
static_assert(sizeof(frame_header) == 32);

HEL_HD inline frame_header* header_of(std::coroutine_handle<> frame) noexcept {
  return static_cast<frame_header*>(frame.address()) - 1;
}

HEL_HD inline void* promise_base::operator new(std::size_t bytes) {
  void* block = allocate_block(bytes + sizeof(frame_header));
  auto* h = static_cast<frame_header*>(block);
  h->keep = 0;  // the rest is written by who makes a root of the task
  return h + 1;
}

HEL_HD inline void promise_base::operator delete(void* frame, std::size_t bytes) noexcept {
  frame_header* h = static_cast<frame_header*>(frame) - 1;
  if (h->keep) [[unlikely]] {
    h->bytes = static_cast<std::uint32_t>(bytes + sizeof(frame_header));
    return;
  }
  free_block_of(h, bytes + sizeof(frame_header));
}

// On the device, frames are destroyed by the scheduler from a list: a call through the frame would recurse.
HEL_HD inline void destroy_frame(std::coroutine_handle<> frame) noexcept {
#if defined(__CUDA_ARCH__)
  cuda::retire(reinterpret_cast<cuda::retired_frame*>(header_of(frame)));
#else
  frame.destroy();
#endif
}

HEL_HD inline void make_root(std::coroutine_handle<> frame, exec::executor* home, spawn_extra* extra) noexcept {
  frame_header* h = header_of(frame);
  ::new (static_cast<void*>(&h->word)) core::completion_word<waiter>();
  h->extra = extra;
  h->home = home;
  h->failed = 0;
#if !defined(__CUDA_ARCH__)
  home->root_started();
#endif
}

// Releases a root that is over: its frame (already gone when it failed) and what it kept alive.
HEL_HD inline void release_root(std::coroutine_handle<> frame) noexcept {
  frame_header* h = header_of(frame);
  spawn_extra* extra = h->extra;
  if (h->failed)
    free_block_of(h, h->bytes);
  else
    destroy_frame(frame);
  if (extra) extra->destroy(extra);
}

HEL_HD inline void count_root_finished(const frame_header* h) noexcept {
#if !defined(__CUDA_ARCH__)
  h->home->root_finished();
#endif
}

// The first member in the order written that failed, whichever failed first in time; null: none.
HEL_HD inline frame_owner* first_failed(const join_group& g) noexcept {
  frame_owner* m = g.members;
  while (m && !m->failed) m = m->next_member;
  return m;
}

// The task at `frame` fails with `e` while suspended. Returns the coroutine that runs next.
HEL_HD inline std::coroutine_handle<> fail_from(promise_base* p, std::coroutine_handle<> frame, error e) noexcept {
  for (;;) {
    const std::coroutine_handle<> next = p->continuation;
    frame_owner* owner = p->owner;
    if (!owner) {
      frame_header* h = header_of(frame);
      h->keep = 1;
      h->failed = 1;
      destroy_frame(frame);
      count_root_finished(h);
      h->err = e;
      const auto over = h->word.complete();
      if (over.detached) {
        release_root(frame);
        return std::noop_coroutine();
      }
      if (!over.waiter) return std::noop_coroutine();
      if (!over.waiter->parent) return transfer_or_enqueue(over.waiter->home, over.waiter->handle);
      p = over.waiter->parent;
      frame = over.waiter->handle;
      continue;
    }
    owner->frame = nullptr;
    destroy_frame(frame);
    if (join_group* g = owner->group) {
      owner->err = e;
      owner->failed = true;
      if (!g->remaining.arrive()) return std::noop_coroutine();
      if (!g->parent) return transfer_or_enqueue(current_home(), g->waiter);
      e = first_failed(*g)->err;
      p = g->parent;
      frame = g->waiter;
      continue;
    }
    if (!owner->parent) {
      owner->err = e;
      owner->failed = true;
      return transfer_or_enqueue(current_home(), next);
    }
    p = owner->parent;
    frame = next;
  }
}

// A member of a group is over, without a failure of its own.
HEL_HD inline std::coroutine_handle<> group_arrive(join_group& g) noexcept {
  if (!g.remaining.arrive()) return std::noop_coroutine();
  if (g.parent) {
    if (const frame_owner* m = first_failed(g)) return fail_from(g.parent, g.waiter, m->err);
  }
  return transfer_or_enqueue(current_home(), g.waiter);
}

// A root has reached its final suspension with a result or an exception.
HEL_HD inline std::coroutine_handle<> finish_root(std::coroutine_handle<> frame) noexcept {
  count_root_finished(header_of(frame));
  const auto over = header_of(frame)->word.complete();
  if (over.detached) {
    release_root(frame);
    return std::noop_coroutine();
  }
  if (!over.waiter) return std::noop_coroutine();
  return transfer_or_enqueue(over.waiter->home, over.waiter->handle);
}

// A failure reaches a coroutine that is no task of ours.
HEL_HD inline void raise_failure(error e) {
#if defined(__CUDA_ARCH__)
  core::trap("a task failed under a coroutine that is no task");
#else
  throw failure(e);
#endif
}

// The promise of a waiting coroutine as what can fail in turn, or null for a coroutine that is no task of ours.
template <class P>
HEL_HD promise_base* failing_promise(std::coroutine_handle<P> h) noexcept {
  if constexpr (std::is_base_of_v<promise_base, P>)
    return __builtin_addressof(h.promise());
  else
    return nullptr;
}

}  // namespace hel::detail
