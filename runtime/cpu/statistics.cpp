#include "hel/statistics.hpp"

#include <algorithm>
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
  line("tasks suspended", s.suspended());
  line("workers that run something", s.running);
  line("ready in queues", s.ready);
  line("in the longest queue of a worker",
       s.worker_queues.empty() ? 0 : *std::max_element(s.worker_queues.begin(), s.worker_queues.end()));
  line("in the queues that all share", s.shared_queue);
  line("in the queues of high priority", s.urgent_queue);
  line("timers set", s.timers);
  line("host calls under way", s.host_calls);
  line("bytes of frames in use", s.frame_bytes);
  line("bytes of frames kept by threads", s.frame_bytes_kept);
  line("bytes of frames reserved", s.frame_bytes_reserved);
  if (s.frame_limit != 0) line("limit of bytes of frames", s.frame_limit);
  for (std::size_t i = 0; i < s.services.size(); ++i) {
    const statistics::service& one = s.services[i];
    const std::string name = "service " + std::to_string(i + 1);
    line((name + ": requests waiting").c_str(), one.waiting);
    line((name + ": requests being handled").c_str(), one.active);
  }
  return table;
}

}  // namespace hel
