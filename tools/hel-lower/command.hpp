// What hel-lower was asked to do, and doing it.
#pragma once

#include <string>
#include <vector>

namespace hel::tool {

struct Command {
  std::string source, output, target = "host", cxx, database, dependency_file, header_output;
  bool all = false, build = false, dependencies = false, print_frames = false, print_ir = false, no_lines = false, keep = false;
  std::vector<std::string> headers, flags;
};

std::string version_text();

// The exit code: 0 done, 1 refused, 2 wrong usage.
int run(const Command& command);

}  // namespace hel::tool
