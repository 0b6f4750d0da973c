#include "host_servers.hpp"

#include "hel/exec/host_calls.hpp"

namespace hel::exec {

struct host_servers::shared {
  explicit shared(unsigned threads, core::rpc_server& c, const host_calls& f)
      : since(threads), calls(&c), functions(f) {}

  std::mutex mutex;  // of all that is below
  std::condition_variable changed;
  std::condition_variable ended;
  std::deque<std::uint32_t> queue;
  std::vector<clock::time_point> since;  // when a thread's function began; zero: it runs none
  std::size_t not_answered = 0;
  std::size_t running = 0;  // threads
  bool stopping = false;
  core::rpc_server* calls;  // null: the runtime is gone
  const host_calls& functions;
};

host_servers::host_servers(unsigned threads, core::rpc_server& calls, const host_calls& functions)
    : shared_(std::make_shared<shared>(threads, calls, functions)) {
  const std::lock_guard lock(shared_->mutex);  // none ends before it is counted
  for (std::size_t i = 0; i < threads; ++i) {
    threads_.emplace_back([s = shared_, i] { serve(s, i); });
    ++shared_->running;
  }
}

void host_servers::run(std::uint32_t slot) {
  const std::lock_guard lock(shared_->mutex);
  shared_->queue.push_back(slot);
  ++shared_->not_answered;
  shared_->changed.notify_one();
}

host_servers::load host_servers::under_way() const {
  const std::lock_guard lock(shared_->mutex);
  load all{shared_->not_answered, {}};
  const auto now = clock::now();
  for (const clock::time_point t : shared_->since)
    if (t != clock::time_point() && now - t > all.oldest) all.oldest = now - t;
  return all;
}

void host_servers::serve(const std::shared_ptr<shared>& s, std::size_t own) noexcept {
  std::unique_lock lock(s->mutex);
  for (;;) {
    s->changed.wait(lock, [&] { return s->stopping || !s->queue.empty(); });
    if (s->queue.empty() || !s->calls) break;
    const std::uint32_t slot = s->queue.front();
    s->queue.pop_front();
    const core::rpc_header& header = s->calls->header(slot);
    void* const payload = s->calls->payload(slot);
    s->since[own] = clock::now();
    lock.unlock();
    const std::int32_t error = s->functions.run(header, payload);
    lock.lock();
    s->since[own] = {};
    if (!s->calls) break;
    s->calls->answer(slot, error);
    --s->not_answered;
  }
  --s->running;
  s->ended.notify_all();
}

bool host_servers::stop(std::chrono::nanoseconds patience) {
  if (threads_.empty()) return true;
  bool all = true;
  {
    std::unique_lock lock(shared_->mutex);
    shared_->stopping = true;
    shared_->changed.notify_all();
    const auto over = [&] { return shared_->running == 0; };
    if (patience == std::chrono::nanoseconds::max())
      shared_->ended.wait(lock, over);
    else
      all = shared_->ended.wait_for(lock, patience, over);
    if (!all) shared_->calls = nullptr;
  }
  for (std::thread& t : threads_) {
    if (all)
      t.join();
    else
      t.detach();
  }
  threads_.clear();
  return all;
}

}  // namespace hel::exec
