// hel::cuda: the settings of a runtime whose tasks run on a GPU.
//
//   hel::runtime rt{hel::cuda{}};                         // the first GPU, as much of it as fits
//   hel::runtime rt{hel::cuda{.device = 1, .blocks = 40}};
//
// The constructor loads the program's kernel and starts it; it stays on the device until the runtime ends. It throws
// hel::device_error, which names the call that failed: no device, a driver that is older than the toolkit, too little
// memory; also for a program that was built without a device part (hel_add_executable(... CUDA), hel-lower --target
// cuda), and where a runtime lives on that device already. std::invalid_argument for a setting that makes no sense.
//
// While the kernel is resident no CUDA call is made that would wait for it. What a task prints, and a trap, comes out
// when the kernel ends.
#pragma once

#include <chrono>
#include <cstddef>

namespace hel {

struct cuda {
  int device = 0;                           // as CUDA numbers them
  unsigned blocks = 0;                      // 0: as many as the device holds at a time
  unsigned threads_per_block = 128;         // a multiple of 32, at most 256
  std::size_t frame_memory = 256ull << 20;  // bytes for task frames; queues come on top, about half as much
  unsigned host_threads = 2;                // threads that serve hel::host, at least 1
  // For so long no task may go on while some run: then waiting for an application throws hel::device_error. 0: for
  // ever.
  std::chrono::milliseconds watchdog{60000};
  // The same for a host function that has not returned: it does not count as standing still otherwise. Its thread is
  // left behind when the runtime ends.
  std::chrono::milliseconds host_watchdog{600000};
};

}  // namespace hel
