#include "hel/statistics.hpp"

#include <cstdio>

namespace hel {

std::string to_string(const statistics& s) {
  std::string table = "hel: " + std::to_string(s.workers) + (s.workers == 1 ? " worker\n" : " workers\n");
  const auto line = [&table](const char* what, std::uint64_t n) {
    char text[64];
    std::snprintf(text, sizeof text, "  %-34s %16llu\n", what, static_cast<unsigned long long>(n));
    table += text;
  };
  line("tasks started", s.started);
  line("tasks over", s.over);
  line("resumed from a queue", s.resumed);
  line("stolen from another worker", s.stolen);
  line("run inside hel::spawn", s.run_inline);
  line("attempts after the first", s.retried);
  line("times that a worker went to sleep", s.slept);
  line("tasks alive", s.alive());
  line("ready in queues", s.ready);
  line("timers set", s.timers);
  return table;
}

}  // namespace hel
