// What the rewritten IR of a device module tells the simulator (tests/device/retarget.py writes it).
#pragma once

#include <cstddef>
#include <cstdint>

namespace hel_sim {

struct kernel {
  const char* name;                // mangled
  void (*run)(void** parameters);  // one lane's call
  const std::uint64_t* parameter_bytes;
  std::uint64_t parameters;
  std::uint64_t shared_bytes;  // static, of the kernel and what it calls
  std::uint64_t max_threads;   // launch bounds
};

struct variable {
  const char* name;
  void* address;
  std::uint64_t bytes;
};

struct module {
  std::uint64_t version;  // 1
  const char* id;         // stands in the host's object in place of a fat binary, too
  const hel_sim::kernel* kernels;
  std::uint64_t kernel_count;
  const hel_sim::variable* variables;
  std::uint64_t variable_count;
  // Visits the calling thread's __shared__ variables.
  void (*shared)(void (*visit)(void* argument, void* address, std::uint64_t bytes), void* argument);
  module* next;
};

// The module whose identifier is `id`, or null.
const module* find_module(const char* id);
const module* first_module();

}  // namespace hel_sim

extern "C" void hel_sim_register(hel_sim::module* m);
