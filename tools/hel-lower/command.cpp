#include "tools/hel-lower/command.hpp"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <optional>
#include <system_error>

#include "clang/Tooling/CompilationDatabase.h"
#include "frontend/lower_file.hpp"
#include "hel_paths.hpp"
#include "tools/hel-lower/output.hpp"

namespace hel::tool {
namespace {

namespace fs = std::filesystem;

int refuse(const std::string& what) {
  std::cerr << "hel-lower: error: " << what << "\n";
  return 1;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  while (at <= list.size()) {
    const std::size_t end = std::min(list.find(';', at), list.size());
    if (end > at) parts.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// Where the runtime is: beside an installed tool, or in the build tree.
struct Paths {
  std::vector<std::string> includes;
  std::string shim, library;
};

Paths find_paths() {
  const std::string self = llvm::sys::fs::getMainExecutable(nullptr, reinterpret_cast<void*>(&find_paths));
  const fs::path bin = fs::path(self).parent_path();
  const fs::path include = bin / HEL_INSTALL_INCLUDE_REL;
  std::error_code ignored;
  if (fs::exists(include / "hel" / "hel.hpp", ignored))
    return {{include.lexically_normal().string()}, (bin / HEL_INSTALL_SHIM_REL).lexically_normal().string(), (bin / HEL_INSTALL_LIB_REL).lexically_normal().string()};
  return {split(HEL_SOURCE_INCLUDE_DIRS), HEL_SHIM_DIR, HEL_RUNTIME_LIBRARY};
}

std::optional<std::string> why_unreadable(const std::string& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return "no such file";
  if (fs::is_directory(status)) return "is a directory";
  if (access(file.c_str(), R_OK) != 0) return "cannot be read: " + std::generic_category().message(errno);
  return std::nullopt;
}

std::string make_escaped(const std::string& name) {
  std::string out;
  for (char c : name) {
    if (c == ' ' || c == '#') out += '\\';
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

std::string dependency_text(const std::string& target, const std::vector<std::string>& files) {
  std::string out = make_escaped(target) + ":";
  for (const std::string& f : files) out += " \\\n  " + make_escaped(f);
  return out + "\n";
}

std::optional<std::vector<std::string>> database_flags(const Command& command, std::string& why) {
  std::unique_ptr<clang::tooling::CompilationDatabase> db = clang::tooling::CompilationDatabase::loadFromDirectory(command.database, why);
  if (!db) return std::nullopt;
  const std::vector<clang::tooling::CompileCommand> found = db->getCompileCommands(fs::absolute(command.source).lexically_normal().string());
  if (found.empty()) {
    why = "no entry for " + command.source;
    return std::nullopt;
  }
  std::vector<std::string> flags = found[0].CommandLine;
  if (!flags.empty()) flags.erase(flags.begin());
  // Relative include directories are relative to the entry's directory.
  const auto absolute = [&](std::string& path) {
    if (!path.empty() && fs::path(path).is_relative()) path = (fs::path(found[0].Directory) / path).lexically_normal().string();
  };
  for (std::size_t i = 0; i < flags.size(); ++i) {
    for (const char* option : {"-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"}) {
      const std::string o = option;
      if (flags[i] == o && i + 1 < flags.size()) {
        if (o != "-include" && o != "-imacros") absolute(flags[i + 1]);
        ++i;
        break;
      }
      if (flags[i].starts_with(o) && (o == "-I" || o == "-isystem" || o == "-iquote")) {
        std::string path = flags[i].substr(o.size());
        absolute(path);
        flags[i] = o + path;
        break;
      }
    }
  }
  return flags;
}

// An identifier for a file: its stem, and a hash of its path (FNV-1a) so that equal stems differ.
std::string unit_name(const std::string& source) {
  std::string name;
  for (char c : fs::path(source).stem().string()) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  std::uint32_t hash = 2166136261u;
  for (char c : fs::path(source).lexically_normal().generic_string()) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  char text[16];
  std::snprintf(text, sizeof text, "_%08x", hash);
  return name + text;
}

// The program that --build makes, and the lowered source.
std::string program_name(const Command& command) { return command.output.empty() ? fs::path(command.source).stem().string() : command.output; }
std::string lowered_name(const Command& command) { return command.build ? program_name(command) + (command.target == "cuda" ? ".lowered.cu" : ".lowered.cpp") : command.output; }

// Runs a program without a shell.
int execute(const std::vector<std::string>& command) {
  const llvm::ErrorOr<std::string> program = llvm::sys::findProgramByName(command[0]);
  if (!program) return refuse(command[0] + ": " + program.getError().message());
  std::vector<llvm::StringRef> args(command.begin(), command.end());
  std::string error;
  const int rc = llvm::sys::ExecuteAndWait(*program, args, std::nullopt, {}, 0, 0, &error);
  if (!error.empty()) return refuse(command[0] + ": " + error);
  return rc == 0 ? 0 : 1;
}

// The directory of the lowered headers and, if they are wanted, what to write there.
struct Headers {
  std::string directory;
  std::vector<std::pair<std::string, std::string>> files;
};

// Where --headers puts them unless --header-output says.
std::string header_directory(const Command& command) {
  return !command.header_output.empty() || command.headers.empty() ? command.header_output : lowered_name(command) + ".headers";
}

// All that one run writes.
std::optional<std::string> write_output(const Command& command, const std::string& lowered, const std::string& text, const Headers& headers,
                                        const std::vector<OutputFile>& more = {}) {
  std::vector<OutputFile> files;
  std::vector<std::string> obsolete;
  if (!command.headers.empty()) {
    const std::string owner = fs::absolute(command.source).lexically_normal().string() + " for " + command.target + (lowered.empty() || lowered == "-" ? "" : " as " + fs::absolute(lowered).lexically_normal().string());
    if (auto why = HeaderDirectory(headers.directory, owner).add(headers.files, files, obsolete)) return why;
  }
  files.push_back({lowered, text});
  files.insert(files.end(), more.begin(), more.end());
  return write_files(files, obsolete);
}

int build(const Command& command, const Paths& paths, const std::string& text, Headers headers) {
  const bool cuda = command.target == "cuda";
  const char* from_environment = std::getenv("CXX");
  std::string cxx = command.cxx;
  if (cxx.empty() && cuda) cxx = *HEL_CUDA_PATH ? std::string(HEL_CUDA_PATH) + "/bin/nvcc" : "nvcc";
  if (cxx.empty() && from_environment && *from_environment) cxx = from_environment;
  if (cxx.empty()) cxx = "g++";
  const bool nvcc = fs::path(cxx).filename().string().find("nvcc") != std::string::npos;
  const bool clang = fs::path(cxx).filename().string().find("clang") != std::string::npos;

  llvm::SmallString<128> directory;
  if (std::error_code e = llvm::sys::fs::createUniqueDirectory("hel-lower", directory)) return refuse("no temporary directory: " + e.message());
  const struct Remover {
    std::string path;
    ~Remover() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  } remover{directory.str().str()};
  const std::string output = program_name(command);
  std::string lowered = lowered_name(command);
  if (!command.keep) lowered = (fs::path(remover.path) / fs::path(lowered).filename()).string();
  if (command.header_output.empty()) headers.directory = lowered + ".headers";  // beside the lowered source
  if (const auto why = write_output(command, lowered, text, headers)) return refuse(*why);

  std::vector<std::string> args = {cxx, "-std=c++20"};
  if (nvcc)
    args.insert(args.end(), {"-Xcompiler", "-fno-coroutines"});
  else if (!clang)
    args.push_back("-fno-coroutines");
  if (std::find(command.flags.begin(), command.flags.end(), "-Og") != command.flags.end() && !clang && !nvcc)
    args.push_back("-DHEL_NO_STATE_ENTRIES");  // docs/lowering.md, tail calls
  args.insert(args.end(), {"-isystem", paths.shim});
  if (!command.headers.empty()) {
    if (!nvcc) args.insert(args.end(), {"-iquote", headers.directory});
    args.push_back("-I" + headers.directory);
  }
  for (const std::string& i : paths.includes) args.push_back("-I" + i);
  const fs::path beside = fs::absolute(command.source).parent_path();
  if (nvcc)
    args.push_back("-I" + beside.string());
  else
    args.insert(args.end(), {"-iquote", beside.string()});
  args.insert(args.end(), command.flags.begin(), command.flags.end());
  args.insert(args.end(), {lowered, "-o", output});
  std::error_code ignored;
  if (fs::exists(paths.library, ignored)) {
    args.push_back(paths.library);
    for (const std::string& f : split(HEL_RUNTIME_LINK_FLAGS)) {
      if (nvcc && f.starts_with("-f")) continue;
      if (nvcc && f == "-pthread") {
        args.insert(args.end(), {"-Xcompiler", "-pthread"});
        continue;
      }
      args.push_back(f);
    }
  }
  return execute(args);
}

}  // namespace

std::string version_text() { return "hel-lower " HEL_VERSION " (Clang " + std::to_string(HEL_CLANG_VERSION_MAJOR) + ")"; }

int run(const Command& command) {
  if (const auto why = why_unreadable(command.source)) return refuse(command.source + ": " + *why);
  for (const std::string& h : command.headers)
    if (std::error_code ignored; !fs::exists(h, ignored)) return refuse(h + ": no such file or directory");
  const Paths paths = find_paths();
  frontend::LowerOptions options;
  options.file = command.source;
  options.output_name = command.output.empty() || command.build ? fs::path(command.source).filename().string() + ".lowered" : command.output;
  options.cuda = command.target == "cuda";
  options.all = command.all;
  options.lines = !command.no_lines;
  options.dump_ir = command.print_ir;
  options.includes = paths.includes;
  options.shim = paths.shim;
  options.resource_dir = HEL_CLANG_RESOURCE_DIR;
  options.cuda_path = HEL_CUDA_PATH;
  options.unit = unit_name(command.source);
  options.headers = command.headers;
  options.header_output = header_directory(command);
  const bool to_stdout = command.output.empty() || command.output == "-";
  options.output_directory = (to_stdout && !command.build ? fs::path(command.source) : fs::path(lowered_name(command))).parent_path().string();
  if (!command.database.empty()) {
    std::string why;
    const auto flags = database_flags(command, why);
    if (!flags) return refuse(command.database + ": " + why);
    options.flags = *flags;
  }
  options.flags.insert(options.flags.end(), command.flags.begin(), command.flags.end());

  const frontend::Lowered lowered = frontend::lower_file(options);
  if (!lowered.ok) return 1;
  if (lowered.coroutines == 0)
    std::cerr << "hel-lower: note: " << command.source << ": no " << (command.all ? "" : "annotated ") << "coroutine; the output equals the input\n";
  if (command.print_ir) {
    std::cout << lowered.ir;
    return 0;
  }
  if (command.print_frames) std::cout << lowered.frames;
  Headers headers{options.header_output, {}};
  for (const frontend::LoweredHeader& h : lowered.headers) headers.files.push_back({h.place, h.text});
  if (command.build) return build(command, paths, lowered.text, std::move(headers));
  if (command.print_frames && command.output.empty()) return 0;
  std::vector<OutputFile> more;
  if (command.dependencies || !command.dependency_file.empty()) {
    const std::string file = !command.dependency_file.empty() ? command.dependency_file : command.output + ".d";
    more.push_back({file, dependency_text(command.output.empty() ? command.source : command.output, lowered.dependencies)});
  }
  if (const auto why = write_output(command, command.output, lowered.text, headers, more)) return refuse(*why);
  return 0;
}

}  // namespace hel::tool
