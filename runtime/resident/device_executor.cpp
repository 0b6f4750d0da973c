#include "device_executor.hpp"

#include <cstring>
#include <new>
#include <set>
#include <stdexcept>

#include "hel/detail/frame_memory.hpp"
#include "hel/exec/host_calls.hpp"

static_assert(hel::abi::device_launch::largest_frame == hel::core::frame_store::largest_block);

namespace hel::exec {
namespace {

using links = core::atomic<std::uint32_t>;
using waits = core::atomic<std::uintptr_t>;

constexpr unsigned most_threads_per_block = 256;  // of the kernel (hel/cuda/device_context.hpp)
constexpr std::size_t least_frame_memory = 1u << 20, most_frame_memory = std::size_t{32} << 30;

void check(const cuda& s) {
  const auto refuse = [](const std::string& what) { throw std::invalid_argument("hel::cuda::" + what); };
  if (s.threads_per_block == 0 || s.threads_per_block % 32 != 0 || s.threads_per_block > most_threads_per_block)
    refuse("threads_per_block=" + std::to_string(s.threads_per_block) + ": expected a multiple of 32, up to " +
           std::to_string(most_threads_per_block));
  if (s.frame_memory < least_frame_memory || s.frame_memory > most_frame_memory)
    refuse("frame_memory=" + std::to_string(s.frame_memory) + ": expected 1 MiB to 32 GiB");
  if (s.host_threads == 0 || s.host_threads > 4096)
    refuse("host_threads=" + std::to_string(s.host_threads) + ": expected 1 to 4096");
  if (s.watchdog.count() < 0) refuse("watchdog: expected 0 or more");
  if (s.host_watchdog.count() < 0) refuse("host_watchdog: expected 0 or more");
}

// A second kernel on a device would wait for the first one to end.
class devices_in_use {
 public:
  static void enter(int device) {
    const std::lock_guard lock(mutex());
    if (!all().insert(device).second)
      throw device_error("hel::cuda: device " + std::to_string(device) + " has a hel::runtime already");
  }
  static void leave(int device) noexcept {
    const std::lock_guard lock(mutex());
    all().erase(device);
  }

 private:
  static std::mutex& mutex() {
    static std::mutex m;
    return m;
  }
  static std::set<int>& all() {
    static std::set<int> s;
    return s;
  }
};

}  // namespace

struct device_executor::bridge {
  bridge(const resident::shape& s, unsigned char* shared)
      : shape(s), links_memory(new links[s.submissions.all()]), waits_memory(new waits[s.submissions.all()]),
        control(reinterpret_cast<resident::control*>(shared)),
        launches(core::rpc_memory(shared + submissions_at(), s.submissions), links_memory.get(), waits_memory.get()),
        calls(core::rpc_memory(shared + calls_at(s), s.calls)) {}

  static constexpr std::size_t submissions_at() { return (sizeof(resident::control) + 255) / 256 * 256; }
  static std::size_t calls_at(const resident::shape& s) {
    return (submissions_at() + s.submissions.bytes() + 255) / 256 * 256;
  }
  static std::size_t bytes(const resident::shape& s) { return calls_at(s) + s.calls.bytes(); }

  const resident::shape shape;
  const std::unique_ptr<links[]> links_memory;
  const std::unique_ptr<waits[]> waits_memory;
  resident::control* const control;
  client launches;
  core::rpc_server calls;
};

device_executor::device_executor(const cuda& settings, const device_program_entry& entry)
    : settings_(settings), key_(entry.key), device_(settings.device) {
  check(settings);
  devices_in_use::enter(device_);
  try {
    session_ = entry.program->open(device_);
    const unsigned most = session_->most_blocks(settings.threads_per_block);
    const unsigned blocks = settings.blocks != 0 ? settings.blocks : most;
    if (blocks == 0 || blocks > most)
      throw std::invalid_argument("hel::cuda::blocks=" + std::to_string(blocks) + ": the device holds " +
                                  std::to_string(most) + " of " + std::to_string(settings.threads_per_block) +
                                  " threads at a time");
    warps_ = blocks * (settings.threads_per_block / 32);
    if (warps_ < 2) throw std::invalid_argument("hel::cuda: one warp serves, so at least two are needed");
    resident::shape shape;
    shape.frame_bytes = settings.frame_memory / core::frame_store::slab_bytes * core::frame_store::slab_bytes;
    shape.warps = warps_;
    const device_session::shared shared = session_->allocate_shared(bridge::bytes(shape));
    auto* const there = static_cast<unsigned char*>(shared.device);
    resident::arguments a;
    a.shape = shape;
    a.memory = session_->allocate(resident::layout(shape).bytes());
    a.host = reinterpret_cast<resident::control*>(there);
    a.submissions = there + bridge::submissions_at();
    a.calls = there + bridge::calls_at(shape);
    bridge_ = std::make_unique<bridge>(shape, static_cast<unsigned char*>(shared.host));
    session_->start(a, blocks, settings.threads_per_block);
  } catch (...) {
    session_.reset();
    devices_in_use::leave(device_);
    throw;
  }
  looked_ = went_on_ = clock::now();
  servers_ = std::make_unique<host_servers>(settings.host_threads, bridge_->calls, host_calls());
  poller_ = std::thread([this] { poll(); });
}

device_executor::~device_executor() {
  end_timers();
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  poller_.join();
  // After a failure a function may never return.
  if (!servers_->stop(failed_ ? std::chrono::nanoseconds(200'000'000) : std::chrono::nanoseconds::max()))
    session_->abandon();  // the slot of its call stays
  end_kernel();
  give_up_launches();
  devices_in_use::leave(device_);
}

// Those of a device that has failed; there are none otherwise.
void device_executor::give_up_launches() noexcept {
  detail::register_frame_cache();
  constexpr std::uintptr_t no_request = 4;  // below are the words of rpc_client
  for (std::uint32_t slot = 0; slot < bridge_->shape.submissions.all(); ++slot) {
    const std::uintptr_t waits = bridge_->waits_memory[slot].exchange_acq_rel(0);
    if (waits < no_request) continue;
    auto* const r = reinterpret_cast<device_request*>(waits);
    r->answered(r, nullptr, errc::device);
  }
}

// After the last task, or after a failure: then the kernel may never end.
void device_executor::end_kernel() noexcept {
  bridge_->control->stop.store_release(1);
  const auto deadline = clock::now() + (failed_ ? std::chrono::seconds(2) : std::chrono::seconds(30));
  try {
    while (!session_->over()) {
      if (clock::now() > deadline) {
        std::fprintf(stderr, "hel: the resident kernel does not end; its memory is left to it\n");
        session_->abandon();
        return;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  } catch (const device_error& e) {
    if (!failed_) std::fprintf(stderr, "%s\n", e.what());
  }
}

void device_executor::submit(const abi::device_launch& launch, const resident::launch_message& result,
                             device_request* r) {
  if (launch.program() != key_)
    abi::device_launch::refuse(nullptr, "it is in another file than the runtime's device part");
  resident::launch_message m = result;
  m.frame_bytes = launch.bytes();
  m.promise_offset = launch.promise_offset();
  const std::size_t there = sizeof m + m.frame_bytes;
  const std::size_t bytes = there < m.value_bytes ? m.value_bytes : there;
  if (bytes > core::rpc_largest_payload) abi::device_launch::refuse(nullptr, "its result is larger than 64 KiB");
  client& launches = bridge_->launches;
  std::uint32_t slot;
  for (core::backoff wait;; wait.pause()) {
    check_device();
    slot = launches.claim(bytes);
    if (slot != client::none) break;
    // All slots are under way: whoever launches waits.
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
  core::rpc_header& h = launches.header(slot);
  h.function = 0;
  h.flags = 0;
  h.argument_bytes = static_cast<std::uint32_t>(there);
  h.result_bytes = m.value_bytes;
  auto* const payload = static_cast<unsigned char*>(launches.payload(slot));
  std::memcpy(payload, &m, sizeof m);
  std::memcpy(payload + sizeof m, launch.frame(), m.frame_bytes);
  launches.submit(slot, r);
  changed_.notify_one();  // lost now and then: the poller looks by itself
}

bool device_executor::take_answers() noexcept {
  client& launches = bridge_->launches;
  bool any = false;
  for (client::answer a; (a = launches.next_answer()).slot != client::none; any = true) {
    const core::rpc_header& h = launches.header(a.slot);
    error failed(h.error);
    if (h.flags != 0) failed.attempts = h.flags;
    a.waiter->answered(a.waiter, launches.payload(a.slot), failed);
    launches.release(a.slot);
  }
  return any;
}

bool device_executor::take_calls() noexcept {
  bool any = false;
  for (std::uint32_t slot; (slot = bridge_->calls.next()) != core::rpc_server::none; any = true) servers_->run(slot);
  return any;
}

void device_executor::poll() noexcept {
  detail::register_frame_cache();
  unsigned looks = 0;
  auto pause = std::chrono::microseconds(20);
  for (;;) {
    const bool answers = take_answers(), calls = take_calls();
    if (answers || calls) {
      looks = 0;
      pause = std::chrono::microseconds(20);
      continue;
    }
    look_after();
    // A round trip takes some ten microseconds: about as long it is worth looking all the time.
    if (++looks < 200) {
      std::this_thread::yield();
      continue;
    }
    std::unique_lock lock(mutex_);
    if (stopping_) return;
    changed_.wait_for(lock, pause);
    const auto longest =
        launched_.load_relaxed() != 0 ? std::chrono::microseconds(200) : std::chrono::microseconds(2000);
    pause = pause * 2 < longest ? pause * 2 : longest;
  }
}

void device_executor::look_after() noexcept {
  const auto now = clock::now();
  if (now - looked_ < std::chrono::milliseconds(5)) return;
  looked_ = now;
  try {
    if (session_->over()) return fail("hel::cuda: the resident kernel has ended by itself");
  } catch (const device_error& e) {
    return fail(e.what());
  }
  const resident::control& c = *bridge_->control;
  const host_servers::load host = servers_->under_way();
  if (settings_.host_watchdog.count() != 0 && host.oldest >= settings_.host_watchdog)
    return fail("hel::cuda: host_watchdog: a host function has not answered for " +
                std::to_string(settings_.host_watchdog.count()) + " ms");
  const std::uint64_t resumed = c.resumed.load_relaxed();
  if (resumed != resumed_ || launched_.load_relaxed() == 0) {
    resumed_ = resumed;
    went_on_ = now;
    return;
  }
  if (host.calls != 0) went_on_ = now;  // a host function that takes its time; its answer is given some, too
  if (settings_.watchdog.count() == 0 || now - went_on_ < settings_.watchdog) return;
  const std::string time = std::to_string(settings_.watchdog.count()) + " ms";
  const std::uint64_t alive = c.roots.load_relaxed() - c.over.load_relaxed();
  if (c.started.load_relaxed() == 0)
    fail("hel::cuda: the resident kernel has not begun within " + time + ": another kernel may hold the device");
  else if (c.busy.load_relaxed() != 0)
    fail("hel::cuda: watchdog: on " + std::to_string(c.busy.load_relaxed()) + " warps a task has run for " + time +
         " without a suspension, and no other went on meanwhile");
  else
    fail("hel::cuda: watchdog: none of " + std::to_string(alive) + " tasks has been ready for " + time +
         ": they wait for each other, or for what never happens");
}

void device_executor::fail(std::string what) noexcept {
  const std::lock_guard lock(mutex_);
  if (!failed_ && !stopping_) failed_ = std::move(what);
}

void device_executor::check_device() {
  const std::lock_guard lock(mutex_);
  if (failed_) throw device_error(*failed_);
}

void device_executor::wait(host_event& event) {
  while (!event.wait_for(std::chrono::milliseconds(50))) check_device();
}

bool device_executor::wait_for(host_event& event, std::chrono::nanoseconds time) {
  const clock::time_point now = clock::now();
  const auto most = clock::time_point::max() - now;
  const clock::time_point end = time < most ? now + time : clock::time_point::max();
  for (;;) {
    const std::chrono::nanoseconds left = end - clock::now();
    const std::chrono::nanoseconds part = std::chrono::milliseconds(50);
    if (event.wait_for(left < part ? left : part)) return true;
    check_device();
    if (clock::now() >= end) return false;
  }
}

// The launches first, whose outcomes have arrived then, afterwards what they have spawned and left.
void device_executor::drain() {
  resident::control& c = *bridge_->control;
  auto pause = std::chrono::microseconds(10);
  const auto rest = [&] {
    check_device();
    std::this_thread::sleep_for(pause);
    if (pause < std::chrono::milliseconds(1)) pause *= 2;
  };
  for (;;) {
    while (launched_.load_acquire() != 0) rest();
    std::uint32_t question;
    {
      const std::lock_guard lock(mutex_);
      question = c.drain.load_relaxed() + 1;
      c.drain.store_release(question);
    }
    while (static_cast<std::int32_t>(c.drained.load_acquire() - question) < 0) rest();
    if (launched_.load_acquire() == 0) return;
  }
}

void* device_executor::allocate_shared(std::size_t) {
  throw std::logic_error("hel::cuda: hel::buffer is for the CPU only today");
}

statistics device_executor::stats() {
  const resident::control& c = *bridge_->control;
  statistics s;
  s.over = c.over.load_relaxed();
  s.started = c.roots.load_relaxed();
  s.resumed = c.resumed.load_relaxed();
  s.workers = warps_ - 1;
  return s;
}

}  // namespace hel::exec
