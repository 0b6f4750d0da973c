// Tickets: something to wait for that exists before what will complete it does.
//
//   hel::ticket_issuer out;                 // movable; one owner
//   hel::ticket t = out.ticket();           // copied freely, and sent to whoever is to wait
//   hel::spawn_after(t, f, a);              // starts once the ticket is complete
//   auto r = co_await t.wait();             // hel::expected<void, hel::error>
//   out.complete();                         // or: out.bind(handle), and the ticket is complete when that task is over
//
// An issuer that goes without either abandons its ticket: who waits gets errc::abandoned, and tasks that were to start
// after it fail with that. bind() refuses with errc::cycle when the task itself, through any number of others, would
// have to wait for the ticket: nothing is bound then, and the ticket is still to be completed.
//
// Tickets and what is spawned after them may be used by any worker; an issuer by one task at a time.
#pragma once

#include "hel/core/spin_lock.hpp"
#include "hel/detail/cancel.hpp"
#include "hel/expected.hpp"
#include "hel/spawn.hpp"

namespace hel {

class ticket {
 public:
  ticket() noexcept = default;
  HEL_HD explicit ticket(detail::ticket_state* shared) noexcept : state_(shared) {}
  HEL_HD ticket(const ticket& o) noexcept : state_(o.state_) {
    if (state_) state_->share();
  }
  HEL_HD ticket(ticket&& o) noexcept : state_(o.state_) { o.state_ = nullptr; }
  HEL_HD ticket& operator=(ticket o) noexcept {
    detail::ticket_state* mine = state_;
    state_ = o.state_;
    o.state_ = mine;
    return *this;
  }
  HEL_HD ~ticket() {
    if (state_) state_->release();
  }

  HEL_HD bool valid() const noexcept { return state_ != nullptr; }
  // Complete or abandoned.
  HEL_HD bool done() const noexcept { return state_->word.done(); }

  class [[nodiscard("co_await it")]] wait_operation {
   public:
    HEL_HD explicit wait_operation(detail::ticket_state * s) noexcept : state_(s) { state_->share(); }
    wait_operation(wait_operation &&) = delete;
    HEL_HD ~wait_operation() { state_->release(); }
    HEL_HD bool await_ready() const noexcept { return state_->word.done(); }
    template <class P>
    HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
      waiter_.handle = h;
      waiter_.home = detail::current_home();
#if !defined(__CUDA_ARCH__)
      if (detail::tasks_recorded) [[unlikely]]
        detail::step_waits(h, wait_kind::ticket, state_);
      if (detail::cancel_state* c = detail::token_of(h)) return cancel_.suspend(c, h, state_->word, waiter_);
#endif
      if (state_->word.try_wait(&waiter_)) return std::noop_coroutine();
      return h;
    }
    HEL_HD expected<void, error> await_resume() noexcept {
      cancel_.end();
      if (state_->failure != 0) return unexpected<error>(error(state_->failure));
      return {};
    }

   private:
    detail::ticket_state* state_;
    detail::waiter waiter_;
    detail::word_cancel cancel_;
  };
  HEL_HD wait_operation wait() const noexcept { return wait_operation(state_); }

  // For the runtime.
  HEL_HD detail::ticket_state* state() const noexcept { return state_; }

 private:
  detail::ticket_state* state_ = nullptr;
};

namespace detail {

// Whether the completion of `wanted` waits, through any number of tasks, for that of `from`. Nothing that is visited
// can go meanwhile: it all waits for `from`, which the caller keeps from completing.
inline bool waits_for(const completion& from, const completion& wanted) noexcept {
  dependency_node end{0, 0};
  dependency_node* found = &end;  // nodes to visit, then those visited; linked, so that nothing is allocated
  dependency_node* all = nullptr;
  const auto visit = [&](const completion& word) {
    for (completion_link* l = word.waiting(); l; l = l->next) {
      if (l->node && !l->node->visit_next) {
        l->node->visit_next = found;
        found = l->node;
      }
    }
  };
  bool result = false;
  visit(from);
  while (found != &end) {
    dependency_node* n = found;
    found = n->visit_next;
    n->visit_next = all ? all : n;  // not null: visited
    all = n;
    if (n->root && !n->record) continue;  // cancelled: nothing waits for it any more
    const completion& next = n->root ? n->record->word : n->ticket->word;
    if (&next == &wanted) result = true;
    if (!result) visit(next);
  }
  for (dependency_node* n = all; n;) {
    dependency_node* next = n->visit_next == n ? nullptr : n->visit_next;
    n->visit_next = nullptr;
    n = next;
  }
  return result;
}

}  // namespace detail

class [[nodiscard("an issuer that goes abandons its ticket")]] ticket_issuer {
 public:
  HEL_HD ticket_issuer() : state_(detail::ticket_state::create()) {}
  HEL_HD ticket_issuer(ticket_issuer && o) noexcept : state_(o.state_) { o.state_ = nullptr; }
  HEL_HD ticket_issuer& operator=(ticket_issuer&& o) noexcept {
    if (this != &o) {
      abandon();
      state_ = o.state_;
      o.state_ = nullptr;
    }
    return *this;
  }
  HEL_HD ~ticket_issuer() { abandon(); }

  // Until the ticket is complete, bound or abandoned.
  HEL_HD bool valid() const noexcept { return state_ != nullptr; }
  HEL_HD hel::ticket ticket() const noexcept {
    state_->share();
    return hel::ticket(state_);
  }

  // Once.
  HEL_HD void complete() noexcept {
    detail::ticket_state* s = state_;
    state_ = nullptr;
    detail::wake_links_later(s->word.complete().first);
    s->release();
  }

  // The ticket is complete when the task is over, however it ends. On the host only so far.
  template <class T>
  HEL_HD expected<void, error> bind(join_handle<T> & task) {
#if defined(__CUDA_ARCH__)
    core::trap("ticket_issuer::bind is not served on the device yet");
#else
    detail::completion& word = task.root()->word;
    detail::dependency_node* n = detail::dependency_node::create(1);
    n->ticket = state_;
    n->left.reset(1);
    {
      // One binding at a time, or two of them could close a cycle that neither sees.
      const core::spin_guard guard(detail::link_list_lock);
      if (detail::waits_for(state_->word, word)) {
        n->destroy();
        return unexpected<error>(errc::cycle);
      }
      if (word.try_wait(n->links())) {
        state_ = nullptr;  // the node's reference now
        return {};
      }
    }
    n->destroy();
    complete();  // the task is over
    return {};
#endif
  }

 private:
  HEL_HD void abandon() noexcept {
    if (!state_) return;
    detail::ticket_state* s = state_;
    state_ = nullptr;
    s->failure = static_cast<std::int32_t>(errc::abandoned);
#if !defined(__CUDA_ARCH__)
    detail::link_list_lock.lock();  // all who wait are to be in the list
#endif
    detail::completion_link* waiting = s->word.complete().first;
#if !defined(__CUDA_ARCH__)
    detail::link_list_lock.unlock();
#endif
    for (detail::completion_link* l = waiting; l; l = l->next) {
      if (l->node) l->node->doom();
    }
    detail::wake_links_later(waiting);
    s->release();
  }

  detail::ticket_state* state_;
};

}  // namespace hel
