// What a task reaches on the device: the resident kernel's ready queue, its frame memory and its list of frames to
// destroy.
//
// The kernel that serves these structures sets `device_context` before the first task runs. Without it, a task that
// needs one stops with a message: no operation here pretends to have worked.
#pragma once

#if defined(__CUDACC__)

#  include <cstddef>

#  include "hel/core/block_pool.hpp"
#  include "hel/core/mailbox.hpp"
#  include "hel/core/size_class.hpp"

namespace hel::cuda {

struct context {
  core::mailbox<void*>* ready;                         // frames to resume
  core::block_pool<>* frames[core::size_class_count];  // null: a class without memory
  core::atomic<void*> retired;  // frames, linked through promise_base::link; destroyed by the scheduler, iteratively
};

// With -rdc=true one variable serves all files; without it each file is a program of its own.
#  if defined(__CUDACC_RDC__)
inline __device__ context* device_context = nullptr;
#  else
static __device__ context* device_context = nullptr;
#  endif

__device__ inline context& current_context() noexcept {
  if (!device_context) core::trap("a task needs the resident scheduler, and none runs on this device");
  return *device_context;
}

__device__ inline void enqueue(void* frame) noexcept {
  core::backoff wait;
  context& c = current_context();
  while (!c.ready->try_send(frame)) wait.pause();  // the scheduler drains it independently of this thread
}

__device__ inline void* allocate_block(std::size_t bytes) noexcept {
  if (bytes > core::size_class_limit) core::trap("a task frame is larger than the largest size class");
  core::block_pool<>* pool = current_context().frames[core::size_class_of(bytes)];
  void* p = pool ? pool->take() : nullptr;
  if (!p) core::trap("the frame pool is exhausted");
  return p;
}

__device__ inline void free_block(void* p, std::size_t bytes) noexcept {
  current_context().frames[core::size_class_of(bytes)]->give_back(p);
}

// `link` is a word of the frame that nobody reads any more.
__device__ inline void retire(void* frame, void*& link) noexcept {
  context& c = current_context();
  void* head = c.retired.load_acquire();
  do {
    link = head;
  } while (!c.retired.cas_acq_rel(head, frame));
}

}  // namespace hel::cuda

#endif
