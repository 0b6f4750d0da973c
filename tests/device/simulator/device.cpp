#include "device.hpp"

#include <cuda_runtime_api.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "settings.hpp"

namespace hel_sim {
namespace {

module* modules = nullptr;

// Ends a process that hangs, and says where.
void watch() {
  using namespace std::chrono;
  const unsigned limit = configured().timeout;
  if (limit == 0) return;
  std::this_thread::sleep_for(seconds(limit));
  std::string text = "simulated device: the process has not ended within " + std::to_string(limit) + " s\n";
  {
    auto& s = simulator();
    std::unique_lock lock(s.mutex, std::defer_lock);
    for (int i = 0; i < 100 && !lock.try_lock(); ++i) std::this_thread::sleep_for(milliseconds(10));
    if (lock.owns_lock()) {
      for (const auto& w : s.waiting) text += "  a thread of the host waits in " + w + "\n";
      for (std::size_t i = 0; i < s.devices.size(); ++i)
        text += "  device " + std::to_string(i) + ": " + s.devices[i]->describe() + "\n";
    }
  }
  std::fputs(text.c_str(), stderr);
  reports_wanted.fetch_add(1);
  std::this_thread::sleep_for(milliseconds(500));
  std::fflush(nullptr);
  ::_exit(124);
}

// Kernels that run when the process ends are stopped, as on a device.
void stop_devices() {
  auto& s = simulator();
  {
    const std::lock_guard lock(s.mutex);
    s.ending = true;
    for (auto& d : s.devices) d->stop.store(true);
    s.changed.notify_all();
  }
  // The threads leave their blocks at the next operation that lets others run; a lane that loops without is left alone.
  for (int i = 0; i < 200; ++i) {
    {
      const std::lock_guard lock(s.mutex);
      if (std::none_of(s.devices.begin(), s.devices.end(), [](auto& d) { return d->running_kernels(); })) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

int error_of(block_result r) {
  switch (r) {
  case block_result::asserted: return cudaErrorAssert;
  case block_result::deadlocked: return cudaErrorLaunchTimeout;
  default: return cudaErrorLaunchFailure;
  }
}

}  // namespace

unsigned multiprocessors() { return configured().multiprocessors; }

const module* first_module() { return modules; }

const module* find_module(const char* id) {
  for (const module* m = modules; m; m = m->next)
    if (std::string(m->id) == id) return m;
  return nullptr;
}

std::uint64_t now_ns() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
}

shared_state& simulator() {
  // Never destroyed: threads of the device may still look at it.
  static shared_state* const s = [] {
    auto* made = new shared_state;
    for (unsigned i = 0; i < configured().devices; ++i) made->devices.push_back(std::make_unique<device>());
    return made;
  }();
  return *s;
}

std::pair<const std::uintptr_t, allocation>* shared_state::find(const void* p) {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  auto i = allocations.upper_bound(at);
  if (i == allocations.begin()) return nullptr;
  --i;
  return at < i->first + std::max<std::size_t>(i->second.bytes, 1) ? &*i : nullptr;
}

void wait(std::unique_lock<std::mutex>& lock, device& d, std::string what, const std::function<bool()>& done) {
  auto& s = simulator();
  s.waiting.push_back(std::move(what));
  const std::string mine = s.waiting.back();
  s.changed.wait(lock, [&] { return d.error.load() != 0 || done(); });
  s.waiting.erase(std::find(s.waiting.begin(), s.waiting.end(), mine));
}

device::device() {
  streams_.push_back(std::make_unique<stream>());
  streams_.front()->is_default = true;
}

stream* device::create_stream(bool non_blocking) {
  streams_.push_back(std::make_unique<stream>());
  streams_.back()->non_blocking = non_blocking;
  return streams_.back().get();
}

void device::destroy_stream(stream* s) {
  for (auto i = streams_.begin(); i != streams_.end(); ++i)
    if (i->get() == s) {
      if (s->queue.empty())
        streams_.erase(i);
      else
        s->leaving = true;  // the engine takes it away
      return;
    }
}

bool device::idle() const {
  return std::all_of(streams_.begin(), streams_.end(), [](const auto& s) { return s->queue.empty(); });
}

bool device::kernels_pending() const {
  return std::any_of(streams_.begin(), streams_.end(), [&](const auto& s) {
    if (s->queue.empty()) return false;
    const operation& o = *s->queue.front();
    return o.launch && (o.started || may_start(*s, o));
  });
}

void device::enqueue(stream& s, std::shared_ptr<operation> o) {
  if (!threads_) {
    threads_ = true;
    static std::once_flag once;
    std::call_once(once, [] {
      std::atexit(stop_devices);
      std::thread(watch).detach();
    });
    std::thread([this] { engine(); }).detach();
    const unsigned slots = configured().multiprocessors * configured().blocks;
    for (unsigned i = 0; i < slots; ++i) std::thread([this, i] { worker(i); }).detach();
  }
  o->sequence = ++simulator().sequence;
  s.queue.push_back(std::move(o));
  simulator().changed.notify_all();
}

bool device::may_start(const stream& s, const operation& o) const {
  if (o.ready && !o.ready()) return false;
  if (s.non_blocking) return true;
  for (const auto& other : streams_) {
    if (other.get() == &s || other->non_blocking || other->queue.empty()) continue;
    // the default stream waits for all, all wait for it
    if ((s.is_default || other->is_default) && other->queue.front()->sequence < o.sequence) return false;
  }
  return true;
}

void device::engine() {
  auto& shared = simulator();
  std::unique_lock lock(shared.mutex);
  for (;;) {
    if (shared.ending) return;
    bool progress = false;
    streams_.remove_if([](const auto& s) { return s->leaving && s->queue.empty(); });
    for (auto& s : streams_) {
      if (s->queue.empty()) continue;
      const std::shared_ptr<operation> o = s->queue.front();
      if (error.load() != 0 && !o->started) {  // nothing runs on a device that has failed
        s->queue.pop_front();
        progress = true;
        break;
      }
      if (o->started || !may_start(*s, *o)) continue;
      o->started = true;
      progress = true;
      if (o->launch) {
        active_.push_back(o->launch);
      } else {
        stream* const mine = s.get();
        lock.unlock();
        o->action();
        lock.lock();
        mine->queue.pop_front();
        break;  // the streams may have changed
      }
    }
    if (progress)
      shared.changed.notify_all();
    else
      shared.changed.wait(lock);
  }
}

void device::finish(const std::shared_ptr<hel_sim::launch>& l) {
  active_.remove(l);
  for (auto& s : streams_)
    if (!s->queue.empty() && s->queue.front()->launch == l) {
      s->queue.pop_front();
      return;
    }
}

void device::fail(int e) {
  int none = 0;
  error.compare_exchange_strong(none, e);
  stop.store(true);
}

void device::worker(unsigned index) {
  auto& shared = simulator();
  block mine;
  std::unique_lock lock(shared.mutex);
  for (;;) {
    std::shared_ptr<hel_sim::launch> l;
    for (const auto& a : active_) {
      const bool stopped = stop.load();
      if (stopped && a->running == 0) {
        l = a;
        break;
      }
      if (!stopped && a->begun < a->grid.count() && a->running < a->resident) {
        l = a;
        break;
      }
    }
    if (!l) {
      if (shared.ending) return;
      shared.changed.wait(lock);
      continue;
    }
    if (stop.load() || l->fault != 0) {
      if (l->fault != 0) fail(l->fault);
      finish(l);
      shared.changed.notify_all();
      continue;
    }
    const std::uint64_t n = l->begun++;
    ++l->running;
    const extent where{static_cast<unsigned>(n % l->grid.x), static_cast<unsigned>(n / l->grid.x % l->grid.y),
                       static_cast<unsigned>(n / l->grid.x / l->grid.y)};
    const block_task task{l->kernel,
                          l->module,
                          l->grid,
                          l->block,
                          where,
                          l->dynamic_shared,
                          l->parameters.data(),
                          index / configured().blocks,
                          index,
                          &stop};
    lock.unlock();
    const block_result result = mine.run(task);
    lock.lock();
    --l->running;
    ++l->ended;
    if (result != block_result::finished && result != block_result::stopped) fail(error_of(result));
    if (l->running == 0 && (l->ended == l->grid.count() || stop.load())) finish(l);
    shared.changed.notify_all();
  }
}

std::string device::describe() const {
  std::string text;
  for (const auto& a : active_)
    text += readable(a->kernel->name) + " runs: " + std::to_string(a->running) + " blocks of " +
            std::to_string(a->grid.count()) + " run, " + std::to_string(a->ended) + " have ended, " +
            std::to_string(a->resident) + " fit; ";
  for (const auto& s : streams_)
    if (!s->queue.empty())
      text += std::string(s->is_default ? "default stream" : "stream") + ": " + std::to_string(s->queue.size()) +
              " operations, first " + s->queue.front()->what + (s->queue.front()->started ? " (begun); " : "; ");
  return text.empty() ? "idle" : text;
}

}  // namespace hel_sim

extern "C" void hel_sim_register(hel_sim::module* m) {
  if (m->version != 1) {
    std::fprintf(stderr, "simulated device: a module of another version of retarget.py\n");
    std::abort();
  }
  m->next = hel_sim::modules;
  hel_sim::modules = m;
}
