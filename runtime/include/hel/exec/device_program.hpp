// How the runtime reaches a device: the part of a program that only its device compiler can build implements this
// (hel/cuda/program.hpp), the rest of the host's side (runtime/resident) knows no CUDA.
#pragma once

#include <cstddef>
#include <memory>

#include "hel/resident/state.hpp"

namespace hel::exec {

// One device with the program's kernel, for one runtime. Errors: hel::device_error, unless a function says noexcept.
// Used by one thread at a time.
class device_session {
 public:
  virtual ~device_session() = default;

  // Blocks of so many threads that can be on the device at the same time.
  virtual unsigned most_blocks(unsigned threads) = 0;
  // Of the device, zeroed, aligned to 256. Until the session ends.
  virtual void* allocate(std::size_t bytes) = 0;
  struct shared {
    void* host;
    void* device;
  };
  // Of the host, reached by both, zeroed, aligned to 256. Until the session ends.
  virtual shared allocate_shared(std::size_t bytes) = 0;

  // Starts the kernel. Nothing is allocated afterwards.
  virtual void start(const resident::arguments& a, unsigned blocks, unsigned threads) = 0;
  // Whether the kernel has ended. Does not wait.
  virtual bool over() = 0;
  // The kernel does not end: its memory is left to it.
  virtual void abandon() noexcept = 0;
};

class device_program {
 public:
  virtual std::unique_ptr<device_session> open(int device) = 0;

 protected:
  device_program() = default;
  ~device_program() = default;
};

// What the programs of this process's files are registered in, before main().
struct device_program_entry {
  device_program* program;
  const char* name;
  const void* key;  // by which launches name it
  const device_program_entry* next;
};
inline constinit const device_program_entry* first_device_program = nullptr;

}  // namespace hel::exec
