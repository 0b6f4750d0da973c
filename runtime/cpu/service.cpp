#include "hel/service.hpp"

#include <stdexcept>

namespace hel::detail {

service_base::service_base(exec::executor& home, service_options o)
    : home_(home), capacity_(o.capacity), most_active_(o.concurrent ? o.capacity : 1) {
  if (o.capacity == 0) throw std::invalid_argument("hel::service_options::capacity=0: at least 1 is expected");
}

void service_base::list::push(service_request& r) noexcept {
  r.next = nullptr;
  if (last)
    last->next = &r;
  else
    first = &r;
  last = &r;
  ++size;
}

service_request* service_base::list::pop() noexcept {
  service_request* r = first;
  if (!r) return nullptr;
  first = r->next;
  if (!first) last = nullptr;
  --size;
  return r;
}

bool service_base::list::remove(service_request& r) noexcept {
  service_request* before = nullptr;
  for (service_request* at = first; at; before = at, at = at->next) {
    if (at != &r) continue;
    (before ? before->next : first) = r.next;
    if (last == &r) last = before;
    --size;
    return true;
  }
  return false;
}

bool service_base::withdraw(service_request& r) noexcept {
  std::coroutine_handle<> poster;
  exec::executor* poster_home = nullptr;
  {
    const core::spin_guard guard(lock_);
    if (outside_.remove(r)) return true;
    if (!mailbox_.remove(r)) return false;
    if (service_request* admitted = outside_.pop()) {
      poster = admitted->poster;
      poster_home = admitted->poster_home;
      mailbox_.push(*admitted);
    }
  }
  if (poster) poster_home->schedule(poster);
  return true;
}

bool service_base::accept(service_request& r, bool wait_outside) noexcept {
  {
    const core::spin_guard guard(lock_);
    if (active_ == most_active_) {
      if (mailbox_.size < capacity_) {
        mailbox_.push(r);
        return true;
      }
      if (wait_outside) outside_.push(r);
      return false;
    }
    ++active_;
  }
  begin(r);
  return true;
}

void service_base::call(service_request& r) noexcept { accept(r, true); }

bool service_base::post(service_request& r) noexcept { return accept(r, static_cast<bool>(r.poster)); }

void service_base::handled() noexcept {
  service_request* next = nullptr;
  std::coroutine_handle<> poster;
  exec::executor* poster_home = nullptr;
  {
    const core::spin_guard guard(lock_);
    next = mailbox_.pop();
    if (!next) --active_;
    if (service_request* admitted = outside_.pop()) {
      poster = admitted->poster;
      poster_home = admitted->poster_home;
      mailbox_.push(*admitted);
    }
  }
  if (poster) poster_home->schedule(poster);
  if (next) begin(*next);
}

statistics::service service_base::depth() noexcept {
  const core::spin_guard guard(lock_);
  return {mailbox_.size + outside_.size, active_, capacity_};
}

bool service_base::in_cycle(const service_request* caller) const noexcept {
  for (; caller; caller = caller->caller)
    if (caller->service == this && most_active_ == 1) return true;
  return false;
}

}  // namespace hel::detail
