// What a debugger or the stepper needs to know about a lowered coroutine frame: names, types, offsets, source lines.
//
// hel-lower emits one `frame_info` per lowered coroutine as constant data. A frame is recognised by its destroy
// function, the second pointer of every host frame (the layout GCC, Clang and MSVC agree on). The tables are linked
// into a list before main() runs and never change afterwards, so reading them needs no lock.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hel::abi {
inline namespace v1 {

// Writes the value of the object at `object` as text into buffer[0..size), always terminated; returns the length that
// the whole text has (as snprintf does).
using format_fn = std::size_t (*)(const void* object, char* buffer, std::size_t size);

struct member_info {
  const char* name;       // the user's spelling: a parameter, a local, `this`
  const char* type;       // as the source would spell it
  std::uint32_t offset;   // bytes from the start of the frame
  bool indirect;          // the member is a pointer to the object (a reference, or a captured variable)
  format_fn format;       // prints the object; takes the object, not the pointer, when indirect
};

struct state_info {
  std::uint32_t line, column;   // of the suspension point in the source file
  const char* kind;             // "initial_suspend", "co_await", "co_yield", "final_suspend"
  const std::uint16_t* live;    // indices into members: what holds a value while suspended here
  std::uint16_t live_count;
};

struct frame_info {
  const char* function;             // qualified name of the coroutine
  const char* file;                 // as given to hel-lower
  std::uint32_t line;               // of the coroutine's name
  std::uint32_t size, align;        // bytes
  std::uint32_t index_offset;       // where the suspension index is in the frame
  std::uint32_t index_size;         // 1, 2 or 4 bytes, unsigned
  const member_info* members;
  const state_info* states;         // one per suspension index
  std::uint16_t member_count, state_count;
  void (*destroy)(void*);           // identifies the frame
};

// A node of the list of tables; one static object per lowered coroutine.
struct frame_registrar {
  const frame_info* info;
  const frame_registrar* next;
  static inline const frame_registrar* head = nullptr;
  explicit frame_registrar(const frame_info* i) noexcept : info(i), next(head) { head = this; }
};

// The table of a suspended lowered frame, or null when the frame was not made by hel-lower. A frame that is suspended
// at its final suspension point has a null resume pointer and is found all the same.
inline const frame_info* find_frame_info(const void* frame) noexcept {
  void (*destroy)(void*) = static_cast<void (*const*)(void*)>(frame)[1];
  for (const frame_registrar* r = frame_registrar::head; r; r = r->next)
    if (r->info->destroy == destroy) return r->info;
  return nullptr;
}

// The suspension index stored in a frame (its current state).
inline std::uint32_t frame_state(const void* frame, const frame_info& info) noexcept {
  const unsigned char* at = static_cast<const unsigned char*>(frame) + info.index_offset;
  std::uint32_t v = 0;
  switch (info.index_size) {
  case 1: v = *at; break;
  case 2: v = *reinterpret_cast<const std::uint16_t*>(at); break;
  default: v = *reinterpret_cast<const std::uint32_t*>(at); break;
  }
  return v;
}

}  // namespace v1
}  // namespace hel::abi
