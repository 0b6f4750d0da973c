// Running other programs, and this one again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace hel_bench {

// Runs a program that is looked up in PATH, without a shell; waits for it. Its standard output goes to a file, its
// errors too or to ours. Returns the CPU time it took, in seconds. Throws std::runtime_error unless it succeeds.
enum class errors { ours, same_file };
double run_process(const std::vector<std::string>& command, const std::string& output, errors to = errors::ours);

std::string own_path();

// A directory that goes away with its contents.
class scratch_directory {
 public:
  scratch_directory();
  ~scratch_directory();
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace hel_bench
