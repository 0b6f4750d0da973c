// co_await hel::warp(f, args...) and hel::block(n, f, args...): runs one coroutine a lane and waits for all of them.
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "hel/detail/collective.hpp"
#include "hel/tuple.hpp"

namespace hel::detail {

// ---- on the CPU: implemented in runtime/cpu/lane_group.cpp

class lane_group;

struct group_shape {
  group_level level;
  unsigned lanes;
  std::size_t dynamic_shared;  // bytes
};
// What the lanes run, and where their outcomes go.
struct lane_program {
  // On the lane: makes its coroutine, which is not started. Null: that threw, and the lane's slot has it.
  std::coroutine_handle<> (*create)(void* self, unsigned rank) noexcept;
  void* self;
  return_slot* slots;  // lane n's is n * `stride` bytes on
  std::size_t stride;
};
// Null: there are no such groups.
const error* refused(const group_shape& shape) noexcept;
// Runs the group; returns what the calling worker continues with. `group` is set before anything can wake the caller.
std::coroutine_handle<> start_group(const group_shape& shape, const lane_program& program, const waiter& caller,
                                    void* caller_task, lane_group*& group);
// Of a group that is over: why it failed; null: it did not.
const error* group_failure(const lane_group& g) noexcept;
// The lowest lane that threw; 0: none.
unsigned lane_that_threw(const lane_group& g) noexcept;
void destroy_group(lane_group* g) noexcept;

template <bool Deliver, class F, class... Args>
class [[nodiscard("co_await it")]] group_call {
  using task_type = std::invoke_result_t<F&, Args&...>;
  using value_type = typename task_type::value_type;
  using slot_type = result<value_type>;

 public:
  template <class G, class... As>
  HEL_HD group_call(const group_shape& shape, std::in_place_t, G&& g, As&&... as)
      : shape_(shape), f_(std::forward<G>(g)), args_{{{std::forward<As>(as)}...}} {}
  HEL_HD group_call(const group_shape& shape, F&& f, tuple<Args...>&& args)
      : shape_(shape), f_(std::move(f)), args_(std::move(args)) {}
  group_call(group_call &&) = delete;
  HEL_HD ~group_call() {
#if defined(__CUDA_ARCH__)
    if (!results_) return;
    HEL_NO_UNROLL
    for (unsigned i = 0; i < warp_size; ++i) results_[i].~slot_type();  // lanes that are not over, too
    free_block_of(results_, warp_size * sizeof(slot_type));
    free_block_of(group_, sizeof(resident::lane_group));
#else
    if (results_) {
      for (unsigned i = 0; i < shape_.lanes; ++i) results_[i].~slot_type();  // lanes that are not over, too
      free_block_of(results_, shape_.lanes * sizeof(slot_type));
    }
    if (group_) destroy_group(group_);
#endif
  }

  HEL_HD bool await_ready() const noexcept { return false; }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend([[maybe_unused]] std::coroutine_handle<P> waiting) {
#if defined(__CUDA_ARCH__)
    if (shape_.level != group_level::warp) core::trap(no_group_scheduler);
    static_assert(warp_size * sizeof(slot_type) <= core::frame_store::largest_block,
                  "the results of 32 lanes are larger than the largest block of frame memory");
    // A function that is known where this stands is called by its name only if nothing else has happened since.
    const std::conditional_t<std::is_pointer_v<F>, F, F&> f = f_;
    void* const results = device::try_allocate(warp_size * sizeof(slot_type));
    void* const block = results ? device::try_allocate(sizeof(resident::lane_group)) : nullptr;
    if (!block) {
      if (results) free_block_of(results, warp_size * sizeof(slot_type));
      return without_memory(waiting);
    }
    results_ = static_cast<slot_type*>(results);
    auto* const g = ::new (block)
        resident::lane_group(waiting.address(), !Deliver && is_task_promise<P>, results_, sizeof(slot_type));
    group_ = reinterpret_cast<lane_group*>(g);
    bool all = true;
    HEL_NO_UNROLL
    for (unsigned i = 0; i < warp_size; ++i) {
      slot_type* const slot = ::new (static_cast<void*>(results_ + i)) slot_type();
      const std::coroutine_handle<> h = all ? call(f, std::index_sequence_for<Args...>()) : std::coroutine_handle<>();
      slot->frame = g->frames[i] = h.address();
      if (!h) {
        all = false;
        continue;
      }
      promise_base& promise = promise_of(h.address());
      promise.link = nullptr;  // the lane's end goes nowhere
      promise.slot = slot;
    }
    if (!all) {
      g->is_failed = true;
      g->err = errc::out_of_frames;
      return without_memory(waiting);
    }
    return std::coroutine_handle<>::from_address(g);
#else
    if (!current_executor) core::trap("a group task is awaited outside a runtime");
    if (const error* e = refused(shape_)) {
      if constexpr (!Deliver && is_task_promise<P>) return fail_from(waiting, *e);
      return waiting;
    }
    if (tasks_recorded) [[unlikely]]
      step_waits(waiting, wait_kind::group, this);
    waiter caller;
    caller.handle = waiting;
    caller.home = current_executor;
    if constexpr (!Deliver) caller.parent = failing_promise(waiting);
    results_ = static_cast<slot_type*>(allocate_block(shape_.lanes * sizeof(slot_type)));
    for (unsigned i = 0; i < shape_.lanes; ++i) ::new (static_cast<void*>(results_ + i)) slot_type();
    return start_group(shape_, {&group_call::create, this, results_, sizeof(slot_type)}, caller,
                       is_task_promise<P> ? waiting.address() : nullptr, group_);
#endif
  }
  HEL_HD std::conditional_t<Deliver, expected<value_type, error>, value_type> await_resume() {
#if defined(__CUDA_ARCH__)
    const auto* const g = reinterpret_cast<const resident::lane_group*>(group_);
    if constexpr (Deliver) {
      if (!g) return unexpected<error>(error(errc::out_of_frames));
      if (g->is_failed) return unexpected<error>(g->err);
      if constexpr (std::is_void_v<value_type>) {
        results_[0].take();
        return {};
      } else {
        return results_[0].take();
      }
    } else {
      if (g->is_failed) raise_failure(g->err);  // the caller is no HEL task
      return results_[0].take();
    }
#else
    const error* e = group_ ? group_failure(*group_) : refused(shape_);
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
  HEL_HD auto deliver_errors()&& { return group_call<true, F, Args...>(shape_, std::move(f_), std::move(args_)); }

 private:
#if defined(__CUDA_ARCH__)
  // The caller gets the error, or fails.
  template <class P>
  __device__ std::coroutine_handle<> without_memory(std::coroutine_handle<P> waiting) noexcept {
    if constexpr (Deliver) return waiting;
    return fail_for_memory(waiting);
  }
#endif
  value_type take() {
    if (const unsigned lane = lane_that_threw(*group_)) results_[lane].take();
    return results_[0].take();
  }

  static std::coroutine_handle<> create(void* self, unsigned rank) noexcept {
    auto& c = *static_cast<group_call*>(self);
    slot_type& slot = c.results_[rank];
    try {
      const std::coroutine_handle<> h = c.call(c.f_, std::index_sequence_for<Args...>());
      promise_base& promise = promise_of(h.address());
      promise.link = std::noop_coroutine().address();  // the lane's end returns to who resumed it
      promise.slot = &slot;
      slot.frame = h.address();
      return h;
    } catch (...) {
      slot.set_exception();
      return nullptr;
    }
  }
  template <class G, std::size_t... I>
  HEL_HD std::coroutine_handle<> call(G && f, std::index_sequence<I...>) {
    return f(hel::get<I>(args_)...).release();  // every lane gets its own copies
  }

  group_shape shape_;
  F f_;
  tuple<Args...> args_;
  lane_group* group_ = nullptr;
  slot_type* results_ = nullptr;
};

}  // namespace hel::detail
