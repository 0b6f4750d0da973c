// How a task fails without exceptions: an error value, and `co_await hel::fail(code)`.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include "hel/annotate.hpp"

namespace hel {

// Codes that HEL itself reports. They are negative; a program's own codes are its to choose and best positive.
enum class errc : std::int32_t {
  closed = -1,                // the channel is closed and, for a receiver, empty
  host_exception = -2,        // a host function called through hel::host threw
  divergent_suspension = -3,  // the lanes of a group did not come to the same point
  abandoned = -4,             // nobody is left who could complete the ticket
  cycle = -5,                 // the dependency would make a task wait for itself
  cancelled = -7,             // by its hel::cancel_token
  call_cycle = -6,            // a service calls, through others, the request that it is handling itself
  timed_out = -8,             // the host function did not answer in time
  no_host_function = -9,      // the host has no such function, or another one of that name
  out_of_range = -10,         // the two sides of a copy have different sizes
  out_of_frames = -11,        // no memory for the frame of a task: hel::cpu::frame_limit, hel::cuda::frame_memory
  device = -12,               // the device or its driver reports an error, or it makes no progress
  bad_group_size = -13,       // hel::block: no lanes, or more than hel::max_block_size
};

// What a failed task leaves behind. A plain value: copied freely, usable on the device.
struct error {
  std::int32_t code = 0;
  std::uint32_t attempts = 1;  // how many times the task was run

  HEL_HD constexpr error() noexcept {}
  HEL_HD constexpr explicit error(std::int32_t c) noexcept : code(c) {}
  HEL_HD constexpr error(errc c) noexcept : code(static_cast<std::int32_t>(c)) {}  // implicit: an errc is an error

  friend HEL_HD constexpr bool operator==(error a, error b) noexcept {
    return a.code == b.code && a.attempts == b.attempts;
  }
  friend HEL_HD constexpr bool operator==(error a, errc b) noexcept { return a.code == static_cast<std::int32_t>(b); }
};

// A short text for the codes of errc, "error N" for others.
inline std::string to_string(error e) {
  switch (static_cast<errc>(e.code)) {
  case errc::closed: return "channel closed";
  case errc::host_exception: return "the host function threw an exception";
  case errc::abandoned: return "the ticket was abandoned";
  case errc::cycle: return "the task would wait for itself";
  case errc::cancelled: return "cancelled";
  case errc::call_cycle: return "the service is called in a cycle";
  case errc::timed_out: return "timed out";
  case errc::no_host_function: return "the host has no such function";
  case errc::out_of_range: return "out of range";
  case errc::out_of_frames: return "out of memory for task frames";
  case errc::device: return "the device failed";
  case errc::bad_group_size: return "there are no groups of so many lanes";
  case errc::divergent_suspension: return "the lanes of a group did not come to the same point";
  }
  return "error " + std::to_string(e.code);
}

// The exception by which a failure reaches code that is no HEL task: application::get(), a coroutine of another type,
// a host function that wants to choose the code (throw hel::failure(hel::error(7))).
class failure : public std::exception {
 public:
  explicit failure(hel::error e) : error_(e), text_("hel::failure: " + to_string(e)) {}
  const char* what() const noexcept override { return text_.c_str(); }
  hel::error error() const noexcept { return error_; }

 protected:
  failure(hel::error e, std::string text) : error_(e), text_(std::move(text)) {}

 private:
  hel::error error_;
  std::string text_;
};

// errc::device, with a text that says what has happened and which call reports it.
class device_error : public failure {
 public:
  explicit device_error(std::string text) : failure(errc::device, std::move(text)) {}
};

}  // namespace hel
