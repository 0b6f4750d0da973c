// The loop of the warp that serves: what crosses the bus crosses it here, apart from answers, which each lane writes.
#pragma once

#include "hel/resident/launch_record.hpp"

namespace hel::resident {

// Lanes as in worker.hpp.
template <class Lanes>
class service {
 public:
  HEL_HD service(state& s, warp& w) noexcept : state_(s), warp_(w) {}

  // Until the host says stop. By all lanes.
  HEL_HD __forceinline__ void run() noexcept {
    if (Lanes::lane() == 0) state_.host->started.store_release(1);
    unsigned nap = shortest_nap;
    for (std::uint64_t round = 0;; ++round) {
      const bool launches = take_submissions(), answers = take_answers(), calls = submit_waiting_calls();
      const bool worked = launches || answers || calls;
      if (round % report_interval == 0 || !worked) {
        report(round);
        // Acquire pairs with nothing but the host's wish: what it stored before is in other words.
        if (Lanes::broadcast(state_.host->stop.load_acquire(), 0) != 0) break;
      }
      if (worked) {
        nap = shortest_nap;
      } else {
        Lanes::nap(nap);
        if (nap < longest_nap) nap *= 2;
      }
    }
    if (Lanes::lane() == 0) state_.stopping.store_release(1);
  }

 private:
  static constexpr unsigned shortest_nap = 128, longest_nap = 2048;
  static constexpr std::uint64_t report_interval = 64;

  // Each lane takes one. Whether there was any.
  HEL_HD bool take_submissions() noexcept {
    if (Lanes::broadcast(state_.submissions.peek(), 0) == core::rpc_server::none) return false;
    const std::uint32_t slot = state_.submissions.next();
    void* const frame =
        slot != core::rpc_server::none ? begin_launch(state_, slot, state_.warps[warp_.number]) : nullptr;
    if (frame) state_.share(frame);
    Lanes::sync();
    return true;
  }

  // Whoever has called goes on where there is a free lane.
  HEL_HD bool take_answers() noexcept {
    if (Lanes::broadcast(state_.calls.peek_answer(), 0) == state::call_client::none) return false;
    const state::call_client::answer a = state_.calls.next_answer();
    if (a.slot != state::call_client::none) {
      a.waiter->slot = a.slot;
      state_.share(a.waiter);
    }
    Lanes::sync();
    return true;
  }

  HEL_HD bool submit_waiting_calls() noexcept {
    const bool any = Lanes::lane() == 0 && state_.submit_waiting();
    return Lanes::broadcast(any, 0) != 0;
  }

  // Sums up for the host, and answers whether all is over: every root that has started, seen after all that have ended,
  // has ended. The counts only rise, so at the moment between the two sums they were equal.
  HEL_HD void report(std::uint64_t round) noexcept {
    if (Lanes::lane() != 0) return;
    control& c = *state_.host;
    const std::uint32_t question = c.drain.load_acquire();
    std::uint64_t over = 0, roots = 0, resumed = 0;
    for (std::uint32_t i = 0; i < state_.warp_count; ++i) over += state_.warps[i].over.load_acquire();
    for (std::uint32_t i = 0; i < state_.warp_count; ++i) {
      roots += state_.warps[i].roots.load_acquire();
      resumed += state_.warps[i].resumed.load_relaxed();
    }
    c.roots.store_relaxed(roots);
    c.over.store_relaxed(over);
    c.resumed.store_relaxed(resumed);
    c.refused.store_relaxed(state_.frames.refused());
    c.busy.store_relaxed(state_.warp_count - 1 - state_.idle.load_relaxed());
    c.beats.store_relaxed(round);
    if (roots == over) c.drained.store_release(question);
  }

  state& state_;
  warp& warp_;
};

}  // namespace hel::resident
