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
    std::uint32_t answered = 0;     // the host's last question
    std::uint32_t next_report = 0;  // in so many rounds
    for (std::uint32_t round = 0;; ++round) {
      const seen s = look();
      if (s.launches) take_submissions();
      if (s.answers) take_answers();
      const bool worked = submit_waiting_calls() || s.launches || s.answers;
      // Adding up over all warps takes longer than a submission, so only when somebody asks, and now and then.
      if (next_report-- == 0 || (s.question != answered && (!worked || round % busy_interval == 0))) {
        if (report(round, s.question)) answered = s.question;
        next_report = shortest_interval + state_.warp_count / 8;
      }
      if (s.stop) break;
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
  static constexpr std::uint32_t shortest_interval = 16, busy_interval = 64;

  // What the host has stored. A load over the bus takes a microsecond, so each lane loads another word, all at once.
  struct seen {
    bool launches, answers, stop;
    std::uint32_t question;
  };
  HEL_HD seen look() const noexcept {
    const unsigned lane = Lanes::lane();
    const core::rpc_receiver &launches = state_.submissions.doorbell(), &answers = state_.calls.doorbell();
    const core::rpc_cell* at = &state_.host->drain;
    if (lane == 0) at = &launches.next_cell();
    if (lane == 1) at = &answers.next_cell();
    if (lane == 2) at = &state_.host->stop;
    // Acquire: for the question, whose roots are counted next. What a doorbell publishes is acquired by who takes it.
    const std::uint32_t found = at->load_acquire();
    seen s;
    s.launches = (Lanes::ballot(launches.is_next(found)) & 1) != 0;
    s.answers = (Lanes::ballot(answers.is_next(found)) & 2) != 0;
    s.stop = (Lanes::ballot(found != 0) & 4) != 0;
    s.question = static_cast<std::uint32_t>(Lanes::broadcast(found, 3));
    return s;
  }

  // Each lane takes one.
  HEL_HD void take_submissions() noexcept {
    const std::uint32_t slot = state_.submissions.next();
    void* const frame = slot != core::rpc_server::none ? begin_launch(state_, slot, state_.warps[warp_.number],
                                                                      state_.frames_of(warp_.number, Lanes::lane()))
                                                       : nullptr;
    if (frame) state_.share(frame);
    Lanes::sync();
  }

  // Whoever has called goes on where there is a free lane.
  HEL_HD void take_answers() noexcept {
    const state::call_client::answer a = state_.calls.next_answer();
    if (a.slot != state::call_client::none) {
      a.waiter->slot = a.slot;
      state_.share(a.waiter);
    }
    Lanes::sync();
  }

  HEL_HD bool submit_waiting_calls() noexcept {
    const bool any = Lanes::lane() == 0 && state_.submit_waiting();
    return Lanes::broadcast(any, 0) != 0;
  }

  // Sums up for the host, and answers whether all is over: every root that has started, seen after all that have ended,
  // has ended. The counts only rise, so at the moment between the two sums they were equal.
  HEL_HD bool report(std::uint32_t round, std::uint32_t question) noexcept {
    control& c = *state_.host;
    std::uint64_t over = 0, roots = 0, resumed = 0;
    HEL_NO_UNROLL
    for (std::uint32_t i = Lanes::lane(); i < state_.warp_count; i += Lanes::width)
      over += state_.warps[i].over.load_acquire();
    Lanes::sync();  // no lane counts beginnings before all have counted ends
    HEL_NO_UNROLL
    for (std::uint32_t i = Lanes::lane(); i < state_.warp_count; i += Lanes::width) {
      roots += state_.warps[i].roots.load_relaxed();
      resumed += state_.warps[i].resumed.load_relaxed();
    }
    over = sum(over);
    roots = sum(roots);
    resumed = sum(resumed);
    if (Lanes::lane() == 0) {
      c.roots.store_relaxed(roots);
      c.over.store_relaxed(over);
      c.resumed.store_relaxed(resumed);
      c.refused.store_relaxed(state_.frames.refused());
      c.busy.store_relaxed(state_.warp_count - 1 - state_.idle.load_relaxed());
      c.beats.store_relaxed(round);
      if (roots == over) c.drained.store_release(question);
    }
    return roots == over;
  }
  // What all lanes have.
  HEL_HD static std::uint64_t sum(std::uint64_t v) noexcept {
    std::uint64_t all = 0;
    HEL_NO_UNROLL
    for (unsigned i = 0; i < Lanes::width; ++i) all += Lanes::broadcast(v, i);
    return all;
  }

  state& state_;
  warp& warp_;
};

}  // namespace hel::resident
