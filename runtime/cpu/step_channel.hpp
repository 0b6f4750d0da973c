// The program's end of the socket to hel-step: lines in, lines out.
#pragma once

#include <string>

namespace hel::exec {

// Owns the descriptor. Used by one thread at a time. After the other side has gone, sending does nothing and receiving
// fails.
class step_channel {
 public:
  // Takes over the socket `descriptor`.
  explicit step_channel(int descriptor);
  ~step_channel();
  step_channel(const step_channel&) = delete;
  step_channel& operator=(const step_channel&) = delete;

  void send(const std::string& line);

  // Waits for the next line, without its line feed. False when the other side has gone.
  bool receive(std::string& line);

  // The same without waiting: false when there is no whole line.
  bool receive_now(std::string& line);

 private:
  bool take_line(std::string& line);
  bool read(int flags);  // false: nothing came

  int descriptor_;
  std::string received_;
};

}  // namespace hel::exec
