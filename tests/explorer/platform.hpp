// The platform of hel/core for the explorer (HEL_PLATFORM): every operation on an atomic is a scheduling point.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

namespace explorer {

// The engine's side (explorer.cpp). A location is known by its address; values have up to 8 bytes.
enum class operation : std::uint8_t { load, store, exchange, add, compare_exchange };
struct access {
  operation op;
  std::memory_order order;
  void* where;
  std::size_t bytes;
  std::uint64_t operand = 0;   // stored, exchanged, added or desired
  std::uint64_t expected = 0;  // of compare_exchange
};
// Returns the value that was found; compare_exchange has stored if that is the expected one.
std::uint64_t perform(const access& a) noexcept;
void heavy_fence() noexcept;
// Whoever calls waits for another thread to write something.
void pause() noexcept;

template <class T>
class atomic_ref {
  static_assert(sizeof(T) <= 8);
  using order = std::memory_order;

 public:
  explicit atomic_ref(T& t) noexcept : where_(&t) {}

  T load(order o) const noexcept { return run(operation::load, o); }
  void store(T v, order o) const noexcept { run(operation::store, o, v); }
  T exchange(T v, order o) const noexcept { return run(operation::exchange, o, v); }
  T fetch_add(T v, order o) const noexcept { return run(operation::add, o, v); }
  T fetch_sub(T v, order o) const noexcept { return run(operation::add, o, static_cast<T>(0 - v)); }
  bool compare_exchange_strong(T& expected, T desired, order o, order) const noexcept {
    const T wanted = expected;
    expected = run(operation::compare_exchange, o, desired, wanted);
    return expected == wanted;
  }
  bool compare_exchange_weak(T& expected, T desired, order o, order f) const noexcept {
    return compare_exchange_strong(expected, desired, o, f);
  }

 private:
  static std::uint64_t bits(T v) noexcept {
    std::uint64_t b = 0;
    std::memcpy(&b, &v, sizeof(T));
    return b;
  }
  T run(operation op, order o, T operand = T(), T expected = T()) const noexcept {
    const std::uint64_t found = perform({op, o, where_, sizeof(T), bits(operand), bits(expected)});
    T v;
    std::memcpy(&v, &found, sizeof(T));
    return v;
  }
  T* where_;
};

// What std::atomic has, as far as hel/exec uses it.
template <class T>
class atomic {
 public:
  atomic() noexcept = default;
  explicit atomic(T v) noexcept : value_(v) {}
  T load(std::memory_order o) const noexcept { return atomic_ref<T>(value_).load(o); }
  void store(T v, std::memory_order o) noexcept { atomic_ref<T>(value_).store(v, o); }
  bool compare_exchange_strong(T& expected, T desired, std::memory_order o, std::memory_order f) noexcept {
    return atomic_ref<T>(value_).compare_exchange_strong(expected, desired, o, f);
  }

 private:
  mutable T value_{};
};

}  // namespace explorer

namespace hel_platform = explorer;
