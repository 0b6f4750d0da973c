// Stackful fibers for the lanes of group tasks, on Boost.Context, known to AddressSanitizer and ThreadSanitizer.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace hel::exec {

// Runs functions on a stack of its own. A fiber belongs to the thread that made it: it is entered and left there only.
class fiber {
 public:
  fiber();
  ~fiber();  // while it runs no function
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;

  // Starts f(argument), which must not throw, and returns when it returns or leaves.
  void start(void (*f)(void*), void* argument);
  // Continues after leave().
  void enter();
  // Inside the fiber: back to whoever entered it.
  void leave();

  bool finished() const noexcept { return finished_; }

 private:
  struct switching;  // fiber_switch.cpp
  friend struct switching;

  // 64 KiB hold a lane's calls with room to spare; 4 KiB do not. Below lies an inaccessible page.
  static constexpr std::size_t stack_bytes = 64 * 1024;

  char* stack() const noexcept { return static_cast<char*>(mapping_) + (mapping_bytes_ - stack_bytes); }

  std::size_t mapping_bytes_ = 0;
  void* mapping_;
  void* inside_ = nullptr;   // context of the fiber while it is left
  void* outside_ = nullptr;  // context of who entered it
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

// The idle fibers of this thread: making one costs a hundred times what reusing one costs.
std::unique_ptr<fiber> take_fiber();
void give_back_fiber(std::unique_ptr<fiber> f) noexcept;

}  // namespace hel::exec
