// hel::spawn_batch: many tasks at the price of one queue entry and one counter.
//
//   auto b = hel::spawn_batch(n, f);          // f(0) ... f(n - 1), each a task; f is kept until all are over
//   auto b = hel::spawn_batch(items, f);      // f(items[i]); the items must outlive the batch
//   co_await b;                               // all of them; of task<T>: std::vector<T>, in order
//   auto r = co_await hel::as_expected(b);
//
// The call itself takes constant time: a worker makes the frame of f(i) when it comes to it, so the memory is that of
// the tasks that run, whatever n. f is called by several workers at once.
//
// co_await waits for all tasks, also when some fail; then the awaiting task fails with the failure of the first that
// failed in the order of their indices, or gets the first exception. Dropping the handle detaches the tasks. A batch is
// awaited once, and is a dependency for hel::spawn_after. Host only so far.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "hel/dependency.hpp"
#include "hel/exec/action.hpp"
#include "hel/spawn.hpp"

namespace hel {
namespace detail {

struct batch_base : batch_record {
  // What a task of the batch goes to when it is over.
  struct member_over : batch_member {
    core::atomic<bool> scan{false};  // outcomes other than a value may have been left, by tasks that ended elsewhere

    explicit member_over(join_group& g) noexcept : batch_member(&member_over::arrive, g) {}
    static void arrive(void* self) noexcept {
      auto* const m = static_cast<member_over*>(static_cast<exec::action*>(self));
      exec::local_worker* const w = exec::this_worker;
      if (w && w->counted == m->group) [[likely]] {
        ++w->count;
        return;
      }
      m->scan.store_relaxed(true);
      group_arrive(*m->group).resume();
    }
  };

  core::atomic<std::uint64_t> next;
  std::uint64_t size;
  member_over over;

  batch_base(void (*run)(void*), std::uint64_t n) noexcept : batch_record(run), size(n), over(group) {}

  struct part {
    std::uint64_t begin, end;
  };
  // A part of what is left: small parts towards the end, so that the workers end together. Empty: nothing is left.
  part claim() noexcept {
    std::uint64_t at = next.load_relaxed();
    for (;;) {
      const std::uint64_t left = size - at;
      if (left == 0) return {at, at};
      const std::uint64_t n = left / 16 < 1 ? 1 : left / 16 > 64 ? 64 : left / 16;
      if (next.cas_relaxed(at, at + n)) return {at, at + n};
    }
  }
  // While it lives, tasks of the batch that end on this worker are counted without a locked operation: most of a part
  // ends before the part does.
  class count_here {
   public:
    explicit count_here(join_group& g) noexcept : worker_(exec::this_worker), group_(g) {
      if (!worker_) return;
      outer_ = std::exchange(worker_->counted, &g);
      outer_count_ = std::exchange(worker_->count, 0);
    }
    ~count_here() {
      if (!worker_) return;
      const std::uint32_t n = std::exchange(worker_->count, outer_count_);
      worker_->counted = outer_;
      if (n > 0) group_arrive(group_, n).resume();
    }
    count_here(const count_here&) = delete;

   private:
    exec::local_worker* worker_;
    join_group& group_;
    const void* outer_ = nullptr;
    std::uint32_t outer_count_ = 0;
  };

  // A helper takes a part and runs it. Each is counted as a root, so that none outlives the runtime.
  void queue_helper() noexcept {
    references.add(1);
    home->root_started();
    home->schedule(handle());
  }
};

// Call: makes the task of an index.
template <class T, class Call>
struct batch_block : batch_base {
  Call call;
  result<T>* slots;  // constructed as their tasks start

  template <class C>
  batch_block(C&& c, std::uint64_t n)
      : batch_base(&batch_block::help, n), call(std::forward<C>(c)),
        slots(static_cast<result<T>*>(allocate_block(n * sizeof(result<T>)))) {
    free = &batch_block::free_block;
    failed = &batch_block::first_failure;
  }

  static void help(void* action) noexcept {
    auto* b = static_cast<batch_block*>(static_cast<exec::action*>(action));
    const part mine = b->claim();
    // The rest goes to the queue first: another worker may take it, and what these tasks spawn comes before it.
    if (mine.begin < mine.end && mine.end < b->size) b->queue_helper();
    {
      const count_here counted(b->group);
      for (std::uint64_t i = mine.begin; i < mine.end; ++i) b->start(i, exec::this_worker);
    }
    b->home->root_finished();
    b->release();
  }

  void start(std::uint64_t i, const exec::local_worker* counting) noexcept {
    const std::uint32_t before = counting ? counting->count : 0;
    auto* out = ::new (static_cast<void*>(slots + i)) result<T>();
    try {
      const std::coroutine_handle<> frame = call(i).release();
      promise_base& p = promise_of(frame.address());
      p.slot = out;
      out->frame = frame.address();
      if (tasks_recorded) [[unlikely]] {
        p.link = &group;
        out->kind = reports::to_group;
        over.scan.store_relaxed(true);
        home->schedule(frame);
        return;
      }
      p.link = static_cast<exec::action*>(&over);
      out->kind = reports::to_batch;
      frame.resume();
    } catch (...) {  // from the callable: there is no task
      out->set_exception();
      member_over::arrive(static_cast<exec::action*>(&over));
    }
    // Counted: it is over, and its outcome can be looked at.
    if (counting && counting->count != before && out->state != outcome::value) over.scan.store_relaxed(true);
  }

  static void free_block(batch_record* r) noexcept {
    auto* b = static_cast<batch_block*>(r);
    if (!std::is_trivially_destructible_v<stored_t<T>> || b->over.scan.load_relaxed())
      for (std::uint64_t i = 0; i < b->size; ++i) b->slots[i].~result<T>();
    free_block_of(b->slots, b->size * sizeof(result<T>));
    b->~batch_block();
    free_block_of(b, sizeof(batch_block));
  }
  static const error* first_failure(const batch_record* r) noexcept {
    auto* b = static_cast<const batch_block*>(r);
    if (!b->over.scan.load_relaxed()) return nullptr;
    for (std::uint64_t i = 0; i < b->size; ++i)
      if (b->slots[i].has_failed()) return &b->slots[i].err;
    return nullptr;
  }
};

// Awaits a batch and takes it over. Deliver: a failure arrives as a value (hel::as_expected).
template <class T, bool Deliver>
class batch_awaiter {
  using results = std::conditional_t<std::is_void_v<T>, void, std::vector<stored_t<T>>>;

 public:
  batch_awaiter(batch_record*& b, result<T>* slots, std::uint64_t n) noexcept : batch_(&b), slots_(slots), size_(n) {}

  bool await_ready() const noexcept { return (*batch_)->word.done() && (Deliver || !(*batch_)->failed(*batch_)); }
  template <class P>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) noexcept {
    waiter_.handle = waiting;
    waiter_.home = current_home();
    if constexpr (!Deliver) waiter_.parent = failing_promise(waiting);
    promise_base* const parent = waiter_.parent;
    batch_record* const b = *batch_;
    if (tasks_recorded) [[unlikely]]
      step_waits(waiting, wait_kind::all, b);
    if (cancel_state* c = token_of(waiting))
      return cancel_.suspend(c, waiting, b->word, waiter_, Deliver ? nullptr : &b->out);
    if (b->word.try_wait(&waiter_)) return std::noop_coroutine();
    const error* e = b->failed(b);
    if (parent && e) return fail_from(waiting, error(*e));
    return waiting;
  }
  std::conditional_t<Deliver, expected<results, error>, results> await_resume() {
    cancel_.end();
    const releaser release{*batch_};
    *batch_ = nullptr;
    const error* e = release.b->failed(release.b);
    if constexpr (Deliver) {
      if (e) return unexpected<error>(*e);
    } else {
      if (e) raise_failure(*e);
    }
    if constexpr (std::is_void_v<T>) {
      if (static_cast<batch_base*>(release.b)->over.scan.load_relaxed())
        for (std::uint64_t i = 0; i < size_; ++i) slots_[i].take();
      if constexpr (Deliver) return {};
    } else {
      std::vector<stored_t<T>> all;
      all.reserve(size_);
      for (std::uint64_t i = 0; i < size_; ++i) {
        if constexpr (std::is_reference_v<T>)
          all.push_back(__builtin_addressof(slots_[i].take()));
        else
          all.push_back(slots_[i].take());
      }
      return all;
    }
  }

 private:
  struct releaser {
    batch_record* b;
    ~releaser() { b->release(); }
  };
  batch_record** batch_;
  result<T>* slots_;
  std::uint64_t size_;
  waiter waiter_;
  word_cancel cancel_;
};

}  // namespace detail

// The handle of a batch. Movable.
template <class T>
class [[nodiscard("a batch whose handle is dropped goes on by itself")]] batch {
 public:
  batch() noexcept = default;
  batch(detail::batch_record * b, detail::result<T> * slots, std::uint64_t n) noexcept
      : block_(b), slots_(slots), size_(n) {}
  batch(batch && o) noexcept : block_(o.block_), slots_(o.slots_), size_(o.size_) { o.block_ = nullptr; }
  batch& operator=(batch&& o) noexcept {
    if (this != &o) {
      detach();
      block_ = o.block_;
      slots_ = o.slots_;
      size_ = o.size_;
      o.block_ = nullptr;
    }
    return *this;
  }
  ~batch() { detach(); }

  bool valid() const noexcept { return block_ != nullptr; }
  bool done() const noexcept { return block_->word.done(); }
  std::uint64_t size() const noexcept { return size_; }
  void detach() noexcept {
    if (block_) block_->release();
    block_ = nullptr;
  }

  bool await_ready() noexcept {
    waiting_ = detail::batch_awaiter<T, false>(block_, slots_, size_);
    return waiting_.await_ready();
  }
  template <class P>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<P> h) noexcept {
    return waiting_.await_suspend(h);
  }
  auto await_resume() { return waiting_.await_resume(); }
  auto deliver_errors() noexcept { return detail::batch_awaiter<T, true>(block_, slots_, size_); }

  // For the runtime.
  detail::batch_record* record() const noexcept { return block_; }

 private:
  detail::batch_record* block_ = nullptr;
  detail::result<T>* slots_ = nullptr;
  std::uint64_t size_ = 0;
  detail::batch_awaiter<T, false> waiting_{block_, nullptr, 0};
};

namespace detail {

template <class Call>
auto start_batch(std::uint64_t n, Call&& call) {
  using block = batch_block<typename is_task<decltype(call(std::uint64_t{}))>::value_type, std::decay_t<Call>>;
  exec::executor* home = spawn_home();
  if (!home) throw std::logic_error("hel::spawn_batch is called from a task");
  if (n > 0xffffffffu) throw std::length_error("hel::spawn_batch: more than 2^32 - 1 tasks");
  static_assert(alignof(block) <= 16);
  auto* b = ::new (allocate_block(sizeof(block))) block(std::forward<Call>(call), n);
  b->home = home;
  b->group.remaining.reset(static_cast<std::uint32_t>(n));
  b->group.batch = b;
  b->group.token = home->token();
  home->root_started();
  hel::batch<typename is_task<decltype(call(std::uint64_t{}))>::value_type> handle(b, b->slots, n);
  if (n == 0) {
    settlement s(false);
    s.batch_over(*b);
    s.run();
  } else {
    b->queue_helper();
  }
  return handle;
}

template <class F>
struct call_with_index {
  F f;
  auto operator()(std::uint64_t i) { return f(static_cast<std::size_t>(i)); }
};
template <class F, class Iterator>
struct call_with_item {
  F f;
  Iterator first;
  auto operator()(std::uint64_t i) { return f(first[static_cast<std::ptrdiff_t>(i)]); }
};

}  // namespace detail

template <class F>
requires std::is_invocable_v<F&, std::size_t> HEL_APART auto spawn_batch(std::size_t n, F&& f) {
  return detail::start_batch(n, detail::call_with_index<std::decay_t<F>>{std::forward<F>(f)});
}

// Items: a random-access range.
template <class Items, class F>
requires requires(Items& items) { std::begin(items)[0]; }
HEL_APART auto spawn_batch(Items& items, F&& f) {
  auto first = std::begin(items);
  return detail::start_batch(std::size(items),
                             detail::call_with_item<std::decay_t<F>, decltype(first)>{std::forward<F>(f), first});
}

template <class T>
dependency::dependency(batch<T>& b) noexcept : word_(b.valid() ? &b.record()->word : nullptr) {}

}  // namespace hel
