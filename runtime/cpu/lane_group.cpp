#include "lane_group.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace hel::detail {
namespace {

// Thrown inside a lane that waits at a barrier which will never be complete, so that its frames are unwound.
struct lane_abandoned {};

lane_slot& running_lane() noexcept { return const_cast<lane_slot&>(static_cast<const lane_slot&>(this_lane())); }

lane_group& group_of(const lane_slot& l) noexcept {
  const book_keeping books;
  return *l.group;
}

// The bottom function of a lane's fiber.
void lane_main(void* argument) {
  auto& l = *static_cast<lane_slot*>(argument);
  lane_group& g = group_of(l);
  g.start().acquire();
  if (!l.resume) {
    l.resume = g.program().create(g.program().self, l.rank);
    if (tasks_recorded && l.resume) step_resuming(l.resume);
  }
  if (l.resume) l.resume.resume();
  const bool over = !l.resume || g.slot_of(l).state != outcome::none;
  if (tasks_recorded && over && l.resume && !g.slot_of(l).has_failed())
    step_over(std::coroutine_handle<>::from_address(g.slot_of(l).frame));
  g.end().release();
  const book_keeping books;
  l.state = over ? lane_state::over : lane_state::suspended;
}

// While lanes run on this thread.
class lanes_scope {
 public:
  lanes_scope() noexcept {
    in_lane.store_relaxed(true);
#if defined(HEL_TSAN)
    // Lanes are not the one thread that a worker's deque takes them for: what they spawn goes through the executor.
    const book_keeping books;
    worker_ = std::exchange(exec::this_worker, nullptr);
#endif
  }
  lanes_scope(const lanes_scope&) = delete;
  lanes_scope& operator=(const lanes_scope&) = delete;
  ~lanes_scope() {
#if defined(HEL_TSAN)
    const book_keeping books;
    exec::this_worker = worker_;
#endif
    current_lane.store_relaxed(nullptr);
    in_lane.store_relaxed(false);
  }

 private:
  [[maybe_unused]] exec::local_worker* worker_ = nullptr;
};

void copy_bytes(void* to, const void* from, std::size_t bytes) noexcept {
  if (bytes == 4)
    std::memcpy(to, from, 4);
  else if (bytes == 8)
    std::memcpy(to, from, 8);
  else
    std::memcpy(to, from, bytes);
}

}  // namespace

bool same_place(const std::source_location& a, const std::source_location& b) noexcept {
  if (std::memcmp(&a, &b, sizeof a) == 0) return true;  // as a rule
  return a.line() == b.line() && a.column() == b.column() &&
         (a.file_name() == b.file_name() || std::strcmp(a.file_name(), b.file_name()) == 0);
}

// ---- memory

namespace {
constexpr std::size_t lanes_offset = (sizeof(lane_group) + 15) / 16 * 16;
std::size_t group_bytes(unsigned lanes) noexcept { return lanes_offset + lanes * sizeof(lane_slot); }

void* allocate_shared(std::size_t bytes, std::size_t alignment) {
  return alignment > 16 ? ::operator new(bytes, std::align_val_t(alignment)) : allocate_block(bytes);
}
void free_shared(void* p, std::size_t bytes, std::size_t alignment) noexcept {
  if (alignment > 16)
    ::operator delete(p, std::align_val_t(alignment));
  else
    free_block_of(p, bytes);
}
}  // namespace

static_assert(alignof(lane_slot) <= 16);
static_assert(exec::fiber_pool_limit >= max_block_size);

lane_group::lane_group(const group_shape& shape, const lane_program& program, const waiter& caller,
                       void* above) noexcept
    : frame_{&lane_group::go_on, [](void*) {}, {}, this}, failed_part_(this), shape_(shape), program_(program),
      caller_(caller), lanes_(reinterpret_cast<lane_slot*>(reinterpret_cast<char*>(this) + lanes_offset)) {
  frame_.promise.link = &failed_part_;
  frame_.promise.slot = &failure_;
  failure_.kind = reports::to_lanes;
  failure_.above = above;
  for (unsigned i = 0; i < shape_.lanes; ++i) {
    lane_slot* l = ::new (static_cast<void*>(lanes_ + i)) lane_slot();
    l->rank = i;
    l->group_size = shape_.lanes;
    l->group = this;
  }
}

lane_group::~lane_group() {
  for (unsigned i = 0; i < shape_.lanes; ++i) lanes_[i].~lane_slot();
  while (shared_storage* s = shared_) {
    shared_ = s->next;
    free_shared(s->memory, s->bytes, s->alignment);
    free_block_of(s, sizeof(shared_storage));
  }
  if (dynamic_shared_) free_shared(dynamic_shared_, shape_.dynamic_shared, 16);
}

lane_group* lane_group::create(const group_shape& shape, const lane_program& program, const waiter& caller,
                               void* above) {
  void* dynamic = shape.dynamic_shared ? allocate_shared(shape.dynamic_shared, 16) : nullptr;
  try {
    auto* g = ::new (allocate_block(group_bytes(shape.lanes))) lane_group(shape, program, caller, above);
    g->dynamic_shared_ = dynamic;
    return g;
  } catch (...) {
    if (dynamic) free_shared(dynamic, shape.dynamic_shared, 16);
    throw;
  }
}

void lane_group::destroy(lane_group* g) noexcept {
  const std::size_t bytes = group_bytes(g->shape_.lanes);
  g->~lane_group();
  free_block_of(g, bytes);
}

void* lane_group::shared(const std::source_location& where, const void* type, std::size_t bytes,
                         std::size_t alignment) {
  for (shared_storage* s = shared_; s; s = s->next) {
    // The function tells the instances of a template apart.
    if (s->type == type && same_place(s->where, where) &&
        (s->where.function_name() == where.function_name() ||
         std::strcmp(s->where.function_name(), where.function_name()) == 0))
      return s->memory;
  }
  void* memory = allocate_shared(bytes, alignment);
  try {
    shared_ =
        ::new (allocate_block(sizeof(shared_storage))) shared_storage{where, type, memory, bytes, alignment, shared_};
  } catch (...) {
    free_shared(memory, bytes, alignment);
    throw;
  }
  return memory;
}

void* lane_group::dynamic_shared(std::size_t& bytes) noexcept {
  bytes = shape_.dynamic_shared;
  return dynamic_shared_;
}

// ---- running

void lane_group::start_lane(lane_slot& l) {
  l.fiber = exec::take_fiber();
  start_.release();
  l.fiber->start(&lane_main, &l);
}

inline void lane_group::run_lane(lane_slot& l) {
  current_lane.store_relaxed(&l);
  if (l.fiber) [[likely]]
    l.fiber->enter();
  else
    start_lane(l);
#if !defined(HEL_TSAN)  // where lanes that take turns on one fiber would be one thread
  if (l.state != lane_state::at_barrier) exec::give_back_fiber(std::move(l.fiber));
#endif
}

// Runs the lanes of a warp. Whether they all stand at a barrier of the warp, so that they can go on.
bool lane_group::run_warp(unsigned warp) {
  lane_slot* const first = lanes_ + warp * warp_size;
  lane_slot* const last = lanes_ + std::min((warp + 1) * warp_size, shape_.lanes);
  const lanes_scope in_lanes;
  for (lane_slot* l = first; l != last; ++l) run_lane(*l);

  const book_keeping books;
  const lane_operation operation = first->operation;
  if (of_whole_group(operation)) return false;
  for (lane_slot* l = first; l != last; ++l)
    if (l->state != lane_state::at_barrier || l->operation != operation) return false;
  if (operation == lane_operation::shuffle) {
    for (lane_slot* l = first; l != last; ++l)
      if (l->exchange->bytes != first->exchange->bytes) return false;
  }
  return true;
}

// Done by the group for all lanes, so that a shuffle needs one barrier and not two.
void lane_group::resolve_warp(unsigned first, unsigned last) noexcept {
  const book_keeping books;
  const lane_operation operation = lanes_[first].operation;
  warp_barriers_[first / warp_size].next();
  if (operation == lane_operation::warp_sync) return;
  if (operation == lane_operation::shuffle) {
    for (unsigned i = first; i < last; ++i) {
      lane_exchange& e = *lanes_[i].exchange;
      if (first + e.from < last) copy_bytes(e.out, lanes_[first + e.from].exchange->value, e.bytes);
    }
    return;
  }
  unsigned votes = 0;
  for (unsigned i = first; i < last; ++i)
    if (lanes_[i].exchange->predicate) votes |= 1u << (i - first);
  for (unsigned i = first; i < last; ++i) std::memcpy(lanes_[i].exchange->out, &votes, sizeof votes);
}

void lane_group::resolve_block() noexcept {
  const book_keeping books;
  block_barrier_.next();
  const lane_operation operation = lanes_[0].operation;
  if (operation == lane_operation::block_sync) return;
  unsigned votes = 0;
  for (unsigned i = 0; i < shape_.lanes; ++i) votes += lanes_[i].exchange->predicate;
  if (operation == lane_operation::block_and) votes = votes == shape_.lanes;
  if (operation == lane_operation::block_or) votes = votes != 0;
  for (unsigned i = 0; i < shape_.lanes; ++i) std::memcpy(lanes_[i].exchange->out, &votes, sizeof votes);
}

// All lanes stand somewhere, no warp at a barrier of its own: is it the same point?
lane_group::meeting lane_group::meet() const noexcept {
  const book_keeping books;
  const lane_slot& first = lanes_[0];
  for (unsigned i = 0; i < shape_.lanes; ++i) {
    const lane_slot& l = lanes_[i];
    if (l.state != first.state) return meeting::divergence;
    if (l.state == lane_state::at_barrier) {
      if (l.operation != first.operation || !of_whole_group(l.operation) || !same_place(l.where, first.where))
        return meeting::divergence;
    } else if (l.state == lane_state::suspended) {
      const collective_suspension &a = *l.suspension, &b = *first.suspension;
      if (a.operations != b.operations || !same_place(a.where, b.where)) return meeting::divergence;
    }
  }
  switch (first.state) {
  case lane_state::at_barrier: return meeting::barrier;
  case lane_state::suspended: return meeting::suspension;
  default: return meeting::all_over;
  }
}

std::coroutine_handle<> lane_group::run() {
  for (;;) {
    try {
      for (unsigned warp = 0; warp * warp_size < shape_.lanes; ++warp)
        while (run_warp(warp)) resolve_warp(warp * warp_size, std::min((warp + 1) * warp_size, shape_.lanes));
    } catch (const std::bad_alloc&) {  // no stack for a lane
      return fail(errc::out_of_frames);
    }
    switch (meet()) {
    case meeting::barrier: resolve_block(); continue;
    case meeting::all_over: return finish();
    case meeting::suspension: break;
    case meeting::divergence:
      if (!a_lane_failed()) report_divergence(*this);
      return fail(errc::divergent_suspension);
    }
    end_.acquire();
    release_fibers();
    collective_suspension& leader = *lanes_[0].suspension;
    std::coroutine_handle<> next;
    try {
      next = leader.operations->start(leader.self, handle());
    } catch (...) {
      const std::exception_ptr& e = delivered_.emplace_back(std::current_exception());
      leader.operations->fail(leader.self, e);
      for (unsigned i = 1; i < shape_.lanes; ++i) lanes_[i].suspension->operations->fail(lanes_[i].suspension->self, e);
      continue;
    }
    if (next == handle())  // no need to wait
      collect();
    else if (next == failed_part_.handle())
      collect_failure();
    else
      return next;
  }
}

// Hands the result of a common suspension to all lanes.
void lane_group::collect() noexcept {
  collective_suspension& leader = *lanes_[0].suspension;
  if (std::exception_ptr e = leader.operations->finish(leader.self)) delivered_.push_back(std::move(e));
  for (unsigned i = 1; i < shape_.lanes; ++i) leader.operations->copy(lanes_[i].suspension->self, leader.self);
}
// What the group awaits has failed, or the group is cancelled: so does each lane.
void lane_group::collect_failure() noexcept {
  const std::exception_ptr& e = delivered_.emplace_back(std::make_exception_ptr(failure(failure_.err)));
  failure_.state = outcome::none;
  failure_.frame = nullptr;
  for (unsigned i = 0; i < shape_.lanes; ++i) lanes_[i].suspension->operations->fail(lanes_[i].suspension->self, e);
}

// The executor resumes the group. What comes next goes through the executor and not up this stack: a chain of
// suspensions that end at once must not nest.
void lane_group::continue_later() noexcept {
  exec::executor* home = caller_.home;
  if (const std::coroutine_handle<> h = run()) home->schedule(h);
}
void lane_group::go_on(void* frame) noexcept {
  lane_group& g = *static_cast<frame_part*>(frame)->group;
  g.collect();
  g.continue_later();
}
void lane_group::go_on_failed(void* action) noexcept {
  lane_group& g = *static_cast<failed_part*>(static_cast<exec::action*>(action))->group;
  g.collect_failure();
  g.continue_later();
}

// ---- the end

void lane_group::release_fibers() noexcept {
  for (unsigned i = 0; i < shape_.lanes; ++i)
    if (lanes_[i].fiber) exec::give_back_fiber(std::move(lanes_[i].fiber));
}

// Whether the lanes do not come together because some of them failed: that is then how the group ends.
bool lane_group::a_lane_failed() noexcept {
  end_.acquire();
  for (unsigned i = 0; i < shape_.lanes; ++i)
    if (lanes_[i].state == lane_state::over && slot_of(lanes_[i]).state != outcome::value) return true;
  return false;
}

void lane_group::abandon() {
  for (unsigned i = 0; i < shape_.lanes; ++i) {
    lane_slot& l = lanes_[i];
    if (l.state != lane_state::at_barrier) continue;
    {
      const book_keeping books;
      l.abandoned = l.exchange->abandoned = true;
    }
    in_lane.store_relaxed(true);
    while (l.state == lane_state::at_barrier)
      run_lane(l);  // a lane may catch the exception and come to a barrier again
    in_lane.store_relaxed(false);
    current_lane.store_relaxed(nullptr);
  }
}

// The lanes cannot go on together. `e` unless some lane has failed or thrown.
std::coroutine_handle<> lane_group::fail(error e) {
  abandon();
  failed_ = true;
  error_ = e;
  return finish();
}

// The group is over: its caller goes on, or fails in turn.
std::coroutine_handle<> lane_group::finish() {
  end_.acquire();
  release_fibers();
  bool thrown = false, failed = false;
  for (unsigned i = 0; i < shape_.lanes; ++i) {
    const lane_slot& l = lanes_[i];
    const return_slot& slot = slot_of(l);
    if (l.state != lane_state::over || l.abandoned) continue;
    if (slot.has_failed() && !failed) {
      failed = failed_ = true;
      error_ = slot.err;
    } else if (slot.threw() && !thrown) {
      thrown = true;
      thrower_ = i;
    }
  }
  if (thrown && !failed) failed_ = false;
  const waiter caller = caller_;
  if (failed_ && caller.parent) return fail_from(caller.handle, error(error_));  // destroys *this
  return caller.handle;
}

// ---- what lanes and callers use

lane_switch lane_wait(lane_exchange& e) noexcept {
  lane_slot& l = running_lane();
  if (l.abandoned) [[unlikely]] {
    e.abandoned = true;
    return {nullptr, &e.out};  // nobody reads it any more
  }
#if defined(HEL_TSAN)
  meeting_point& point = l.group->barrier_of(l, e.operation);
  point.release();
#endif
  {
    const book_keeping books;
    l.exchange = &e;
    l.operation = e.operation;
    l.where = e.where;
    l.state = lane_state::at_barrier;
  }
#if defined(HEL_TSAN)
  const lane_switch back = l.fiber->leave_at_end();
  point.acquire();
  return back;
#else
  return l.fiber->leave_at_end();
#endif
}

void unwind_lane() { throw lane_abandoned(); }

void lane_suspend(collective_suspension& s, std::coroutine_handle<> lane) noexcept {
  lane_slot& l = running_lane();
  const book_keeping books;
  l.suspension = &s;
  l.resume = lane;
}

void* shared_variable(const std::source_location& where, const void* type, std::size_t bytes, std::size_t alignment) {
  const book_keeping books;
  return running_lane().group->shared(where, type, bytes, alignment);
}
void* dynamic_shared_memory(std::size_t& bytes) noexcept { return running_lane().group->dynamic_shared(bytes); }

const error* refused(const group_shape& shape) noexcept {
  static constexpr error bad_size = errc::bad_group_size;
  return shape.lanes == 0 || shape.lanes > max_block_size ? &bad_size : nullptr;
}

std::coroutine_handle<> start_group(const group_shape& shape, const lane_program& program, const waiter& caller,
                                    void* caller_task, lane_group*& group) {
  group = lane_group::create(shape, program, caller, caller_task);
  const std::coroutine_handle<> next = group->run();
  return next ? next : std::noop_coroutine();
}

const error* group_failure(const lane_group& g) noexcept { return g.failed_with(); }
unsigned lane_that_threw(const lane_group& g) noexcept { return g.thrower(); }
void destroy_group(lane_group* g) noexcept { lane_group::destroy(g); }

}  // namespace hel::detail
