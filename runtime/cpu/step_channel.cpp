#include "runtime/cpu/step_channel.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace hel::exec {

step_channel::step_channel(int descriptor) : descriptor_(descriptor) {
  ::fcntl(descriptor_, F_SETFD, FD_CLOEXEC);  // what the program starts must not keep hel-step waiting
}

step_channel::~step_channel() { ::close(descriptor_); }

void step_channel::send(const std::string& line) {
  const std::string message = line + "\n";
  for (std::size_t sent = 0; sent < message.size();) {
    const ssize_t n = ::send(descriptor_, message.data() + sent, message.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    sent += static_cast<std::size_t>(n);
  }
}

bool step_channel::receive(std::string& line) {
  while (!take_line(line))
    if (!read(0)) return false;
  return true;
}

bool step_channel::receive_now(std::string& line) {
  while (!take_line(line))
    if (!read(MSG_DONTWAIT)) return false;
  return true;
}

bool step_channel::take_line(std::string& line) {
  const std::size_t end = received_.find('\n');
  if (end == std::string::npos) return false;
  line = received_.substr(0, end);
  received_.erase(0, end + 1);
  return true;
}

bool step_channel::read(int flags) {
  char buffer[1024];
  ssize_t n;
  while ((n = ::recv(descriptor_, buffer, sizeof buffer, flags)) < 0 && errno == EINTR) {
  }
  if (n <= 0) return false;
  received_.append(buffer, static_cast<std::size_t>(n));
  return true;
}

}  // namespace hel::exec
