// hel::log_service: a service that writes lines of text, each whole, in the order in which they came.
//
//   hel::service<hel::log_service> log = rt.start_service<hel::log_service>({.capacity = 256}, hel::log_options{});
//
//   co_await log.post(hel::log_line{hel::log_level::warning, "short of disk"});   // waits only for room in the mailbox
//   bool sent = log.try_post(hel::log_line{hel::log_level::info, text});          // never waits; false: not written
//   co_await log.call(hel::log_flush{});              // everything that was sent before is with the stream
//
// A line is `LEVEL: TEXT`, with `times` preceded by the seconds of hel::now() since the first one. A line
// break in the text begins a line of its own, indented. What is below `least` is dropped. The stream must outlive the
// runtime, and nobody else may write to it meanwhile unless it can bear that (std::clog and std::cerr can). The service
// flushes when it stops, and after each error. hel::log_flush answers how many lines the stream has not taken since the
// last one.
//
// Threads: as every service (hel/service.hpp). Host only so far.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include "hel/service.hpp"
#include "hel/timer.hpp"

namespace hel {

enum class log_level : std::uint8_t { debug, info, warning, error };

struct log_options {
  std::ostream* to = &std::clog;
  log_level least = log_level::info;
  bool times = false;
};

struct log_line {
  log_level level = log_level::info;
  std::string text;
};

// Answered with the number of lines that the stream has not taken since the last one.
struct log_flush {};

class log_service {
 public:
  log_service() = default;
  explicit log_service(const log_options& options) noexcept : options_(options) {}

  void handle(const log_line& line) {
    if (line.level < options_.least) return;
    write(line);
    if (line.level >= log_level::error) options_.to->flush();
    if (!*options_.to) {
      ++lost_;
      options_.to->clear();  // it may be able to take the next one
    }
  }
  std::uint64_t handle(log_flush) {
    if (!options_.to->flush()) options_.to->clear();
    return std::exchange(lost_, 0);
  }
  void stop() { options_.to->flush(); }

 private:
  static const char* name(log_level l) noexcept {
    switch (l) {
    case log_level::debug: return "debug";
    case log_level::info: return "info";
    case log_level::warning: return "warning";
    case log_level::error: return "error";
    }
    return "?";
  }
  // One call of the stream's, so that who shares it finds whole lines.
  void write(const log_line& line) {
    std::string out;
    if (options_.times) {
      if (first_) begin_ = now();
      char text[32];
      const double seconds = std::chrono::duration<double>(now() - begin_).count();
      std::snprintf(text, sizeof text, "%.6f ", seconds);
      out += text;
    }
    first_ = false;
    out += name(line.level);
    out += ": ";
    for (const char c : line.text) {
      out += c;
      if (c == '\n') out += "  ";
    }
    out += '\n';
    options_.to->write(out.data(), static_cast<std::streamsize>(out.size()));
  }

  log_options options_;
  std::chrono::nanoseconds begin_{};
  bool first_ = true;
  std::uint64_t lost_ = 0;
};

}  // namespace hel
