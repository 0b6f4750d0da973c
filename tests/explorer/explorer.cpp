#include "tests/explorer/explorer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <unordered_map>
#include <vector>

#include "runtime/cpu/fiber.hpp"

namespace explorer {
namespace {

constexpr std::size_t most_locations = 60, most_steps = 2000;

// What a thread knows: for each thread how far it has got, for each location the oldest write that it may still read.
using view = std::array<std::uint16_t, most_threads + most_locations>;
void join(view& to, const view& from, std::size_t used) {
  for (std::size_t i = 0; i < used; ++i) to[i] = std::max(to[i], from[i]);
}

struct write {
  std::uint64_t value;
  view known;  // to whoever acquires it
};
struct location {
  std::vector<write> history;
};

struct thread {
  std::unique_ptr<hel::exec::fiber> stack;
  view known{};
  bool done = false, paused = false, desperate = false;
  std::size_t paused_at = 0;  // writes by then
};

struct choice {
  std::uint8_t taken, of;
};

struct event {
  unsigned thread;
  access what;
  std::size_t where;
  std::uint64_t found;
  bool old;
};

class engine {
 public:
  bool explore(const char* name, const std::function<std::unique_ptr<scenario>()>& make, const limits& l) {
    path_.clear();
    std::size_t executions = 0;
    do {
      if (++executions > l.executions) {
        std::printf("%s: more than %zu executions\n", name, l.executions);
        return false;
      }
      execute(make(), l);
      if (failure_) {
        std::printf("%s: execution %zu: %s\n", name, executions, failure_);
        print_events();
        return false;
      }
    } while (next_path());
    std::printf("%s: %zu executions, up to %zu steps\n", name, executions, longest_);
    longest_ = 0;
    return true;
  }

  bool inside() const noexcept { return current_ != nullptr; }

  std::uint64_t perform(const access& a) noexcept {
    point();
    const std::size_t id = location_of(a);
    location& at = locations_[id];
    const std::size_t slot = most_threads + id, newest = at.history.size() - 1;
    thread& me = *current_;
    std::size_t read = newest;
    if (a.op == operation::load && !me.desperate && stale_left_ > 0) {
      const std::size_t old = choose(newest - me.known[slot] + 1);
      if (old > 0) --stale_left_;
      read -= old;
    }
    const write& seen = at.history[read];
    const std::uint64_t found = seen.value;
    if (a.op != operation::store) {
      if (acquires(a.order)) join(me.known, seen.known, used());
      me.known[slot] = std::max<std::uint16_t>(me.known[slot], static_cast<std::uint16_t>(read));
    }
    const bool writes = a.op != operation::load && (a.op != operation::compare_exchange || found == a.expected);
    if (writes) {
      me.known[slot] = static_cast<std::uint16_t>(newest + 1);
      write w{a.op == operation::add ? truncated(found + a.operand, a.bytes) : a.operand, {}};
      if (releases(a.order)) w.known = me.known;
      w.known[slot] = me.known[slot];
      if (a.op != operation::store) join(w.known, seen.known, used());  // a release sequence goes on
      std::memcpy(a.where, &w.value, a.bytes);
      at.history.push_back(w);
      wrote();
    }
    events_.push_back({number(me), a, id, found, read != newest});
    ++me.known[number(me)];
    return found;
  }

  void heavy_fence() noexcept {
    point();
    view all{};
    for (unsigned i = 0; i < threads_.size(); ++i) join(all, threads_[i].known, used());
    for (thread& t : threads_) {
      t.known = all;
      ++t.known[number(t)];  // what it does from here on nobody knows yet
    }
    wrote();
  }

  void pause() noexcept {
    current_->paused = true;
    current_->paused_at = writes_;
    current_->stack->leave();
  }

  void fail(const char* what) {
    if (!failure_) failure_ = what;
    // For good: nothing is unwound, as what is on the stack may not throw.
    if (inside()) current_->stack->leave();
  }

  bool knows(unsigned thread, unsigned when) const noexcept { return current_->known[thread] >= when; }
  unsigned now() const noexcept { return current_->known[number(*current_)]; }
  unsigned current_number() const noexcept { return number(*current_); }

 private:
  static bool acquires(std::memory_order o) {
    return o == std::memory_order_acquire || o == std::memory_order_acq_rel || o == std::memory_order_seq_cst;
  }
  static bool releases(std::memory_order o) {
    return o == std::memory_order_release || o == std::memory_order_acq_rel || o == std::memory_order_seq_cst;
  }
  static std::uint64_t truncated(std::uint64_t v, std::size_t bytes) {
    return bytes == 8 ? v : v & ((std::uint64_t{1} << (8 * bytes)) - 1);
  }
  unsigned number(const thread& t) const noexcept { return static_cast<unsigned>(&t - threads_.data()); }
  std::size_t used() const noexcept { return most_threads + locations_.size(); }

  std::size_t choose(std::size_t n) {
    if (n <= 1) return 0;
    if (at_ == path_.size()) path_.push_back({0, static_cast<std::uint8_t>(n)});
    return path_[at_++].taken;
  }
  bool next_path() {
    while (!path_.empty() && path_.back().taken + 1 == path_.back().of) path_.pop_back();
    if (path_.empty()) return false;
    ++path_.back().taken;
    return true;
  }

  std::size_t location_of(const access& a) {
    const auto [at, fresh] = ids_.try_emplace(a.where, locations_.size());
    if (fresh) {
      if (locations_.size() == most_locations) std::abort();
      write first{0, {}};  // known to all: it was there before the threads
      std::memcpy(&first.value, a.where, a.bytes);
      locations_.emplace_back().history.push_back(first);
    }
    return at->second;
  }

  void wrote() {
    ++writes_;
    for (thread& t : threads_) t.desperate = false;
  }

  bool ready(const thread& t) const { return !t.done && (!t.paused || writes_ > t.paused_at); }

  // Before each operation: somebody else may go first.
  void point() {
    if (++steps_ > most_steps) fail("it does not end");
    if (preemptions_left_ == 0) return;
    thread* others[most_threads];
    std::size_t n = 0;
    for (thread& t : threads_)
      if (&t != current_ && ready(t)) others[n++] = &t;
    const std::size_t k = choose(n + 1);
    if (k == 0) return;
    --preemptions_left_;
    next_ = others[k - 1];
    current_->stack->leave();
  }

  // Who goes on when the current thread cannot.
  thread* pick() {
    std::vector<thread*> all;
    for (thread& t : threads_)
      if (ready(t)) all.push_back(&t);
    if (all.empty()) {
      // In the end every write gets visible: whoever waits looks once more.
      for (thread& t : threads_)
        if (!t.done && !t.desperate) all.push_back(&t);
      if (all.empty()) return nullptr;
      thread* const t = all[choose(all.size())];
      t->desperate = true;
      return t;
    }
    return all[choose(all.size())];
  }

  void execute(std::unique_ptr<scenario> s, const limits& l) {
    at_ = steps_ = writes_ = 0;
    failure_ = nullptr;
    preemptions_left_ = l.preemptions;
    stale_left_ = l.stale_reads;
    ids_.clear();
    locations_.clear();
    events_.clear();
    threads_ = std::vector<thread>(s->threads());
    running_ = s.get();
    for (thread& t : threads_) {
      t.known[number(t)] = 1;
      t.stack = hel::exec::take_fiber();
    }
    std::vector<bool> started(threads_.size());
    next_ = nullptr;
    while (!failure_) {
      thread* const t = next_ ? next_ : pick();
      next_ = nullptr;
      if (!t) {
        if (!std::all_of(threads_.begin(), threads_.end(), [](const thread& u) { return u.done; }))
          failure_ = "nobody can go on";
        break;
      }
      t->paused = false;
      s->entering(number(*t));
      current_ = t;
      if (started[number(*t)]) {
        t->stack->enter();
      } else {
        started[number(*t)] = true;
        t->stack->start(&engine::body, this);
      }
      current_ = nullptr;
    }
    longest_ = std::max(longest_, steps_);
    if (!failure_) s->check();
    if (failure_) {  // what the threads were in the middle of stays as it is
      static std::vector<std::unique_ptr<scenario>> left;
      static std::vector<hel::exec::fiber*> left_stacks;
      left.push_back(std::move(s));
      for (thread& t : threads_) left_stacks.push_back(t.stack.release());
      return;
    }
    for (thread& t : threads_) hel::exec::give_back_fiber(std::move(t.stack));
  }
  static void body(void* self) {
    auto* e = static_cast<engine*>(self);
    thread* const me = e->current_;
    e->running_->run(e->number(*me));
    me->done = true;
    e->wrote();  // an end is something to wait for, too
  }

  void print_events() const {
    static constexpr const char* names[] = {"load", "store", "exchange", "add", "compare_exchange"};
    for (const event& e : events_) {
      std::printf("  thread %u: %s of a%zu", e.thread, names[static_cast<int>(e.what.op)], e.where);
      if (e.what.op == operation::compare_exchange)
        std::printf(" expects %llx", static_cast<unsigned long long>(e.what.expected));
      if (e.what.op != operation::load) std::printf(" with %llx", static_cast<unsigned long long>(e.what.operand));
      if (e.what.op != operation::store) std::printf(" finds %llx", static_cast<unsigned long long>(e.found));
      std::printf("%s\n", e.old ? " (old)" : "");
    }
  }

  std::vector<choice> path_;
  std::size_t at_ = 0, steps_ = 0, writes_ = 0, longest_ = 0;
  unsigned preemptions_left_ = 0, stale_left_ = 0;
  const char* failure_ = nullptr;
  scenario* running_ = nullptr;
  std::vector<thread> threads_;
  thread* current_ = nullptr;
  thread* next_ = nullptr;
  std::unordered_map<void*, std::size_t> ids_;
  std::vector<location> locations_;
  std::vector<event> events_;
};

engine the_engine;

// Before and after the threads: as it is.
std::uint64_t perform_alone(const access& a) noexcept {
  std::uint64_t found = 0;
  std::memcpy(&found, a.where, a.bytes);
  if (a.op == operation::load || (a.op == operation::compare_exchange && found != a.expected)) return found;
  const std::uint64_t v = a.op == operation::add ? found + a.operand : a.operand;
  std::memcpy(a.where, &v, a.bytes);
  return found;
}

}  // namespace

bool explore(const char* name, const std::function<std::unique_ptr<scenario>()>& make, const limits& l) {
  return the_engine.explore(name, make, l);
}

void require(bool holds, const char* what) {
  if (!holds) the_engine.fail(what);
}

std::uint64_t perform(const access& a) noexcept {
  return the_engine.inside() ? the_engine.perform(a) : perform_alone(a);
}
void heavy_fence() noexcept {
  if (the_engine.inside()) the_engine.heavy_fence();
}
void pause() noexcept {
  if (the_engine.inside()) the_engine.pause();
}

void plain_access::reading() const {
  if (!the_engine.inside()) return;
  require(the_engine.knows(written_by_, written_at_), "a read races with a write");
  read_at_[the_engine.current_number()] = the_engine.now();
}
void plain_access::writing() {
  if (!the_engine.inside()) return;
  require(the_engine.knows(written_by_, written_at_), "a write races with a write");
  for (unsigned t = 0; t < most_threads; ++t) require(the_engine.knows(t, read_at_[t]), "a write races with a read");
  written_by_ = the_engine.current_number();
  written_at_ = the_engine.now();
}

}  // namespace explorer
