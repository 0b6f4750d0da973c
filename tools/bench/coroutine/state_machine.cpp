// The same work with state machines written by hand: what a perfect compiler could reach.
#include <cstdint>
#include <new>

#include "tools/bench/coroutine/frame_stack.hpp"
#include "tools/bench/coroutine/table.hpp"

#if defined(__clang__)
#  define HEL_BENCH_TAIL_CALL [[clang::musttail]] return
#else
#  define HEL_BENCH_TAIL_CALL return  // g++ makes jumps of them when it optimises
#endif

namespace hel_bench::HEL_BENCH_VARIANT {
namespace {

struct frame {
  void (*resume)(frame*);
  frame* waiting;  // resumed at the end
};

void stop(frame*) {}

// --- generator
struct counter : frame {
  std::uint64_t value, end;
  bool done;
};

void next_value(frame* f) {
  auto* c = static_cast<counter*>(f);
  if (++c->value >= c->end) c->done = true;
}

void first_value(frame* f) {
  auto* c = static_cast<counter*>(f);
  c->resume = next_value;
  c->value = 0;
  if (c->end == 0) c->done = true;
}

// Not inlined, like the ramp of a coroutine in another file.
[[gnu::noinline]] counter* make_counter(std::uint64_t end) {
  auto* c = new counter{{first_value, nullptr}, 0, end, false};
  asm volatile("" : "+r"(c) : : "memory");  // the driver knows nothing of the frame
  return c;
}

std::uint64_t resume(std::uint64_t rounds) {
  counter* c = make_counter(rounds);
  std::uint64_t sum = 0;
  for (;;) {
    c->resume(c);
    if (c->done) break;
    sum += c->value;
  }
  delete c;
  return sum;
}

// --- create, run, destroy
struct leaf_frame : frame {
  std::uint64_t argument, value;
};

void run_leaf(frame* f) {
  auto* l = static_cast<leaf_frame*>(f);
  l->value = l->argument;
  HEL_BENCH_TAIL_CALL l->waiting->resume(l->waiting);
}

frame nobody{stop, nullptr};

template <bool Heap>
[[gnu::noinline]] leaf_frame* make_leaf(std::uint64_t v) {
  void* memory = Heap ? ::operator new(sizeof(leaf_frame)) : push_frame(sizeof(leaf_frame));
  auto* l = ::new (memory) leaf_frame{{run_leaf, &nobody}, v, 0};
  asm volatile("" : "+r"(l) : : "memory");
  return l;
}

template <bool Heap>
[[gnu::noinline]] void free_leaf(leaf_frame* l) {
  if constexpr (Heap)
    ::operator delete(l, sizeof(leaf_frame));
  else
    pop_frame(l);
}

template <bool Heap>
std::uint64_t run_leaves(std::uint64_t rounds) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    leaf_frame* l = make_leaf<Heap>(i);
    l->resume(l);
    sum += l->value;
    free_leaf<Heap>(l);
  }
  return sum;
}

// --- nested calls
struct nested_frame : frame {
  std::uint64_t depth, value;
  nested_frame* child;
};

void end_nested(frame* f) {
  auto* n = static_cast<nested_frame*>(f);
  n->value = 1 + n->child->value;
  pop_frame(n->child);
  HEL_BENCH_TAIL_CALL n->waiting->resume(n->waiting);
}

void begin_nested(frame* f) {
  auto* n = static_cast<nested_frame*>(f);
  if (n->depth == 0) {
    n->value = 1;
    HEL_BENCH_TAIL_CALL n->waiting->resume(n->waiting);
  }
  auto* child = ::new (push_frame(sizeof(nested_frame))) nested_frame{{begin_nested, n}, n->depth - 1, 0, nullptr};
  n->resume = end_nested;
  n->child = child;
  HEL_BENCH_TAIL_CALL begin_nested(child);
}

std::uint64_t run_nested(std::uint64_t rounds, std::uint64_t depth) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    auto* n = ::new (push_frame(sizeof(nested_frame))) nested_frame{{begin_nested, &nobody}, depth, 0, nullptr};
    begin_nested(n);
    sum += n->value;
    pop_frame(n);
  }
  return sum;
}

// --- fib
struct fib_frame : frame {
  std::uint64_t n, value, first;
  fib_frame* child;
};

void begin_fib(frame* f);

fib_frame* push_fib(frame* waiting, std::uint64_t n) {
  return ::new (push_frame(sizeof(fib_frame))) fib_frame{{begin_fib, waiting}, n, 0, 0, nullptr};
}

void end_fib(frame* f) {
  auto* self = static_cast<fib_frame*>(f);
  self->value = self->first + self->child->value;
  pop_frame(self->child);
  HEL_BENCH_TAIL_CALL self->waiting->resume(self->waiting);
}

void second_fib(frame* f) {
  auto* self = static_cast<fib_frame*>(f);
  self->first = self->child->value;
  pop_frame(self->child);
  self->child = push_fib(self, self->n - 2);
  self->resume = end_fib;
  HEL_BENCH_TAIL_CALL begin_fib(self->child);
}

void begin_fib(frame* f) {
  auto* self = static_cast<fib_frame*>(f);
  if (self->n < 2) {
    self->value = self->n;
    HEL_BENCH_TAIL_CALL self->waiting->resume(self->waiting);
  }
  self->child = push_fib(self, self->n - 1);
  self->resume = second_fib;
  HEL_BENCH_TAIL_CALL begin_fib(self->child);
}

std::uint64_t run_fib(std::uint64_t rounds) {
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    fib_frame* root = push_fib(&nobody, 20);
    begin_fib(root);
    sum += root->value;
    pop_frame(root);
  }
  return sum;
}

}  // namespace

const coroutine_table table{resume, run_leaves<true>, run_leaves<false>, run_nested, run_fib, nullptr};

}  // namespace hel_bench::HEL_BENCH_VARIANT
