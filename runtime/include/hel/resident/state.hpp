// What the resident kernel works on: the memory of one device, and the words that it shares with the host.
//
// The kernel's warps are workers but for one, which serves: it takes the host's submissions, hands on the answers of
// host calls and watches for the stop word, so that workers never read across the bus. Written over core and over
// `Lanes` (worker.hpp), so that the same code runs on CPU threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>

#include "hel/core/batch_queue.hpp"
#include "hel/core/frame_cache.hpp"
#include "hel/core/ready_stack.hpp"
#include "hel/core/rpc.hpp"

namespace hel::resident {

// Every device frame begins so.
struct frame_header {
  // Of a task's type: a call that it makes finds no memory for a frame, so the task is to fail instead of going on. The
  // worker does it: where the call stands, it would be code and registers of every task.
  static constexpr std::uint16_t no_memory = 0x8000;

  std::uint16_t type;   // which coroutine, from 1 to 0x7fff; 0: a frame of the runtime's own
  std::uint16_t index;  // where it goes on; of the runtime's own: a system_frame
};
static_assert(sizeof(frame_header) == 4);

enum class system_frame : std::uint16_t {
  launch_over = 1,  // a launch_record: a task that the host has launched is over
  call_answered,    // a device_call: whoever made it reads the answer
  call_may_fail,    // a device_call: if the host reports an error, the task that made it fails
  group,            // a lane_group: all lanes of a warp run it together
  group_failed,     // a lane_group's failed_part: what its lanes have awaited has failed
};

// In memory that host and device reach. Each word is stored by one side only.
struct control {
  // By the host.
  alignas(64) core::atomic<std::uint32_t, core::scope::system> stop;  // 1: nothing is left to do, the kernel ends
  core::atomic<std::uint32_t, core::scope::system> drain;             // counts the host's questions whether all is over
  // By the device.
  alignas(64) core::atomic<std::uint32_t, core::scope::system> started;  // the kernel runs
  core::atomic<std::uint32_t, core::scope::system> drained;              // the last question that was answered with yes
  core::atomic<std::uint32_t, core::scope::system> busy;                 // warps that run tasks
  core::atomic<std::uint64_t, core::scope::system> beats;                // the serving warp's rounds
  core::atomic<std::uint64_t, core::scope::system> roots;                // tasks started, since the beginning
  core::atomic<std::uint64_t, core::scope::system> over;                 // of these, over
  core::atomic<std::uint64_t, core::scope::system> resumed;              // frames resumed
  core::atomic<std::uint64_t, core::scope::system> refused;              // frames for which there was no memory
};

// A warp's own counters, written by its lanes. They only rise.
struct alignas(64) counters {
  core::atomic<std::uint64_t> roots;
  core::atomic<std::uint64_t> over;
  core::atomic<std::uint64_t> resumed;

  // Release: who sees this root's end sees the beginning of those that it has started.
  HEL_HD void add_over() noexcept { over.fetch_sub_acq_rel(~std::uint64_t{0}); }
};

// A call of a host function, in the frame of the task that waits: a frame of the runtime's own.
struct device_call {
  frame_header header;
  std::uint32_t slot;
  device_call* next;  // while it waits for a slot
  void* frame;        // of the task
  std::uint64_t function;
  const void* arguments;
  std::uint32_t argument_bytes;
  std::uint32_t result_bytes;
};

// Sizes. A plain value that the host hands to the device.
struct shape {
  std::size_t frame_bytes = 0;  // a multiple of core::frame_store::slab_bytes
  std::uint32_t warps = 0;
  std::uint32_t log2_shards = 3;
  core::rpc_shape submissions;
  core::rpc_shape calls;

  // Of the last queue: all frames together have room in it, so that a frame that gets ready is never refused.
  HEL_HD constexpr std::uint32_t log2_most() const noexcept {
    std::uint32_t n = 6;
    while ((std::uint64_t{1} << n) < frame_bytes / core::frame_store::smallest_block) ++n;
    return n;
  }
  // Of the others, which warps give to in batches: what has no room stays with its warp.
  static constexpr std::uint32_t log2_cells = 12;
};

// Blocks and messages are whole words of 8 bytes; values are not always.
HEL_HD inline void copy_words(void* to, const void* from, std::uint32_t bytes) noexcept {
  auto* t = static_cast<unsigned char*>(to);
  const auto* f = static_cast<const unsigned char*>(from);
  for (std::uint32_t i = 0; i < bytes; i += 8)
    __builtin_memcpy(__builtin_assume_aligned(t + i, 8), __builtin_assume_aligned(f + i, 8), 8);
}
HEL_HD inline void copy_bytes(void* to, const void* from, std::uint32_t bytes) noexcept {
  if ((bytes | reinterpret_cast<std::uintptr_t>(from)) % 8 == 0) return copy_words(to, from, bytes);
  auto* t = static_cast<unsigned char*>(to);
  const auto* f = static_cast<const unsigned char*>(from);
  for (std::uint32_t i = 0; i < bytes; ++i) t[i] = f[i];
}

inline constexpr std::uint32_t warp_lanes = 32;

// Where things are in the device's memory, which is zeroed, aligned to 256 and has bytes() bytes.
class layout {
 public:
  HEL_HD explicit constexpr layout(const shape& s) noexcept {
    at_state = 0;
    std::size_t at = state_bytes;
    const auto next = [&](std::size_t bytes) {
      const std::size_t here = at;
      at = (at + bytes + 255) / 256 * 256;
      return here;
    };
    at_queues = next(sizeof(core::batch_queue<std::uint32_t>) * ((1u << s.log2_shards) + 1));
    at_cells = next(sizeof(core::batch_queue<std::uint32_t>::cell) *
                    ((std::size_t{1} << (s.log2_shards + shape::log2_cells)) + (std::size_t{1} << s.log2_most())));
    at_counters = next(sizeof(counters) * s.warps);
    at_lane_blocks = next(sizeof(core::frame_cache::cell) * core::frame_cache::cells_of_lane * warp_lanes * s.warps);
    at_call_links = next(sizeof(std::uint32_t) * s.calls.all());
    at_call_waits = next(sizeof(std::uintptr_t) * s.calls.all());
    at_links = next(sizeof(core::frame_store::link) * core::frame_store::links(s.frame_bytes));
    at_frames = next(s.frame_bytes);
    all = at;
  }
  HEL_HD constexpr std::size_t bytes() const noexcept { return all; }

  static constexpr std::size_t state_bytes = 4096;
  std::size_t at_state = 0, at_queues = 0, at_cells = 0, at_counters = 0, at_lane_blocks = 0, at_call_links = 0,
              at_call_waits = 0, at_links = 0, at_frames = 0, all = 0;
};

// What the kernel is started with; all addresses are the device's.
struct arguments {
  resident::shape shape;
  void* memory;       // of layout(shape)
  void* submissions;  // shape.submissions.bytes(), zeroed, both sides'
  void* calls;        // shape.calls.bytes(), the same
  resident::control* host;
};

struct state {
  using queue = core::batch_queue<std::uint32_t>;
  using call_client = core::rpc_client<device_call>;

  HEL_HD explicit state(const arguments& a) noexcept
      : state(a, layout(a.shape), static_cast<unsigned char*>(a.memory)) {}

  // Makes the state at the beginning of its memory; once, by one thread, before the kernel.
  HEL_HD static state* make(const arguments& a) noexcept { return ::new (a.memory) state(a); }

  // Queues carry numbers instead of addresses: frames and what is in them are aligned to 8.
  HEL_HD std::uint32_t number_of(const void* frame) const noexcept {
    return static_cast<std::uint32_t>((static_cast<const unsigned char*>(frame) - arena) / 8);
  }
  HEL_HD void* frame_of(std::uint32_t number) const noexcept { return arena + std::size_t{number} * 8; }

  // Makes a frame ready for whichever warp is free, behind others. By any thread.
  HEL_HD void share(void* frame) noexcept { queues[shards].send(number_of(frame)); }

  // Hands a call to the host, now or, where all slots are taken, when the serving warp finds one. By any thread; the
  // call may be answered, and gone, at once.
  HEL_HD void submit(device_call* c) noexcept {
    if (!try_submit(c)) wait_for_slot(c, c);
  }
  // By the serving warp: what waits for a slot, the oldest first. Whether there was any.
  HEL_HD bool submit_waiting() noexcept {
    if (waiting_calls.load_relaxed() == 0) return false;
    auto* newest = reinterpret_cast<device_call*>(waiting_calls.exchange_acq_rel(0));
    device_call* oldest = nullptr;
    while (newest) {
      device_call* const next = newest->next;
      newest->next = oldest;
      oldest = newest;
      newest = next;
    }
    while (oldest) {
      device_call* const next = oldest->next;
      if (!try_submit(oldest)) wait_for_slot(oldest, oldest);
      oldest = next;
    }
    return true;
  }

  // The frame memory as a lane sees it.
  HEL_HD core::frame_cache frames_of(std::uint32_t warp, std::uint32_t lane) noexcept {
    core::frame_cache::cell* const cells = lane_blocks + warp * core::frame_cache::cells_of_lane * warp_lanes + lane;
    return {frames, cells, warp_lanes, most_lane_blocks};
  }

  unsigned char* const arena;
  core::frame_store frames;
  core::frame_cache::cell* const lane_blocks;  // of all warps: by class, then by lane
  const std::uint32_t most_lane_blocks;
  queue* const queues;         // warps give to the first ones in batches, whoever has one frame to the last
  const std::uint32_t shards;  // of the first ones, a power of two
  counters* const warps;
  const std::uint32_t warp_count;
  core::rpc_server submissions;
  call_client calls;
  core::atomic<std::uintptr_t> waiting_calls;  // for a slot: device_calls, the newest first
  core::atomic<std::uint32_t> stopping;
  core::atomic<std::uint32_t> idle;  // warps without anything to do
  control* const host;
  alignas(16) unsigned char refused_root[64];  // what handles of tasks refer to that could not be made: detail::root

 private:
  HEL_HD bool try_submit(device_call* c) noexcept {
    const std::uint32_t slot = calls.claim(c->argument_bytes < c->result_bytes ? c->result_bytes : c->argument_bytes);
    if (slot == call_client::none) return false;
    core::rpc_header& h = calls.header(slot);
    h.function = c->function;
    h.argument_bytes = c->argument_bytes;
    h.result_bytes = c->result_bytes;
    h.flags = 0;
    copy_bytes(calls.payload(slot), c->arguments, c->argument_bytes);
    calls.submit(slot, c);
    return true;
  }
  // Puts a list in front of the waiting calls.
  HEL_HD void wait_for_slot(device_call* first, device_call* last) noexcept {
    std::uintptr_t head = waiting_calls.load_relaxed();
    do {
      last->next = reinterpret_cast<device_call*>(head);
      // Release: the serving warp reads the call.
    } while (!waiting_calls.cas_acq_rel(head, reinterpret_cast<std::uintptr_t>(first)));
  }

  HEL_HD state(const arguments& a, const layout& l, unsigned char* memory) noexcept
      : arena(memory + l.at_frames),
        frames(arena, a.shape.frame_bytes, reinterpret_cast<core::frame_store::link*>(memory + l.at_links)),
        lane_blocks(reinterpret_cast<core::frame_cache::cell*>(memory + l.at_lane_blocks)),
        most_lane_blocks(core::frame_cache::longest_for(a.shape.frame_bytes, a.shape.warps * warp_lanes)),
        queues(reinterpret_cast<queue*>(memory + l.at_queues)), shards(1u << a.shape.log2_shards),
        warps(reinterpret_cast<counters*>(memory + l.at_counters)), warp_count(a.shape.warps),
        submissions(core::rpc_memory(a.submissions, a.shape.submissions)),
        calls(core::rpc_memory(a.calls, a.shape.calls),
              reinterpret_cast<core::atomic<std::uint32_t>*>(memory + l.at_call_links),
              reinterpret_cast<core::atomic<std::uintptr_t>*>(memory + l.at_call_waits)),
        host(a.host) {
    auto* const cells = reinterpret_cast<queue::cell*>(memory + l.at_cells);
    for (std::uint32_t i = 0; i <= shards; ++i)
      ::new (queues + i)
          queue(cells + (std::size_t{i} << shape::log2_cells), i < shards ? shape::log2_cells : a.shape.log2_most());
  }
};
static_assert(sizeof(state) <= layout::state_bytes);

// A warp's memory of its own, shared by its lanes.
struct warp {
  core::ready_stack<std::uint32_t, 256> ready;
  core::atomic<std::uintptr_t> retired;  // frames to destroy, linked through promise_base::link, the newest first
  std::uint32_t number = 0;
  // While the warp runs a group.
  void* group = nullptr;
  void* next = nullptr;  // what the warp goes on with, once the group waits
  bool left = false;     // it does
};

}  // namespace hel::resident
