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

#include "hel/cpu/step_observer.hpp"
#include "hel/detail/context.hpp"
#include "hel/detail/dependency.hpp"
#include "hel/error.hpp"

namespace hel::detail {

struct promise_base;
struct batch_record;
struct cancel_state;

enum class outcome : std::uint8_t { none, value, exception, failure };

// Who is told that the task is over, and of a failure.
enum class reports : std::uint8_t {
  to_task,      // `link` is the waiting task, which fails in turn
  to_catcher,   // `link` is the waiting task, which reads the outcome
  to_caller,    // `link` is a waiting coroutine of another kind, or an action, which reads the outcome
  to_service,   // `link` is the action of the service request that the task handles
  to_batch,     // `link` is the batch_member's action of its batch, which reads the outcome
  to_attempt,   // an attempt of a root that is retried: `link` is an action
  to_lanes,     // what a group of lanes awaits: `link` is an action of the group, which reads the failure
  joined_task,  // a root that is joined as a call, its word not completed yet: `link` is a task that fails in turn, or
  joined_caller,  // any coroutine that reads the outcome
  step_task,      // the first three while tasks are recorded
  step_catcher,
  step_caller,
  to_group,  // `link` is a join_group
  to_root,   // `link` is the root's record
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

// Of a group of lanes, which awaits as a task would.
struct lanes_slot : return_slot {
  void* above = nullptr;  // the task that awaits the group; null: it is no task
};

// Several tasks that one coroutine waits for (hel::when_all). A member that fails or ends otherwise arrives; the last
// one wakes the waiter.
struct join_group {
  core::dependency_counter<> remaining;
  std::coroutine_handle<> waiter;
  promise_base* parent = nullptr;   // the waiter's promise when it is a task that fails in turn
  return_slot** members = nullptr;  // in the order written
  std::size_t count = 0;
  batch_record* batch = nullptr;  // the group is a batch: it has no members, parent or waiter of its own
  cancel_state* token = nullptr;  // the members run under it; null: under the parent's
  void* above = nullptr;          // the task that awaits the members, where that is not `waiter`
};

// The task that the members of a group run for, or null.
HEL_HD inline void* task_above(const join_group& g) noexcept { return g.parent ? g.waiter.address() : g.above; }

// The first member in the order written that failed, whichever failed first in time; null: none.
HEL_HD inline const return_slot* first_failed(const join_group& g) noexcept {
  for (std::size_t i = 0; i < g.count; ++i)
    if (g.members[i]->has_failed()) return g.members[i];
  return nullptr;
}

// What a task of a batch goes to when it is over (hel/batch.hpp).
struct batch_member : exec::action {
  join_group* group;
  HEL_HD batch_member(void (*over)(void*), join_group& g) noexcept : exec::action(over), group(&g) {}
};

struct promise_base {
  void* link;         // see `reports`; written by who starts the task
  return_slot* slot;  // never null once the task runs

  HEL_HD static void* operator new(std::size_t bytes) { return allocate_frame(bytes); }
  HEL_HD static void operator delete(void* frame, std::size_t bytes) noexcept { free_frame(frame, bytes); }
};
static_assert(sizeof(promise_base) == 2 * sizeof(void*));

// Of a suspended task.
HEL_HD inline promise_base& promise_of(void* frame) noexcept {
  return std::coroutine_handle<promise_base>::from_address(frame).promise();
}

// One coroutine or host thread that waits for a root.
struct waiter : completion_link {
  std::coroutine_handle<> handle;
  exec::executor* home = nullptr;
  promise_base* parent = nullptr;  // the waiting task, which fails in turn; null: it reads the outcome
};

// Keeps alive what a spawned task refers to: the closure it was made from.
struct spawn_extra {
  void (*destroy)(spawn_extra*) noexcept;
  cancel_state* token = nullptr;  // hel/cancel.hpp
  void (*release_token)(cancel_state*) noexcept = nullptr;
};

HEL_HD inline void release_extra(spawn_extra* e) noexcept {
  if (e->token) e->release_token(e->token);
  e->destroy(e);
}

// A task that was spawned or launched. The record outlives the task's frame until its handle has read the outcome, or,
// when there is no handle any more, until the task is over.
struct root_record {
  completion word;
  exec::executor* home;  // counts the root, until it is over
  spawn_extra* extra;
  std::uint32_t bytes;  // of the record with the return slot, detail::root
  bool called;          // it is being joined as a call
};

// Tasks that were spawned together (hel/batch.hpp). Its action is a helper that runs some of them.
struct batch_record : exec::action {
  completion word;
  join_group group;
  core::dependency_counter<> references;  // the handle's, the tasks' together, each queued helper's
  exec::executor* home = nullptr;
  return_slot out;                                                 // the first failure, once the batch is over
  const error* (*failed)(const batch_record*) noexcept = nullptr;  // of a batch that is over; null: no task failed
  void (*free)(batch_record*) noexcept = nullptr;

  HEL_HD explicit batch_record(void (*run)(void*)) noexcept : exec::action(run), references(2) {}
  HEL_HD void release() noexcept {
    if (references.arrive()) free(this);
  }
};

// The record in front of the return slot of a root.
HEL_HD inline root_record& record_of(return_slot* slot) noexcept {
  return *reinterpret_cast<root_record*>(reinterpret_cast<char*>(slot) - sizeof(root_record));
}

// Frees the record of a root that is over and whose outcome needs no destruction any more.
HEL_HD inline void free_root(root_record* r) noexcept {
  if (r->extra) release_extra(r->extra);
  free_block_of(r, r->bytes);
}

// On the device, frames that do not end by themselves are destroyed by the scheduler from a list: a call through the
// frame would recurse.
HEL_HD inline void destroy_frame(std::coroutine_handle<> frame) noexcept {
#if defined(__CUDA_ARCH__)
  device::retire(frame.address(), promise_of(frame.address()).link);
#else
  frame.destroy();
#endif
}

// What a task's end brings about: links to follow, a task that fails in turn, coroutines that are ready to run.
class settlement {
 public:
  // here: run() returns the first coroutine that gets ready. Without, all of them are enqueued.
  HEL_HD explicit settlement(bool here = true) noexcept : here_(here) {}

  // A task whose frame is gone has failed with `e`.
  HEL_HD void fail(void* link, return_slot* slot, error e) noexcept {
    link_ = link;
    slot_ = slot;
    error_ = e;
  }
  // The suspended task at `frame` fails with `e`.
  HEL_HD void fail(std::coroutine_handle<> frame, error e) noexcept {
    const promise_base& p = promise_of(frame.address());
    fail(p.link, p.slot, e);
    destroy_frame(frame);
  }
  HEL_HD void follow(completion_link* first) noexcept { links_ = first; }
  // The last task of the batch is over.
  HEL_HD void batch_over(batch_record& b) noexcept {
    const error* failed = b.failed(&b);
    const error e = failed ? *failed : error();
    const bool any = failed != nullptr;
    if (any) b.out.set_failure(e);
    completion_link* first = b.word.complete().first;
    [[maybe_unused]] exec::executor* const home = b.home;
    b.release();
#if !defined(__CUDA_ARCH__)
    home->root_finished();
#endif
    follow_over(first, any, e);
  }

  // All edges of a task that waits have arrived.
  HEL_HD void arrived(dependency_node* n) noexcept {
#if !defined(__CUDA_ARCH__)
    if (n->cancellable()) {
      unstarted* const u = n->cancellation();
      if (!u->arrived(u)) return;
    }
#endif
    if (!n->root) {
      prepend(n->ticket->word.complete().first);
      n->ticket->release();
    } else if (n->doomed()) {
      fail(n->root, errc::abandoned);
    } else {
      ready(n->record->home, n->root);
    }
    n->destroy();
  }

  // Does it all. Returns the coroutine that runs next.
  HEL_HD std::coroutine_handle<> run() noexcept {
    [[maybe_unused]] std::uint32_t before_split = 0;
    for (;;) {
      if (slot_) {
        pass_failure_on();
      } else if (completion_link* l = links_) {
#if !defined(__CUDA_ARCH__)
        if (before_split-- == 0) {
          split_list();
          before_split = list_part;
        }
#endif
        links_ = l->next;  // *l may be gone once its task is woken
        if (l->node) {
          if (l->node->left.arrive()) arrived(l->node);
        } else
          ready(static_cast<waiter*>(l)->home, static_cast<waiter*>(l)->handle);
      } else {
        return next_ ? transfer_or_enqueue(home_, next_) : std::noop_coroutine();
      }
    }
  }

 private:
  // The first one goes on here, the others where there is time.
  HEL_HD void ready(exec::executor* home, std::coroutine_handle<> h) noexcept {
    if (next_ || !here_) return enqueue(home, h);
    next_ = h;
    home_ = home;
  }
  HEL_HD void prepend(completion_link* list) noexcept {
    if (!list) return;
    completion_link* last = list;
    while (last->next) last = last->next;
    last->next = links_;
    links_ = list;
  }
#if !defined(__CUDA_ARCH__)
  // A long list is followed in parts, as what it makes ready runs: the rest is queued first, where another worker may
  // take it.
  struct list_rest : exec::action {
    completion_link* first;
    exec::executor* home;

    static void follow(void* self) noexcept {
      auto* const r = static_cast<list_rest*>(static_cast<exec::action*>(self));
      exec::executor* const home = r->home;
      settlement s(false);
      s.follow(r->first);
      free_block_of(r, sizeof(list_rest));
      s.run();
      count_root_finished(*home);
    }
  };
  static constexpr std::uint32_t list_part = 256;

  HEL_COLD_NOEXCEPT void split_list() noexcept {
    exec::local_worker* const w = exec::this_worker;
    if (!w) return;
    completion_link* last = links_;
    for (std::uint32_t i = 1; i < list_part && last; ++i) last = last->next;
    if (!last || !last->next) return;
    void* block = nullptr;
    try {
      block = allocate_block(sizeof(list_rest));
    } catch (const std::bad_alloc&) {
      return;  // then in one go
    }
    auto* rest = ::new (block) list_rest{exec::action(&list_rest::follow), last->next, w->owner};
    last->next = nullptr;
    exec::root_counters::add_one(w->roots.started);  // the runtime lives as long
    w->push(static_cast<exec::action*>(rest));
  }
#endif

  // Tells who waits for the task that has failed.
  HEL_HD void pass_failure_on() noexcept {
    return_slot* const slot = slot_;
    void* const link = link_;
    slot_ = nullptr;
    const reports kind = slot->kind;
    slot->set_failure(error_);
    if (kind == reports::joined_task || kind == reports::joined_caller) prepend(record_of(slot).word.complete().first);
    switch (kind) {
    case reports::to_task:
    case reports::joined_task:
    case reports::step_task: return fail(std::coroutine_handle<>::from_address(link), error_);
    case reports::to_catcher:
    case reports::to_caller:
    case reports::to_service:
    case reports::to_batch:
    case reports::to_attempt:
    case reports::to_lanes:
    case reports::step_catcher:
    case reports::joined_caller:
    case reports::step_caller: return ready(current_home(), std::coroutine_handle<>::from_address(link));
    case reports::to_group: {
      auto& g = *static_cast<join_group*>(link);
      if (!g.remaining.arrive()) return;
      if (g.batch) return batch_over(*g.batch);
      if (!g.parent) return ready(current_home(), g.waiter);
      return fail(g.waiter, first_failed(g)->err);
    }
    case reports::to_root: return root_failed(*static_cast<root_record*>(link));
    }
  }
  HEL_HD void root_failed(root_record& r) noexcept {
#if defined(__CUDA_ARCH__)
    device::count_root_finished();
#else
    count_root_finished(*r.home);
#endif
    const auto over = r.word.complete();
    if (over.detached) free_root(&r);
    follow_over(over.first, true, error_);
  }
  // Whoever joins what has failed fails in turn: one at most. The others wait for it to be over, however it ends.
  HEL_HD void follow_over(completion_link* list, bool failed, error e) noexcept {
    waiter* joining = nullptr;
    completion_link* before = nullptr;  // no pointer to `list`: on a device it would have to lie in memory
    for (completion_link* l = list; l;) {
      completion_link* const next = l->next;
      if (failed && !l->node && static_cast<waiter*>(l)->parent) {
        joining = static_cast<waiter*>(l);
        if (before)
          before->next = next;
        else
          list = next;
      } else {
        before = l;
      }
      l = next;
    }
    prepend(list);
    if (joining) fail(joining->handle, e);
  }

  const bool here_;
  completion_link* links_ = nullptr;
  void* link_ = nullptr;         // of the task that failed
  return_slot* slot_ = nullptr;  // its; null: none does
  error error_;
  std::coroutine_handle<> next_;
  exec::executor* home_ = nullptr;
};

// A task whose frame is gone has failed with `e`: tells who waits. Returns the coroutine that runs next.
HEL_COLD HEL_HD inline std::coroutine_handle<> fail_on(void* link, return_slot* slot, error e) noexcept {
  settlement s;
  s.fail(link, slot, e);
  return s.run();
}

// The task at `frame` fails with `e` while suspended. Returns the coroutine that runs next.
HEL_COLD HEL_HD inline std::coroutine_handle<> fail_from(std::coroutine_handle<> frame, error e) noexcept {
  settlement s;
  s.fail(frame, e);
  return s.run();
}

// The same from a running coroutine, which goes on.
HEL_COLD HEL_HD inline void fail_later(std::coroutine_handle<> frame, error e) noexcept {
  settlement s(false);
  s.fail(frame, e);
  s.run();
}

// Makes everything ready that waits in a list of links. Returns the coroutine that runs next.
HEL_HD inline std::coroutine_handle<> wake_links(completion_link* first) noexcept {
  if (!first) return std::noop_coroutine();
  if (first->next) {
    settlement s;
    s.follow(first);
    return s.run();
  }
  dependency_node* const n = first->node;
  if (!n) {
    auto* w = static_cast<waiter*>(first);
    return transfer_or_enqueue(w->home, w->handle);
  }
  if (!n->left.arrive()) return std::noop_coroutine();
  if (!n->root || n->doomed_or_cancellable()) {
    settlement s;
    s.arrived(n);
    return s.run();
  }
  exec::executor* const home = n->record->home;
  const std::coroutine_handle<> root = n->root;
  n->destroy();
  return transfer_or_enqueue(home, root);
}

// The same from a running coroutine, which goes on.
HEL_HD inline void wake_links_later(completion_link* first) noexcept {
  if (!first) return;
  settlement s(false);
  s.follow(first);
  s.run();
}

// A member of a group is over, without a failure of its own.
HEL_HD inline std::coroutine_handle<> group_arrive(join_group& g, std::uint32_t n = 1) noexcept {
  if (!g.remaining.arrive(n)) return std::noop_coroutine();
  if (g.batch) {
    settlement s;
    s.batch_over(*g.batch);
    return s.run();
  }
  if (g.parent) {
    if (const return_slot* failed = first_failed(g)) return fail_from(g.waiter, failed->err);
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

#if defined(__CUDA_ARCH__)
// What the suspended coroutine awaits has no memory for a frame: it fails. Returns the coroutine that runs next.
template <class P>
__device__ std::coroutine_handle<> fail_for_memory(std::coroutine_handle<P> h) noexcept {
  if constexpr (std::is_base_of_v<promise_base, P>)
    device::fail_for_memory(h.address());
  else
    core::trap("out of memory for task frames, and what awaits one is no task: hel::cuda::frame_memory");
  return h;
}
#endif

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
