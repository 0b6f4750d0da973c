// The switch between stacks. Its functions must not be instrumented by ThreadSanitizer: between telling it of the
// switch and making it, this code runs on one stack and is booked on another. Attributes take care of that, so that the
// file needs no flags of its own.
#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>

#include "fiber.hpp"
#include "hel/core/platform.hpp"

#if defined(HEL_ASAN)
#  include <sanitizer/asan_interface.h>
#  include <sanitizer/common_interface_defs.h>
#endif
#if defined(HEL_TSAN)
extern "C" {
void* __tsan_get_current_fiber();
void* __tsan_create_fiber(unsigned flags);
void __tsan_destroy_fiber(void* fiber);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
}
// The lanes of a group run one after the other on one thread, but stand for threads: without this flag the switch
// itself would order them, and a missing barrier would go unnoticed. Barriers say what they order (lane_group.cpp).
constexpr unsigned no_sync = 1;
#endif

#if defined(__clang__)
#  define HEL_UNINSTRUMENTED __attribute__((noinline, disable_sanitizer_instrumentation))
#else
#  define HEL_UNINSTRUMENTED __attribute__((noinline, no_sanitize("thread"), no_sanitize("address")))
#endif

namespace hel::exec {

namespace context = boost::context::detail;

void* map_stack(std::size_t stack_bytes, std::size_t& mapping_bytes);  // fiber.cpp

struct fiber::switching {
  // Switches into the fiber and returns when it leaves or finishes.
  HEL_UNINSTRUMENTED static void enter(fiber& f) {
#if defined(HEL_ASAN)
    __sanitizer_start_switch_fiber(&f.sanitizer_.outside_fake_stack, f.stack(), stack_bytes);
#endif
#if defined(HEL_TSAN)
    f.sanitizer_.tsan_outside = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(f.sanitizer_.tsan_inside, no_sync);
#endif
    const context::transfer_t back = context::jump_fcontext(f.inside_, &f);
    f.inside_ = back.fctx;
#if defined(HEL_ASAN)
    __sanitizer_finish_switch_fiber(f.sanitizer_.outside_fake_stack, nullptr, nullptr);
#endif
  }

  // Switches back to whoever entered; returns when the fiber is entered again.
  HEL_UNINSTRUMENTED static void leave(fiber& f) {
#if defined(HEL_ASAN)
    __sanitizer_start_switch_fiber(&f.sanitizer_.inside_fake_stack, f.sanitizer_.outside_stack,
                                   f.sanitizer_.outside_stack_bytes);
#endif
#if defined(HEL_TSAN)
    __tsan_switch_to_fiber(f.sanitizer_.tsan_outside, no_sync);
#endif
    const context::transfer_t again = context::jump_fcontext(f.outside_, nullptr);
    f.outside_ = again.fctx;
#if defined(HEL_ASAN)
    __sanitizer_finish_switch_fiber(f.sanitizer_.inside_fake_stack, &f.sanitizer_.outside_stack,
                                    &f.sanitizer_.outside_stack_bytes);
#endif
  }

  // The bottom of the fiber's stack: runs one function after the other, for as long as the fiber exists.
  HEL_UNINSTRUMENTED static void main(context::transfer_t from) {
    fiber& f = *static_cast<fiber*>(from.data);
    f.outside_ = from.fctx;
#if defined(HEL_ASAN)
    __sanitizer_finish_switch_fiber(nullptr, &f.sanitizer_.outside_stack, &f.sanitizer_.outside_stack_bytes);
#endif
    for (;;) {
      f.function_(f.argument_);
      f.finished_ = true;
      leave(f);
#if defined(HEL_ASAN)
      if (!f.function_) end(f);
#endif
    }
  }

#if defined(HEL_ASAN)
  // Leaves for good: AddressSanitizer frees what it keeps for this stack.
  HEL_UNINSTRUMENTED static void end(fiber& f) {
    __sanitizer_start_switch_fiber(nullptr, f.sanitizer_.outside_stack, f.sanitizer_.outside_stack_bytes);
    context::jump_fcontext(f.outside_, nullptr);
  }
#endif
};

fiber::fiber() : mapping_(map_stack(stack_bytes, mapping_bytes_)) {
  inside_ = context::make_fcontext(stack() + stack_bytes, stack_bytes, &switching::main);
#if defined(HEL_TSAN)
  sanitizer_.tsan_inside = __tsan_create_fiber(0);
#endif
}

fiber::~fiber() {
#if defined(HEL_TSAN)
  __tsan_destroy_fiber(sanitizer_.tsan_inside);
#endif
#if defined(HEL_ASAN)
  if (function_ && finished_) {  // it has run
    function_ = nullptr;
    enter();
  }
  // The suspended main() leaves poisoned redzones behind, which whoever gets these addresses next would trip over.
  __asan_unpoison_memory_region(stack(), stack_bytes);
#endif
  munmap(mapping_, mapping_bytes_);
}

#if defined(HEL_ASAN) || defined(HEL_TSAN)
void fiber::enter() { switching::enter(*this); }
void fiber::leave() { switching::leave(*this); }
detail::lane_switch fiber::leave_at_end() {
  switching::leave(*this);
  return {outside_, &outside_};
}
#endif

}  // namespace hel::exec
