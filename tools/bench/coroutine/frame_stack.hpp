// Frames that are freed in the reverse order of their creation: the cheapest allocation there is, the same for every
// variant. 1 MiB, not checked.
#pragma once

#include <cstddef>

namespace hel_bench {

extern char* frame_stack_top;

inline void* push_frame(std::size_t bytes) {
  char* frame = frame_stack_top;
  frame_stack_top += (bytes + 15) & ~std::size_t(15);
  return frame;
}
inline void pop_frame(void* frame) { frame_stack_top = static_cast<char*>(frame); }

}  // namespace hel_bench
