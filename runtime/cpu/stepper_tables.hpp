// What the stepper reads from the tables of lowered coroutines, as values or as parts of messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "hel/abi/frame_info.hpp"

namespace hel::exec {

// One suspension point of one coroutine. Points into the tables, which live as long as the program.
struct suspension_point {
  const abi::frame_info* function = nullptr;
  const abi::state_info* state = nullptr;

  bool operator==(const suspension_point&) const = default;
};

// `text` as a JSON string with its quotes. Bytes that are not UTF-8 come out as the four characters \xNN.
std::string json_string(std::string_view text);

// Number of coroutines that have a table.
std::size_t table_count();

// Where the suspended coroutine `frame` is; both members null when it was not lowered by hel-lower.
suspension_point current_point(const void* frame);

// "function":…,"file":…,"line":…,"column":…,"kind":… of the point; empty for an unknown one.
std::string describe(const suspension_point& point);

// A JSON array of the parameters and locals that hold a value in `frame`, which is suspended at `point`.
std::string describe_locals(const void* frame, const suspension_point& point);

// Where a breakpoint at `file`:`line` binds: all suspension points on the first line, from `line` on, that has one. The
// end of a coroutine is none. `file` may be the end of a path, whole components. When nothing is found, `points` is
// empty and `error` says why.
struct binding {
  std::vector<suspension_point> points;
  std::string error;
};
binding bind(std::string_view file, std::uint32_t line);

}  // namespace hel::exec
