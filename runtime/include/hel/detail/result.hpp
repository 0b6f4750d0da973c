// Where a task leaves its outcome: a slot in the object that waits for it, so that the task's frame is gone by the time
// its awaiter goes on.
#pragma once

#include <exception>
#include <new>
#include <type_traits>
#include <utility>

#include "hel/annotate.hpp"
#include "hel/core/trap.hpp"
#include "hel/detail/promise.hpp"
#include "hel/expected.hpp"
#include "hel/fail.hpp"

namespace hel::detail {

// T is any movable type, a reference or void. Owns the frame until the task is over, then the outcome.
template <class T>
class result : public return_slot {
  using store = stored_t<T>;
  static_assert(std::is_void_v<T> || std::is_reference_v<T> || std::is_move_constructible_v<T>,
                "the result of a task must be movable, a reference or void");
  static_assert(alignof(store) <= 16, "a frame is aligned to 16 bytes, which this result type exceeds");

 public:
  HEL_HD result() noexcept {}
  result(const result&) = delete;
  result& operator=(const result&) = delete;
  HEL_HD ~result() {
    if (state == outcome::value) [[likely]] {
      value_.~store();
    } else if (state == outcome::none) {
      if (frame) destroy_frame(std::coroutine_handle<>::from_address(frame));
    } else if (state == outcome::exception) [[unlikely]] {
#if !defined(__CUDA_ARCH__)
      exception_.~exception_ptr();
#endif
    }
  }

  template <class... U>
  HEL_HD void set(U&&... u) {
    ::new (static_cast<void*>(__builtin_addressof(value_))) store(std::forward<U>(u)...);
    state = outcome::value;
  }
  // Called by unhandled_exception. A failure that travels as an exception turns into a failure again.
  HEL_COLD void set_exception() noexcept {
    if (state == outcome::value) value_.~store();  // a destructor threw after co_return
    try {
      throw;
    } catch (const failure& f) {
      set_failure(f.error());
    } catch (...) {
      ::new (static_cast<void*>(__builtin_addressof(exception_))) std::exception_ptr(std::current_exception());
      state = outcome::exception;
    }
  }

  // Where the value is, for who copies it without knowing its type.
  const void* value_address() const noexcept { return __builtin_addressof(value_); }

  // Moves the value out, or throws what the task threw.
  HEL_HD T take() {
    if (state != outcome::value) [[unlikely]]
      raise();
    if constexpr (std::is_void_v<T>)
      return;
    else if constexpr (std::is_reference_v<T>)
      return static_cast<T>(*value_);
    else
      return std::move(value_);
  }

 private:
  [[noreturn]] HEL_COLD HEL_HD void raise() {
#if defined(__CUDA_ARCH__)
    core::trap("the result of a task is read before the task has one");
#else
    // Given away: who catches it may release it last, and what holds this slot may live on elsewhere.
    if (state == outcome::exception) std::rethrow_exception(std::exchange(exception_, nullptr));
    if (state == outcome::failure) raise_failure(err);  // the awaiter is no task of ours
    core::trap("the result of a task is read before the task has one");
#endif
  }

  union {
    store value_;
    std::exception_ptr exception_;
  };
};

// A root's record with its return slot. One block, from frame memory.
template <class T>
struct root : root_record {
  result<T> out;
  union {
    void* task;     // the frame, for who joins: `out` may change on another thread. Null: not to be joined as a call
    waiter joiner;  // who joins, while it waits
  };

  HEL_HD root() noexcept : task(nullptr) {}
  HEL_HD ~root() {}

  HEL_HD static root* make(std::coroutine_handle<> frame, exec::executor* home, spawn_extra* extra) {
#if defined(__CUDA_ARCH__)
    void* const block = frame ? device::try_allocate(sizeof(root)) : nullptr;
    if (!block) {
      if (frame) destroy_frame(frame);
      if (extra) release_extra(extra);
      return refused();
    }
#else
    void* const block = allocate_block(sizeof(root));
#endif
    auto* r = ::new (block) root;
    r->home = home;
    r->extra = extra;
    r->bytes = sizeof(root);
    r->called = false;
    r->out.frame = r->task = frame.address();
    r->out.kind = reports::to_root;
    promise_base& p = promise_of(frame.address());
    // record_of() relies on it: the slot follows the record, which has no padding at its end.
    static_assert(sizeof(root_record) % alignof(result<T>) == 0 && sizeof(root_record) == 4 * sizeof(void*));
    p.link = r;
    p.slot = &r->out;
    return r;
  }
  // Of a task that runs elsewhere: whoever has its outcome sets it and completes the word.
  static root* make_empty(exec::executor* home) {
    auto* r = ::new (allocate_block(sizeof(root))) root;
    r->home = home;
    r->extra = nullptr;
    r->bytes = sizeof(root);
    r->called = false;
    r->out.kind = reports::to_root;
    return r;
  }
  // Of a task that could not be made.
  HEL_COLD static root* make_failed(exec::executor* home, error e) {
    root* const r = make_empty(home);
    r->out.set_failure(e);
    r->word.complete();
    return r;
  }
  // Of any task on a device for which there is no memory: one record for all, made by make_refused_root(), which
  // nobody changes.
  HEL_HD bool is_refused() const noexcept {
#if defined(__CUDA_ARCH__)
    return bytes == 0;
#else
    return false;
#endif
  }
#if defined(__CUDA_ARCH__)
  __device__ static root* refused() noexcept { return reinterpret_cast<root*>(device::current_state().refused_root); }
#endif
  // Destroys the outcome (or a task that has not started) and frees the record.
  HEL_HD static void release(root* r) noexcept {
    if (r->is_refused()) return;
    r->out.~result<T>();
    if (r->extra) [[unlikely]]
      release_extra(r->extra);
    if (r->word.waiting()) [[unlikely]]  // the task was joined as a call, which does not complete the word
      wake_others(*r);
    free_block_of(r, sizeof(root));
  }

 private:
  HEL_COLD_NOEXCEPT HEL_HD static void wake_others(root& r) noexcept { wake_links_later(r.word.complete().first); }
};

#if defined(__CUDACC__)
// Before the first task.
__device__ inline void make_refused_root(resident::state& s) noexcept {
  struct refused {
    root_record record;
    return_slot out;
  };
  static_assert(sizeof(refused) <= sizeof s.refused_root);  // record_of() says where the slot is
  auto* const r = ::new (static_cast<void*>(s.refused_root)) refused{};
  r->out.set_failure(error(errc::out_of_frames));
  r->record.word.complete();
}
#endif

// The end of a task that nobody waits for as a caller, or that failed: after its frame is gone.
template <class T>
HEL_COLD_NOEXCEPT HEL_HD std::coroutine_handle<> end_task(void* link, return_slot* slot) noexcept {
  if (slot->has_failed()) return fail_on(link, slot, slot->err);
#if !defined(__CUDA_ARCH__)
  step_over(std::coroutine_handle<>::from_address(slot->frame));
#endif
  switch (slot->kind) {
  case reports::to_task:
  case reports::to_catcher:
  case reports::to_caller:
  case reports::to_service:
  case reports::to_batch:
  case reports::to_attempt:
  case reports::to_lanes:
  case reports::joined_task:
  case reports::joined_caller: break;
  case reports::step_task:
  case reports::step_catcher:
  case reports::step_caller:
#if !defined(__CUDA_ARCH__)
    return step_transfer(std::coroutine_handle<>::from_address(link));
#endif
    break;
  case reports::to_group: return group_arrive(*static_cast<join_group*>(link));
  case reports::to_root: {
    auto* r = static_cast<root<T>*>(static_cast<root_record*>(link));
#if defined(__CUDA_ARCH__)
    device::count_root_finished();
#else
    count_root_finished(*r->home);
#endif
    const auto over = r->word.complete();
    if (over.detached) root<T>::release(r);
    return wake_links(over.first);
  }
  }
  return std::coroutine_handle<>::from_address(link);
}

// On the host, what remains to do after the hot path is a frame of its own that is entered by the same jump as the next
// coroutine would be: a call here would make every task save registers for it.
struct task_end {
  void (*resume)(void*);
  void (*destroy)(void*);
  void* link;
  return_slot* slot;
};
inline constinit thread_local task_end ending{};

// Leaves by a tail call, as every frame does: a chain of tasks that end does not grow the stack.
template <class T>
#if defined(__clang__)
__attribute__((no_sanitize("function"))) void run_task_end(void*) {
  void* const next = end_task<T>(ending.link, ending.slot).address();
  [[clang::musttail]] return static_cast<task_end*>(next)->resume(next);
}
#else
__attribute__((optimize("O2"), no_sanitize("thread"))) void run_task_end(void*) {
  void* const next = end_task<T>(ending.link, ending.slot).address();
  return static_cast<task_end*>(next)->resume(next);
}
#endif

// What is left to do once the frame of a task that is over is gone.
template <class T>
struct [[nodiscard]] task_over {
  void* link;
  return_slot* slot;

  HEL_HD std::coroutine_handle<> next() const noexcept {
    if (slot->kind > reports::joined_caller || slot->state == outcome::failure) [[unlikely]] {
#if defined(__CUDA_ARCH__) || defined(HEL_TSAN)  // lanes of a group share what is thread-local
      return end_task<T>(link, slot);
#else
      ending.resume = &run_task_end<T>;
      ending.link = link;
      ending.slot = slot;
      return std::coroutine_handle<>::from_address(&ending);
#endif
    }
    return std::coroutine_handle<>::from_address(link);
  }
};

}  // namespace hel::detail
