// What Clang's instrumentation calls and the ThreadSanitizer runtime of g++ 12 lacks: its interceptors do the same.
#if defined(HEL_SIM_TSAN)

#  include <cstring>

extern "C" {
__attribute__((weak)) void* __tsan_memcpy(void* to, const void* from, std::size_t n) {
  return std::memcpy(to, from, n);
}
__attribute__((weak)) void* __tsan_memmove(void* to, const void* from, std::size_t n) {
  return std::memmove(to, from, n);
}
__attribute__((weak)) void* __tsan_memset(void* to, int value, std::size_t n) { return std::memset(to, value, n); }
}

#endif
