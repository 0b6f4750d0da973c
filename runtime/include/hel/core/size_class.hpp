// Which frame sizes share a free list.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hel/annotate.hpp"

namespace hel::core {

// 64-byte steps up to 1 KiB cover nearly every frame; larger ones are rare and go to the general allocator (on the
// device: are refused).
inline constexpr std::size_t size_class_step = 64;
inline constexpr std::size_t size_class_count = 16;
inline constexpr std::size_t size_class_limit = size_class_step * size_class_count;

HEL_HD constexpr std::size_t size_class_of(std::size_t bytes) noexcept {
  return bytes == 0 ? 0 : (bytes - 1) / size_class_step;
}
HEL_HD constexpr std::size_t size_class_bytes(std::size_t c) noexcept { return (c + 1) * size_class_step; }

}  // namespace hel::core
