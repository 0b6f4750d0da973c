// The coroutine primitives of one variant, as functions that drive them `rounds` times and return a checksum.
#pragma once

#include <cstdint>

namespace hel_bench {

struct coroutine_table {
  // null: the variant has no such thing
  std::uint64_t (*resume)(std::uint64_t rounds);       // resume a generator up to its next co_yield
  std::uint64_t (*create_heap)(std::uint64_t rounds);  // create, run to the end, destroy; frame from operator new
  std::uint64_t (*create)(std::uint64_t rounds);       // the same with the frame on a stack of frames
  std::uint64_t (*nested)(std::uint64_t rounds, std::uint64_t depth);  // await a task that awaits a task ...
  std::uint64_t (*fib)(std::uint64_t rounds);                          // fib(20) by awaits
  std::uint64_t (*task_fib)(std::uint64_t rounds);                     // fib(20) by awaits of hel::task
};

// A variant defines these in its own namespace, since the same sources are compiled for each.
namespace native_clang {
extern const coroutine_table table;
}
namespace native_gnu {
extern const coroutine_table table;
}
namespace lowered_clang {
extern const coroutine_table table;
}
namespace lowered_gnu {
extern const coroutine_table table;
}
namespace machine_clang {
extern const coroutine_table table;
}
namespace machine_gnu {
extern const coroutine_table table;
}
namespace fiber {
extern const coroutine_table table;
}

}  // namespace hel_bench
