// Which frame sizes share a free list.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hel/annotate.hpp"

namespace hel::core {

// Steps of 16 bytes, to which frames are aligned, up to 512: small tasks may be many. Then steps of 64 up to 1 KiB;
// larger frames are rare and go to the general allocator (on the device: are refused).
inline constexpr std::size_t size_class_fine_limit = 512;
inline constexpr std::size_t size_class_limit = 1024;
inline constexpr std::size_t size_class_fine_count = size_class_fine_limit / 16;
inline constexpr std::size_t size_class_count = size_class_fine_count + (size_class_limit - size_class_fine_limit) / 64;

HEL_HD constexpr std::size_t size_class_of(std::size_t bytes) noexcept {
  if (bytes > size_class_fine_limit) return size_class_fine_count + (bytes - size_class_fine_limit - 1) / 64;
  return bytes == 0 ? 0 : (bytes - 1) / 16;
}
HEL_HD constexpr std::size_t size_class_bytes(std::size_t c) noexcept {
  return c < size_class_fine_count ? (c + 1) * 16 : size_class_fine_limit + (c + 1 - size_class_fine_count) * 64;
}

}  // namespace hel::core
