// host_rpc: tasks ask the host for what only the host can do. The task suspends until the answer is there; its worker
// runs other tasks meanwhile.
#include <chrono>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>

#include "hel/hel.hpp"

// A function object, so that it can be named in a task that is compiled for the device too. Runs on a host thread.
struct population {
  long operator()(int city) const {
    static const std::map<int, long> table{{1, 3644826}, {2, 1841179}, {3, 1471508}};
    std::this_thread::sleep_for(std::chrono::milliseconds(5));  // a slow service
    return table.at(city);                                      // throws for a city that it does not know
  }
};

// It gets a number, by which a device knows it, and its arguments travel by value.
HEL_HOST_FUNCTION(population);

HEL_TASK hel::task<long> ask(int city) {
  long people = co_await hel::host(population{}, city);
  co_return people;
}

HEL_TASK hel::task<long> ask_all() {
  auto all = co_await hel::when_all(ask(1), ask(2), ask(3));
  co_return hel::get<0>(all) + hel::get<1>(all) + hel::get<2>(all);
}

// A failing call fails the tasks that wait for it, up to the one that expects an error.
HEL_TASK hel::task<bool> is_known(int city) {
  auto people = co_await hel::as_expected(ask(city));
  co_return people.has_value();
}

int main() {
  hel::runtime rt;
  auto total = rt.launch(ask_all);
  auto known = rt.launch(is_known, 2);
  auto unknown = rt.launch(is_known, 7);
  std::cout << "population of three cities: " << total.get() << '\n';
  std::cout << "city 2 is " << (known.get() ? "known" : "unknown") << '\n';
  std::cout << "city 7 is " << (unknown.get() ? "known" : "unknown") << '\n';
}
