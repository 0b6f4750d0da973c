// What tasks take inside the GPU: the counterpart of baselines.cu. Lowered with --target cuda it runs on the device;
// lowered for the host, the same programs run on the CPU fallback.
//
//   resident [--quick] [--cpu] [NAME...]       one line of JSON for each figure; NAME: these only
//
// Exit code 1 and a message where a result is wrong or the runtime refuses.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "hel/channel.hpp"
#include "hel/hel.hpp"
#include "hel/host.hpp"
#include "tools/bench/gpu/figures.hpp"

namespace bench {

// --- the tasks

HEL_TASK hel::task<void> nothing() { co_return; }

// Every call a task that others may take.
HEL_TASK hel::task<long> fib(int n) {
  if (n < 2) co_return n;
  auto a = hel::spawn(fib, n - 1);
  const long b = co_await fib(n - 2);
  co_return co_await a + b;
}

// One after the other: from spawn() until the joining task goes on.
HEL_TASK hel::task<long> spawn_and_join(long n) {
  for (long i = 0; i < n; ++i) {
    auto child = hel::spawn(nothing);
    co_await child;
  }
  co_return n;
}

// Not joined: the runtime's drain() waits for all.
HEL_TASK hel::task<long> spawn_many(long n) {
  for (long i = 0; i < n; ++i) hel::spawn(nothing).detach();
  co_return n;
}

// Each starts when the one before is over.
HEL_TASK hel::task<long> chain(long n) {
  auto last = hel::spawn(nothing);
  for (long i = 1; i < n; ++i) {
    auto next = hel::spawn_after(last, nothing);
    last = std::move(next);
  }
  co_await last;
  co_return n;
}

HEL_TASK hel::task<void> produce(hel::channel<long>& items, long n) {
  for (long i = 0; i < n; ++i) co_await items.send(i);
  items.close();
}
HEL_TASK hel::task<long> consume(hel::channel<long>& items) {
  long sum = 0;
  for (;;) {
    const auto item = co_await items.receive();
    if (!item) break;
    sum += *item;
  }
  co_return sum;
}
HEL_TASK hel::task<long> pipeline(long n) {
  hel::channel<long> items(64);
  auto producer = hel::spawn(produce, items, n);
  const long sum = co_await consume(items);
  co_await producer;
  co_return sum;
}

struct same_number {
  long operator()(long x) const { return x; }
};

}  // namespace bench
HEL_HOST_FUNCTION(bench::same_number);
namespace bench {

HEL_TASK hel::task<long> call_host(long n) {
  long sum = 0;
  for (long i = 0; i < n; ++i) sum += co_await hel::host(same_number{}, i);
  co_return sum;
}
// `width` callers at a time, in a tree, so that none waits for a single task to spawn them all.
HEL_TASK hel::task<long> call_from_many(long width, long calls) {
  if (width == 1) co_return co_await call_host(calls);
  auto left = hel::spawn(call_from_many, width / 2, calls);
  const long right = co_await call_from_many(width - width / 2, calls);
  co_return co_await left + right;
}

}  // namespace bench

#if defined(__CUDACC__)
// A small kernel of the program's own: a few blocks that compute for a while.
__global__ void user_kernel(float* data, int rounds) {
  float v = data[threadIdx.x];
  for (int i = 0; i < rounds; ++i) v = v * 0.999f + 0.5f;
  data[threadIdx.x] = v;
}
#endif

namespace {

using namespace hel_bench::gpu;

std::vector<std::string> wanted;
bool quick = false, on_cpu = false;

bool want(const char* name) { return wanted.empty() || std::find(wanted.begin(), wanted.end(), name) != wanted.end(); }
void expect(long found, long expected, const char* name) {
  if (found == expected) return;
  std::fprintf(stderr, "resident: %s: %ld instead of %ld\n", name, found, expected);
  std::exit(1);
}
std::unique_ptr<hel::runtime> start() {
#if defined(__CUDACC__)
  if (!on_cpu) return std::make_unique<hel::runtime>(hel::cuda{.frame_memory = quick ? 64u << 20 : 1024u << 20});
#endif
  return std::make_unique<hel::runtime>();
}
const char* side() {
#if defined(__CUDACC__)
  if (!on_cpu) return "hel";
#endif
  return "hel on the CPU";
}
long fib_of(int n) { return n < 2 ? n : fib_of(n - 1) + fib_of(n - 2); }

// Nanoseconds for each of `operations` of what `run` does.
template <class Run>
void figure(const char* name, unsigned repetitions, double operations, const char* unit, Run run) {
  print_figure(name, side(),
               measure(repetitions,
                       [&] {
                         const double from = now_ns();
                         run();
                         return (now_ns() - from) / operations;
                       }),
               unit);
}

void run_all() {
  auto rt = start();
  const unsigned repetitions = quick ? 2 : 11;
  if (want("submit")) {
    figure("submit", quick ? 3 : 301, 1, "ns", [&] { rt->launch(bench::nothing).get(); });
  }
  if (want("submit-many")) {
    const unsigned n = quick ? 32 : 1000;
    figure("submit-many", repetitions, n, "ns per launch", [&] {
      std::vector<hel::application<void>> all;
      for (unsigned i = 0; i < n; ++i) all.push_back(rt->launch(bench::nothing));
      for (auto& a : all) a.get();
    });
  }
  if (want("fib")) {
    const int n = quick ? 12 : 30;
    const long result = fib_of(n);
    // fib(n) makes 2 fib(n + 1) - 1 calls
    figure("fib", repetitions, static_cast<double>(2 * fib_of(n + 1) - 1), "ns per task",
           [&] { expect(rt->launch(bench::fib, n).get(), result, "fib"); });
  }
  if (want("spawn-join")) {
    const long n = quick ? 100 : 10000;
    figure("spawn-join", repetitions, static_cast<double>(n), "ns per task",
           [&] { expect(rt->launch(bench::spawn_and_join, n).get(), n, "spawn-join"); });
  }
  if (want("spawn")) {
    const long n = quick ? 1000 : 1000000;
    figure("spawn", repetitions, static_cast<double>(n), "ns per task", [&] {
      expect(rt->launch(bench::spawn_many, n).get(), n, "spawn");
      rt->drain();
    });
  }
  if (want("dependent")) {
    const long n = quick ? 1000 : 1000000;
    figure("dependent", repetitions, static_cast<double>(n), "ns per task",
           [&] { expect(rt->launch(bench::chain, n).get(), n, "dependent"); });
  }
  if (want("producer-consumer")) {
    const long n = quick ? 1000 : 1 << 18;
    figure("producer-consumer", repetitions, static_cast<double>(n), "ns per item",
           [&] { expect(rt->launch(bench::pipeline, n).get(), n * (n - 1) / 2, "producer-consumer"); });
  }
  if (want("host-call")) {
    for (const long width : {1L, 64L, 1024L, 16384L, 100000L}) {
      if (quick && width > 64) break;
      const long each = quick ? 2 : width < 1024 ? 65536 / width : 8;
      const std::string name = "host-call-" + std::to_string(width);
      figure(name.c_str(), repetitions, static_cast<double>(width * each), "ns per call", [&] {
        expect(rt->launch(bench::call_from_many, width, each).get(), width * (each * (each - 1) / 2), name.c_str());
      });
    }
  }
}

#if defined(__CUDACC__)
// The program's own kernel, alone and beside a resident runtime with nothing to do, and with work.
void run_beside() {
  if (on_cpu || !want("beside")) return;
  const auto check = [](cudaError_t e) {
    if (e == cudaSuccess) return;
    std::fprintf(stderr, "resident: %s\n", cudaGetErrorString(e));
    std::exit(1);
  };
  float* data = nullptr;
  cudaStream_t s;
  check(cudaMalloc(&data, 256 * sizeof(float)));
  check(cudaMemset(data, 0, 256 * sizeof(float)));
  check(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  const auto once = [&] {
    const double from = now_ns();
    user_kernel<<<4, 256, 0, s>>>(data, quick ? 100 : 100000);
    check(cudaStreamSynchronize(s));
    return now_ns() - from;
  };
  const unsigned repetitions = quick ? 3 : 101;
  print_figure("beside", "the kernel alone", measure(repetitions, once), "ns");
  {
    // Room for the kernel: half of what the device holds.
    int sms = 0;
    check(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    hel::runtime rt{hel::cuda{.blocks = static_cast<unsigned>(sms > 1 ? sms / 2 : 1), .frame_memory = 64u << 20}};
    print_figure("beside", "beside an idle runtime", measure(repetitions, once), "ns");
    auto busy = rt.launch(bench::fib, quick ? 10 : 30);
    print_figure("beside", "beside fib", measure(quick ? 1 : 11, once), "ns");
    busy.get();
  }
  check(cudaStreamDestroy(s));
  check(cudaFree(data));
}
#endif

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--quick") == 0)
      quick = true;
    else if (std::strcmp(argv[i], "--cpu") == 0)
      on_cpu = true;
    else
      wanted.push_back(argv[i]);
  }
  try {
    run_all();
#if defined(__CUDACC__)
    run_beside();
#endif
  } catch (const std::exception& e) {
    std::fprintf(stderr, "resident: %s\n", e.what());
    return 1;
  }
}
