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
  std::string unit;                   // an identifier for the source: in names that its output exports
  std::vector<std::string> headers;   // paths: coroutines in headers at or below one of them are lowered, too
  std::string output_directory;       // of the lowered source: its #include "x" looks there first
  std::string header_output;          // where those headers will be written: a directory of include files
};

struct LoweredHeader {
  std::string place;  // relative to header_output
  std::string text;
};

struct Lowered {
  bool ok = false;
  std::string text;                       // the whole output file
  std::vector<LoweredHeader> headers;     // to be found before their originals
  std::string frames;                     // descriptions, one per coroutine
  std::string ir;                         // with dump_ir
  unsigned coroutines = 0;
  std::vector<std::string> dependencies;  // files read, the source first
};

Lowered lower_file(const LowerOptions& options);

}  // namespace hel::frontend
