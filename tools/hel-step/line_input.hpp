// Where commands come from: a terminal with a prompt and line editing, or a script.
#pragma once

#include <cstdio>
#include <string>

namespace hel::step {

class line_input {
 public:
  // Reads from `script`, or from standard input when that is empty; prompts only when it is a terminal.
  // Throws std::runtime_error when the script cannot be read.
  explicit line_input(const std::string& script);
  ~line_input();
  line_input(const line_input&) = delete;
  line_input& operator=(const line_input&) = delete;

  // The next line without its line feed; false at the end.
  bool next(std::string& line);

  bool interactive() const { return interactive_; }

 private:
  std::FILE* file_;
  bool interactive_;
};

}  // namespace hel::step
