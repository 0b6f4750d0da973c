// A block that runs: its lanes are fibers of one thread, which runs one lane until it waits, sleeps, or has polled for
// a while, and then the next.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fiber.hpp"
#include "module.hpp"

namespace hel_sim {

struct extent {
  unsigned x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

constexpr unsigned warp_lanes = 32;
constexpr unsigned barriers = 16;
constexpr std::size_t largest_dynamic_shared = 227 * 1024;

// Operations that the lanes of a mask do together.
enum class warp_operation : std::uint8_t {
  none,
  sync,
  shuffle_idx,
  shuffle_up,
  shuffle_down,
  shuffle_bfly,
  vote_all,
  vote_any,
  vote_uni,
  vote_ballot,
  match_any,
  match_all,
  reduce_add,
  reduce_min,
  reduce_max,
  reduce_umin,
  reduce_umax,
  reduce_and,
  reduce_or,
  reduce_xor,
};

struct lane {
  enum class state : std::uint8_t { fresh, ready, sleeping, in_warp, at_barrier, at_activemask, done };

  std::unique_ptr<hel::exec::fiber> fiber;
  extent thread;       // its index in the block
  unsigned index = 0;  // the same as one number
  state is = state::fresh;
  bool polled = false;  // it was left because it polls
  unsigned poll_budget = 0;
  std::uint64_t wake = 0;  // ns
  // of the operation that it waits in
  warp_operation operation = warp_operation::none;
  std::uint32_t mask = 0;
  unsigned barrier = 0;
  const void* site = nullptr;
  std::uint64_t value = 0, b = 0, c = 0;  // operands
  std::uint64_t result = 0;
  bool flag = false;
};

// What a block needs of its launch.
struct block_task {
  const hel_sim::kernel* kernel;
  const hel_sim::module* module;
  extent grid, block, index;
  std::uint64_t dynamic_shared;
  void** parameters;
  unsigned multiprocessor, slot;
  const std::atomic<bool>* stop;  // the device has failed, or the process ends
};

enum class block_result { finished, stopped, trapped, asserted, deadlocked };

// One for each thread that runs blocks; keeps the fibers.
class block {
 public:
  block_result run(const block_task& task);

  // For the lane that runs.
  static block& current();
  lane& self() { return *self_; }
  const block_task& task() const { return *task_; }
  void poll();
  void sleep(std::uint64_t ns);
  void count_atomic(const void* address);  // HEL_SIM_COUNT
  void warp(warp_operation operation, std::uint32_t mask, const char* what);  // operands are in self()
  // `count` 0: all lanes. Whether the predicates of all, of any, how many: in value, b, c.
  void wait_at_barrier(unsigned id, std::uint32_t count, bool predicate);
  void arrive(unsigned id, std::uint32_t count);
  std::uint32_t active_mask(const void* site);
  [[noreturn]] void end_lane();
  [[noreturn]] void fail(block_result why);
  [[noreturn]] void misuse(const char* what);  // undefined on a device; says so and fails

 private:
  struct barrier_state {
    std::uint32_t arrived = 0, count = 0, popc = 0;
  };

  static void lane_main(void* self);
  lane& at(unsigned warp, unsigned i) { return *lanes_[warp * warp_lanes + i]; }
  unsigned lanes_of(unsigned warp) const;
  void switch_out();
  void complete_warp(unsigned warp, warp_operation operation, std::uint32_t mask);
  bool warp_is_complete(unsigned warp, warp_operation operation, std::uint32_t mask);
  void complete_barrier(unsigned id);
  void lane_ended(unsigned index);
  void resolve_active_masks();
  void report(const char* headline);
  unsigned next_budget();

  const block_task* task_ = nullptr;
  std::vector<std::unique_ptr<lane>> lanes_;
  unsigned count_ = 0, live_ = 0;
  lane* self_ = nullptr;
  barrier_state barriers_[barriers];
  bool active_masks_ = false, failed_ = false;
  block_result failure_ = block_result::finished;
  std::uint32_t random_ = 1;
  unsigned reported_ = 0;
  // Lanes begin after the launch and end before whoever waits for it; among themselves they are not ordered by that.
  char ended_ = 0;
};

// Raised by the watchdog: whoever runs a block says where its lanes are.
extern std::atomic<unsigned> reports_wanted;

// How many the device has.
unsigned multiprocessors();

std::string readable(const char* mangled);

}  // namespace hel_sim
