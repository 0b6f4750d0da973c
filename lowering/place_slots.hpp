// Decides which slots must be in the frame: those that hold a value while the coroutine is suspended.
#pragma once

#include "lowering/ir/ir.hpp"

namespace hel::lowering {

// Sets Slot::storage and ::why, and the live slots of every suspension point. Unreachable blocks are emptied.
void place_slots(ir::Function& f);

}  // namespace hel::lowering
