// The commands of hel-step, carried out on one program.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "tools/hel-step/program.hpp"

namespace hel::step {

// What a person types goes in, what they see comes out: results on standard output, errors on standard error.
class session {
 public:
  explicit session(program& stepped, std::string name) : program_(stepped), name_(std::move(name)) {}

  // Waits until the program stops before its first task. False when it cannot be stepped: the reason is on standard
  // error.
  bool start();

  // One command line. False when it was `quit`.
  bool execute(std::string_view line);

 private:
  struct command;
  static const command commands[];
  static const command* find(std::string_view word);

  void step(std::string_view arguments);
  void resume(std::string_view arguments);
  void set_breakpoint(std::string_view arguments);
  void remove_breakpoint(std::string_view arguments);
  void tasks(std::string_view arguments);
  void locals(std::string_view arguments);
  void where(std::string_view arguments);
  void help(std::string_view arguments);

  bool stopped();                                               // else an error says that the program has ended
  bool ask(const std::string& request, nlohmann::json& reply);  // false: an error was reported
  bool reply_of(nlohmann::json& reply);
  void run(const std::string& request);  // lets the program run, reports where it stopped
  void report_stop(const nlohmann::json& reply);
  void report_end();

  program& program_;
  std::string name_;
};

}  // namespace hel::step
