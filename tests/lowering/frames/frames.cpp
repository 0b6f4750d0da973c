// How many bytes each coroutine asks of operator new. Each line `// limit: NAME BYTES` is the most that it may be.
// limit: empty 24
// limit: disjoint 288
// limit: dead_buffers 24
// limit: awaiters 24
// limit: awaiters_with_state 40
// limit: temporaries 168
#include <coroutine>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>

static std::size_t asked;
void* operator new(std::size_t n) {
  asked = n;
  if (void* p = std::malloc(n)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

struct Job {
  struct promise_type {
    Job get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> h;
};

void fill(char* p, std::size_t n);
struct Big {  // 136 bytes
  char bytes[136];
  Big() { fill(bytes, sizeof bytes); }
  ~Big() { fill(bytes, 1); }
};
struct Empty {
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) noexcept {}
  void await_resume() noexcept {}
};
struct Pointer {  // an awaiter of 16 bytes that is dead once the coroutine is resumed
  const char* p;
  long n;
  bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<>) noexcept {}
  void await_resume() noexcept {}
};
Empty use(const Big&) { return {}; }

Job empty() { co_return; }
Job disjoint() {
  { char a[256]; fill(a, 256); co_await Empty{}; fill(a, 256); }
  { char b[256]; fill(b, 256); co_await Empty{}; fill(b, 256); }
  { char c[256]; fill(c, 256); co_await Empty{}; fill(c, 256); }
}
Job dead_buffers() {
  { char a[1024]; fill(a, 1024); }
  co_await Empty{};
  { char b[1024]; fill(b, 1024); }
}
Job awaiters() {
  co_await Empty{}; co_await Empty{}; co_await Empty{}; co_await Empty{}; co_await Empty{};
  co_await Empty{}; co_await Empty{}; co_await Empty{}; co_await Empty{}; co_await Empty{};
}
Job awaiters_with_state() {
  co_await Pointer{"0", 0}; co_await Pointer{"1", 1}; co_await Pointer{"2", 2}; co_await Pointer{"3", 3};
  co_await Pointer{"4", 4}; co_await Pointer{"5", 5}; co_await Pointer{"6", 6}; co_await Pointer{"7", 7};
  co_await Pointer{"8", 8}; co_await Pointer{"9", 9};
}
Job temporaries() {
  co_await use(Big());
  co_await use(Big());
}

void fill(char* p, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) static_cast<volatile char*>(p)[i] = 1;
}

int main() {
  struct { const char* name; Job (*volatile make)(); } all[] = {
      {"empty", empty}, {"disjoint", disjoint}, {"dead_buffers", dead_buffers}, {"awaiters", awaiters},
      {"awaiters_with_state", awaiters_with_state}, {"temporaries", temporaries}};
  for (auto& f : all) {
    Job j = f.make();
    std::printf("%s %zu\n", f.name, asked);
    while (!j.h.done()) j.h.resume();
    j.h.destroy();
  }
}
