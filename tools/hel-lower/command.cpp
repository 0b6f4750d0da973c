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
#include "lowering/emit.hpp"
#include "tools/hel-lower/output.hpp"
#include "tools/hel-lower/registry.hpp"

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

std::optional<std::vector<std::string>> database_flags(const Command& command, const std::string& source, std::string& why) {
  std::unique_ptr<clang::tooling::CompilationDatabase> db = clang::tooling::CompilationDatabase::loadFromDirectory(command.database, why);
  if (!db) return std::nullopt;
  const std::vector<clang::tooling::CompileCommand> found = db->getCompileCommands(fs::absolute(source).lexically_normal().string());
  if (found.empty()) {
    why = "no entry for " + source;
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

// The program that --build makes, and the lowered source.
std::string program_name(const Command& command) { return command.output.empty() ? fs::path(command.sources[0]).stem().string() : command.output; }
std::string lowered_name(const Command& command, std::size_t source) {
  if (!command.build) return command.output;
  std::string name = program_name(command);
  if (command.sources.size() > 1) {
    const std::string stem = fs::path(command.sources[source]).stem().string();
    name += "." + stem;
    for (std::size_t i = 0; i < source; ++i)
      if (fs::path(command.sources[i]).stem() == stem) {
        name += "." + std::to_string(source + 1);
        break;
      }
  }
  return name + (command.target == "cuda" ? ".lowered.cu" : ".lowered.cpp");
}

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
std::string header_directory(const Command& command, std::size_t source) {
  return !command.header_output.empty() || command.headers.empty() ? command.header_output : lowered_name(command, source) + ".headers";
}

// All that one run writes.
std::optional<std::string> write_output(const Command& command, const std::string& source, const std::string& lowered, const std::string& text, const Headers& headers,
                                        const std::vector<OutputFile>& more = {}) {
  std::vector<OutputFile> files;
  std::vector<std::string> obsolete;
  if (!command.headers.empty()) {
    const std::string owner = fs::absolute(source).lexically_normal().string() + " for " + command.target + (lowered.empty() || lowered == "-" ? "" : " as " + fs::absolute(lowered).lexically_normal().string());
    if (auto why = HeaderDirectory(headers.directory, owner).add(headers.files, files, obsolete)) return why;
  }
  files.push_back({lowered, text});
  files.insert(files.end(), more.begin(), more.end());
  return write_files(files, obsolete);
}

// A source that has been lowered for --build.
struct Part {
  std::string source, text, lowered;
  Headers headers;
};

bool contains(const std::vector<std::string>& flags, const char* flag) { return std::find(flags.begin(), flags.end(), flag) != flags.end(); }

// Whether the user's flags ask for separate compilation of device code.
bool separate_device_code(const std::vector<std::string>& flags) {
  for (std::size_t i = 0; i < flags.size(); ++i) {
    for (const char* option : {"-rdc", "--relocatable-device-code"}) {
      if (flags[i] == std::string(option) + "=true") return true;
      if (flags[i] == option && i + 1 < flags.size() && flags[i + 1] == "true") return true;
    }
    if (flags[i] == "-dc" || flags[i] == "-fgpu-rdc") return true;
  }
  return false;
}

int build(const Command& command, const Paths& paths, std::vector<Part> parts) {
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
  const auto place = [&](const std::string& name) { return command.keep ? name : (fs::path(remover.path) / fs::path(name).filename()).string(); };
  const std::string output = program_name(command);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Part& p = parts[i];
    p.lowered = place(lowered_name(command, i));
    if (command.header_output.empty()) p.headers.directory = p.lowered + ".headers";  // beside the lowered source
    if (const auto why = write_output(command, p.source, p.lowered, p.text, p.headers)) return refuse(*why);
  }
  // Device code of several files is one program, as the host's is; the last part then has no source of its own.
  const bool separate = cuda && (parts.size() > 1 || separate_device_code(command.flags));
  if (separate) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const Part& p : parts) files.push_back({p.source, p.text});
    std::string why;
    const auto text = registry_text(files, why);
    if (!text) return refuse(why);
    parts.push_back({{}, *text, place(output + ".registry.cu"), {}});
    if (const auto error = write_files({{parts.back().lowered, *text}})) return refuse(*error);
  }

  std::vector<std::string> common = {cxx, "-std=c++20"};
  if (nvcc)
    common.insert(common.end(), {"-Xcompiler", "-fno-coroutines"});
  else if (!clang)
    common.push_back("-fno-coroutines");
  if (contains(command.flags, "-Og") && !clang && !nvcc) common.push_back("-DHEL_NO_STATE_ENTRIES");  // docs/lowering.md, tail calls
  if (cuda && clang) {
    if (*HEL_CUDA_PATH) common.insert(common.end(), {std::string("--cuda-path=") + HEL_CUDA_PATH, "-isystem", std::string(HEL_CUDA_PATH) + "/include/cccl"});
    // Declarations that the toolkit's headers lack for Clang; what Clang says about a toolkit newer than itself; friends
    // that are declared in one template and defined in another.
    common.insert(common.end(), {"-idirafter", paths.shim + "/cuda-parse", "-Wno-unknown-cuda-version", "-Wno-undefined-internal"});
  }
  if (separate && nvcc) common.push_back("-rdc=true");
  if (separate && clang) common.insert(common.end(), {"-fgpu-rdc", "--offload-new-driver"});
  std::vector<std::string> includes = {"-isystem", paths.shim};
  std::vector<std::string> after;
  for (const std::string& i : paths.includes) after.push_back("-I" + i);
  const auto source_options = [&](std::vector<std::string>& args, const Part& p) {
    args.insert(args.end(), includes.begin(), includes.end());
    if (!command.headers.empty() && !p.source.empty()) {
      if (!nvcc) args.insert(args.end(), {"-iquote", p.headers.directory});
      args.push_back("-I" + p.headers.directory);
    }
    args.insert(args.end(), after.begin(), after.end());
    if (p.source.empty()) return;
    const fs::path beside = fs::absolute(p.source).parent_path();
    if (nvcc)
      args.push_back("-I" + beside.string());
    else
      args.insert(args.end(), {"-iquote", beside.string()});
  };
  std::vector<std::string> link = common;
  if (parts.size() == 1) {
    source_options(link, parts[0]);
    link.insert(link.end(), command.flags.begin(), command.flags.end());
    link.push_back(parts[0].lowered);
  } else {
    link.insert(link.end(), command.flags.begin(), command.flags.end());
    for (std::size_t i = 0; i < parts.size(); ++i) {
      std::vector<std::string> args = common;
      source_options(args, parts[i]);
      args.insert(args.end(), command.flags.begin(), command.flags.end());
      const std::string object = (fs::path(remover.path) / ("part" + std::to_string(i) + ".o")).string();
      args.insert(args.end(), {"-c", parts[i].lowered, "-o", object});
      if (const int rc = execute(args)) return rc;
      link.push_back(object);
    }
    if (separate && clang) link.push_back("--offload-link");
  }
  link.insert(link.end(), {"-o", output});
  std::error_code ignored;
  if (fs::exists(paths.library, ignored)) {
    link.push_back(paths.library);
    for (const std::string& f : split(HEL_RUNTIME_LINK_FLAGS)) {
      if (nvcc && f.starts_with("-f")) continue;
      if (nvcc && f == "-pthread") {
        link.insert(link.end(), {"-Xcompiler", "-pthread"});
        continue;
      }
      const std::string name = fs::path(f).filename().string();
      if (nvcc && name.find(".so.") != std::string::npos) {  // whose kind nvcc does not know
        link.insert(link.end(), {"-L" + fs::path(f).parent_path().string(), "-l:" + name});
        continue;
      }
      link.push_back(f);
    }
  }
  if (cuda && clang) {
    if (*HEL_CUDA_PATH) link.push_back(std::string("-L") + HEL_CUDA_PATH + "/lib64");
    link.insert(link.end(), {"-lcudart_static", "-ldl", "-lrt", "-pthread"});
  }
  return execute(link);
}

// One source; with --build what is to be built of it is left in `parts`.
int lower(const Command& command, std::size_t number, const Paths& paths, std::vector<Part>& parts) {
  const std::string& source = command.sources[number];
  frontend::LowerOptions options;
  options.file = source;
  options.output_name = command.output.empty() || command.build ? fs::path(source).filename().string() + ".lowered" : command.output;
  options.cuda = command.target == "cuda";
  options.all = command.all;
  options.lines = !command.no_lines;
  options.dump_ir = command.print_ir;
  options.includes = paths.includes;
  options.shim = paths.shim;
  options.resource_dir = HEL_CLANG_RESOURCE_DIR;
  options.cuda_path = HEL_CUDA_PATH;
  options.unit = unit_name(source);
  options.headers = command.headers;
  options.header_output = header_directory(command, number);
  const bool to_stdout = command.output.empty() || command.output == "-";
  options.output_directory = (to_stdout && !command.build ? fs::path(source) : fs::path(lowered_name(command, number))).parent_path().string();
  if (!command.database.empty()) {
    std::string why;
    const auto flags = database_flags(command, source, why);
    if (!flags) return refuse(command.database + ": " + why);
    options.flags = *flags;
  }
  options.flags.insert(options.flags.end(), command.flags.begin(), command.flags.end());

  const frontend::Lowered lowered = frontend::lower_file(options);
  if (!lowered.ok) return 1;
  if (lowered.coroutines == 0)
    std::cerr << "hel-lower: note: " << source << ": no " << (command.all ? "" : "annotated ") << "coroutine; the output equals the input\n";
  if (command.print_ir) {
    std::cout << lowered.ir;
    return 0;
  }
  if (command.print_frames) std::cout << lowered.frames;
  Headers headers{options.header_output, {}};
  for (const frontend::LoweredHeader& h : lowered.headers) headers.files.push_back({h.place, h.text});
  if (command.build) {
    parts.push_back({source, lowered.text, {}, std::move(headers)});
    return 0;
  }
  if (command.print_frames && command.output.empty()) return 0;
  std::vector<OutputFile> more;
  if (command.dependencies || !command.dependency_file.empty()) {
    const std::string file = !command.dependency_file.empty() ? command.dependency_file : command.output + ".d";
    more.push_back({file, dependency_text(command.output.empty() ? source : command.output, lowered.dependencies)});
  }
  if (const auto why = write_output(command, source, command.output, lowered.text, headers, more)) return refuse(*why);
  return 0;
}

int write_registry(const Command& command) {
  std::vector<std::pair<std::string, std::string>> files;
  for (const std::string& s : command.sources) {
    std::ifstream in(s, std::ios::binary);
    files.push_back({s, {std::istreambuf_iterator<char>(in), {}}});
  }
  std::string why;
  const auto text = registry_text(files, why);
  if (!text) return refuse(why);
  if (const auto error = write_files({{command.output, *text}})) return refuse(*error);
  return 0;
}

}  // namespace

std::string unit_name(const std::string& source) {
  std::string name;
  for (char c : fs::path(source).stem().string()) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  char text[16];
  std::snprintf(text, sizeof text, "_%08x", lowering::unit_number(fs::path(source).lexically_normal().generic_string()));
  return name + text;
}

std::string version_text() { return "hel-lower " HEL_VERSION " (Clang " + std::to_string(HEL_CLANG_VERSION_MAJOR) + ")"; }

int run(const Command& command) {
  for (const std::string& s : command.sources)
    if (const auto why = why_unreadable(s)) return refuse(s + ": " + *why);
  for (const std::string& h : command.headers)
    if (std::error_code ignored; !fs::exists(h, ignored)) return refuse(h + ": no such file or directory");
  if (command.registry) return write_registry(command);
  const Paths paths = find_paths();
  std::vector<Part> parts;
  for (std::size_t i = 0; i < command.sources.size(); ++i)
    if (const int rc = lower(command, i, paths, parts)) return rc;
  return command.build && !command.print_ir ? build(command, paths, std::move(parts)) : 0;
}

}  // namespace hel::tool
