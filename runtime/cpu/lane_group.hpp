// A group of lanes on the CPU: a warp or a block, run on fibers of the calling worker, in step.
//
// The lanes of a warp run one after the other until each has ended, is suspended or stands at a barrier. At a barrier
// of the warp, the warp goes on; else the next warp runs. Once all warps stand, all lanes must have come to the same
// point: a barrier is resolved and the lanes go on; a suspension becomes one of the whole group, which is then a single
// entry in the executor's queues. Fibers are held only while lanes run: a suspended lane lives in its coroutine frame
// alone, so the group may go on with any worker's fibers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fiber.hpp"
#include "hel/detail/group_call.hpp"
#include "race_detection.hpp"

namespace hel::detail {

enum class lane_state : std::uint8_t { ready, at_barrier, suspended, over };

struct lane_slot : lane_view {
  lane_state state = lane_state::ready;
  lane_operation operation{};  // at a barrier: what stands in the exchange, too, which lies on the lane's stack
  bool abandoned = false;      // waits at a barrier that will never be complete
  std::source_location where;
  std::unique_ptr<exec::fiber> fiber;
  std::coroutine_handle<> resume;  // where the lane is suspended
  lane_group* group = nullptr;
  lane_exchange* exchange = nullptr;            // at a barrier
  collective_suspension* suspension = nullptr;  // suspended
};

// Storage that the lanes share.
struct shared_storage {
  std::source_location where;
  const void* type;
  void* memory;
  std::size_t bytes, alignment;
  shared_storage* next;
};

class lane_group {
 public:
  // One block of memory, with the lanes behind it. Throws std::bad_alloc.
  static lane_group* create(const group_shape& shape, const lane_program& program, const waiter& caller, void* above);
  static void destroy(lane_group* g) noexcept;

  // Runs until the group is over or suspended. Returns what the worker runs next; null: nothing in particular. Nothing
  // of *this may be touched afterwards.
  std::coroutine_handle<> run();

  const error* failed_with() const noexcept { return failed_ ? &error_ : nullptr; }
  unsigned thrower() const noexcept { return thrower_; }

  // For lanes.
  const lane_program& program() const noexcept { return program_; }
  return_slot& slot_of(const lane_slot& l) const noexcept {
    return *reinterpret_cast<return_slot*>(reinterpret_cast<char*>(program_.slots) + l.rank * program_.stride);
  }
  meeting_point& start() noexcept { return start_; }
  meeting_point& end() noexcept { return end_; }
  meeting_point& barrier_of(const lane_slot& l, lane_operation o) noexcept {
    return (of_whole_group(o) ? block_barrier_ : warp_barriers_[l.rank / warp_size]).now();
  }
  void* shared(const std::source_location& where, const void* type, std::size_t bytes, std::size_t alignment);
  void* dynamic_shared(std::size_t& bytes) noexcept;

  // For the report.
  group_level level() const noexcept { return shape_.level; }
  unsigned size() const noexcept { return shape_.lanes; }
  const lane_slot& lane(unsigned rank) const noexcept { return lanes_[rank]; }

 private:
  enum class meeting : std::uint8_t { all_over, barrier, suspension, divergence };

  // What executors and awaiters take for a coroutine: it starts as a frame does.
  struct frame_part {
    void (*resume)(void*);
    void (*destroy)(void*);
    group_promise promise;
    lane_group* group;
  };
  struct failed_part : exec::action {
    explicit failed_part(lane_group* g) noexcept : action(&lane_group::go_on_failed), group(g) {}
    lane_group* group;
  };

  lane_group(const group_shape& shape, const lane_program& program, const waiter& caller, void* above) noexcept;
  ~lane_group();

  static void go_on(void* frame) noexcept;
  static void go_on_failed(void* action) noexcept;
  void continue_later() noexcept;
  group_handle handle() noexcept { return group_handle::from_address(&frame_); }
  void collect() noexcept;
  void collect_failure() noexcept;

  bool run_warp(unsigned warp);
  void run_lane(lane_slot& l);
  void start_lane(lane_slot& l);
  meeting meet() const noexcept;
  void resolve_warp(unsigned first, unsigned last) noexcept;
  void resolve_block() noexcept;
  bool a_lane_failed() noexcept;
  void abandon();
  void release_fibers() noexcept;
  std::coroutine_handle<> fail(error e);
  std::coroutine_handle<> finish();

  frame_part frame_;
  lanes_slot failure_;  // of what the group awaits
  failed_part failed_part_;
  const group_shape shape_;
  const lane_program program_;
  const waiter caller_;
  lane_slot* const lanes_;
  bool failed_ = false;
  error error_;
  unsigned thrower_ = 0;
  shared_storage* shared_ = nullptr;
  void* dynamic_shared_ = nullptr;
  std::vector<std::exception_ptr> delivered_;  // what the lanes share is released by none of them
  meeting_point start_, end_;
  barrier_points block_barrier_;
  barrier_points warp_barriers_[max_block_size / warp_size];
};

bool same_place(const std::source_location& a, const std::source_location& b) noexcept;
// Tells on standard error where each lane stands.
void report_divergence(const lane_group& g);

}  // namespace hel::detail
