// hel::event: something that happens once, and any number of tasks that wait for it.
//
//   hel::event ready;
//   co_await ready.wait();             // suspends until set() was called; at once if it was
//   ready.set();                       // from a task or any other thread; what was written before is seen by who waits
//   hel::spawn_after(ready, f, a);     // an event is a dependency, too
//
// The event outlives all who wait for it; an event that goes without having been set abandons what is to be spawned
// after it, as a ticket does. After reset() it can be set again; whoever waits at a reset goes on waiting.
#pragma once

#include "hel/detail/cancel.hpp"

namespace hel {

class event {
 public:
  event() noexcept = default;
  event(const event&) = delete;
  event& operator=(const event&) = delete;
  HEL_HD ~event() {
    if (word_.waiting()) [[unlikely]]
      abandon(word_);
  }

  HEL_HD void set() noexcept { detail::wake_links_later(word_.complete().first); }
  HEL_HD bool is_set() const noexcept { return word_.done(); }
  HEL_HD void reset() noexcept { word_.reset(); }

  class [[nodiscard("co_await it")]] wait_operation {
   public:
    HEL_HD explicit wait_operation(event & e) noexcept : event_(e) {}
    wait_operation(wait_operation &&) = delete;
    HEL_HD bool await_ready() const noexcept { return event_.is_set(); }
    template <class P>
    HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
      waiter_.handle = h;
      waiter_.home = detail::current_home();
#if !defined(__CUDA_ARCH__)
      if (detail::tasks_recorded) [[unlikely]]
        detail::step_waits(h, wait_kind::event, &event_);
      if (detail::cancel_state* c = detail::token_of(h)) return cancel_.suspend(c, h, event_.word_, waiter_);
#endif
      if (event_.word_.try_wait(&waiter_)) return std::noop_coroutine();
      return h;
    }
    HEL_HD void await_resume() noexcept { cancel_.end(); }

   private:
    event& event_;
    detail::waiter waiter_;
    detail::word_cancel cancel_;
  };

  HEL_HD wait_operation wait() noexcept { return wait_operation(*this); }

  // For the runtime.
  HEL_HD detail::completion& word() noexcept { return word_; }

 private:
  // Cancelled tasks have left their edges here, too.
  HEL_COLD_NOEXCEPT HEL_HD static void abandon(detail::completion& word) noexcept {
    detail::completion_link* edges = nullptr;
    for (detail::completion_link* l = word.complete().first; l;) {
      detail::completion_link* const next = l->next;
      if (l->node) {
        l->node->doom();
        l->next = edges;
        edges = l;
      }
      l = next;
    }
    detail::wake_links_later(edges);
  }

  detail::completion word_;
};

}  // namespace hel
