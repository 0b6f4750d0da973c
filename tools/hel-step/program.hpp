// The program that is stepped: a child process with a socket to the stepper's back end inside it.
#pragma once

#include <atomic>
#include <string>
#include <sys/types.h>
#include <vector>

namespace hel::step {

// Owns the process and the socket. Used by one thread; `interrupt` alone may be called from a signal handler.
class program {
 public:
  // Starts `arguments[0]`, found as a path (not along PATH), with the deterministic executor and one end of the socket.
  // Its standard input is `input_file`, or empty when that is empty. Throws std::runtime_error with a message for the
  // user.
  program(const std::vector<std::string>& arguments, const std::string& input_file);
  ~program();  // kills the process if it still runs
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  // One request. False when the program has closed its end.
  bool send(const std::string& line);

  // The next message, without its line feed. False when the program has closed its end.
  bool receive(std::string& line);

  // Waits for the end of the process: its exit code, or 128 + the signal that ended it.
  int wait();

  // Ends the process now.
  void kill();

  bool running() const { return pid_ > 0; }
  // After wait(): the signal that ended the process, 0 when it exited.
  int ended_by() const { return signal_; }

  // While receive() or wait() waits: asks the program to stop at its next suspension. A second call, or one after the
  // program has closed the socket, ends it. Async-signal-safe.
  void interrupt() noexcept;

 private:
  pid_t pid_ = -1;
  int socket_ = -1;
  int exit_code_ = 0, signal_ = 0;
  std::atomic<bool> waiting_ = false, asked_to_stop_ = false;
  std::string received_;
};

}  // namespace hel::step
