// Random choices that are the same for a seed on every machine (the standard's distributions are not).
#pragma once

#include <cstddef>
#include <cstdint>

namespace hel::fuzz {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) { state_ = next() ^ (seed << 32); }  // seeds in a row: far apart
  std::uint64_t next() {                                                                  // splitmix64
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class Container>
  auto& pick(Container& c) {
    return c[next() % c.size()];
  }

 private:
  std::uint64_t state_;
};

}  // namespace hel::fuzz
