// How a runtime's workers are divided among what it runs.
//
//   hel::runtime rt{hel::cpu{.partition = hel::partition{.services = 1, .applications = 1, .tasks = 2}}};
//
// A worker is a thread on the CPU; the figures are the same on a device, whose workers are others. Each kind has
// workers of its own, which run nothing else: the handlers and hooks of services, the tasks that are launched with what
// they await, and the tasks that are spawned, by whomever. So a service answers however many tasks there are, even if
// all of their workers are held up. What has no workers of its own runs on those of the tasks.
#pragma once

namespace hel {

struct partition {
  unsigned services = 0;      // 0: they share the workers of the tasks
  unsigned applications = 0;  // the same
  unsigned tasks = 1;         // at least 1

  constexpr unsigned workers() const noexcept { return services + applications + tasks; }
};

}  // namespace hel
