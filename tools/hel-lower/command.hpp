// What hel-lower was asked to do, and doing it.
#pragma once

#include <string>
#include <vector>

namespace hel::tool {

struct Command {
  std::vector<std::string> sources;
  std::string output, target = "host", cxx, database, dependency_file, header_output;
  bool all = false, build = false, dependencies = false, print_frames = false, print_ir = false, no_lines = false, keep = false, registry = false;
  std::vector<std::string> headers, flags;
};

// An identifier for a file: its stem, and a hash of its path so that equal stems differ.
std::string unit_name(const std::string& source);

std::string version_text();

// The exit code: 0 done, 1 refused, 2 wrong usage.
int run(const Command& command);

}  // namespace hel::tool
