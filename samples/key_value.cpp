// key_value: a service keeps its state while applications come and go. One application fills a key-value store, another
// one, started when the first is over, reads it and counts.
#include <iostream>
#include <map>
#include <optional>
#include <string>

#include "hel/hel.hpp"

struct put {
  std::string key;
  long value;
};
struct get {
  std::string key;
};
struct add {
  std::string key;
  long amount;
};

// One request at a time, so no lock is needed, also where a handler suspends.
class key_value_store {
 public:
  void handle(put p) { values_[p.key] = p.value; }
  std::optional<long> handle(get g) const {
    const auto at = values_.find(g.key);
    return at == values_.end() ? std::nullopt : std::optional(at->second);
  }
  HEL_HOST_TASK hel::task<long> handle(add a) {
    long value = values_[a.key];
    co_await hel::yield();  // others run meanwhile, but no other request
    values_[a.key] = value + a.amount;
    co_return value + a.amount;
  }
  void stop() { std::cout << "the store ends with " << values_.size() << " keys\n"; }

 private:
  std::map<std::string, long> values_;
};
using store = hel::service<key_value_store>;

HEL_HOST_TASK hel::task<void> count_up(store s, int n) {
  for (int i = 0; i < n; ++i) co_await s.call(add{"count", 1});
}

HEL_HOST_TASK hel::task<void> fill(store s) {
  co_await s.post(put{"answer", 42});  // does not wait for it to be stored
  co_await s.call(put{"pages", 16});   // does; the store takes requests in order
  co_await hel::when_all(count_up(s, 100), count_up(s, 100), count_up(s, 100));
}

HEL_HOST_TASK hel::task<long> look_up(store s, std::string key) {
  std::optional<long> value = co_await s.call(get{std::move(key)});
  co_return value.value_or(-1);
}

int main() {
  hel::runtime rt;
  store s = rt.start_service<key_value_store>();
  rt.launch(fill, s).get();  // the first application is over here
  for (const char* key : {"answer", "pages", "count", "nothing"})
    std::cout << key << ": " << rt.launch(look_up, s, std::string(key)).get() << '\n';
}
