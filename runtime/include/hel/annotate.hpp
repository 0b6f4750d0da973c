// Annotations that mark coroutines for hel-lower, and execution spaces for nvcc.
//
//   HEL_TASK       before a coroutine, or after `struct` of a coroutine type: lowered for host and device.
//   HEL_HOST_TASK  the same, host only: the body may use any host library.
//   HEL_HD         an ordinary function that both sides call.
//
// Under a plain host compiler all three are empty, so the same source is also a native C++20 program.
#pragma once

#if defined(__HEL_LOWER__)  // the parse of hel-lower itself
#  if defined(__CUDA__)
#    define HEL_HD __attribute__((host)) __attribute__((device))
#  else
#    define HEL_HD
#  endif
#  define HEL_TASK HEL_HD __attribute__((annotate("hel::task")))
#  define HEL_HOST_TASK __attribute__((annotate("hel::host_task")))
#elif defined(__CUDACC__)
#  define HEL_HD __host__ __device__
#  define HEL_TASK __host__ __device__
#  define HEL_HOST_TASK
#else
#  define HEL_HD
#  define HEL_TASK
#  define HEL_HOST_TASK
#endif

// HEL_COLD: a function off the hot path, kept out of line on the host. The device inlines it: a call there costs stack.
// HEL_COLD_NOEXCEPT: for an inline function that throws nothing, too: where the compiler can, the call leaves all
// registers alone, so that the hot path around it saves none. (Unwinding would not restore them.)
// HEL_APART: g++ does not inline it. Its variables would keep a coroutine that calls it from leaving by a tail call:
// g++ forgets where their lives end on the way of an exception.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#  define HEL_APART __attribute__((noinline))
#else
#  define HEL_APART
#endif
#if defined(__CUDACC__)
#  define HEL_COLD
#  define HEL_COLD_NOEXCEPT
#else
#  define HEL_COLD __attribute__((noinline, cold))
#  if defined(__clang__) && defined(__x86_64__)
// Named apart: in a program of both compilers' objects, the linker keeps one function of a name for all of them.
#    define HEL_COLD_NOEXCEPT __attribute__((noinline, cold, preserve_most, abi_tag("preserves")))
#  else
#    define HEL_COLD_NOEXCEPT __attribute__((noinline, cold))
#  endif
#endif

// Before a loop: the device is not to unroll it. Where it runs seldom, registers for all of its rounds at once would be
// everybody's.
#if defined(__CUDA_ARCH__)
#  define HEL_NO_UNROLL _Pragma("unroll 1")
#else
#  define HEL_NO_UNROLL
#endif
