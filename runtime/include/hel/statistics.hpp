// What a runtime has done so far and has to do now (runtime::stats()); HEL_STATS=1 prints it when a runtime ends.
//
// Each worker counts for itself, so the figures are of slightly different moments while tasks run; once the runtime is
// drained they are exact. Counting costs a task that is spawned and joined without being stolen nothing.
#pragma once

#include <cstdint>
#include <string>

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
  std::uint64_t ready = 0;   // in the queues
  std::uint64_t timers = 0;  // that are set
  unsigned workers = 0;

  std::uint64_t alive() const noexcept { return started - over; }  // suspended, ready or running
};

// A table with a line for each figure.
std::string to_string(const statistics& s);

}  // namespace hel
