#include "tools/bench/instructions.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

// Callgrind counts while this function runs, and writes a file when it returns. Its name is given on the command line
// below, so it is neither inlined nor mangled.
extern "C" [[gnu::noinline]] std::uint64_t hel_bench_counted(const hel_bench::runner& work, std::uint64_t rounds) {
  const std::uint64_t checksum = work(rounds);
  asm volatile("" : : : "memory");  // and not left by a jump
  return checksum;
}

namespace hel_bench {
namespace {

template <class F>
void for_each_counted(const std::vector<benchmark>& chosen, F f) {
  for (const benchmark& b : chosen) {
    if (!b.one_thread) continue;
    for (const contender& c : b.contenders)
      if (c.missing.empty()) f(b, c);
  }
}

// A directory that goes away with its contents.
class scratch_directory {
 public:
  scratch_directory() {
    std::string name = (std::filesystem::temp_directory_path() / "hel-bench-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("no temporary directory: " + std::string(std::strerror(errno)));
    path_ = name;
  }
  ~scratch_directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  scratch_directory(const scratch_directory&) = delete;
  scratch_directory& operator=(const scratch_directory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void run_valgrind(const std::vector<std::string>& command, const std::string& log) {
  std::vector<char*> argv;
  for (const std::string& a : command) argv.push_back(const_cast<char*>(a.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, argv[0], &files, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed == ENOENT) throw std::runtime_error("counting instructions needs valgrind, which is not installed");
  if (failed) throw std::runtime_error(std::string("valgrind: ") + std::strerror(failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return;
  std::ifstream in(log);
  throw std::runtime_error("valgrind failed:\n" + std::string(std::istreambuf_iterator<char>(in), {}));
}

// The number of instructions in a file of callgrind's: its line "totals: N".
double total_in(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::string word;
  double total = 0;
  while (in >> word)
    if (word == "totals:" && in >> total) return total;
  throw std::runtime_error("callgrind wrote no total into " + file.string());
}

}  // namespace

void run_counted(const std::vector<benchmark>& chosen, const settings& s) {
  for_each_counted(chosen, [&](const benchmark& b, const contender& c) {
    const runner work = c.prepare(s);
    work(b.rounds);
    const std::uint64_t checksum = hel_bench_counted(work, b.rounds);
    if (b.checksum && checksum != b.checksum(b.rounds))
      throw std::runtime_error(b.name + '/' + c.name + ": wrong result");
  });
}

void count_instructions(const std::vector<benchmark>& chosen, const settings& s, results& into) {
  const scratch_directory scratch;
  const std::string out = (scratch.path() / "callgrind.out").string();
  std::vector<std::string> command{"valgrind",
                                   "--tool=callgrind",
                                   "--toggle-collect=hel_bench_counted",
                                   "--dump-after=hel_bench_counted",
                                   "--callgrind-out-file=" + out,
                                   std::filesystem::read_symlink("/proc/self/exe").string(),
                                   "--run-counted",
                                   "--threads",
                                   std::to_string(s.threads)};
  std::size_t counted = 0;
  for (const benchmark& b : chosen) {
    if (!b.one_thread) continue;
    command.push_back(b.name);
    ++counted;
  }
  if (counted == 0) return;
  run_valgrind(command, (scratch.path() / "log").string());
  int dump = 0;
  for_each_counted(chosen, [&](const benchmark& b, const contender& c) {
    const double total = total_in(out + '.' + std::to_string(++dump));
    into[b.name][c.name].instructions = total / (b.operations() * static_cast<double>(b.rounds));
  });
}

}  // namespace hel_bench
