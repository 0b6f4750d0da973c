// Checks for programs with device code, on the host.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

inline int& failed_checks() {
  static int n = 0;
  return n;
}
inline int failures() { return failed_checks() == 0 ? 0 : 1; }

inline void check(bool passed, const char* what, const char* file, int line) {
  if (passed) return;
  if (++failed_checks() <= 20) std::fprintf(stderr, "%s:%d: %s\n", file, line, what);
}
inline void check_cuda(cudaError_t e, const char* what, const char* file, int line) {
  if (e == cudaSuccess) return;
  ++failed_checks();
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, what, cudaGetErrorString(e));
}
#define CHECK(x) check(static_cast<bool>(x), #x, __FILE__, __LINE__)
#define CHECK_CUDA(x) check_cuda(x, #x, __FILE__, __LINE__)
