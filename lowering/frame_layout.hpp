// The storage of a coroutine: nested structs and unions that follow the scopes, so that siblings share bytes.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lowering/ir/interpret.hpp"
#include "lowering/ir/ir.hpp"

namespace hel::lowering {

struct LaidOut {
  ir::SlotId slot;
  std::string path;      // from the frame: "hel_s1.x"
  std::uint64_t offset;  // bytes from the start of the frame
};

struct FrameLayout {
  std::string members;         // C++ text of the members after the promise and the index
  std::vector<LaidOut> slots;  // in order of offset
  std::map<ir::SlotId, std::string> path;
  std::uint64_t size = 0, align = 1;
};

// `header` and `header_align`: bytes before the slots and their alignment (resume, destroy, promise, index).
FrameLayout lay_out(const ir::Function& f, std::uint64_t header, std::uint64_t header_align,
                    const std::map<ir::SlotId, std::string>& type_names);  // of storage, for objects

// Where each slot is.
std::vector<ir::Bytes> bytes(const ir::Function& f, const FrameLayout& layout);

}  // namespace hel::lowering
