// hel-bench [NAME...]: measures HEL side by side with its peers.
#include <algorithm>
#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include "tools/bench/instructions.hpp"
#include "tools/bench/measure.hpp"
#include "tools/bench/report.hpp"
#include "tools/bench/suite.hpp"

namespace {

using namespace hel_bench;

// The benchmarks that `names` name, themselves or by group; all of them for no name. Throws std::invalid_argument.
std::vector<benchmark> choose(const std::vector<benchmark>& all, const std::vector<std::string>& names) {
  if (names.empty()) return all;
  std::vector<bool> wanted(all.size());
  for (const std::string& name : names) {
    bool known = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].name != name && all[i].group != name) continue;
      wanted[i] = known = true;
    }
    if (!known) throw std::invalid_argument("no benchmark or group is called " + name + " (see --list)");
  }
  std::vector<benchmark> chosen;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (wanted[i]) chosen.push_back(all[i]);
  return chosen;
}

bool any_failed(const results& r) {
  for (const auto& [name, by] : r)
    for (const auto& [contender, x] : by)
      if (!x.error.empty()) return true;
  return false;
}

}  // namespace

int main(int argc, char** argv) {
  // What follows -- is Google Benchmark's.
  char** const end = argv + argc;
  char** const dashes = std::find(argv, end, std::string("--"));
  const std::vector<std::string> flags(dashes == end ? end : dashes + 1, end);

  CLI::App app("Measures HEL side by side with its peers, in one process. Options of Google Benchmark follow --.");
  app.set_version_flag("--version", "hel-bench " HEL_VERSION);
  std::vector<std::string> names;
  std::string figure;
  settings s;
  s.threads = std::max(1U, std::thread::hardware_concurrency());
  bool list = false, json = false, instructions = false, counted = false;
  app.add_option("NAME", names, "benchmarks or groups to run; none: all");
  app.add_flag("--list", list, "print what there is and stop");
  app.add_option("--threads", s.threads, "workers of every runtime (default: one per processor)")
      ->check(CLI::Range(1U, 1024U));
  app.add_flag("--quick", s.quick, "small problems, few repetitions: shows that it works, not how fast it is");
  app.add_flag("--json", json, "print JSON (docs/benchmarks.md)");
  app.add_flag("--instructions", instructions, "count instructions with valgrind as well, where they are repeatable");
  app.add_option("--figure", figure, "print the figure of this contender")->group("");
  app.add_flag("--run-counted", counted, "run once, for valgrind")->group("");
  try {
    app.parse(static_cast<int>(dashes - argv), argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }

  try {
    if (counted) s = counting_settings();
    const std::vector<benchmark> chosen = choose(all_benchmarks(s), names);
    if (list) {
      print_list(std::cout, chosen);
      return 0;
    }
    if (!figure.empty()) {
      for (const contender& c : chosen.at(0).contenders)
        if (c.name == figure) std::cout << c.figure(s) << '\n';
      return 0;
    }
    if (counted) {
      run_counted(chosen, s);
      return 0;
    }
    results r = measure(chosen, s, flags);
    if (instructions) count_instructions(chosen, r);
    if (json)
      print_json(std::cout, chosen, r, s);
    else
      print_table(std::cout, chosen, r, s);
    if (any_failed(r)) {
      std::cerr << "hel-bench: a contender failed, see above\n";
      return 1;
    }
  } catch (const std::invalid_argument& e) {
    std::cerr << "hel-bench: " << e.what() << '\n';
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "hel-bench: " << e.what() << '\n';
    return 1;
  }
}
