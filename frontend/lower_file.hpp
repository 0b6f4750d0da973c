// Lowers one source file: text in, text out, diagnostics on stderr.
#pragma once

#include <string>
#include <vector>

namespace hel::frontend {

struct LowerOptions {
  std::string file;                   // as the user named it
  std::string output_name;            // for #line of generated lines
  bool cuda = false;                  // emit for host and device
  bool all = false;                   // every coroutine, not only annotated ones
  bool lines = true;
  bool dump_ir = false;
  std::vector<std::string> flags;     // compiler flags, unfiltered
  std::vector<std::string> includes;  // HEL's own include directories
  std::string shim;                   // directory of the <coroutine> stand-in
  std::string resource_dir;           // Clang's own headers
  std::string cuda_path;              // empty: no toolkit
  std::string unit;                   // cuda: an identifier for the names that the file exports
};

struct Lowered {
  bool ok = false;
  std::string text;                       // the whole output file
  std::string frames;                     // descriptions, one per coroutine
  std::string ir;                         // with dump_ir
  unsigned coroutines = 0;
  std::vector<std::string> dependencies;  // files read, the source first
};

Lowered lower_file(const LowerOptions& options);

}  // namespace hel::frontend
