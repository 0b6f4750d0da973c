// What was measured.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hel_bench {

struct result {
  std::vector<double> samples;         // one a repetition, in the benchmark's unit
  std::optional<double> instructions;  // per operation
  std::string error;                   // a wrong checksum, an exception

  double median() const;
};

// By benchmark, then by contender.
using results = std::map<std::string, std::map<std::string, result>>;

}  // namespace hel_bench
