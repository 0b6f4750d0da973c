// What the environment says about the simulated device, and the faults that it asks for. See tests/device/README.md.
#pragma once

#include <cstdint>

namespace hel_sim {

struct settings {
  unsigned devices = 1;          // HEL_SIM_DEVICES
  unsigned multiprocessors = 2;  // HEL_SIM_SMS
  unsigned blocks = 2;           // HEL_SIM_BLOCKS: resident blocks of a multiprocessor
  unsigned memory = 4096;        // HEL_SIM_MEMORY: MiB
  unsigned poll = 16;            // HEL_SIM_POLL: other lanes run after so many atomic operations of one
  unsigned seed = 0;             // HEL_SIM_SEED: not 0: the number varies, and so does the order of the lanes
  unsigned timeout = 120;        // HEL_SIM_TIMEOUT: seconds that the process may take; 0: any number
  bool count = false;            // HEL_SIM_COUNT=1: at the end, how many atomic operations global memory has seen
  int driver = 0;                // HEL_SIM_DRIVER: version, e.g. 12040; 0: that of the headers
  bool lazy = true;              // CUDA_MODULE_LOADING=EAGER turns it off: a kernel's first launch waits for the device
};

const settings& configured();

// HEL_SIM_FAULT: NAME[@CALL][=ERROR],...; NAME is an API function, or `kernel` for a launch that fails while it runs.
// The error that this call of NAME is to return, or 0.
int injected_fault(const char* name);

}  // namespace hel_sim
