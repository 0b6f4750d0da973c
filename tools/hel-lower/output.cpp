#include "tools/hel-lower/output.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <set>
#include <system_error>

namespace hel::tool {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> content(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(in), {});
}

bool ordinary(const OutputFile& f) {
  if (f.name.empty() || f.name == "-") return false;
  std::error_code ignored;
  const fs::file_status status = fs::status(f.name, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);
}

// Standard output, /dev/stdout and the like.
std::optional<std::string> write_through(const OutputFile& f) {
  if (f.name.empty() || f.name == "-") {
    std::cout << f.text << std::flush;
    return std::cout ? std::nullopt : std::optional<std::string>("standard output cannot be written");
  }
  std::ofstream device(f.name, std::ios::binary);
  device << f.text << std::flush;
  return device ? std::nullopt : std::optional<std::string>(f.name + ": cannot be written");
}

std::optional<std::string> write_new(const std::string& name, const OutputFile& f) {
  std::ofstream out(name, std::ios::binary);
  if (!out) return f.name + ": cannot be written: " + std::generic_category().message(errno);
  out << f.text << std::flush;
  return out ? std::nullopt : std::optional<std::string>(f.name + ": cannot be written");
}

// Files that were put in place, to be taken back.
class Undo {
 public:
  ~Undo() {
    std::error_code ignored;
    for (const std::string& t : temporaries) fs::remove(t, ignored);
    if (done) return;
    for (auto r = replaced.rbegin(); r != replaced.rend(); ++r) {
      if (r->second)
        std::ofstream(r->first, std::ios::binary) << *r->second;
      else
        fs::remove(r->first, ignored);
    }
    for (auto d = directories.rbegin(); d != directories.rend(); ++d) fs::remove(*d, ignored);  // only empty ones go
  }
  std::vector<std::string> temporaries, directories;
  std::vector<std::pair<std::string, std::optional<std::string>>> replaced;
  bool done = false;
};

void make_directories(const fs::path& p, Undo& undo) {
  std::error_code ignored;
  if (p.empty() || fs::exists(p, ignored)) return;
  make_directories(p.parent_path(), undo);
  if (fs::create_directory(p, ignored)) undo.directories.push_back(p.string());
}

}  // namespace

std::optional<std::string> write_files(const std::vector<OutputFile>& files, const std::vector<std::string>& obsolete) {
  Undo undo;
  std::error_code error;
  struct Move {
    std::string from, to;
  };
  std::vector<Move> moves;
  for (const OutputFile& f : files) {
    if (!ordinary(f)) {
      if (fs::is_directory(f.name, error)) return f.name + ": is a directory";
      continue;
    }
    if (f.keep_if_same) {
      make_directories(fs::path(f.name).parent_path(), undo);
      if (content(f.name) == f.text) continue;
    }
    const std::string temporary = f.name + ".hel-" + std::to_string(getpid()) + ".tmp";
    undo.temporaries.push_back(temporary);
    if (auto why = write_new(temporary, f)) return why;
    moves.push_back({temporary, f.name});
  }
  // What is not a file cannot be taken back: first.
  for (const OutputFile& f : files)
    if (!ordinary(f))
      if (auto why = write_through(f)) return why;
  for (const Move& m : moves) {
    std::optional<std::string> before = moves.size() > 1 ? content(m.to) : std::nullopt;
    fs::rename(m.from, m.to, error);
    if (error) return m.to + ": cannot be written: " + error.message();
    undo.replaced.push_back({m.to, std::move(before)});
  }
  undo.done = true;
  for (const std::string& name : obsolete) {
    fs::remove(name, error);
    for (fs::path d = fs::path(name).parent_path(); !d.empty() && fs::remove(d, error) && !error;) d = d.parent_path();
  }
  return std::nullopt;
}

namespace {
constexpr const char* list_name = ".hel-lower-headers";
}

std::optional<std::string> HeaderDirectory::add(const std::vector<std::pair<std::string, std::string>>& headers, std::vector<OutputFile>& files,
                                                std::vector<std::string>& obsolete) const {
  const fs::path directory = directory_;
  const std::string list = (directory / list_name).string();
  std::error_code ignored;
  std::set<std::string> before;
  if (const auto text = content(list)) {
    std::size_t at = text->find('\n');
    if (text->substr(0, at) != owner_) return directory_ + ": holds headers of another lowered source (" + text->substr(0, at) + "): give each source a directory of its own";
    while (at != std::string::npos && at + 1 < text->size()) {
      const std::size_t end = std::min(text->find('\n', at + 1), text->size());
      before.insert(text->substr(at + 1, end - at - 1));
      at = end;
    }
  } else if (fs::exists(directory, ignored) && !fs::is_empty(directory, ignored)) {
    return directory_ + ": is not empty, and was not made by hel-lower";
  }
  std::string text = owner_ + "\n";
  for (const auto& [place, content] : headers) {
    text += place + "\n";
    before.erase(place);
    files.push_back({(directory / place).string(), content, true});
  }
  files.push_back({list, text, true});
  for (const std::string& place : before) {
    // The list lies in a directory that others can write to.
    const fs::path p = fs::path(place).lexically_normal();
    if (!p.empty() && p.is_relative() && *p.begin() != "..") obsolete.push_back((directory / p).string());
  }
  return std::nullopt;
}

}  // namespace hel::tool
