// The files that hel-lower writes: each whole or not at all, and all of one run or none.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hel::tool {

struct OutputFile {
  std::string name;  // empty or "-": standard output
  std::string text;
  bool keep_if_same = false;  // a file with this text already is not touched
};

// What went wrong, if anything did: then the files are as they were before. Files named in `obsolete` are removed at the end.
std::optional<std::string> write_files(const std::vector<OutputFile>& files, const std::vector<std::string>& obsolete = {});

// The directory of the headers that were lowered with one source belongs to that source: a list in it names them.
class HeaderDirectory {
 public:
  // `owner`: what the directory is for, in one line. Relative file names.
  HeaderDirectory(std::string directory, std::string owner) : directory_(std::move(directory)), owner_(std::move(owner)) {}
  // Adds the files to write; an earlier run's files that are not among them become obsolete. Refuses a directory that
  // holds something else.
  std::optional<std::string> add(const std::vector<std::pair<std::string, std::string>>& headers, std::vector<OutputFile>& files,
                                 std::vector<std::string>& obsolete) const;

 private:
  const std::string directory_, owner_;
};

}  // namespace hel::tool
