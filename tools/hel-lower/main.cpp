// hel-lower: rewrites annotated coroutines into explicit state machines.
#include <CLI/CLI.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

#include "tools/hel-lower/command.hpp"

int main(int argc, char** argv) {
  // Everything after `--` is for the compiler.
  std::vector<std::string> flags;
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "--") {
      flags.assign(argv + i + 1, argv + argc);
      argc = i;
      break;
    }
  hel::tool::Command command;
  command.flags = std::move(flags);
  CLI::App app{"Rewrites annotated C++20 coroutines into explicit state machines that need no compiler support.", "hel-lower"};
  app.footer("Compiler flags follow after --, as in: hel-lower app.cpp -o app.lowered.cpp -- -Iinclude -DNDEBUG\n"
             "Exit codes: 0 done, 1 the input was refused, 2 wrong usage.");
  app.set_version_flag("--version", hel::tool::version_text());
  app.add_option("source", command.sources, "The C++ source to lower; several with --build and --registry")->required();
  app.add_option("-o,--output", command.output, "The lowered source (default: standard output), or the program with --build");
  app.add_option("--target", command.target, "host: C++ for any host compiler; cuda: a .cu for nvcc")->check(CLI::IsMember({"host", "cuda"}))->capture_default_str();
  app.add_flag("--all", command.all, "Lower every coroutine, not only annotated ones");
  app.add_option("--headers", command.headers, "Lower the coroutines of headers at or below this path, too; may be repeated")->allow_extra_args(false)->type_name("PATH");
  app.add_option("--header-output", command.header_output, "Directory for the lowered headers, to be searched first (default: OUTPUT.headers)")->type_name("DIR");
  app.add_flag("--build", command.build, "Lower, compile and link");
  app.add_flag("--registry", command.registry, "For -rdc=true: write the .cu that makes one device program of the lowered .cu files that are named");
  app.add_option("--cxx", command.cxx, "Compiler for --build (default: $CXX, or g++; nvcc for --target cuda)");
  app.add_option("-p", command.database, "Directory of a compile_commands.json with the source's flags");
  app.add_flag("--MD,-M", command.dependencies, "Write a make dependency file beside the output")->group("");
  app.add_option("--MF", command.dependency_file, "Name of the dependency file")->group("");
  app.add_flag("--print-frames", command.print_frames, "Print layout and size of each frame");
  app.add_flag("--print-ir", command.print_ir, "Print the intermediate representation instead of lowering");
  app.add_flag("--no-line", command.no_lines, "No #line directives");
  app.add_flag("--keep", command.keep, "With --build: keep the lowered source beside the program");

  // -MD and -MF are spelled as compilers spell them.
  std::vector<std::string> args;
  for (int i = argc - 1; i > 0; --i) {
    std::string a = argv[i];
    if (a == "-MD") a = "--MD";
    if (a == "-MF") a = "--MF";
    args.push_back(std::move(a));
  }
  try {
    app.parse(args);
  } catch (const CLI::CallForHelp& e) {
    return app.exit(e);
  } catch (const CLI::CallForVersion& e) {
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    app.exit(e);
    return 2;
  }
  const auto misused = [&](const char* what) {
    std::cerr << what << "\nRun with --help for more information.\n";
    return 2;
  };
  if (command.registry && (command.build || command.print_ir || command.print_frames)) return misused("--registry excludes --build, --print-ir and --print-frames");
  if (!command.registry && !command.build && command.sources.size() > 1) return misused("several sources require --build or --registry");
  if (command.sources.size() > 1 && !command.header_output.empty()) return misused("--header-output is for one source");
  if (command.headers.empty() && !command.header_output.empty()) return misused("--header-output requires --headers");
  const bool written = command.build || (!command.output.empty() && command.output != "-") || command.print_ir || (command.print_frames && command.output.empty());
  if (!command.headers.empty() && command.header_output.empty() && !written) return misused("--headers without -o requires --header-output");
  return hel::tool::run(command);
}
