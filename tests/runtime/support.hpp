// What the runtime's tests share. The coroutines of the tests are plain functions outside the test cases, so that the
// same files can be lowered by hel-lower.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <mutex>
#include <string>
#include <vector>

#include "hel/hel.hpp"

// Appends its name to a log when it is destroyed. Tasks on several workers may share a log.
class logged {
 public:
  logged(std::vector<std::string>& log, std::string name) : log_(&log), name_(std::move(name)) {}
  logged(logged&& o) noexcept : log_(o.log_), name_(std::move(o.name_)) { o.log_ = nullptr; }
  logged& operator=(logged&&) = delete;
  ~logged() {
    static std::mutex mutex;
    if (!log_) return;
    const std::lock_guard lock(mutex);
    log_->push_back(name_);
  }

 private:
  std::vector<std::string>* log_;
  std::string name_;
};

// What is written to standard error while it lives.
class captured_stderr {
 public:
  captured_stderr() : file_(std::tmpfile()), before_(dup(STDERR_FILENO)) { dup2(fileno(file_), STDERR_FILENO); }
  captured_stderr(const captured_stderr&) = delete;
  captured_stderr& operator=(const captured_stderr&) = delete;
  ~captured_stderr() {
    dup2(before_, STDERR_FILENO);
    close(before_);
    std::fclose(file_);
  }
  std::string text() {
    std::string all;
    std::rewind(file_);
    for (int c; (c = std::fgetc(file_)) != EOF;) all += static_cast<char>(c);
    return all;
  }

 private:
  std::FILE* file_;
  int before_;
};

// The settings under which every semantic must hold.
inline const std::vector<hel::cpu>& all_executors() {
  static const std::vector<hel::cpu> all{
      {.threads = 1, .executor = hel::executor::threads},     {.threads = 2, .executor = hel::executor::threads},
      {.threads = 4, .executor = hel::executor::threads},     {.executor = hel::executor::deterministic, .seed = 0},
      {.executor = hel::executor::deterministic, .seed = 42},
  };
  return all;
}

// The same, and with workers of their own for services and applications: there, a number of yields says little about
// what others have done meanwhile.
inline const std::vector<hel::cpu>& all_and_divided() {
  static const std::vector<hel::cpu> all = [] {
    std::vector<hel::cpu> settings = all_executors();
    settings.push_back({.executor = hel::executor::threads, .partition = hel::partition{1, 1, 2}});
    return settings;
  }();
  return all;
}

// Launches f(args...) under every executor and hands each result to `check`.
template <class Check, class F, class... Args>
void on_all_executors(Check check, F f, Args&&... args) {
  for (const hel::cpu& settings : all_executors()) {
    CAPTURE(settings.threads);
    CAPTURE(settings.seed.value_or(0));
    hel::runtime rt(settings);
    auto app = rt.launch(f, args...);
    check(app.get());
  }
}
