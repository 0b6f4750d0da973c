// The directory of lowered headers that goes with one lowered source.
//
// A header that holds a lowered coroutine is written to this directory, as is every header on the way to it: one that
// includes another one of the directory, or that one of the directory finds beside itself. Each stands where the
// #include that led to it finds it when the directory is the first one searched (-iquote and -I). An #include that
// would lead elsewhere, "../x.hpp" for one, names the place in the directory instead.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "frontend/clang.hpp"
#include "frontend/diagnostics.hpp"
#include "frontend/output_text.hpp"

namespace hel::frontend {

// An #include directive that the preprocessor followed.
struct Include {
  clang::SourceLocation at;
  std::string name;
  bool angled, next;
  clang::CharSourceRange written;  // the name with its quotes or brackets
  clang::FileEntryRef target;
};

class Includes {
 public:
  // Records from now on.
  void attach(clang::Preprocessor& preprocessor);
  const std::vector<Include>& all() const { return all_; }

 private:
  std::vector<Include> all_;
};

// Whether a file is at or below one of some paths, symbolic links resolved.
class Below {
 public:
  explicit Below(const std::vector<std::string>& paths);
  bool operator()(clang::FileEntryRef file);

 private:
  std::vector<std::string> paths_;
  std::map<const clang::FileEntry*, bool> known_;
};

class Mirror {
 public:
  Mirror(const clang::SourceManager& sm, const Includes& includes, std::string directory, std::string output_directory)
      : sm_(sm), includes_(includes), directory_(std::move(directory)), output_directory_(std::move(output_directory)) {}

  struct Header {
    clang::FileEntryRef file;
    std::string place;  // relative to the directory
  };
  // `changed`: what becomes of each file, the source among them. Adds the edits that redirect #include directives.
  // The headers come in the order of their first #include.
  std::vector<Header> arrange(std::map<const clang::FileEntry*, FileEdits>& changed, Diagnostics& diag);

 private:
  const clang::FileEntry* from(const Include& i) const;
  bool beside(const Include& i) const;
  void close(std::map<const clang::FileEntry*, FileEdits>& changed, Diagnostics& diag);
  void place(clang::FileEntryRef header);
  const clang::FileEntry* leads_to(const Include& i) const;
  void redirect(const Include& i, const std::string& name, std::map<const clang::FileEntry*, FileEdits>& changed, Diagnostics& diag);

  const clang::SourceManager& sm_;
  const Includes& includes_;
  const std::string directory_, output_directory_;
  std::map<const clang::FileEntry*, std::string> places_;
  std::map<std::string, const clang::FileEntry*> at_;
  std::vector<Header> headers_;
};

}  // namespace hel::frontend
