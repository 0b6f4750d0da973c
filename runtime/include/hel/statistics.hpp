// What a runtime has done so far and has to do now (runtime::stats()); HEL_STATS=1 prints it when a runtime ends.
//
// Each worker counts for itself, so the figures are of slightly different moments while tasks run; once the runtime is
// drained they are exact. Counting costs a task that is spawned and joined without being stolen nothing. Of memory,
// only the threads know what they have kept: it is looked up for workers that sleep and for the thread that asks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hel {

struct statistics {
  // Since the start. A task here is what is waited for as one: launched, spawned, a post to a service, a part of a
  // batch.
  std::uint64_t started = 0;
  std::uint64_t over = 0;
  std::uint64_t resumed = 0;     // times that a worker took something ready from a queue
  std::uint64_t stolen = 0;      // of these, from another worker's
  std::uint64_t run_inline = 0;  // spawned where many waited already, and run in hel::spawn
  std::uint64_t retried = 0;     // attempts after the first (hel::retry)
  std::uint64_t slept = 0;       // times that a worker found nothing to do and went to sleep

  // Now.
  std::uint64_t ready = 0;       // in all queues
  std::uint64_t running = 0;     // workers that have found something to do
  std::uint64_t timers = 0;      // that are set
  std::uint64_t host_calls = 0;  // under way, and not answered
  unsigned workers = 0;
  std::vector<std::uint64_t> worker_queues;  // ready in the queue of each worker
  std::uint64_t shared_queue = 0;            // what came from outside, or has yielded
  std::uint64_t urgent_queue = 0;            // of high priority

  // Frames of tasks, with the records of those that were spawned: of the process, whatever runtime they belong to.
  std::uint64_t frame_bytes = 0;           // in use; at most, where workers that do not sleep have kept some
  std::uint64_t frame_bytes_kept = 0;      // free, in threads' hands
  std::uint64_t frame_bytes_reserved = 0;  // taken from the system for good; frames of more than a page's part go back
  std::uint64_t frame_limit = 0;           // hel::cpu::frame_limit; 0: none

  // Of each service, in the order of their start.
  struct service {
    std::size_t waiting = 0;   // requests in the mailbox, and callers and posters for whom it was full
    std::size_t active = 0;    // requests that are being handled
    std::size_t capacity = 0;  // of the mailbox
  };
  std::vector<service> services;

  std::uint64_t alive() const noexcept { return started - over; }  // suspended, ready or running
  // Of these, what waits for something. What is ready or runs need not be a task of its own, so this is a lower bound.
  std::uint64_t suspended() const noexcept {
    const std::uint64_t others = ready + running;
    return alive() > others ? alive() - others : 0;
  }
};

// A table with a line for each figure.
std::string to_string(const statistics& s);

}  // namespace hel
