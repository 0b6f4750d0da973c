// A launch on a device, while its coroutine is called on the host: the frame is built here, as the device is to have
// it, instead of on the host.
//
// runtime::launch sets `current` around the call. In a lowered .cu the ramp of a coroutine for the device takes it,
// checks that everything in the frame can travel, and builds its device frame in it. Any other coroutine leaves it, and
// the launch is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace hel::abi {
inline namespace v1 {

// A file's device code, by which a launch names the program that its frame is for. Separately compiled files are one
// program.
inline char device_registry_key = 0;
template <class Unit>
struct device_unit {
#if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
  static constexpr char& key = device_registry_key;
#else
  static inline char key = 0;
#endif
};

class device_launch {
 public:
  device_launch() noexcept : before_(std::exchange(current_, this)) {}
  ~device_launch() { end_call(); }
  device_launch(const device_launch&) = delete;
  device_launch& operator=(const device_launch&) = delete;

  // For the launching code: the call is over.
  void end_call() noexcept {
    if (ended_) return;
    ended_ = true;
    current_ = before_;
  }
  static constexpr std::size_t largest_frame = 16384;  // of a device's frame memory

  bool built() const noexcept { return bytes_ != 0; }
  const void* frame() const noexcept { return large_ ? static_cast<const void*>(large_.get()) : memory_; }
  std::uint32_t bytes() const noexcept { return bytes_; }
  std::uint32_t promise_offset() const noexcept { return promise_offset_; }
  const void* program() const noexcept { return program_; }

  // For the ramp: the launch that it is called for, or null; once, so that coroutines which are called meanwhile are
  // none of its business.
  static device_launch* take() noexcept {
    if (!current_) [[likely]]
      return nullptr;
    return std::exchange(current_, nullptr);
  }
  template <class P>
  void parameter(const char* name) const {
    if constexpr (!std::is_trivially_copyable_v<P>)
      refuse(name, "is of a type that is not trivially copyable, and cannot be copied to a device");
  }
  // std::logic_error.
  [[noreturn]] static void refuse(const char* name, const char* why);
  void* begin(const void* program, std::size_t bytes, std::size_t align, std::size_t promise_offset) {
    if (bytes > largest_frame || align > 16) refuse(nullptr, "its frame is larger than 16 KiB, or over-aligned");
    if (bytes > sizeof memory_) large_ = std::make_unique<block[]>(bytes / sizeof(block) + 1);
    program_ = program;
    bytes_ = static_cast<std::uint32_t>((bytes + 7) / 8 * 8);
    promise_offset_ = static_cast<std::uint32_t>(promise_offset);
    return large_ ? static_cast<void*>(large_.get()) : memory_;
  }

 private:
  static inline constinit thread_local device_launch* current_ = nullptr;

  device_launch* const before_;
  const void* program_ = nullptr;
  std::uint32_t bytes_ = 0;
  std::uint32_t promise_offset_ = 0;
  bool ended_ = false;
  struct alignas(16) block {
    unsigned char bytes[16];
  };
  std::unique_ptr<block[]> large_;  // where memory_ is too small
  alignas(16) unsigned char memory_[1024];
};

}  // namespace v1
}  // namespace hel::abi
