#include "tools/hel-step/line_input.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

#if HEL_HAVE_LIBEDIT
#  include <editline/readline.h>
#endif

namespace hel::step {

line_input::line_input(const std::string& script)
    : file_(script.empty() ? stdin : std::fopen(script.c_str(), "re")),
      interactive_(script.empty() && ::isatty(STDIN_FILENO) && ::isatty(STDOUT_FILENO)) {
  if (!file_) throw std::runtime_error(script + ": " + std::strerror(errno));
  struct stat info;
  if (::fstat(::fileno(file_), &info) == 0 && S_ISDIR(info.st_mode))  // fopen takes it, reading fails only later
    throw std::runtime_error((script.empty() ? "standard input" : script) + ": is a directory");
}

line_input::~line_input() {
  if (file_ != stdin) std::fclose(file_);
}

bool line_input::next(std::string& line) {
#if HEL_HAVE_LIBEDIT
  if (interactive_) {
    char* typed = ::readline("(hel) ");
    if (!typed) {
      std::puts("");  // the shell's prompt goes on a line of its own
      return false;
    }
    line = typed;
    if (!line.empty()) ::add_history(typed);
    std::free(typed);
    return true;
  }
#endif
  if (interactive_) {
    std::fputs("(hel) ", stdout);
    std::fflush(stdout);
  }
  line.clear();
  int c;
  errno = 0;
  while ((c = std::getc(file_)) != EOF && c != '\n') line += static_cast<char>(c);
  if (c == EOF && std::ferror(file_))
    throw std::runtime_error(std::string("cannot read commands: ") + std::strerror(errno));
  return c != EOF || !line.empty();
}

}  // namespace hel::step
