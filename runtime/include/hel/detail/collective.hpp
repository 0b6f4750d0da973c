// How a group of lanes awaits something: all lanes suspend together, one awaiting is done for all of them, and each
// gets a copy of the result.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

#include "hel/detail/lanes.hpp"
#if defined(__CUDACC__)
#  include "hel/cuda/group.hpp"
#endif
#include "hel/task.hpp"

namespace hel::detail {

enum class group_level : std::uint8_t { warp, block };

// Whether `A` is a task that is awaited by each lane for itself, as a function is called; of which kind of group.
template <class A>
struct lane_level : std::false_type {};
template <>
struct lane_level<failing> : std::true_type {
  static constexpr group_level level = group_level::warp;
};
template <class T, class Task>
struct lane_level<owned_task<T, Task, true>> : lane_level<Task> {};

// What awaits on behalf of the lanes: to an awaiter it is a task like others, which fails, is cancelled or goes on.
struct group_promise : promise_base {};
using group_handle = std::coroutine_handle<group_promise>;

// A suspension of the whole group, as one lane sees it.
struct collective_operations {
  // Starts the awaiting for the group. Null: suspended; `group`: ready at once; else: what runs next.
  std::coroutine_handle<> (*start)(void* self, group_handle group);
  void (*fail)(void* self, const std::exception_ptr& e) noexcept;  // the lane gets `e` instead of a result
  std::exception_ptr (*finish)(void* self) noexcept;               // the result is there: takes it
  void (*copy)(void* self, const void* leader) noexcept;           // of the result, from the lane that took it
};
struct collective_suspension {
  std::source_location where;
  const collective_operations* operations = nullptr;
  void* self = nullptr;
};
void lane_suspend(collective_suspension& s, std::coroutine_handle<> lane) noexcept;

// Awaits the awaiter `A` once for all lanes. The operand stays where the lane's full-expression keeps it.
template <class A>
class collective {
  using result_type = std::remove_cvref_t<decltype(std::declval<A&>().await_resume())>;
  static_assert(std::is_void_v<result_type> || std::is_copy_constructible_v<result_type>,
                "what a group awaits must have a copyable result: every lane gets one");

 public:
  HEL_HD collective(A& operand, std::source_location where) noexcept
      : operand_(address_of(operand)), suspension_{where} {}
  collective(collective&&) = delete;
  HEL_HD ~collective() {
#if !defined(__CUDA_ARCH__)
    if (suspension_.self) state_.~state();
#endif
  }

  HEL_HD bool await_ready() const noexcept { return false; }
  // False: there is nothing to wait for.
  HEL_HD bool await_suspend([[maybe_unused]] std::coroutine_handle<> lane) noexcept {
#if defined(__CUDA_ARCH__)
    if (!device::lanes_meet(lane.address())) return true;
    void* next = nullptr;
    if (device::lanes::lane() == 0) next = start(this, group_handle::from_address(this_warp_group())).address();
    return !device::lanes_stay(next);
#else
    static constexpr collective_operations operations{&collective::start, &collective::fail, &collective::finish,
                                                      &collective::copy};
    ::new (static_cast<void*>(&state_)) state();
    suspension_.operations = &operations;
    suspension_.self = this;
    lane_suspend(suspension_, lane);
    return true;
#endif
  }
  HEL_HD result_type await_resume() {
#if defined(__CUDA_ARCH__)
    // The first lane takes the result, all copy it, then it goes.
    const bool first = device::lanes::lane() == 0;
    if constexpr (std::is_void_v<result_type>) {
      if (first) operand().await_resume();
      device::lanes::sync();
    } else {
      if (first) ::new (static_cast<void*>(__builtin_addressof(value_))) result_type(operand().await_resume());
      device::lanes::sync();
      result_type mine(*const_cast<const result_type*>(device::of_first(__builtin_addressof(value_))));
      device::lanes::sync();
      if (first) value_.~result_type();
      return mine;
    }
#else
    if (state_.exception) std::rethrow_exception(state_.exception);
    if constexpr (!std::is_void_v<result_type>) return std::move(*state_.result);
#endif
  }

 private:
#if defined(__CUDACC__)
  __device__ static void* this_warp_group() noexcept { return device::this_warp().group; }
#endif
  HEL_HD static std::coroutine_handle<> start(void* self, group_handle group) {
    A& awaiter = static_cast<collective*>(self)->operand();
    if (awaiter.await_ready()) return group;
    using suspended = decltype(awaiter.await_suspend(group));
    if constexpr (std::is_void_v<suspended>) {
      awaiter.await_suspend(group);
      return nullptr;
    } else if constexpr (std::is_same_v<suspended, bool>) {
      return awaiter.await_suspend(group) ? std::coroutine_handle<>() : group;
    } else {
      return awaiter.await_suspend(group);
    }
  }
  // An operand without members may stand anywhere, and is not kept in the frame: on the device, where a variable with
  // an address would be all that needs a stack, it stands here.
  HEL_HD static A* address_of([[maybe_unused]] A& operand) noexcept {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_empty_v<A>) return nullptr;
#endif
    return __builtin_addressof(operand);
  }
  HEL_HD A& operand() noexcept { return operand_ ? *operand_ : *reinterpret_cast<A*>(this); }

  static void fail(void* self, const std::exception_ptr& e) noexcept {
    static_cast<collective*>(self)->state_.exception = e;
  }
  static std::exception_ptr finish(void* self) noexcept {
    auto& c = *static_cast<collective*>(self);
    try {
      if constexpr (std::is_void_v<result_type>)
        c.operand().await_resume();
      else
        c.state_.result.emplace(c.operand().await_resume());
    } catch (...) {
      c.state_.exception = std::current_exception();
    }
    return c.state_.exception;
  }
  static void copy(void* self, const void* leader) noexcept {
    auto& c = *static_cast<collective*>(self);
    try {
      c.state_ = static_cast<const collective*>(leader)->state_;
    } catch (...) {  // copying the result threw: this lane throws
      c.state_.exception = std::current_exception();
    }
  }

  // Exists on the host, once suspended.
  struct state {
    std::optional<std::conditional_t<std::is_void_v<result_type>, nothing, result_type>> result;
    std::exception_ptr exception;
  };

  A* operand_;
  collective_suspension suspension_;
  union {
    state state_;
    std::conditional_t<std::is_void_v<result_type>, nothing, result_type> value_;  // on the device
  };
};

// The promise of a lane's coroutine.
template <class T, class Task, group_level Level>
struct lane_promise : promise_returning<T, Task> {
  static constexpr bool stepped = false;   // lanes run inside one step of their group
  static constexpr bool hel_lanes = true;  // for hel-lower: the resident kernel is to run groups

  template <class A>
  HEL_HD decltype(auto) await_transform(A&& a, std::source_location where = std::source_location::current()) {
    using awaited = lane_level<std::remove_cvref_t<A>>;
    if constexpr (awaited::value) {
      static_assert(awaited::level <= Level, "a warp has no block that could call a block task: use hel::block");
      return std::forward<A>(a);
    } else {
      return collective<std::remove_reference_t<A>>(a, where);
    }
  }
};

}  // namespace hel::detail
