// hel-step PROGRAM [ARGUMENT...]: steps through the tasks of a lowered program.
#include <algorithm>
#include <atomic>
#include <CLI/CLI.hpp>
#include <csignal>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tools/hel-step/line_input.hpp"
#include "tools/hel-step/program.hpp"
#include "tools/hel-step/session.hpp"

namespace {

std::atomic<hel::step::program*> stepped{nullptr};

void on_interrupt(int) {
  if (hel::step::program* p = stepped.load()) p->interrupt();
}

// Options after PROGRAM are the program's: the place of PROGRAM in argv, or argc.
int find_program(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") return i + 1;
    if (!argument.starts_with('-')) return i;
    if (argument == "-x" || argument == "--commands" || argument == "--input") ++i;
  }
  return argc;
}

int run(const std::vector<std::string>& arguments, const std::string& script, const std::string& input) {
  hel::step::line_input commands(script);
  hel::step::program program(arguments, input);
  stepped = &program;
  std::signal(SIGINT, on_interrupt);
  hel::step::session session(program, arguments.front());
  bool go_on = session.start();
  if (!go_on) return 2;
  std::cout.flush();
  std::string line;
  while (go_on && commands.next(line)) go_on = session.execute(line);
  stepped = nullptr;
  if (program.running()) {  // quit, or the end of the script
    program.kill();
    return 0;
  }
  return program.wait();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Steps through the tasks of a program that was lowered with hel-lower, on the deterministic CPU executor.\n"
      "Commands come from the terminal or from a script on standard input; `help` lists them.");
  app.set_version_flag("--version", "hel-step " HEL_VERSION);
  std::string script, input;
  app.add_option("-x,--commands", script, "read commands from FILE instead of standard input")->type_name("FILE");
  app.add_option("--input", input, "the program's standard input (default: empty)")->type_name("FILE");
  std::vector<std::string> shown_in_help;  // PROGRAM and what follows it never reach CLI11
  app.name("hel-step");
  app.add_option("PROGRAM", shown_in_help, "the program and its arguments")->type_name("[ARGUMENT...]");
  const int program = find_program(argc, argv);
  try {
    app.parse(std::min(program, argc), argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : 2;
  }
  if (program >= argc) {
    std::cerr << "hel-step: no PROGRAM given (see --help)\n";
    return 2;
  }
  std::vector<std::string> arguments(argv + program, argv + argc);
  try {
    return run(arguments, script, input);
  } catch (const std::exception& e) {
    std::cerr << "hel-step: " << e.what() << "\n";
    return 2;
  }
}
