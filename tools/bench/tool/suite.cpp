// How long hel-lower takes for a file, beside a compiler that only reads it.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "tools/bench/process.hpp"
#include "tools/bench/suite.hpp"

namespace hel_bench {
namespace {

contender program(std::string name, std::vector<std::string> command) {
  return {std::move(name),
          [command = std::move(command)](const settings&) -> runner {
            return [command](std::uint64_t rounds) {
              for (std::uint64_t i = 0; i < rounds; ++i) self_timed_seconds += run_process(command, "/dev/null");
              return rounds;
            };
          },
          {},
          {}};
}

}  // namespace

void add_tool(std::vector<benchmark>& all, const settings&) {
  const std::string source = HEL_BENCH_SOURCE_DIR "/samples/fib.cpp";
  const std::vector<std::string> flags{"-std=c++20", "-I" HEL_BENCH_SOURCE_DIR "/runtime/include",
                                       "-I" HEL_BENCH_SOURCE_DIR "/stdlib/include"};
  benchmark b;
  b.name = b.group = "tool";
  b.what = "hel-lower on samples/fib.cpp, beside clang -fsyntax-only";
  b.unit = "ms per run";
  b.timed = timing::by_the_runners;
  b.unit_ns = 1e6;
  b.ours = "hel-lower";
  std::vector<std::string> lower{HEL_BENCH_HEL_LOWER, source, "-o", "-", "--"};
  lower.insert(lower.end(), flags.begin(), flags.end());
  b.contenders.push_back(program("hel-lower", lower));
#if defined(HEL_BENCH_HAVE_CLANG)
  std::vector<std::string> check{HEL_BENCH_CLANG_PATH, "-fsyntax-only", source};
  check.insert(check.end(), flags.begin(), flags.end());
  b.contenders.push_back(program("clang", check));
#else
  b.contenders.push_back({"clang", {}, {}, "no clang++ when this was built"});
#endif
  all.push_back(std::move(b));
}

}  // namespace hel_bench
