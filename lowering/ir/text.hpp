// Text: a piece of C++ whose references to slots, to the promise and to labels are symbolic.
//
// The frontend copies the user's tokens and puts a marker where a slot is meant; only the emitter knows whether the
// slot is a plain local, a frame member or a register copy, and spells it. A marker is \x01 KIND [number] \x02.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <string_view>

namespace hel::lowering::ir {

using SlotId = std::uint32_t;
using BlockId = std::uint32_t;
using CleanupId = std::uint32_t;
inline constexpr std::uint32_t none = ~0u;

using Text = std::string;

enum class Mark : char {
  slot = 's',        // the object of a slot, as an lvalue
  type = 't',        // the type of a slot
  exit = 'x',        // a jump out of an opaque statement: index into Instr::exits
  promise = 'P',     // the promise object
  handle = 'H',      // coroutine_handle of this coroutine
  self = 'T',        // the user's `this`
  frame_type = 'F',  // the struct of the frame
  name = 'n',        // the identifier of a slot, for a declaration (static locals)
};

Text mark(Mark kind, std::uint32_t number = 0);
inline Text slot_ref(SlotId id) { return mark(Mark::slot, id); }

// Calls on_text for literal runs and on_mark for markers, in order.
void scan(const Text& text, const std::function<void(std::string_view)>& on_text,
          const std::function<void(Mark, std::uint32_t)>& on_mark);

// Replaces every marker by what `spell` returns for it.
std::string render(const Text& text, const std::function<std::string(Mark, std::uint32_t)>& spell);

// The slots a text mentions (as object).
std::set<SlotId> slots_of(const Text& text);

bool mentions(const Text& text, Mark kind);

// A coroutine inside of a coroutine that is for the device stands in three places: in what both sides see, in the
// host's body and in the device's. Its text holds what each of them wants: a part for one side is \x03 or \x04 ...
// \x05, may hold others, and is no marker.
enum class Side : char { host = '\x03', device = '\x04' };
Text only_for(Side side, const Text& part);
// Without what is for the other side; what is for this one stays marked.
Text without(const Text& text, Side other);
// As both sides see it.
Text for_both(const Text& text);

}  // namespace hel::lowering::ir
