// One output file: the source's text with pieces of it replaced, everything else byte for byte.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/clang.hpp"

namespace hel::frontend {

struct Edit {
  unsigned begin, end;  // offsets in the file
  std::string text;
};

// What becomes of one file.
struct FileEdits {
  static constexpr unsigned nowhere = ~0u;
  std::vector<Edit> edits;
  unsigned include_at = nowhere;  // where the runtime's header is included: behind the last #include before the first lowered coroutine
  std::string include_line;       // the number and the file for #line there
};

struct OutputOptions {
  std::string output_name;  // for #line of generated lines
  bool lines = true;
  bool cuda = false;
  std::string head, tail;   // generated lines around everything, after a byte order mark
};

std::string output_text(llvm::StringRef source, FileEdits edits, const OutputOptions& options);

// The place behind the last #include above `before` at which a header may be included as well: macros that are defined below
// it cannot spoil the header. `before`, if there is none. `allowed` says whether a place is outside of all declarations.
unsigned behind_includes(llvm::StringRef text, unsigned before, const std::function<bool(unsigned)>& allowed);

// The offset of each `co_await` that is part of the name `operator co_await`.
void for_each_operator(llvm::StringRef text, const std::function<void(std::size_t)>& each);

}  // namespace hel::frontend
