#include "hel/exec/timers.hpp"

#include <algorithm>

#include "hel/detail/frame_memory.hpp"
#include "hel/exec/executor.hpp"

namespace hel::exec {

timer_service::~timer_service() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::chrono::nanoseconds timer_service::now() noexcept {
  if (!virtual_time_) return clock::now() - start_;
  const std::lock_guard lock(mutex_);
  return virtual_now_;
}

void timer_service::put(std::size_t place, timer_entry* e) noexcept {
  heap_[place - 1] = e;
  e->place = place;
}

void timer_service::sift_up(std::size_t place, timer_entry* e) noexcept {
  for (; place > 1 && earlier(e, heap_[place / 2 - 1]); place /= 2) put(place, heap_[place / 2 - 1]);
  put(place, e);
}

void timer_service::sift_down(std::size_t place, timer_entry* e) noexcept {
  for (std::size_t child; (child = 2 * place) <= heap_.size(); place = child) {
    if (child < heap_.size() && earlier(heap_[child], heap_[child - 1])) ++child;
    if (!earlier(heap_[child - 1], e)) break;
    put(place, heap_[child - 1]);
  }
  put(place, e);
}

void timer_service::remove(timer_entry& e) noexcept {
  const std::size_t place = e.place;
  e.place = 0;
  timer_entry* last = heap_.back();
  heap_.pop_back();
  if (last == &e) return;
  if (place > 1 && earlier(last, heap_[place / 2 - 1]))
    sift_up(place, last);
  else
    sift_down(place, last);
}

void timer_service::set(timer_entry& e, std::chrono::nanoseconds delay) {
  const std::chrono::nanoseconds at = now();
  // Longer than the clock can count: for ever.
  e.due = (delay > std::chrono::nanoseconds::max() - at ? std::chrono::nanoseconds::max() : at + delay).count();
  const std::lock_guard lock(mutex_);
  e.order = set_++;
  heap_.push_back(&e);
  sift_up(heap_.size(), &e);
  if (virtual_time_) return;
  if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  if (heap_.front() == &e) changed_.notify_one();
}

bool timer_service::cancel(timer_entry& e) noexcept {
  const std::lock_guard lock(mutex_);
  if (e.place == 0) return false;
  remove(e);
  return true;
}

bool timer_service::advance(std::chrono::nanoseconds limit) {
  std::unique_lock lock(mutex_);
  if (heap_.empty() || heap_.front()->due > limit.count()) {
    if (limit != no_limit) virtual_now_ = std::max(virtual_now_, limit);
    return false;
  }
  timer_entry& e = *heap_.front();
  virtual_now_ = std::max(virtual_now_, std::chrono::nanoseconds(e.due));
  remove(e);
  const std::coroutine_handle<> h = e.handle;
  executor* const home = e.home;
  lock.unlock();
  home->schedule(h);
  return true;
}

std::uint64_t timer_service::draw() noexcept {
  const std::lock_guard lock(mutex_);
  return drawn_++;
}

std::uint64_t timer_service::drawn() noexcept {
  const std::lock_guard lock(mutex_);
  return drawn_;
}

std::size_t timer_service::pending() noexcept {
  const std::lock_guard lock(mutex_);
  return heap_.size();
}

void timer_service::serve() {
  detail::register_frame_cache();
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (heap_.empty()) {
      changed_.wait(lock);
      continue;
    }
    timer_entry& e = *heap_.front();
    const std::chrono::nanoseconds left = std::chrono::nanoseconds(e.due) - (clock::now() - start_);
    if (left.count() > 0) {
      // In steps, as the sum of now and a time-out for ever would overflow.
      const auto step = std::min<std::chrono::nanoseconds>(left, std::chrono::hours(1));
      changed_.wait_for(lock, step);
      continue;
    }
    remove(e);
    const std::coroutine_handle<> h = e.handle;
    executor* const home = e.home;
    lock.unlock();
    home->schedule(h);  // *e may be gone from now on
    lock.lock();
  }
}

}  // namespace hel::exec
