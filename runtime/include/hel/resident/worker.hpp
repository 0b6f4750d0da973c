// The loop of a warp that runs tasks: each lane has one frame, and all resume theirs once, together, in each step.
//
//   frames that its own tasks made ready     newest first, from the warp's stack
//   frames that others gave away             from the shared queues, as many at once as lanes are idle
//
// A warp with more ready frames than lanes gives its oldest away while others have nothing to do. One with none polls
// the queues with growing pauses.
//
// Lanes (on a GPU: hel/cuda/lanes.hpp) offers, all static and all to be called by the whole warp together but for the
// first two:
//   constexpr unsigned width;  unsigned lane();  std::uint32_t below();   the lanes before the calling one, as bits
//   std::uint32_t ballot(bool);  std::uint64_t broadcast(std::uint64_t, unsigned from);
//   bool agree(bool);                   whether all say the same
//   void sync();                        what lanes have written before is read by all of them after
//   void nap(unsigned nanoseconds);
// Program: void* resume(void* frame), the frame to go on with or null; void destroy(void* frame); bool groups, whether
// there are group tasks among its own.
#pragma once

#include "hel/resident/lane_group.hpp"
#include "hel/resident/launch_record.hpp"

namespace hel::resident {

template <class Lanes, class Program>
class worker {
 public:
  HEL_HD worker(state& s, warp& w) noexcept : state_(s), warp_(w) {}

  // Until the kernel ends. By all lanes.
  HEL_HD __forceinline__ void run() noexcept {
    void* frame = nullptr;
    std::uint32_t look = 0;      // steps until an idle lane looks at the shared queues again
    std::uint32_t interval = 1;  // between two looks that found nothing
    unsigned nap = shortest_nap;
    bool resting = false;
    for (std::uint32_t step = 0;; ++step) {
      // Now and then what others gave away comes first, so that nothing there waits for ever.
      const bool others_first = step % fairness == 0;
      if (others_first) find_shared(frame);
      std::uint32_t have = take_own(frame);
      if (!Lanes::ballot(frame != nullptr)) {
        if (!find_shared(frame)) {
          if (!resting) {
            if (Lanes::lane() == 0) state_.idle.fetch_add_relaxed(1);
            resting = true;
          }
          if (leader(state_.stopping.load_acquire()) != 0) return;
          Lanes::nap(nap);
          if (nap < longest_nap) nap *= 2;
          continue;
        }
      } else if (Lanes::ballot(frame == nullptr) && have == 0) {
        if (look-- == 0) {
          interval = find_shared(frame) ? 1 : interval < longest_interval ? interval * 2 : longest_interval;
          look = interval;
        }
      }
      if (resting) {
        if (Lanes::lane() == 0) state_.idle.fetch_sub_acq_rel(1);
        resting = false;
      }
      nap = shortest_nap;
      if (have != 0) give_away(have);
      const std::uint32_t active = Lanes::ballot(frame != nullptr);
      if constexpr (Program::groups) {
        resume_with_groups(frame);
      } else {
        if (frame) frame = resume(frame);
      }
      Lanes::sync();
      if (Lanes::lane() == 0) {
        core::atomic<std::uint64_t>& resumed = state_.warps[warp_.number].resumed;
        resumed.store_relaxed(resumed.load_relaxed() + count(active));
        destroy_retired();
      }
      Lanes::sync();
      if (step % abort_interval == 0 && leader(state_.stopping.load_acquire()) != 0) return;
    }
  }

 private:
  static constexpr unsigned shortest_nap = 64, longest_nap = 4096;
  static constexpr std::uint32_t longest_interval = 32, fairness = 64, abort_interval = 256;
  static constexpr std::uint32_t crowded = 192;  // of the 256 that a warp's stack holds

  HEL_HD static unsigned count(std::uint32_t bits) noexcept {
#if defined(__CUDA_ARCH__)
    return static_cast<unsigned>(__popc(bits));
#else
    return static_cast<unsigned>(__builtin_popcount(bits));
#endif
  }
  // What lane 0 has.
  HEL_HD static std::uint64_t leader(std::uint64_t v) noexcept { return Lanes::broadcast(v, 0); }

  // Idle lanes take the newest frames of the warp. How many are left.
  HEL_HD std::uint32_t take_own(void*& frame) noexcept {
    const auto have = static_cast<std::uint32_t>(leader(Lanes::lane() == 0 ? warp_.ready.settle() : 0));
    const std::uint32_t idle = Lanes::ballot(frame == nullptr);
    if (have == 0 || idle == 0) return have;
    const unsigned wanted = count(idle);
    const std::uint32_t taken = wanted < have ? wanted : have;
    const unsigned rank = count(idle & Lanes::below());
    if (!frame && rank < taken) frame = state_.frame_of(warp_.ready.newest(rank));
    Lanes::sync();
    if (Lanes::lane() == 0) warp_.ready.drop_newest(taken);
    Lanes::sync();
    return have - taken;
  }

  // Idle lanes take from the shared queues. Whether any did.
  HEL_HD bool find_shared(void*& frame) noexcept {
    const std::uint32_t idle = Lanes::ballot(frame == nullptr);
    if (idle == 0) return false;
    state::queue::reservation r;
    std::uint32_t at = 0;
    if (Lanes::lane() == 0) {
      for (std::uint32_t i = 0; i <= state_.shards && r.count == 0; ++i) {
        // What single threads have shared first, then what is near.
        at = i == 0 ? state_.shards : (warp_.number + i) & (state_.shards - 1);
        if (!state_.queues[at].looks_empty()) r = state_.queues[at].reserve_receive(count(idle));
      }
    }
    const std::uint64_t found = leader(std::uint64_t{at} << 32 | r.count);
    const auto n = static_cast<std::uint32_t>(found);
    if (n == 0) return false;
    const std::uint64_t first = leader(r.first);
    const unsigned rank = count(idle & Lanes::below());
    if (!frame && rank < n) frame = state_.frame_of(state_.queues[found >> 32].get(first + rank));
    Lanes::sync();
    return true;
  }

  // The oldest half of what lanes of this warp cannot run now goes to others that could.
  HEL_HD void give_away(std::uint32_t have) noexcept {
    if (have < crowded && leader(state_.idle.load_relaxed()) == 0) return;
    std::uint32_t n = (have + 1) / 2;
    if (n > Lanes::width) n = Lanes::width;
    state::queue& q = state_.queues[warp_.number & (state_.shards - 1)];
    state::queue::reservation r;
    if (Lanes::lane() == 0) r = q.reserve_send(n);
    const auto sent = static_cast<std::uint32_t>(leader(r.count));
    const std::uint64_t first = leader(r.first);
    if (Lanes::lane() < sent) q.put(first + Lanes::lane(), warp_.ready.oldest(Lanes::lane()));
    Lanes::sync();
    if (Lanes::lane() == 0) warp_.ready.drop_oldest(sent);
    Lanes::sync();
  }

  // First the groups that lanes have, one after the other, by the whole warp; then what single lanes have. In one loop:
  // all bodies are inlined where tasks are resumed.
  HEL_HD __forceinline__ void resume_with_groups(void*& frame) noexcept {
    const bool group = frame && is_group(*static_cast<const frame_header*>(frame));
    group_turn<Lanes> turn(warp_);
    for (std::uint32_t groups = Lanes::ballot(group);; groups &= groups - 1) {
      void* own = group ? nullptr : frame;
      unsigned from = 0;
      if (groups != 0) {
        from = first_of(groups);
        own = turn.begin(reinterpret_cast<void*>(Lanes::broadcast(reinterpret_cast<std::uintptr_t>(frame), from)));
      }
      do {
        if (own) own = resume(own);
      } while (own && groups != 0);
      if (groups == 0) {
        if (!group) frame = own;
        return;
      }
      void* const next = turn.finish();
      if (Lanes::lane() == from) frame = next;
    }
  }

  HEL_HD __forceinline__ void* resume(void* frame) noexcept {
    auto* const header = static_cast<frame_header*>(frame);
    if (static_cast<std::int16_t>(header->type) > 0) return Program::resume(frame);
    if (header->type != 0) return fail_for_memory(*header);
    return run_system_frame(*header);
  }
  HEL_HD void* fail_for_memory(frame_header& h) noexcept {
    h.type &= static_cast<std::uint16_t>(~frame_header::no_memory);  // for who destroys the frame
    return detail::fail_from(std::coroutine_handle<>::from_address(&h), error(errc::out_of_frames)).address();
  }
  HEL_HD void* run_system_frame(frame_header& h) noexcept {
    switch (static_cast<system_frame>(h.index)) {
    case system_frame::launch_over:
      end_launch(state_, reinterpret_cast<launch_record&>(h), state_.warps[warp_.number],
                 state_.frames_of(warp_.number, Lanes::lane()));
      return nullptr;
    case system_frame::call_answered: return reinterpret_cast<device_call&>(h).frame;
    case system_frame::call_may_fail: return answered(reinterpret_cast<device_call&>(h));
    case system_frame::group:
    case system_frame::group_failed: break;  // they are run by all lanes
    }
    core::trap("the scheduler was given a frame of no known kind");
  }

  HEL_HD void* answered(const device_call& call) noexcept {
    const std::int32_t code = state_.calls.header(call.slot).error;
    if (code == 0) return call.frame;
    state_.calls.release(call.slot);
    return detail::fail_from(std::coroutine_handle<>::from_address(call.frame), error(code)).address();
  }

  // In the order in which they were given up; what their destruction gives up follows. By one lane.
  HEL_HD void destroy_retired() noexcept {
    while (warp_.retired.load_relaxed() != 0) {
      void* newest = reinterpret_cast<void*>(warp_.retired.exchange_acq_rel(0));
      void* oldest = nullptr;
      while (newest) {
        void*& link = Program::link(newest);
        void* const next = link;
        link = oldest;
        oldest = newest;
        newest = next;
      }
      while (oldest) {
        void* const next = Program::link(oldest);
        Program::destroy(oldest);
        oldest = next;
      }
    }
  }

  state& state_;
  warp& warp_;
};

}  // namespace hel::resident
