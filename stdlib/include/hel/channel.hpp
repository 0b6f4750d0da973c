// hel::channel<T>: a bounded queue between tasks.
//
//   hel::channel<int> ch(8);                 // at most 8 values inside; 0: a rendezvous
//   bool sent = co_await ch.send(42);        // suspends while full; false: the channel is closed, the value is dropped
//   auto v = co_await ch.receive();          // suspends while empty; hel::expected<int, hel::error>, errc::closed at
//                                            // the end: if (!v) break; use(*v);
//   ch.close();                              // receivers get what is inside, then errc::closed
//
// Any number of senders and receivers, of any runtime. First come, first served. T is nothrow movable. The channel must
// outlive its users and be destroyed with nobody waiting in it. In a task on the device its slots come from the frame
// pool: capacity * sizeof(T) is limited to 16 KiB.
#pragma once

#include <coroutine>
#include <new>
#include <type_traits>
#include <utility>

#include "hel/core/channel_core.hpp"
#include "hel/detail/cancel.hpp"
#if !defined(__CUDACC__)
#  include "hel/exec/biased_lock.hpp"
#endif
#include "hel/expected.hpp"

namespace hel {

template <class T>
class channel {
  static_assert(std::is_nothrow_move_constructible_v<T>, "moving a value must not throw: it happens under a lock");
  static_assert(alignof(T) <= 16);

  struct party : core::channel_party {
    std::coroutine_handle<> waiting;
    exec::executor* home = nullptr;
  };
  struct sender : party {
    T* value;
  };
  struct receiver : party {
    union {
      T value;  // built when served
    };
    HEL_HD receiver() noexcept {}
    HEL_HD ~receiver() {}
  };

  struct slot_array {
    T* slots;
    HEL_HD void to_slot(std::size_t i, core::channel_party& s) noexcept {
      ::new (static_cast<void*>(slots + i)) T(std::move(*static_cast<sender&>(s).value));
    }
    HEL_HD void from_slot(std::size_t i, core::channel_party& r) noexcept {
      ::new (static_cast<void*>(__builtin_addressof(static_cast<receiver&>(r).value))) T(std::move(slots[i]));
      slots[i].~T();
    }
    HEL_HD void direct(core::channel_party& s, core::channel_party& r) noexcept {
      ::new (static_cast<void*>(__builtin_addressof(static_cast<receiver&>(r).value)))
          T(std::move(*static_cast<sender&>(s).value));
    }
  };

  // A party that waits under a token. Its block exists only then.
  class party_cancel {
    struct point : detail::cancel_point {
      point(channel& c, party& p) noexcept : owner(&c), waiting(&p) {}
      channel* owner;
      party* waiting;
    };

   public:
    HEL_HD party_cancel() noexcept {}
    party_cancel(party_cancel&&) = delete;
    HEL_HD ~party_cancel() { end(); }

    template <class Queue>
    std::coroutine_handle<> suspend(channel& channel, party& party, detail::cancel_state* c, std::coroutine_handle<> h,
                                    Queue queue) {
      using started = detail::cancel_point::started;
      point_ = ::new (detail::allocate_block(sizeof(point))) point(channel, party);
      core::channel_outcome o{core::channel_step::suspended};
      const started s = point_->start(
          c, h,
          [](detail::cancel_point* p) noexcept {
            auto* mine = static_cast<point*>(p);
            return mine->owner->core_.withdraw(*mine->waiting);
          },
          [&]() noexcept {
            const core::channel_outcome now = queue();
            const bool queued = now.step == core::channel_step::suspended;
            if (!queued) o = now;
            return queued;
          });
      if (s == started::queued) return std::noop_coroutine();
      if (s == started::cancelled) return detail::fail_from(h, errc::cancelled);
      settle(o);
      return h;
    }
    HEL_HD void end() noexcept {
#if !defined(__CUDA_ARCH__)
      if (!point_) [[likely]]
        return;
      point_->~point();
      detail::free_block_of(point_, sizeof(point));
      point_ = nullptr;
#endif
    }

   private:
    point* point_ = nullptr;
  };

 public:
  HEL_HD explicit channel(std::size_t capacity) : capacity_(capacity), core_(capacity) {
    if (capacity > 0) slots_.slots = static_cast<T*>(detail::allocate_block(capacity * sizeof(T)));
  }
  HEL_HD ~channel() {
    core_.for_each_filled([this](std::size_t i) { slots_.slots[i].~T(); });
    if (slots_.slots) detail::free_block_of(slots_.slots, capacity_ * sizeof(T));
  }
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;

  class [[nodiscard("co_await it")]] send_operation {
   public:
    HEL_HD send_operation(channel & c, T v) noexcept : channel_(c), value_(std::move(v)) {}
    send_operation(send_operation &&) = delete;

    HEL_HD bool await_ready() noexcept {
      party_.value = __builtin_addressof(value_);
      return channel_.settle(channel_.core_.send(channel_.slots_, party_, false));
    }
    template <class P>
    HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
      channel_.prepare(party_, h, wait_kind::send);
      channel& c = channel_;  // *this may be gone once it is queued
#if !defined(__CUDA_ARCH__)
      if (detail::cancel_state* t = detail::token_of(h)) {
        return cancel_.suspend(c, party_, t, h, [this, &c] { return c.core_.send(c.slots_, party_, true); });
      }
#endif
      if (c.settle(c.core_.send(c.slots_, party_, true))) return h;
      return std::noop_coroutine();
    }
    HEL_HD bool await_resume() noexcept {
      cancel_.end();
      return party_.served;
    }

   private:
    channel& channel_;
    T value_;
    sender party_;
    party_cancel cancel_;
  };

  class [[nodiscard("co_await it")]] receive_operation {
   public:
    HEL_HD explicit receive_operation(channel & c) noexcept : channel_(c) {}
    receive_operation(receive_operation &&) = delete;
    HEL_HD ~receive_operation() {
      if (party_.served) party_.value.~T();
    }

    HEL_HD bool await_ready() noexcept {
      return channel_.settle(channel_.core_.receive(channel_.slots_, party_, false));
    }
    template <class P>
    HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
      channel_.prepare(party_, h, wait_kind::receive);
      channel& c = channel_;
#if !defined(__CUDA_ARCH__)
      if (detail::cancel_state* t = detail::token_of(h)) {
        return cancel_.suspend(c, party_, t, h, [this, &c] { return c.core_.receive(c.slots_, party_, true); });
      }
#endif
      if (c.settle(c.core_.receive(c.slots_, party_, true))) return h;
      return std::noop_coroutine();
    }
    HEL_HD expected<T, error> await_resume() noexcept {
      cancel_.end();
      if (!party_.served) return unexpected<error>(errc::closed);
      return expected<T, error>(std::move(party_.value));
    }

   private:
    channel& channel_;
    receiver party_;
    party_cancel cancel_;
  };

  HEL_HD send_operation send(T value) noexcept { return send_operation(*this, std::move(value)); }
  HEL_HD receive_operation receive() noexcept { return receive_operation(*this); }

  HEL_HD void close() noexcept {
    for (core::channel_party* p = core_.close().first; p;) {
      core::channel_party* next = p->next;  // *p may be gone once it is woken
      wake(*p);
      p = next;
    }
  }
  HEL_HD bool closed() noexcept { return core_.closed(); }
  HEL_HD std::size_t capacity() const noexcept { return capacity_; }

 private:
  HEL_HD static void wake(core::channel_party& p) noexcept {
    auto& woken = static_cast<party&>(p);
    detail::enqueue(woken.home, woken.waiting);
  }
  HEL_HD void prepare(party& p, std::coroutine_handle<> h, wait_kind kind) noexcept {
    p.waiting = h;
    p.home = detail::current_home();
#if !defined(__CUDA_ARCH__)
    if (detail::tasks_recorded) [[unlikely]]
      detail::step_waits(h, kind, this);
#endif
  }
  // False: the operation has still to wait, or waits.
  HEL_HD static bool settle(core::channel_outcome o) noexcept {
    if (o.step == core::channel_step::woke) wake(*o.peer);
    return o.step != core::channel_step::suspended && o.step != core::channel_step::would_wait;
  }

  const std::size_t capacity_;
#if defined(__CUDACC__)
  core::channel_core<slot_array> core_;
#else
  core::channel_core<slot_array, exec::biased_lock> core_;  // often both ends run on one worker
#endif
  slot_array slots_{nullptr};
};

}  // namespace hel
