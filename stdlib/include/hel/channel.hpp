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
// pool: capacity * sizeof(T) is limited to 1 KiB.
#pragma once

#include <coroutine>
#include <new>
#include <type_traits>
#include <utility>

#include "hel/core/channel_core.hpp"
#include "hel/detail/promise.hpp"
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
    HEL_HD bool await_suspend(std::coroutine_handle<> h) noexcept {
      channel_.prepare(party_, h, wait_kind::send);
      channel& c = channel_;  // *this may be gone once it is queued
      return !c.settle(c.core_.send(c.slots_, party_, true));
    }
    HEL_HD bool await_resume() const noexcept { return party_.served; }

   private:
    channel& channel_;
    T value_;
    sender party_;
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
    HEL_HD bool await_suspend(std::coroutine_handle<> h) noexcept {
      channel_.prepare(party_, h, wait_kind::receive);
      channel& c = channel_;
      return !c.settle(c.core_.receive(c.slots_, party_, true));
    }
    HEL_HD expected<T, error> await_resume() noexcept {
      if (!party_.served) return unexpected<error>(errc::closed);
      return expected<T, error>(std::move(party_.value));
    }

   private:
    channel& channel_;
    receiver party_;
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
    if (detail::single_step) [[unlikely]]
      detail::step_waits(h, kind, this);
#endif
  }
  // False: the operation has still to wait, or waits.
  HEL_HD static bool settle(core::channel_outcome o) noexcept {
    if (o.step == core::channel_step::woke) wake(*o.peer);
    return o.step != core::channel_step::suspended && o.step != core::channel_step::would_wait;
  }

  const std::size_t capacity_;
  core::channel_core<slot_array> core_;
  slot_array slots_{nullptr};
};

}  // namespace hel
