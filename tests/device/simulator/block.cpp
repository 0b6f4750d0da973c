// Not instrumented for ThreadSanitizer: what lanes share here is the simulator's own. Barriers say what they order.
#include "block.hpp"

#include <cxxabi.h>
#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "settings.hpp"

#if defined(__SANITIZE_ADDRESS__)
#  define HEL_SIM_ASAN 1
#elif defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define HEL_SIM_ASAN 1
#  endif
#endif
#if defined(HEL_SIM_ASAN)
#  include <sanitizer/asan_interface.h>
#else
#  define ASAN_POISON_MEMORY_REGION(p, n) (static_cast<void>(p), static_cast<void>(n))
#  define ASAN_UNPOISON_MEMORY_REGION(p, n) (static_cast<void>(p), static_cast<void>(n))
#endif
#if defined(HEL_SIM_TSAN)
extern "C" void __tsan_acquire(void*);
extern "C" void __tsan_release(void*);
#else
static void __tsan_acquire(void*) {}
static void __tsan_release(void*) {}
#endif

extern "C" {
alignas(1024) thread_local char hel_sim_dynamic_shared[hel_sim::largest_dynamic_shared];
}

namespace hel_sim {

std::atomic<unsigned> reports_wanted{0};

namespace {

thread_local block* running = nullptr;

std::uint64_t now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
}

const char* name_of(warp_operation o) {
  static const char* const names[] = {"",
                                      "__syncwarp",
                                      "__shfl_sync",
                                      "__shfl_up_sync",
                                      "__shfl_down_sync",
                                      "__shfl_xor_sync",
                                      "__all_sync",
                                      "__any_sync",
                                      "__uni_sync",
                                      "__ballot_sync",
                                      "__match_any_sync",
                                      "__match_all_sync",
                                      "__reduce_add_sync",
                                      "__reduce_min_sync",
                                      "__reduce_max_sync",
                                      "__reduce_min_sync",
                                      "__reduce_max_sync",
                                      "__reduce_and_sync",
                                      "__reduce_or_sync",
                                      "__reduce_xor_sync"};
  return names[static_cast<unsigned>(o)];
}

std::string where(const lane& l) {
  char text[96];
  switch (l.is) {
  case lane::state::fresh: return "not begun";
  case lane::state::ready: return l.polled ? "polling" : "running";
  case lane::state::sleeping: return "in __nanosleep";
  case lane::state::at_activemask: return "at __activemask";
  case lane::state::done: return "ended";
  case lane::state::in_warp:
    std::snprintf(text, sizeof text, "at %s(0x%08x)", name_of(l.operation), l.mask);
    return text;
  case lane::state::at_barrier:
    if (l.barrier == 0) return "at __syncthreads";
    std::snprintf(text, sizeof text, "at barrier %u", l.barrier);
    return text;
  }
  return "";
}

// A block begins with this in its shared memory: what a kernel finds there on a device is anything.
void scrub(void*, void* address, std::uint64_t bytes) { std::memset(address, 0xcd, bytes); }

}  // namespace

std::string readable(const char* mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string result = status == 0 && text ? text : mangled;
  std::free(text);
  return result;
}

block& block::current() {
  if (!running) {
    std::fprintf(stderr, "simulated device: device code was called by the host\n");
    std::abort();
  }
  return *running;
}

unsigned block::next_budget() {
  const settings& s = configured();
  if (s.seed == 0) return s.poll;
  random_ ^= random_ << 13, random_ ^= random_ >> 17, random_ ^= random_ << 5;
  return 1 + random_ % (2 * s.poll);
}

void block::lane_main(void* argument) {
  block& b = *static_cast<block*>(argument);
  lane& l = b.self();
  __tsan_acquire(&b);
  b.task_->kernel->run(b.task_->parameters);
  __tsan_release(&b.ended_);
  l.is = lane::state::done;
  b.lane_ended(l.index);
}

block_result block::run(const block_task& task) {
  task_ = &task;
  count_ = live_ = static_cast<unsigned>(task.block.count());
  failed_ = active_masks_ = false;
  std::fill(std::begin(barriers_), std::end(barriers_), barrier_state{});
  random_ = 2654435761u * (configured().seed + 1) ^ (task.index.x * 40503u + task.index.y * 7919u + task.index.z);
  if (random_ == 0) random_ = 1;
  while (lanes_.size() < count_) lanes_.push_back(std::make_unique<lane>());
  std::vector<unsigned> order(count_);
  std::iota(order.begin(), order.end(), 0u);
  if (configured().seed != 0)
    for (unsigned i = count_; i > 1; --i) std::swap(order[i - 1], order[next_budget() * 31u % i]);
  for (unsigned i = 0; i < count_; ++i) {
    lane& l = *lanes_[i];
    if (!l.fiber || !l.fiber->finished()) l.fiber = std::make_unique<hel::exec::fiber>();  // one that was stopped
    l.index = i;
    l.thread = {i % task.block.x, i / task.block.x % task.block.y, i / task.block.x / task.block.y};
    l.is = lane::state::fresh;
    l.polled = false;
    l.poll_budget = next_budget();
  }
  task.module->shared(scrub, nullptr);
  std::memset(hel_sim_dynamic_shared, 0xcd, task.dynamic_shared);
  const std::uint64_t rest = largest_dynamic_shared - task.dynamic_shared;
  ASAN_POISON_MEMORY_REGION(hel_sim_dynamic_shared + task.dynamic_shared, rest);
  running = this;
  __tsan_release(this);

  bool stopped = false;
  while (live_ > 0 && !failed_ && !stopped) {
    bool entered = false, only_polled = true;
    std::uint64_t earliest = ~std::uint64_t{0}, time = 0;
    for (unsigned i : order) {
      lane& l = *lanes_[i];
      if (l.is == lane::state::sleeping) {
        if (time == 0) time = now();
        if (l.wake > time) {
          earliest = std::min(earliest, l.wake);
          continue;
        }
        l.is = lane::state::ready;
      }
      if (l.is != lane::state::ready && l.is != lane::state::fresh) continue;
      entered = true;
      self_ = &l;
      l.polled = false;
      if (l.is == lane::state::fresh) {
        l.is = lane::state::ready;
        l.fiber->start(&lane_main, this);
      } else {
        l.fiber->enter();
      }
      self_ = nullptr;
      if (!l.polled && l.is != lane::state::sleeping) only_polled = false;
      if (failed_) break;
    }
    if (task.stop->load(std::memory_order_acquire)) stopped = true;
    if (const unsigned wanted = reports_wanted.load(std::memory_order_relaxed); wanted != reported_) {
      reported_ = wanted;
      report("running");
    }
    if (live_ == 0 || failed_ || stopped) break;
    if (active_masks_) {
      resolve_active_masks();
      continue;
    }
    if (!entered) {
      if (earliest == ~std::uint64_t{0}) {
        report("deadlock: every lane waits for another");
        failed_ = true;
        failure_ = block_result::deadlocked;
        break;
      }
      // No longer than this, to see a stop.
      const std::uint64_t ns = std::min<std::uint64_t>(earliest - time, 1000000);
      if (ns < 2000) {
        sched_yield();
      } else {
        const timespec t{0, static_cast<long>(ns)};
        nanosleep(&t, nullptr);
      }
    } else if (only_polled) {
      sched_yield();  // what the lanes wait for is elsewhere
    }
  }
  __tsan_acquire(&ended_);
  running = nullptr;
  ASAN_UNPOISON_MEMORY_REGION(hel_sim_dynamic_shared, largest_dynamic_shared);
  return failed_ ? failure_ : stopped ? block_result::stopped : block_result::finished;
}

void block::switch_out() { self_->fiber->leave(); }

void block::poll() {
  lane& l = *self_;
  if (--l.poll_budget > 0) return;
  l.poll_budget = next_budget();
  l.polled = true;
  switch_out();
}

void block::count_atomic(const void* address) {
  static struct counter {
    std::atomic<std::uint64_t> n = 0;
    ~counter() {
      std::fprintf(stderr, "simulated device: %llu atomic operations on global memory\n",
                   static_cast<unsigned long long>(n.load()));
    }
  } global;
  struct {
    const char* address;
    bool shared = false;
  } where{static_cast<const char*>(address)};
  task_->module->shared(
      [](void* w, void* begin, std::uint64_t bytes) {
        auto& at = *static_cast<decltype(where)*>(w);
        at.shared |= at.address >= begin && at.address < static_cast<char*>(begin) + bytes;
      },
      &where);
  if (!where.shared) global.n.fetch_add(1, std::memory_order_relaxed);
}

void block::sleep(std::uint64_t ns) {
  lane& l = *self_;
  l.is = lane::state::sleeping;
  l.wake = now() + ns;
  switch_out();
}

unsigned block::lanes_of(unsigned warp) const { return std::min(warp_lanes, count_ - warp * warp_lanes); }

bool block::warp_is_complete(unsigned warp, warp_operation operation, std::uint32_t mask) {
  for (unsigned i = 0; i < lanes_of(warp); ++i) {
    if (!(mask >> i & 1)) continue;
    const lane& l = at(warp, i);
    if (l.is == lane::state::done) continue;  // is waited for no longer
    if (l.is != lane::state::in_warp || l.operation != operation || l.mask != mask) return false;
  }
  return true;
}

void block::warp(warp_operation operation, std::uint32_t mask, const char* what) {
  lane& l = *self_;
  const unsigned warp = l.index / warp_lanes;
  if (!(mask >> l.index % warp_lanes & 1)) misuse(what);
  l.operation = operation;
  l.mask = mask;
  l.is = lane::state::in_warp;
  // __syncwarp orders memory, the others need not.
  if (operation == warp_operation::sync) __tsan_release(&at(warp, 0));
  if (warp_is_complete(warp, operation, mask))
    complete_warp(warp, operation, mask);
  else
    switch_out();
  if (operation == warp_operation::sync) __tsan_acquire(&at(warp, 0));
}

void block::complete_warp(unsigned warp, warp_operation operation, std::uint32_t mask) {
  std::uint32_t took_part = 0, ballot = 0;
  for (unsigned i = 0; i < lanes_of(warp); ++i)
    if ((mask >> i & 1) && at(warp, i).is == lane::state::in_warp) {
      took_part |= 1u << i;
      if (at(warp, i).value) ballot |= 1u << i;
    }
  const auto each = [&](auto f) {
    for (unsigned i = 0; i < lanes_of(warp); ++i)
      if (took_part >> i & 1) f(at(warp, i), i);
  };
  const auto reduce = [&](auto first, auto f) {
    auto r = first;
    each([&](lane& l, unsigned) { r = f(r, static_cast<decltype(first)>(l.value)); });
    each([&](lane& l, unsigned) { l.result = static_cast<std::uint32_t>(r); });
  };
  switch (operation) {
  case warp_operation::none:
  case warp_operation::sync: break;
  case warp_operation::shuffle_idx:
  case warp_operation::shuffle_up:
  case warp_operation::shuffle_down:
  case warp_operation::shuffle_bfly:
    each([&](lane& l, unsigned i) {  // PTX ISA, shfl.sync
      const int self = static_cast<int>(i), b = static_cast<int>(l.b & 31);
      const unsigned clamp = l.c & 31, segment = l.c >> 8 & 31;
      const int most = static_cast<int>((i & segment) | (clamp & ~segment)), least = static_cast<int>(i & segment);
      int from = self;
      switch (operation) {
      case warp_operation::shuffle_up: from = self - b, l.flag = from >= most; break;
      case warp_operation::shuffle_down: from = self + b, l.flag = from <= most; break;
      case warp_operation::shuffle_bfly: from = self ^ b, l.flag = from <= most; break;
      default: from = least | (b & ~static_cast<int>(segment)), l.flag = from <= most; break;
      }
      if (!l.flag) from = self;
      // what a lane that takes no part would give is undefined
      l.result = took_part >> from & 1 ? at(warp, static_cast<unsigned>(from)).value : 0xdeadbeef;
    });
    break;
  case warp_operation::vote_ballot: each([&](lane& l, unsigned) { l.result = ballot; }); break;
  case warp_operation::vote_all: each([&](lane& l, unsigned) { l.result = ballot == took_part; }); break;
  case warp_operation::vote_any: each([&](lane& l, unsigned) { l.result = ballot != 0; }); break;
  case warp_operation::vote_uni: each([&](lane& l, unsigned) { l.result = ballot == 0 || ballot == took_part; }); break;
  case warp_operation::match_any:
    each([&](lane& l, unsigned) {
      l.result = 0;
      each([&](lane& other, unsigned j) { l.result |= other.value == l.value ? 1u << j : 0; });
    });
    break;
  case warp_operation::match_all: {
    bool same = true;
    const std::uint64_t first = self_->value;
    each([&](lane& l, unsigned) { same = same && l.value == first; });
    each([&](lane& l, unsigned) { l.flag = same, l.result = same ? took_part : 0; });
    break;
  }
  case warp_operation::reduce_add: reduce(0u, [](unsigned a, unsigned b) { return a + b; }); break;
  case warp_operation::reduce_min: reduce(INT32_MAX, [](int a, int b) { return std::min(a, b); }); break;
  case warp_operation::reduce_max: reduce(INT32_MIN, [](int a, int b) { return std::max(a, b); }); break;
  case warp_operation::reduce_umin: reduce(~0u, [](unsigned a, unsigned b) { return std::min(a, b); }); break;
  case warp_operation::reduce_umax: reduce(0u, [](unsigned a, unsigned b) { return std::max(a, b); }); break;
  case warp_operation::reduce_and: reduce(~0u, [](unsigned a, unsigned b) { return a & b; }); break;
  case warp_operation::reduce_or: reduce(0u, [](unsigned a, unsigned b) { return a | b; }); break;
  case warp_operation::reduce_xor: reduce(0u, [](unsigned a, unsigned b) { return a ^ b; }); break;
  }
  each([](lane& l, unsigned) { l.is = lane::state::ready; });
}

void block::arrive(unsigned id, std::uint32_t count) {
  if (id >= barriers || count > count_ || count % warp_lanes != 0) misuse("barrier");
  barrier_state& b = barriers_[id];
  if (b.arrived > 0 && b.count != count) misuse("barrier with two counts");
  b.count = count;
  ++b.arrived;
  __tsan_release(&b);
  complete_barrier(id);
}

void block::wait_at_barrier(unsigned id, std::uint32_t count, bool predicate) {
  if (id >= barriers) misuse("barrier");
  barrier_state& b = barriers_[id];
  if (b.arrived > 0 && b.count != count) misuse("barrier with two counts");
  lane& l = *self_;
  b.count = count;
  ++b.arrived;
  b.popc += predicate;
  l.barrier = id;
  l.is = lane::state::at_barrier;
  __tsan_release(&b);
  complete_barrier(id);
  if (l.is == lane::state::at_barrier) switch_out();
  __tsan_acquire(&b);
}

void block::complete_barrier(unsigned id) {
  barrier_state& b = barriers_[id];
  const std::uint32_t expected = b.count == 0 ? live_ : b.count;
  if (b.arrived == 0 || b.arrived < expected) return;
  for (unsigned i = 0; i < count_; ++i) {
    lane& l = *lanes_[i];
    if (l.is != lane::state::at_barrier || l.barrier != id) continue;
    l.is = lane::state::ready;
    l.value = b.popc == b.arrived;
    l.b = b.popc > 0;
    l.c = b.popc;
  }
  b = barrier_state{};
}

std::uint32_t block::active_mask(const void* site) {
  lane& l = *self_;
  l.site = site;
  l.is = lane::state::at_activemask;
  active_masks_ = true;
  switch_out();
  return static_cast<std::uint32_t>(l.result);
}

// Every lane has run as far as it could: those of a warp that are at one place are together.
void block::resolve_active_masks() {
  active_masks_ = false;
  for (unsigned warp = 0; warp * warp_lanes < count_; ++warp)
    for (unsigned i = 0; i < lanes_of(warp); ++i) {
      const lane& first = at(warp, i);
      if (first.is != lane::state::at_activemask) continue;
      std::uint32_t together = 0;
      for (unsigned j = i; j < lanes_of(warp); ++j)
        if (at(warp, j).is == lane::state::at_activemask && at(warp, j).site == first.site) together |= 1u << j;
      for (unsigned j = i; j < lanes_of(warp); ++j)
        if (together >> j & 1) {
          at(warp, j).result = together;
          at(warp, j).is = lane::state::ready;
        }
    }
}

// Whoever waits for the others waits for one fewer.
void block::lane_ended(unsigned index) {
  --live_;
  const unsigned warp = index / warp_lanes;
  for (unsigned i = 0; i < lanes_of(warp); ++i) {
    const lane& l = at(warp, i);
    if (l.is == lane::state::in_warp && warp_is_complete(warp, l.operation, l.mask)) {
      lane* const before = self_;
      self_ = &at(warp, i);
      complete_warp(warp, l.operation, l.mask);
      self_ = before;
    }
  }
  for (unsigned id = 0; id < barriers; ++id)
    if (barriers_[id].count == 0) complete_barrier(id);
}

void block::end_lane() {
  self_->is = lane::state::done;
  __tsan_release(&ended_);
  lane_ended(self_->index);
  switch_out();  // for good
  std::abort();
}

void block::fail(block_result why) {
  failed_ = true;
  failure_ = why;
  switch_out();  // for good
  std::abort();
}

void block::misuse(const char* what) {
  char text[160];
  std::snprintf(text, sizeof text, "lane %u misuses %s (a mask without itself, an identifier or count out of range)",
                self_->index, what);
  report(text);
  fail(block_result::trapped);
}

void block::report(const char* headline) {
  std::string text = "simulated device: kernel " + readable(task_->kernel->name) + ", block (" +
                     std::to_string(task_->index.x) + ", " + std::to_string(task_->index.y) + ", " +
                     std::to_string(task_->index.z) + "): " + headline + "\n";
  for (unsigned i = 0; i < count_;) {
    const std::string here = where(*lanes_[i]);
    unsigned j = i + 1;
    while (j < count_ && where(*lanes_[j]) == here) ++j;
    text += "  lane" +
            (j - i == 1 ? " " + std::to_string(i) : "s " + std::to_string(i) + " to " + std::to_string(j - 1)) + ": " +
            here + "\n";
    i = j;
  }
  std::fputs(text.c_str(), stderr);
}

}  // namespace hel_sim
