// A program for the stepper's tests. Its lines are named in the scripts beside it: `// line: name` marks one.
#include <hel/hel.hpp>

#include <cstdio>
#include <cstring>
#include <string>

HEL_HOST_TASK hel::task<int> twice(int n) { co_return 2 * n; }

HEL_HOST_TASK hel::task<int> sum(std::string label, int count) {
  int total = 0;
  for (int i = 0; i < count; ++i) {
    const int before = total;
    total += co_await twice(i);  // line: call
    if (total < before) co_return -1;
  }
  co_await hel::yield();  // line: yield
  std::printf("%s %d\n", label.c_str(), total);
  co_return total;
}

HEL_HOST_TASK hel::task<int> receive(hel::channel<int>& channel) {
  const auto value = co_await channel.receive();  // line: receive
  co_return value ? *value : 0;
}

HEL_HOST_TASK hel::task<int> stuck() {
  hel::channel<int> never(1);
  co_return co_await receive(never);  // line: stuck
}

int main(int argc, char** argv) {
  hel::runtime rt;
  if (argc > 1 && std::strcmp(argv[1], "stuck") == 0) {
    auto app = rt.launch(stuck);
    return app.get();
  }
  auto app = rt.launch(sum, std::string("a\tb\x1b[31m"), 3);
  return app.get();
}
