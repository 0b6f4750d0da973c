// Figures as lines of JSON, and medians of repeated measurements. For the programs of this folder, which run where a
// GPU is.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

namespace hel_bench::gpu {

inline double now_ns() {
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Median, least and greatest of what `sample` returns, after one that is not counted.
struct spread {
  double median, least, greatest;
};
template <class Sample>
spread measure(unsigned repetitions, Sample sample) {
  sample();
  std::vector<double> all;
  for (unsigned i = 0; i < repetitions; ++i) all.push_back(sample());
  std::sort(all.begin(), all.end());
  return {all[all.size() / 2], all.front(), all.back()};
}

// {"name": ..., "side": ..., "value": ..., "least": ..., "greatest": ..., "unit": ...}
inline void print_figure(const std::string& name, const std::string& side, const spread& s, const char* unit) {
  std::printf(
      "{\"name\": \"%s\", \"side\": \"%s\", \"value\": %.6g, \"least\": %.6g, \"greatest\": %.6g, \"unit\": \"%s\"}\n",
      name.c_str(), side.c_str(), s.median, s.least, s.greatest, unit);
  std::fflush(stdout);
}

}  // namespace hel_bench::gpu
