// Stackful fibers for the lanes of group tasks, on Boost.Context, known to AddressSanitizer and ThreadSanitizer.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "hel/core/platform.hpp"
#include "hel/detail/lane_switch.hpp"

namespace hel::exec {

// Runs functions on a stack of its own. A fiber belongs to the thread that made it: it is entered and left there only.
class fiber {
 public:
  fiber();
  ~fiber();  // while it runs no function
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  // Starts f(argument), which must not throw, and returns when it returns or leaves.
  void start(void (*f)(void*), void* argument) {
    function_ = f;
    argument_ = argument;
    finished_ = false;
    enter();
  }
  // Continues after leave().
  void enter();
  // Inside the fiber: back to whoever entered it.
  void leave();
  // The same, at the end of a function that returns to the lane: see detail::lane_switch.
  detail::lane_switch leave_at_end();

  bool finished() const noexcept { return finished_; }

 private:
  struct switching;  // fiber_switch.cpp
  friend struct switching;

  // 64 KiB hold a lane's calls with room to spare; 4 KiB do not. Below lies an inaccessible page.
  static constexpr std::size_t stack_bytes = 64 * 1024;

  char* stack() const noexcept { return static_cast<char*>(mapping_) + (mapping_bytes_ - stack_bytes); }

  void* outside_ = nullptr;  // context of who entered it; the first member, so that it has the fiber's address
  void* inside_ = nullptr;   // context of the fiber while it is left
  std::size_t mapping_bytes_ = 0;
  void* mapping_;
  void (*function_)(void*) = nullptr;
  void* argument_ = nullptr;
  bool finished_ = true;

  struct sanitizer_state {
    void* outside_fake_stack = nullptr;
    void* inside_fake_stack = nullptr;
    const void* outside_stack = nullptr;
    std::size_t outside_stack_bytes = 0;
    void* tsan_inside = nullptr;
    void* tsan_outside = nullptr;
  };
  [[maybe_unused]] sanitizer_state sanitizer_;
};
static_assert(std::is_standard_layout_v<fiber>);

#if !defined(HEL_ASAN) && !defined(HEL_TSAN)
// Boost's function, whose result is two pointers as well: the context that was left, and `data`.
detail::lane_switch switch_context(void* to, void* data) noexcept asm("jump_fcontext");

// Inline: each return between a switch and the code that it leads to is mispredicted, as the processor remembers the
// other side's calls.
inline void fiber::enter() { inside_ = switch_context(inside_, this).context; }
inline void fiber::leave() { outside_ = switch_context(outside_, nullptr).context; }
inline detail::lane_switch fiber::leave_at_end() { return switch_context(outside_, nullptr); }
#endif

// The idle fibers of this thread, as many as the largest block has; one more is destroyed. An idle fiber keeps the
// pages that it has used, 8 KiB as a rule.
inline constexpr std::size_t fiber_pool_limit = 1024;

// One of those, or a new one: making one costs a hundred times what reusing one
// costs. std::bad_alloc: there is no memory for a stack.
std::unique_ptr<fiber> take_fiber();
void give_back_fiber(std::unique_ptr<fiber> f) noexcept;

}  // namespace hel::exec
