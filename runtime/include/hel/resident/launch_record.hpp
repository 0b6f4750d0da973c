// What a task that the host has launched reports to: the return slot for its outcome, behind a frame of the runtime's
// own that hands it to the host.
#pragma once

#include "hel/detail/promise.hpp"
#include "hel/resident/launch_message.hpp"
#include "hel/resident/state.hpp"

namespace hel::resident {

struct alignas(16) launch_record {
  frame_header header;
  std::uint32_t slot;  // of the submission
  std::uint32_t value_offset;
  std::uint32_t value_bytes;
  std::uint32_t bytes;  // of all this, with the return slot
  std::uint32_t reserved[3];

  HEL_HD detail::return_slot& out() noexcept { return *reinterpret_cast<detail::return_slot*>(this + 1); }
};
static_assert(sizeof(launch_record) == 32);

// Makes the task of a submission: the frame to resume. Null: it is answered already, there is no memory for it.
HEL_HD inline void* begin_launch(state& s, std::uint32_t slot, counters& c, core::frame_cache frames) noexcept {
  const launch_message m = *static_cast<const launch_message*>(s.submissions.payload(slot));
  const auto record_bytes = static_cast<std::uint32_t>(sizeof(launch_record)) + m.result_bytes;
  void* const frame = frames.take(m.frame_bytes, core::frame_store::use::tasks);
  void* const block = frame ? frames.take(record_bytes, core::frame_store::use::tasks) : nullptr;
  if (!block) {
    if (frame) frames.give_back(frame, m.frame_bytes);
    s.submissions.answer(slot, static_cast<std::int32_t>(errc::out_of_frames));
    return nullptr;
  }
  copy_words(frame, static_cast<const launch_message*>(s.submissions.payload(slot)) + 1, m.frame_bytes);
  auto* const r = ::new (block) launch_record{{0, static_cast<std::uint16_t>(system_frame::launch_over)},
                                              slot,
                                              m.value_offset,
                                              m.value_bytes,
                                              record_bytes,
                                              {}};
  auto* const out = ::new (static_cast<void*>(r + 1)) detail::return_slot;
  out->frame = frame;
  out->kind = detail::reports::to_caller;
  auto& p = *reinterpret_cast<detail::promise_base*>(static_cast<unsigned char*>(frame) + m.promise_offset);
  p.link = r;
  p.slot = out;
  c.roots.fetch_add_relaxed(1);  // before it is ready
  return frame;
}

// The task is over, its frame gone.
HEL_HD inline void end_launch(state& s, launch_record& r, counters& c, core::frame_cache frames) noexcept {
  const std::uint32_t slot = r.slot;
  core::rpc_header& h = s.submissions.header(slot);
  detail::return_slot& out = r.out();
  std::int32_t error = 0;
  if (out.has_failed()) {
    error = out.err.code != 0 ? out.err.code : static_cast<std::int32_t>(errc::abandoned);
    h.flags = out.err.attempts;
  } else {
    copy_bytes(s.submissions.payload(slot), reinterpret_cast<const unsigned char*>(&out) + r.value_offset,
               r.value_bytes);
  }
  h.result_bytes = r.value_bytes;
  frames.give_back(&r, r.bytes);
  s.submissions.answer(slot, error);
  c.add_over();
}

}  // namespace hel::resident
