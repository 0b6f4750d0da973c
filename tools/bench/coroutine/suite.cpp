// Coroutine primitives: one source, compiled natively and lowered, beside state machines and fibers.
#include <array>
#include <string>
#include <utility>

#include "tools/bench/coroutine/frame_stack.hpp"
#include "tools/bench/coroutine/table.hpp"
#include "tools/bench/suite.hpp"

namespace hel_bench {

namespace {
alignas(16) std::array<char, 1 << 20> frame_stack;
}
char* frame_stack_top = frame_stack.data();

namespace {

struct variant {
  const char* name;
  const coroutine_table* table;  // null: not in this build
  const char* missing;
};

#if defined(HEL_BENCH_HAVE_CLANG)
#  define HEL_BENCH_CLANG(variant) &variant::table, ""
#else
#  define HEL_BENCH_CLANG(variant) nullptr, "no clang++ when this was built"
#endif
#if defined(HEL_BENCH_HAVE_GNU)
#  define HEL_BENCH_GNU(variant) &variant::table, ""
#else
#  define HEL_BENCH_GNU(variant) nullptr, "no g++ when this was built"
#endif

const variant variants[] = {
    {"lowered-gnu", HEL_BENCH_GNU(lowered_gnu)},
    {"lowered-clang", HEL_BENCH_CLANG(lowered_clang)},
    {"native-clang", HEL_BENCH_CLANG(native_clang)},
    {"native-gnu", HEL_BENCH_GNU(native_gnu)},
    {"machine-clang", HEL_BENCH_CLANG(machine_clang)},
    {"machine-gnu", HEL_BENCH_GNU(machine_gnu)},
    {"fiber", &fiber::table, ""},
};

// Adds a contender for each variant that has the primitive which `select` finds in a table.
template <class Select>
void add_variants(benchmark& b, Select select) {
  b.ours = variants[0].table ? "lowered-gnu" : "lowered-clang";
  for (const variant& v : variants) {
    if (!v.table) {
      b.contenders.push_back({v.name, {}, {}, v.missing});
    } else if (const auto run = select(*v.table)) {
      b.contenders.push_back({v.name, [run](const settings&) -> runner { return run; }, {}, {}});
    }
  }
}

std::uint64_t sum_below(std::uint64_t n) { return n * (n - 1) / 2; }

benchmark make(std::string name, std::string what, std::string unit, double operations, std::uint64_t rounds) {
  benchmark b;
  b.name = std::move(name);
  b.group = "coroutines";
  b.what = std::move(what);
  b.unit = std::move(unit);
  b.operations = [operations] { return operations; };
  b.rounds = rounds;
  b.timed = timing::cpu;
  b.countable = true;
  return b;
}

constexpr double fib20_calls = 21891;

}  // namespace

void add_coroutines(std::vector<benchmark>& all, const settings&) {
  benchmark resume = make("resume", "resume a generator to its next co_yield", "ns per resume", 1, 10000);
  resume.checksum = sum_below;
  add_variants(resume, [](const coroutine_table& t) { return t.resume; });
  all.push_back(std::move(resume));

  benchmark create =
      make("create", "create a task, run it to its end, destroy it; frames on a stack", "ns per task", 1, 10000);
  create.checksum = sum_below;
  add_variants(create, [](const coroutine_table& t) { return t.create; });
  all.push_back(std::move(create));

  benchmark heap = make("create-heap", "create, run, destroy; frames from operator new", "ns per task", 1, 10000);
  heap.checksum = sum_below;
  add_variants(heap, [](const coroutine_table& t) { return t.create_heap; });
  all.push_back(std::move(heap));

  for (const std::uint64_t depth : {1, 10, 32, 100, 1000}) {
    const std::string d = std::to_string(depth);
    benchmark nested = make("nested-" + d, "tasks that await one another, " + d + " deep", "ns per level",
                            static_cast<double>(depth + 1), 10000 / (depth + 1) + 1);
    nested.checksum = [depth](std::uint64_t rounds) { return rounds * (depth + 1); };
    add_variants(nested, [depth](const coroutine_table& t) -> std::function<std::uint64_t(std::uint64_t)> {
      if (!t.nested) return {};
      return [run = t.nested, depth](std::uint64_t rounds) { return run(rounds, depth); };
    });
    all.push_back(std::move(nested));
  }

  benchmark fib =
      make("fib20", "fib(20), every call a task that is awaited; frames on a stack", "ns per call", fib20_calls, 1);
  fib.checksum = [](std::uint64_t rounds) { return rounds * 6765; };
  add_variants(fib, [](const coroutine_table& t) { return t.fib; });
  all.push_back(std::move(fib));

  benchmark task_fib =
      make("fib20-task", "the same with hel::task and the runtime's frame pools", "ns per call", fib20_calls, 1);
  task_fib.checksum = [](std::uint64_t rounds) { return rounds * 6765; };
  add_variants(task_fib, [](const coroutine_table& t) { return t.task_fib; });
  all.push_back(std::move(task_fib));
}

}  // namespace hel_bench
