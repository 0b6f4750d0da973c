// Group tasks of one warp: 32 lanes that run the same coroutine, each its own instance, in step.
//
//   HEL_TASK hel::warp_task<int> sum(const int* data) {
//     int v = data[hel::lane()];
//     for (unsigned d = 16; d > 0; d /= 2) v += hel::shfl_down(v, d);
//     co_return v;
//   }
//   int total = co_await hel::warp(sum, data);    // from a task; the result is lane 0's
//
// All lanes take part in every warp_sync, shuffle, ballot and co_await, in the same order. What a lane awaits is either
// another warp_task, which runs in that lane, or something whose result is the same for all (a task, a channel
// operation, hel::yield, hel::host): lane 0 awaits it for the group and each lane gets a copy of the result.
//
// On the CPU the lanes are fibers of one worker. Lanes that part ways are reported on standard error, with the lines
// and the lanes, and the group fails with errc::divergent_suspension. If lanes fail or throw, the awaiting task gets
// the failure, else the exception, of the lowest such lane, once all lanes are over.
#pragma once

#include <coroutine>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

#include "hel/task.hpp"
#include "hel/tuple.hpp"

namespace hel {

inline constexpr unsigned warp_size = 32;

template <class T>
class warp_task;

namespace detail {

// ---- on the CPU: implemented in runtime/cpu/warp_group.cpp

class warp_group;

enum class lane_operation : std::uint8_t { none, sync, shuffle, ballot };
// What all lanes do together at a barrier. `out` receives the bytes of lane `from`'s value, or the ballot.
struct lane_exchange {
  lane_operation operation = lane_operation::none;
  std::source_location where;
  const void* value = nullptr;
  void* out = nullptr;
  std::size_t bytes = 0;
  unsigned from = 0;
  bool predicate = false;
};
unsigned current_lane_index() noexcept;
void lane_barrier(lane_exchange& e);

// A suspension of the whole group, as one lane sees it.
struct collective_operations {
  // Starts the awaiting for the group. Null: suspended; `group`: ready at once; else: what runs next.
  std::coroutine_handle<> (*start)(void* self, std::coroutine_handle<> group);
  void (*fail)(void* self, std::exception_ptr e) noexcept;  // starting threw
  std::exception_ptr (*finish)(void* self) noexcept;        // the result is there: takes it
  void (*copy)(void* self, const void* leader) noexcept;    // of the result, from the lane that took it
};
struct collective_suspension {
  std::source_location where;
  const collective_operations* operations = nullptr;
  void* self = nullptr;
};
void lane_suspend(collective_suspension& s, std::coroutine_handle<> lane) noexcept;

struct lane_program {
  std::coroutine_handle<> (*create)(void* self);            // on the lane: makes the lane's coroutine
  return_slot* (*slot)(void* self, unsigned lane) noexcept;  // where its outcome goes; owns the coroutine
  void* self;
};
// Runs the group; returns what the calling worker continues with. `group` is set before anything can wake the caller.
std::coroutine_handle<> start_warp(lane_program program, const waiter& caller, warp_group*& group);
const error* warp_failure(const warp_group& g) noexcept;  // null: none
void rethrow_warp_exception(const warp_group& g);
void destroy_warp(warp_group* g) noexcept;

// ---- the promise

template <class A>
struct is_lane_level : std::false_type {};  // awaited by each lane for itself
template <class T>
struct is_lane_level<warp_task<T>> : std::true_type {};
template <>
struct is_lane_level<failing> : std::true_type {};
template <class T, class U>
struct is_lane_level<owned_task<T, warp_task<U>, true>> : std::true_type {};

// Awaits the awaiter `A` once for all lanes. The operand stays where the lane's full-expression keeps it.
template <class A>
class collective {
  using result_type = std::remove_cvref_t<decltype(std::declval<A&>().await_resume())>;
  static_assert(std::is_void_v<result_type> || std::is_copy_constructible_v<result_type>,
                "what a group awaits must have a copyable result: every lane gets one");

 public:
  HEL_HD collective(A& operand, std::source_location where) noexcept : operand_(&operand), suspension_{where} {}
  collective(collective&&) = delete;
  HEL_HD ~collective() {
#if !defined(__CUDA_ARCH__)
    if (suspension_.self) state_.~state();
#endif
  }

  HEL_HD bool await_ready() const noexcept { return false; }
  HEL_HD void await_suspend(std::coroutine_handle<> lane) noexcept {
#if defined(__CUDA_ARCH__)
    core::trap("group tasks need the resident scheduler, which does not run them yet");
#else
    static constexpr collective_operations operations{&collective::start, &collective::fail, &collective::finish,
                                                      &collective::copy};
    ::new (static_cast<void*>(&state_)) state();
    suspension_.operations = &operations;
    suspension_.self = this;
    lane_suspend(suspension_, lane);
#endif
  }
  HEL_HD result_type await_resume() {
#if defined(__CUDA_ARCH__)
    core::trap("group tasks need the resident scheduler, which does not run them yet");
#else
    if (state_.exception) std::rethrow_exception(state_.exception);
    if constexpr (!std::is_void_v<result_type>) return std::move(*state_.result);
#endif
  }

 private:
  static std::coroutine_handle<> start(void* self, std::coroutine_handle<> group) {
    A& awaiter = *static_cast<collective*>(self)->operand_;
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
  static void fail(void* self, std::exception_ptr e) noexcept { static_cast<collective*>(self)->state_.exception = e; }
  static std::exception_ptr finish(void* self) noexcept {
    auto& c = *static_cast<collective*>(self);
    if (c.state_.exception) return c.state_.exception;
    try {
      if constexpr (std::is_void_v<result_type>)
        c.operand_->await_resume();
      else
        c.state_.result.emplace(c.operand_->await_resume());
    } catch (...) {
      c.state_.exception = std::current_exception();
    }
    return c.state_.exception;
  }
  static void copy(void* self, const void* leader) noexcept {
    static_cast<collective*>(self)->state_ = static_cast<const collective*>(leader)->state_;
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
  };
};

template <bool Deliver, class F, class... Args>
class warp_call {
  using task_type = std::invoke_result_t<F&, Args&...>;
  using value_type = typename task_type::value_type;

 public:
  template <class G, class... As>
  HEL_HD explicit warp_call(std::in_place_t, G&& g, As&&... as)
      : f_(std::forward<G>(g)), args_{{{std::forward<As>(as)}...}} {}
  HEL_HD warp_call(F&& f, tuple<Args...>&& args) : f_(std::move(f)), args_(std::move(args)) {}
  warp_call(warp_call&&) = delete;
  HEL_HD ~warp_call() {
#if !defined(__CUDA_ARCH__)
    if (!group_) return;
    for (unsigned i = 0; i < warp_size; ++i) results_[i].~result<value_type>();  // lanes that are not over, too
    free_block_of(results_, warp_size * sizeof(result<value_type>));
    destroy_warp(group_);
#endif
  }

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) {
#if defined(__CUDA_ARCH__)
    core::trap("hel::warp needs the resident scheduler, which does not run group tasks yet");
#else
    if (single_step) [[unlikely]]
      step_waits(waiting, wait_kind::group, this);
    waiter caller;
    caller.handle = waiting;
    caller.home = current_executor;
    if constexpr (!Deliver) caller.parent = failing_promise(waiting);
    results_ = static_cast<result<value_type>*>(allocate_block(warp_size * sizeof(result<value_type>)));
    for (unsigned i = 0; i < warp_size; ++i) ::new (static_cast<void*>(results_ + i)) result<value_type>();
    return start_warp({&warp_call::create, &warp_call::slot, this}, caller, group_);
#endif
  }
  HEL_HD std::conditional_t<Deliver, expected<value_type, error>, value_type> await_resume() {
#if defined(__CUDA_ARCH__)
    core::trap("hel::warp needs the resident scheduler, which does not run group tasks yet");
#else
    const error* e = warp_failure(*group_);
    if constexpr (Deliver) {
      if (e) return unexpected<error>(*e);
      if constexpr (std::is_void_v<value_type>) {
        take();
        return {};
      } else {
        return take();
      }
    } else {
      if (e) throw failure(*e);  // the caller is no HEL task
      return take();
    }
#endif
  }
  HEL_HD auto deliver_errors() && { return warp_call<true, F, Args...>(std::move(f_), std::move(args_)); }

 private:
  value_type take() {
    rethrow_warp_exception(*group_);
    for (unsigned i = 1; i < warp_size; ++i)
      if (results_[i].threw() && !results_[0].threw()) results_[i].take();
    return results_[0].take();
  }

  static return_slot* slot(void* self, unsigned lane) noexcept {
    return static_cast<warp_call*>(self)->results_ + lane;
  }
  static std::coroutine_handle<> create(void* self) {
    auto& c = *static_cast<warp_call*>(self);
    return c.call(std::index_sequence_for<Args...>());
  }
  template <std::size_t... I>
  std::coroutine_handle<> call(std::index_sequence<I...>) {
    return f_(hel::get<I>(args_)...).release();  // every lane gets its own copies
  }

  F f_;
  tuple<Args...> args_;
  warp_group* group_ = nullptr;
  result<value_type>* results_ = nullptr;
};

}  // namespace detail

// The coroutine type of a warp's lanes: awaited by hel::warp in a task, or by a lane of the same warp.
template <class T = void>
class warp_task;

template <class T>
class [[nodiscard("a group task does nothing until it is awaited")]] warp_task
    : public detail::owned_task<T, warp_task<T>> {
 public:
  struct promise_type : detail::promise_returning<T, warp_task<T>> {
    static constexpr bool stepped = false;  // lanes run inside one step of their group

    template <class A>
    HEL_HD decltype(auto) await_transform(A&& a, std::source_location where = std::source_location::current()) {
      if constexpr (detail::is_lane_level<std::remove_cvref_t<A>>::value)
        return std::forward<A>(a);
      else
        return detail::collective<std::remove_reference_t<A>>(a, where);
    }
  };
  using detail::owned_task<T, warp_task<T>>::owned_task;
};

// Runs f(args...) in 32 lanes and waits for all. Arguments are copied, once for the group and then for each lane.
template <class F, class... Args>
[[nodiscard("co_await it")]] HEL_HD auto warp(F&& f, Args&&... args) {
  return detail::warp_call<false, std::decay_t<F>, std::decay_t<Args>...>(std::in_place, std::forward<F>(f),
                                                                          std::forward<Args>(args)...);
}

// The number of this lane, 0 to 31. In a warp_task only, as everything below.
HEL_HD inline unsigned lane() noexcept {
#if defined(__CUDA_ARCH__)
  return threadIdx.x % warp_size;
#else
  return detail::current_lane_index();
#endif
}

// A barrier: what any lane wrote before is visible to every lane after.
HEL_HD inline void warp_sync(std::source_location where = std::source_location::current()) {
#if defined(__CUDA_ARCH__)
  __syncwarp();
#else
  detail::lane_exchange e{.operation = detail::lane_operation::sync, .where = where};
  detail::lane_barrier(e);
#endif
}

// The value that lane `from` passed; T is trivially copyable.
template <class T>
HEL_HD T shfl(const T& value, unsigned from, std::source_location where = std::source_location::current()) {
  static_assert(std::is_trivially_copyable_v<T>);
  T out = value;
#if defined(__CUDA_ARCH__)
  constexpr std::size_t words = (sizeof(T) + 3) / 4;
  unsigned buffer[words] = {};
  __builtin_memcpy(buffer, &value, sizeof(T));
  for (std::size_t i = 0; i < words; ++i) buffer[i] = __shfl_sync(0xffffffffu, buffer[i], static_cast<int>(from));
  __builtin_memcpy(&out, buffer, sizeof(T));
#else
  detail::lane_exchange e{.operation = detail::lane_operation::shuffle,
                          .where = where,
                          .value = &value,
                          .out = &out,
                          .bytes = sizeof(T),
                          .from = from % warp_size};
  detail::lane_barrier(e);
#endif
  return out;
}

// The value of the lane `delta` further up (shfl_down), further down (shfl_up), or with these bits flipped (shfl_xor);
// a lane whose source would lie outside the warp keeps its own, as with CUDA's __shfl_*_sync.
template <class T>
HEL_HD T shfl_down(const T& value, unsigned delta, std::source_location where = std::source_location::current()) {
  const unsigned from = lane() + delta;
  return shfl(value, from < warp_size ? from : lane(), where);
}
template <class T>
HEL_HD T shfl_up(const T& value, unsigned delta, std::source_location where = std::source_location::current()) {
  return shfl(value, delta <= lane() ? lane() - delta : lane(), where);
}
template <class T>
HEL_HD T shfl_xor(const T& value, unsigned bits, std::source_location where = std::source_location::current()) {
  const unsigned from = lane() ^ bits;
  return shfl(value, from < warp_size ? from : lane(), where);
}

// One bit per lane: whether its predicate holds.
HEL_HD inline std::uint32_t ballot(bool predicate, std::source_location where = std::source_location::current()) {
#if defined(__CUDA_ARCH__)
  return __ballot_sync(0xffffffffu, predicate);
#else
  std::uint32_t votes = 0;
  detail::lane_exchange e{
      .operation = detail::lane_operation::ballot, .where = where, .out = &votes, .predicate = predicate};
  detail::lane_barrier(e);
  return votes;
#endif
}

}  // namespace hel
