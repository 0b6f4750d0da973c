// Runs the lanes of a warp on fibers of the calling worker, in step.
//
// The lanes run one after the other until each has finished, stands at a barrier or is suspended. Then all must have
// come to the same point: a barrier is resolved and the lanes go on; a suspension becomes one of the whole group, which
// is then a single entry in the executor's queues. Fibers are held only while lanes run: a suspended lane lives in its
// coroutine frame alone, so the group may go on with any worker's fibers.
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fiber.hpp"
#include "hel/warp.hpp"

#if defined(HEL_TSAN)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
}
#endif

namespace hel::detail {
namespace {

// What lanes and their group order by coming together. For ThreadSanitizer, to which each lane is a thread.
void order_release([[maybe_unused]] void* point) noexcept {
#if defined(HEL_TSAN)
  __tsan_release(point);
#endif
}
void order_acquire([[maybe_unused]] void* point) noexcept {
#if defined(HEL_TSAN)
  __tsan_acquire(point);
#endif
}

// Thrown inside a lane that waits at a barrier which will never be complete, so that its frames are unwound.
struct lane_abandoned {};

enum class lane_state : std::uint8_t { ready, at_barrier, suspended, over };

struct lane_slot {
  unsigned index = 0;
  lane_state state = lane_state::ready;
  bool abandoned = false;
  warp_group* group = nullptr;
  std::unique_ptr<exec::fiber> fiber;
  return_slot* slot = nullptr;     // of the lane's coroutine
  std::coroutine_handle<> resume;  // where the lane is suspended
  std::exception_ptr creation;     // thrown before there was a coroutine
  lane_exchange* exchange = nullptr;
  collective_suspension* suspension = nullptr;
};

// Atomic, though one thread's: ThreadSanitizer takes the lanes for threads.
constinit thread_local std::atomic<lane_slot*> current_lane = nullptr;

lane_slot& this_lane() noexcept {
  lane_slot* l = current_lane.load(std::memory_order_relaxed);
  if (!l) core::trap("lane functions such as hel::lane and hel::shfl belong in a group task");
  return *l;
}

}  // namespace

class warp_group : public exec::action {
 public:
  warp_group(lane_program program, const waiter& caller)
      : action([](void* self) { static_cast<warp_group*>(static_cast<action*>(self))->continue_group(); }),
        program_(program), caller_(caller) {
    for (unsigned i = 0; i < warp_size; ++i) {
      lanes_[i].index = i;
      lanes_[i].group = this;
    }
  }

  // Runs until the group is over or suspended. Returns what the worker runs next; null: nothing in particular. Nothing
  // of *this may be touched afterwards.
  std::coroutine_handle<> run();

  const error* failed_with() const noexcept { return failed_ ? &error_ : nullptr; }
  void rethrow() const {
    for (const lane_slot& l : lanes_)
      if (l.creation) std::rethrow_exception(l.creation);
  }
  lane_program& program() noexcept { return program_; }
  void* barrier_in() noexcept { return &in_; }
  void* barrier_out() noexcept { return &out_; }

 private:
  enum class meeting : std::uint8_t { all_over, barrier, suspension, divergence };

  void continue_group();
  void collect();
  void run_lane(lane_slot& l);
  meeting meet() const noexcept;
  void exchange() noexcept;
  void abandon();
  void report_divergence() const;
  void release_fibers() noexcept;
  std::coroutine_handle<> finish();

  lane_program program_;
  const waiter caller_;
  std::array<lane_slot, warp_size> lanes_;
  bool failed_ = false;
  error error_;
  std::vector<std::exception_ptr> delivered_;  // what the lanes share is released by none of them
  char in_ = 0, out_ = 0;                      // their addresses stand for the two sides of a barrier
};

namespace {

// The bottom function of a lane's fiber.
void lane_main(void* argument) {
  order_acquire(argument);
  auto& l = *static_cast<lane_slot*>(argument);
  if (!l.resume) {
    try {
      l.resume = l.group->program().create(l.group->program().self);
    } catch (...) {
      l.creation = std::current_exception();
    }
    if (l.resume) {
      // At its end the lane's coroutine returns to this function, by way of a coroutine that does nothing.
      l.slot = l.group->program().slot(l.group->program().self, l.index);
      l.slot->frame = l.resume.address();
      promise_base& promise = promise_of(l.resume.address());
      promise.link = std::noop_coroutine().address();
      promise.slot = l.slot;
    }
  }
  if (l.resume) l.resume.resume();
  const bool over = !l.slot || l.slot->state != outcome::none;
  l.state = over ? lane_state::over : lane_state::suspended;
  order_release(l.group->barrier_in());
}

std::string place(const std::source_location& w) { return std::string(w.file_name()) + ":" + std::to_string(w.line()); }

bool same_place(const std::source_location& a, const std::source_location& b) noexcept {
  return a.line() == b.line() && a.column() == b.column() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

}  // namespace

void warp_group::run_lane(lane_slot& l) {
  current_lane.store(&l, std::memory_order_relaxed);
  in_lane.store_relaxed(true);
  const bool fresh = !l.fiber;
  if (fresh) l.fiber = exec::take_fiber();
  order_release(fresh ? &l : barrier_out());
  if (fresh)
    l.fiber->start(&lane_main, &l);
  else
    l.fiber->enter();
  in_lane.store_relaxed(false);
  current_lane.store(nullptr, std::memory_order_relaxed);
}

// All lanes stand somewhere: is it the same point?
warp_group::meeting warp_group::meet() const noexcept {
  const lane_slot& first = lanes_[0];
  for (const lane_slot& l : lanes_) {
    if (l.state != first.state) return meeting::divergence;
    if (l.state == lane_state::at_barrier &&
        (l.exchange->operation != first.exchange->operation || l.exchange->bytes != first.exchange->bytes))
      return meeting::divergence;
    if (l.state == lane_state::suspended && (l.suspension->operations != first.suspension->operations ||
                                             !same_place(l.suspension->where, first.suspension->where)))
      return meeting::divergence;
  }
  switch (first.state) {
  case lane_state::at_barrier: return meeting::barrier;
  case lane_state::suspended: return meeting::suspension;
  default: return meeting::all_over;
  }
}

// Done by the group for all lanes, so that a shuffle needs one barrier and not two.
void warp_group::exchange() noexcept {
  std::uint32_t votes = 0;
  for (lane_slot& l : lanes_)
    if (l.exchange->predicate) votes |= 1u << l.index;
  for (lane_slot& l : lanes_) {
    lane_exchange& e = *l.exchange;
    if (e.operation == lane_operation::shuffle) std::memcpy(e.out, lanes_[e.from].exchange->value, e.bytes);
    if (e.operation == lane_operation::ballot) std::memcpy(e.out, &votes, sizeof votes);
  }
}

std::coroutine_handle<> warp_group::run() {
  for (;;) {
    for (lane_slot& l : lanes_) {
      if (l.state == lane_state::over) continue;
      l.state = lane_state::ready;
      run_lane(l);
    }
    order_acquire(barrier_in());
    switch (meet()) {
    case meeting::barrier: exchange(); continue;
    case meeting::all_over: return finish();
    case meeting::suspension: {
      release_fibers();
      collective_suspension& leader = *lanes_[0].suspension;
      std::coroutine_handle<> what_next;
      try {
        what_next = leader.operations->start(leader.self, handle());
      } catch (...) {
        leader.operations->fail(leader.self, std::current_exception());
        what_next = handle();
      }
      if (what_next == handle()) {  // no need to wait
        collect();
        continue;
      }
      return what_next;
    }
    case meeting::divergence:
      report_divergence();
      abandon();
      failed_ = true;
      error_ = errc::divergent_suspension;
      return finish();
    }
  }
}

// Hands the result of a collective suspension to all lanes.
void warp_group::collect() {
  collective_suspension& leader = *lanes_[0].suspension;
  if (std::exception_ptr e = leader.operations->finish(leader.self)) delivered_.push_back(std::move(e));
  for (unsigned i = 1; i < warp_size; ++i) {
    leader.operations->copy(lanes_[i].suspension->self, leader.self);
  }
}

// The executor resumes the group. What comes next goes through the executor and not up this stack: a chain of
// suspensions that end at once must not nest.
void warp_group::continue_group() {
  exec::executor* home = caller_.home;
  collect();
  if (const std::coroutine_handle<> h = run()) home->schedule(h);
}

void warp_group::abandon() {
  for (lane_slot& l : lanes_) {
    if (l.state != lane_state::at_barrier) continue;
    l.abandoned = true;
    while (l.state == lane_state::at_barrier) {  // a task may catch the exception and come to the next barrier
      run_lane(l);
      order_acquire(barrier_in());
    }
  }
}

void warp_group::report_divergence() const {
  std::string text = "hel: the lanes of a group task did not suspend together:\n";
  std::array<bool, warp_size> told{};
  const auto describe = [](const lane_slot& l) -> std::string {
    if (l.state == lane_state::over) return "finished";
    if (l.state == lane_state::suspended) return "co_await at " + place(l.suspension->where);
    switch (l.exchange->operation) {
    case lane_operation::shuffle: return "shuffle at " + place(l.exchange->where);
    case lane_operation::ballot: return "ballot at " + place(l.exchange->where);
    default: return "warp_sync at " + place(l.exchange->where);
    }
  };
  for (unsigned i = 0; i < warp_size; ++i) {
    if (told[i]) continue;
    const std::string where = describe(lanes_[i]);
    std::string numbers;
    for (unsigned j = i; j < warp_size; ++j) {
      if (told[j] || describe(lanes_[j]) != where) continue;
      told[j] = true;
      numbers += (numbers.empty() ? "" : ",") + std::to_string(j);
    }
    text += "  " + where + ": lanes " + numbers + "\n";
  }
  std::fputs(text.c_str(), stderr);
}

void warp_group::release_fibers() noexcept {
  for (lane_slot& l : lanes_)
    if (l.fiber) exec::give_back_fiber(std::move(l.fiber));
}

// The group is over: its caller goes on, or fails in turn.
std::coroutine_handle<> warp_group::finish() {
  release_fibers();
  for (const lane_slot& l : lanes_) {
    if (failed_) break;
    if (!l.slot || !l.slot->has_failed()) continue;
    failed_ = true;
    error_ = l.slot->err;
  }
  const waiter caller = caller_;
  if (failed_ && caller.parent) return fail_from(caller.handle, error(error_));  // destroys *this
  return caller.handle;
}

unsigned current_lane_index() noexcept { return this_lane().index; }

void lane_barrier(lane_exchange& e) {
  lane_slot& l = this_lane();
  warp_group& g = *l.group;
  l.exchange = &e;
  if (!l.abandoned) {
    l.state = lane_state::at_barrier;
    order_release(g.barrier_in());
    l.fiber->leave();
    order_acquire(g.barrier_out());
  }
  if (l.abandoned) throw lane_abandoned();
}

void lane_suspend(collective_suspension& s, std::coroutine_handle<> lane) noexcept {
  lane_slot& l = this_lane();
  l.suspension = &s;
  l.resume = lane;
}

std::coroutine_handle<> start_warp(lane_program program, const waiter& caller, warp_group*& group) {
  group = new warp_group(program, caller);
  const std::coroutine_handle<> next = group->run();
  return next ? next : std::noop_coroutine();
}

const error* warp_failure(const warp_group& g) noexcept { return g.failed_with(); }
void rethrow_warp_exception(const warp_group& g) { g.rethrow(); }
void destroy_warp(warp_group* g) noexcept { delete g; }

}  // namespace hel::detail
