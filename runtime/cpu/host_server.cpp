#include "host_server.hpp"

#include "hel/detail/frame_memory.hpp"
#include "hel/exec/asymmetric_fence.hpp"

namespace hel::exec {

host_server::host_server(std::shared_ptr<host_calls> calls, executor& home, unsigned threads)
    : state_(std::make_shared<state>(std::move(calls))) {
  threads_.reserve(threads);
  for (unsigned i = 0; i < threads; ++i) {
    threads_.push_back(std::make_shared<server_thread>());
    threads_.back()->thread = std::thread(serve, state_, threads_.back(), std::ref(home));
  }
}

host_server::~host_server() {
  state_->stopping.store_release(1);
  state_->wake.release(static_cast<std::ptrdiff_t>(threads_.size()));
  const auto deadline = std::chrono::steady_clock::now() + patience;
  for (const auto& t : threads_) end(*t, deadline);
}

void host_server::end(server_thread& t, std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    std::uint32_t found = idle;
    if (t.now.cas_acq_rel(found, leaving)) return t.thread.join();
    found = serving;
    if (std::chrono::steady_clock::now() >= deadline && t.now.cas_acq_rel(found, orphaned)) return t.thread.detach();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

// Each sleeper is woken once, by whoever took it from the count: the submitters that follow have nothing to do while it
// wakes up.
void host_server::wake(state& s) noexcept {
  std::uint32_t n = s.sleeping.load_relaxed();
  while (n != 0) {
    if (!s.sleeping.cas_relaxed(n, n - 1)) continue;
    s.wake.release();
    return;
  }
}

// False: the runtime has gone meanwhile.
bool host_server::serve_one(state& s, server_thread& me, executor& home, std::uint32_t slot) {
  host_calls& calls = *s.calls;
  core::rpc_server& server = calls.server();
  const std::uint32_t next = server.peek();
  if (next != core::rpc_server::none) __builtin_prefetch(&server.header(next));
  if ((server.header(slot).flags & host_calls::may_be_abandoned) == 0) {
    server.answer(slot, calls.run(slot));
  } else {
    std::uint32_t found = idle;
    if (!me.now.cas_acq_rel(found, serving)) return false;  // every caller has gone
    const std::int32_t error = calls.run(slot);
    found = serving;
    // From here on the destructor waits for this thread; or it has given up, and `home` is gone.
    if (!me.now.cas_acq_rel(found, idle)) return false;
    server.answer(slot, error);
  }
  home.published();
  return true;
}

void host_server::serve(std::shared_ptr<state> s, std::shared_ptr<server_thread> me, executor& home) {
  // Waking a sleeper costs more than most calls, so a server looks around for about as long before it sleeps.
  constexpr unsigned looks_before_sleep = 60;
  detail::register_frame_cache();
  core::rpc_server& server = s->calls->server();
  unsigned looks = 0;
  core::backoff pause;
  for (;;) {
    std::uint32_t slot = server.next();
    if (slot == core::rpc_server::none) {
      if (s->stopping.load_acquire() != 0) return;
      if (++looks < looks_before_sleep) {
        pause.pause();
        continue;
      }
      std::uint32_t n = s->sleeping.load_relaxed();
      while (!s->sleeping.cas_relaxed(n, n + 1)) {
      }
      heavy_fence();  // see notify()
      slot = server.next();
      if (slot == core::rpc_server::none) {
        s->wake.acquire();  // also released by the destructor
      } else {
        // Not asleep after all: back out of the count, unless somebody has taken this thread from it.
        n = s->sleeping.load_relaxed();
        bool counted = true;
        do counted = n != 0;
        while (counted && !s->sleeping.cas_relaxed(n, n - 1));
        if (!counted) s->wake.acquire();
      }
    }
    looks = 0;
    pause = {};
    if (slot != core::rpc_server::none && !serve_one(*s, *me, home, slot)) return;
  }
}

}  // namespace hel::exec
