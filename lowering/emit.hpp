// A Function as C++ text: what stands between the braces of the coroutine after lowering.
//
// The text defines, local to the function: the frame, the objects of the body that need no frame, and `hel_ops` with
// the body, its cleanup stack and its table for debuggers; then the ramp, which allocates the frame and returns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lowering/ir/ir.hpp"

namespace hel::lowering {

struct EmitOptions {
  std::string file;     // the source, for #line and the tables
  bool lines = true;    // #line directives
  bool cuda = false;    // also emit the device frame and body of functions that are for the device
  bool pragmas = true;  // around it, against warnings
  std::string type_id;  // of the device frame, unique in the file: a constant expression
  std::string unit;     // an identifier, unique per file, for device names
  bool nested = false;  // inside of another coroutine that is for the device: parts for one side stay marked
};

// A line that consists of this word stands for "#line N "output"", N being where it will be in the output file.
inline constexpr const char* here_directive = "#line HEL";

// A string literal.
std::string quoted(const std::string& text);

// Braces included. place_slots() must have run.
std::string emit(const ir::Function& f, const EmitOptions& options);

// At the end of a .cu: the functions that resume and destroy a device frame of this file, by its type id.
std::string emit_device_switch(const std::vector<unsigned>& types, const std::string& unit, bool groups);

// A hash of a name: the number of a file in its device frames.
std::uint32_t unit_number(const std::string& unit);

// A .cu with what makes one program of several: the switch over files. Their numbers must differ. `groups`: some have
// group tasks.
std::string emit_device_registry(const std::vector<std::string>& units, bool groups);

// The layout for people: each member with offset, size, type and why it is there.
std::string describe_frame(const ir::Function& f);

}  // namespace hel::lowering
