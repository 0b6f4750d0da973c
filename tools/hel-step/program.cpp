#include "tools/hel-step/program.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/cpu/stepper_protocol.hpp"

namespace hel::step {
namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& why) {
  throw std::runtime_error(name + ": " + why);
}

void check_executable(const std::string& path) {
  struct stat info;
  if (::stat(path.c_str(), &info) != 0) refuse(path, std::strerror(errno));
  if (S_ISDIR(info.st_mode)) refuse(path, "is a directory");
  if (::access(path.c_str(), X_OK) != 0) refuse(path, std::strerror(errno));
}

struct waiting_scope {
  std::atomic<bool>& waiting;
  waiting_scope(std::atomic<bool>& w, std::atomic<bool>& asked) : waiting(w) {
    asked = false;
    waiting = true;
  }
  ~waiting_scope() { waiting = false; }
};

}  // namespace

program::program(const std::vector<std::string>& arguments, const std::string& input_file) {
  const std::string& path = arguments.front();
  check_executable(path);
  int input = ::open(input_file.empty() ? "/dev/null" : input_file.c_str(), O_RDONLY | O_CLOEXEC);
  if (input < 0) refuse(input_file, std::strerror(errno));

  int ends[2];    // the socket: ours, the program's
  int failed[2];  // the child reports a failing exec here; a successful one closes it
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0 || ::pipe2(failed, O_CLOEXEC) != 0)
    refuse("hel-step", std::strerror(errno));

  // Everything that allocates happens before the fork.
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const std::string executor = "HEL_EXECUTOR=deterministic";
  const std::string socket_setting = std::string(exec::step_socket_variable) + "=" + std::to_string(ends[1]);
  std::vector<char*> environment;
  for (char** e = environ; *e; ++e) {
    const std::string_view setting(*e);
    if (setting.starts_with("HEL_EXECUTOR=") || setting.starts_with(std::string(exec::step_socket_variable) + "="))
      continue;
    environment.push_back(*e);
  }
  environment.push_back(const_cast<char*>(executor.c_str()));
  environment.push_back(const_cast<char*>(socket_setting.c_str()));
  environment.push_back(nullptr);

  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ < 0) refuse(path, std::strerror(errno));
  if (pid_ == 0) {
    ::setpgid(0, 0);  // Ctrl-C is for hel-step
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() == parent && ::dup2(input, STDIN_FILENO) >= 0 && ::fcntl(ends[1], F_SETFD, 0) == 0)
      ::execve(path.c_str(), argv.data(), environment.data());
    const int error = errno;
    [[maybe_unused]] ssize_t written = ::write(failed[1], &error, sizeof error);
    ::_exit(127);
  }
  ::setpgid(pid_, pid_);  // in both processes: whichever runs first
  ::close(input);
  ::close(ends[1]);
  ::close(failed[1]);
  socket_ = ends[0];
  int error = 0;
  ssize_t got;
  while ((got = ::read(failed[0], &error, sizeof error)) < 0 && errno == EINTR) {
  }
  ::close(failed[0]);
  if (got > 0) {
    kill();
    ::close(socket_);
    refuse(path, std::strerror(error));
  }
}

program::~program() {
  kill();
  if (socket_ >= 0) ::close(socket_);
}

bool program::send(const std::string& line) {
  const std::string message = line + "\n";
  for (std::size_t sent = 0; sent < message.size();) {
    ssize_t n = ::send(socket_, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    sent += static_cast<std::size_t>(n);
  }
  return true;
}

bool program::receive(std::string& line) {
  waiting_scope waiting(waiting_, asked_to_stop_);
  for (;;) {
    if (std::size_t end = received_.find('\n'); end != std::string::npos) {
      line = received_.substr(0, end);
      received_.erase(0, end + 1);
      return true;
    }
    char buffer[4096];
    ssize_t n = ::recv(socket_, buffer, sizeof buffer, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    received_.append(buffer, static_cast<std::size_t>(n));
  }
}

int program::wait() {
  if (pid_ <= 0) return exit_code_;
  waiting_scope waiting(waiting_, asked_to_stop_);
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
  signal_ = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  exit_code_ = signal_ ? 128 + signal_ : WEXITSTATUS(status);
  return exit_code_;
}

void program::kill() {
  if (pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  wait();
}

void program::interrupt() noexcept {
  if (!waiting_) return;
  if (asked_to_stop_.exchange(true) || ::send(socket_, "stop\n", 5, MSG_NOSIGNAL | MSG_DONTWAIT) != 5)
    ::kill(pid_, SIGKILL);
}

}  // namespace hel::step
