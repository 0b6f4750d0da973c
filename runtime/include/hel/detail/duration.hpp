// Durations as numbers, on both sides.
#pragma once

#include <chrono>
#include <cstdint>
#include <ratio>

#include "hel/annotate.hpp"

namespace hel::detail {

// The library's own conversion is not callable on the device.
template <class Rep, class Period>
HEL_HD constexpr std::int64_t nanoseconds_of(std::chrono::duration<Rep, Period> d) noexcept {
  using scale = std::ratio_divide<Period, std::nano>;
  const auto ticks = __builtin_bit_cast(Rep, d);
  return static_cast<std::int64_t>(ticks * static_cast<Rep>(scale::num) / static_cast<Rep>(scale::den));
}

}  // namespace hel::detail
