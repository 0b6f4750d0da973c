// hel::spawn(hel::retry{...}, f, args...): runs a task again while it fails.
//
//   auto h = hel::spawn(hel::retry{.max_attempts = 5, .backoff = hel::exponential_backoff(10ms)}, f, a);
//   T x = co_await h;              // fails with the last error when all attempts did
//   auto r = co_await hel::as_expected(h);     // r.error().attempts: how often it was run
//
// f and its arguments are kept, and every attempt gets copies of them; pass std::ref where f takes a reference that is
// not const. The handle, and whatever was spawned after it, waits for the last attempt. Only failures are retried
// (hel::fail), of the codes in `codes` if there are any; an exception ends it. Host only so far.
#pragma once

#include <chrono>
#include <initializer_list>
#include <tuple>

#include "hel/spawn.hpp"

namespace hel {

// How long to wait before the next attempt: `first`, then `factor` times as long each time, `most` at most; each delay
// is stretched or shortened by a random share of up to `jitter` (0 to 1), so that tasks that failed together do not
// come back together.
struct backoff {
  std::chrono::nanoseconds first{};
  double factor = 1;
  std::chrono::nanoseconds most = std::chrono::hours(1);
  double jitter = 0;

  // After the given number of failed attempts, 1 or more; `random` in [0, 1).
  std::chrono::nanoseconds delay(std::uint32_t failed, double random) const noexcept {
    double d = static_cast<double>(first.count());
    const double limit = static_cast<double>(most.count());
    for (std::uint32_t i = 1; i < failed && d < limit && factor != 1; ++i) d *= factor;
    d = (d < limit ? d : limit) * (1 + jitter * (2 * random - 1));
    return std::chrono::nanoseconds(static_cast<std::int64_t>(d));
  }
};
inline backoff constant_backoff(std::chrono::nanoseconds d, double jitter = 0) noexcept { return {d, 1, d, jitter}; }
inline backoff exponential_backoff(std::chrono::nanoseconds first, double factor = 2,
                                   std::chrono::nanoseconds most = std::chrono::hours(1), double jitter = 0) noexcept {
  return {first, factor, most, jitter};
}

// The codes that are worth another attempt. Empty: all.
class retry_codes {
 public:
  static constexpr std::size_t most = 8;

  constexpr retry_codes() noexcept = default;
  constexpr retry_codes(std::initializer_list<std::int32_t> codes) {  // std::length_error for more than `most`
    if (codes.size() > most) throw std::length_error("hel::retry_codes: more than 8 codes");
    for (std::int32_t c : codes) codes_[size_++] = c;
  }
  constexpr bool match(std::int32_t code) const noexcept {
    for (std::size_t i = 0; i < size_; ++i)
      if (codes_[i] == code) return true;
    return size_ == 0;
  }

 private:
  std::int32_t codes_[most] = {};
  std::size_t size_ = 0;
};

struct retry {
  std::uint32_t max_attempts = 3;  // the first one included; 0 counts as 1
  hel::backoff backoff{};
  retry_codes codes{};
};

namespace detail {

template <>
inline constexpr bool is_spawn_option<retry> = true;

// What a retried task is made from, and who is told when an attempt is over. Destroyed with the root's record.
template <class T, class F, class... Args>
class retried : public spawn_extra, public exec::action {
 public:
  template <class G, class... As>
  explicit retried(const retry& policy, G&& f, As&&... args)
      : spawn_extra{&retried::release}, action(&retried::attempt_over), policy_(policy), f_(std::forward<G>(f)),
        args_(std::forward<As>(args)...) {}

  root<T>* start(exec::executor* home) {
    record_ = root<T>::make(make_task(), home, this);
    record_->task = nullptr;  // its end is an attempt's end
    if (cancel_state* c = home->token()) attach_token(*record_, c);
    count_root_started(*home);
    enter_attempt();
    return record_;
  }

 private:
  std::coroutine_handle<> make_task() {
    return std::apply([this](const Args&... args) { return f_(args...).release(); }, args_);
  }
  // The frame reports to this object instead of the root.
  void enter_attempt() noexcept {
    ++attempts_;
    resume = &retried::attempt_over;
    promise_base& p = promise_of(record_->out.frame);
    p.link = handle().address();
    p.slot = &record_->out;
    record_->out.kind = reports::to_attempt;
  }

  static void attempt_over(void* action) noexcept {
    auto& self = *static_cast<retried*>(static_cast<exec::action*>(action));
    result<T>& out = self.record_->out;
    cancel_state* const c = self.token;
    if (tasks_recorded && !out.has_failed()) [[unlikely]]
      step_over(std::coroutine_handle<>::from_address(out.frame));
    if (!out.has_failed() || self.attempts_ >= self.policy_.max_attempts || !self.policy_.codes.match(out.err.code) ||
        (c && c->requested.load_relaxed() != 0))
      return self.finish();
    exec::timer_service& timers = self.record_->home->timers();
    const double random = static_cast<double>((timers.draw() * 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
    const auto delay = self.policy_.backoff.delay(self.attempts_, random);
    self.resume = &retried::next_attempt;
    if (delay.count() <= 0) return self.record_->home->schedule_last(self.handle());
    self.timer_.handle = self.handle();
    self.timer_.home = self.record_->home;
    if (!c) return timers.set(self.timer_, delay);
    using started = cancel_point::started;
    const started s = self.pause_.start(c, {}, &pause::withdraw, [&]() noexcept {
      timers.set(self.timer_, delay);
      return true;
    });
    if (s == started::cancelled) self.finish();
  }
  // The time between two attempts, which a token may end.
  struct pause : cancel_point {
    explicit pause(retried* r) noexcept : owner(r) { resume = &pause::cancelled; }
    static bool withdraw(cancel_point* p) noexcept {
      exec::timer_entry& e = static_cast<pause*>(p)->owner->timer_;
      return e.home->timers().cancel(e);
    }
    static void cancelled(void* a) noexcept {
      retried* r = static_cast<pause*>(static_cast<exec::action*>(a))->owner;
      r->pause_.leave();
      r->record_->out.err = error(errc::cancelled);
      r->finish();
    }
    retried* owner;
  };
  static void next_attempt(void* action) noexcept {
    auto& self = *static_cast<retried*>(static_cast<exec::action*>(action));
    self.pause_.leave();
    result<T>& out = self.record_->out;
    out.state = outcome::none;
    out.frame = nullptr;
    try {
      out.frame = self.make_task().address();
    } catch (...) {
      ++self.attempts_;
      out.set_exception();
      return self.finish();
    }
    self.enter_attempt();
    self.record_->home->schedule(std::coroutine_handle<>::from_address(out.frame));
  }
  // Now the root is over. *this may be gone afterwards.
  void finish() noexcept {
    root<T>* r = record_;
    r->out.kind = reports::to_root;
    settlement s(false);
    if (r->out.has_failed()) {
      error e = r->out.err;
      e.attempts = attempts_;
      s.fail(static_cast<root_record*>(r), &r->out, e);
    } else {
      count_root_finished(*r->home);
      const auto over = r->word.complete();
      if (over.detached) root<T>::release(r);
      s.follow(over.first);
    }
    s.run();
  }
  static void release(spawn_extra* e) noexcept {
    auto* self = static_cast<retried*>(e);
    self->~retried();
    free_block_of(self, sizeof(retried));
  }

  const retry policy_;
  F f_;
  std::tuple<Args...> args_;
  root<T>* record_ = nullptr;
  std::uint32_t attempts_ = 0;
  exec::timer_entry timer_;
  pause pause_{this};
};

}  // namespace detail

template <class F, class... Args>
HEL_APART auto spawn(const retry& policy, F&& f, Args&&... args) {
  exec::executor* home = detail::spawn_home();
  if (!home) throw std::logic_error("hel::spawn is called from a task; a program starts tasks with runtime::launch");
  using task_type = std::invoke_result_t<std::decay_t<F>&, const std::decay_t<Args>&...>;
  static_assert(detail::is_task<task_type>::value, "the callable must return hel::task<T>");
  using block = detail::retried<typename task_type::value_type, std::decay_t<F>, std::decay_t<Args>...>;
  static_assert(alignof(block) <= 16);
  auto* b =
      ::new (detail::allocate_block(sizeof(block))) block(policy, std::forward<F>(f), std::forward<Args>(args)...);
  auto* root = b->start(home);
  join_handle handle(root);
  home->schedule(std::coroutine_handle<>::from_address(root->out.frame));
  return handle;
}

}  // namespace hel
