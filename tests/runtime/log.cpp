// hel::log_service: lines, whole and in order; levels; flushing; a stream that fails.
#include "hel/log.hpp"

#include <sstream>

#include "support.hpp"

namespace {

using log_handle = hel::service<hel::log_service>;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> all;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) all.push_back(line);
  return all;
}

hel::task<void> one_of_each(log_handle log) {
  co_await log.post(hel::log_line{hel::log_level::debug, "hidden"});
  co_await log.post(hel::log_line{hel::log_level::info, "first"});
  co_await log.post(hel::log_line{hel::log_level::warning, "two\nlines"});
  CHECK(log.try_post(hel::log_line{hel::log_level::error, ""}));
}

hel::task<void> many(log_handle log, int writer, int n) {
  for (int i = 0; i < n; ++i)
    co_await log.post(hel::log_line{hel::log_level::info, std::to_string(writer) + " " + std::to_string(i)});
}
hel::task<std::uint64_t> from_everywhere(log_handle log, int writers, int n) {
  std::vector<hel::join_handle<void>> all;
  for (int w = 0; w < writers; ++w) all.push_back(hel::spawn(many, log, w, n));
  for (auto& h : all) co_await h;
  co_return co_await log.call(hel::log_flush{});
}

hel::task<void> after_a_while(log_handle log) {
  co_await log.call(hel::log_line{hel::log_level::info, "begins"});
  co_await hel::sleep_for(std::chrono::milliseconds(1500));
  co_await log.call(hel::log_line{hel::log_level::info, "ends"});
}

// Takes so many bytes, then none.
class full_disk : public std::stringbuf {
 public:
  std::streamsize room = 0;

 protected:
  std::streamsize xsputn(const char* s, std::streamsize n) override {
    if (n > room) return 0;
    room -= n;
    return std::stringbuf::xsputn(s, n);
  }
};
hel::task<std::uint64_t> two_lines(log_handle log) {
  co_await log.post(hel::log_line{hel::log_level::info, "fits"});
  co_await log.post(hel::log_line{hel::log_level::info, "does not"});
  co_return co_await log.call(hel::log_flush{});
}
hel::task<std::uint64_t> one_more(log_handle log) {
  co_await log.post(hel::log_line{hel::log_level::info, "again"});
  co_return co_await log.call(hel::log_flush{});
}

}  // namespace

TEST_CASE("lines are written in order, with their level; what is below the least is dropped") {
  for (const hel::cpu& settings : all_executors()) {
    std::ostringstream out;
    {
      hel::runtime rt(settings);
      auto log = rt.start_service<hel::log_service>({}, hel::log_options{.to = &out});
      rt.launch(one_of_each, log).get();
    }
    CHECK(out.str() == "info: first\nwarning: two\n  lines\nerror: \n");
  }
}

TEST_CASE("many tasks write, lines stay whole and each task's in order, also where the mailbox is full") {
  for (const hel::cpu& settings : all_executors()) {
    constexpr int writers = 8, n = 200;
    std::ostringstream out;
    hel::runtime rt(settings);
    auto log = rt.start_service<hel::log_service>({.capacity = 4}, hel::log_options{.to = &out});
    CHECK(rt.launch(from_everywhere, log, writers, n).get() == 0);
    const std::vector<std::string> lines = lines_of(out.str());  // flushed: all are there while the runtime lives
    REQUIRE(lines.size() == writers * n);
    std::vector<int> next(writers);
    for (const std::string& line : lines) {
      int writer = -1, i = -1;
      REQUIRE(std::sscanf(line.c_str(), "info: %d %d", &writer, &i) == 2);
      CHECK(i == next[static_cast<std::size_t>(writer)]++);
    }
  }
}

TEST_CASE("times are those of the runtime's clock") {
  std::ostringstream out;
  {
    hel::runtime rt(hel::cpu{.executor = hel::executor::deterministic});
    auto log = rt.start_service<hel::log_service>({}, hel::log_options{.to = &out, .times = true});
    rt.launch(after_a_while, log).get();
  }
  CHECK(out.str() == "0.000000 info: begins\n1.500000 info: ends\n");
}

TEST_CASE("lines that the stream does not take are counted") {
  full_disk disk;
  std::ostream out(&disk);
  hel::runtime rt(hel::cpu{.threads = 1, .executor = hel::executor::threads});
  auto log = rt.start_service<hel::log_service>({}, hel::log_options{.to = &out});
  disk.room = 12;
  CHECK(rt.launch(two_lines, log).get() == 1);
  disk.room = 100;
  CHECK(rt.launch(one_more, log).get() == 0);
  CHECK(disk.str() == "info: fits\ninfo: again\n");
}
