// Services: state that lives as long as the runtime, and requests that tasks send to it.
//
//   struct counter {                                    // any class
//     HEL_HOST_TASK hel::task<int> handle(add a);       // a handler for each type of request: a task ...
//     int handle(read);                                 // ... or a plain function that does not block
//     void start();                                     // optional: before the first request
//     void stop();                                      // optional: after the last
//     int value = 0;
//   };
//   hel::runtime rt;
//   hel::service<counter> c = rt.start_service<counter>();
//
//   int n = co_await c.call(add{2});      // in a task: waits for the answer; a failing handler fails the caller
//   auto r = co_await hel::as_expected(c.call(add{2}));
//   co_await c.post(add{2});              // waits only until the mailbox has room; nobody learns how it ends
//   bool sent = c.try_post(add{2});       // false: the mailbox is full
//
// An instance handles one request at a time, in the order in which they came, unless it is declared concurrent; so its
// handlers need no lock, also when they suspend. The mailbox is bounded: a caller or poster that finds it full is
// suspended and comes first when there is room.
//
// Handlers may call other services. A call that comes back to an instance that is waiting for it would never end: it
// fails with errc::call_cycle. (Seen through awaited tasks; not through tasks that a handler has spawned.)
//
// The runtime owns the instance; handles are copied freely and must not outlive the runtime. It stops its services in
// the reverse order of their start, after all applications. Host only so far.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "hel/core/spin_lock.hpp"
#include "hel/detail/cancel.hpp"
#include "hel/exec/action.hpp"
#include "hel/runtime.hpp"
#include "hel/spawn.hpp"

namespace hel {

namespace detail {

class service_base;

// One request on its way. Its action is what happens next: it is begun, or it is over.
struct service_request : exec::action {
  explicit service_request(void (*begin)(void*)) noexcept : action(begin) {}

  service_request* next = nullptr;
  service_base* service = nullptr;
  const service_request* caller = nullptr;  // the request whose handler waits for this one
  // A poster that waits for room.
  std::coroutine_handle<> poster;
  exec::executor* poster_home = nullptr;
};

// The protocol of one instance; what it holds is the derived class's.
class service_base {
 public:
  service_base(exec::executor& home, service_options options);  // std::invalid_argument for a capacity of 0
  virtual ~service_base() = default;
  service_base(const service_base&) = delete;
  service_base& operator=(const service_base&) = delete;

  // A request that somebody waits for: it is queued wherever there is room, the caller's frame holds it.
  void call(service_request& r) noexcept;
  // False: the mailbox is full. Then, with a poster, the request was queued all the same, and the poster is resumed
  // when it is admitted.
  bool post(service_request& r) noexcept;
  // Takes back a request that waits. False: it is being handled.
  bool withdraw(service_request& r) noexcept;
  // A request was handled: begins the next one.
  void handled() noexcept;

  // Whether a call by the handler of `caller`, or of a request that waits for it, comes back to this instance.
  bool in_cycle(const service_request* caller) const noexcept;
  exec::executor& home() const noexcept { return home_; }
  statistics::service depth() noexcept;

  virtual void stop() = 0;

 private:
  struct list {
    service_request* first = nullptr;
    service_request* last = nullptr;
    std::size_t size = 0;
    void push(service_request& r) noexcept;
    service_request* pop() noexcept;
    bool remove(service_request& r) noexcept;
  };
  bool accept(service_request& r, bool wait_outside) noexcept;
  void begin(service_request& r) noexcept { home_.schedule(r.handle()); }

  exec::executor& home_;
  const std::size_t capacity_, most_active_;
  core::spin_lock lock_;  // of everything below
  std::size_t active_ = 0;
  list mailbox_;  // admitted
  list outside_;  // came when the mailbox was full
};

// The request whose handler the coroutine at `frame` belongs to, or null.
inline const service_request* request_of(void* frame) noexcept {
  for (;;) {
    const promise_base& p = promise_of(frame);
    if (!p.slot) return nullptr;
    switch (p.slot->kind) {
    case reports::to_task:
    case reports::to_catcher:
    case reports::joined_task:
    case reports::step_task:
    case reports::step_catcher: frame = p.link; break;
    case reports::to_group: {
      frame = task_above(*static_cast<const join_group*>(p.link));
      if (!frame) return nullptr;
      break;
    }
    case reports::to_lanes: {
      frame = static_cast<const lanes_slot*>(p.slot)->above;
      if (!frame) return nullptr;
      break;
    }
    case reports::to_service:
      return static_cast<const service_request*>(static_cast<const exec::action*>(static_cast<const void*>(p.link)));
    case reports::to_caller:
    case reports::to_batch:
    case reports::to_attempt:
    case reports::joined_caller:
    case reports::step_caller:
    case reports::to_root: return nullptr;
    }
  }
}

template <class S>
class service_instance final : public service_base {
 public:
  template <class... Args>
  service_instance(exec::executor& home, service_options o, Args&&... args)
      : service_base(home, o), state(std::forward<Args>(args)...) {}
  void start() {
    if constexpr (requires { state.start(); }) run([this] { return state.start(); });
  }
  void stop() override {
    if constexpr (requires { state.stop(); }) run([this] { return state.stop(); });
  }
  S state;

 private:
  // A hook is a plain function, or a task.
  template <class Hook>
  void run(Hook hook) {
    if constexpr (is_task<decltype(hook())>::value)
      launch_on(home(), nullptr, hook).get();
    else
      hook();
  }
};

template <class S, class Request>
struct handler_of {
  using returned = decltype(std::declval<S&>().handle(std::declval<Request>()));
  static constexpr bool is_coroutine = is_task<returned>::value;
};
template <class Returned>
struct answer_of {
  using type = Returned;
};
template <class T>
struct answer_of<task<T>> {
  using type = T;
};

// A request with its value and its answer. Over: called when the answer is there, on a worker of the service.
template <class S, class Request>
class typed_request : public service_request {
  using handler = handler_of<S, Request>;

 public:
  using answer = typename answer_of<typename handler::returned>::type;

  template <class R>
  typed_request(R&& r, void (*over)(typed_request&) noexcept)
      : service_request(&typed_request::begin), value(std::forward<R>(r)), over_(over) {}

  Request value;
  result<answer> out;
  waiter asking;  // of a call

 private:
  static void begin(void* a) noexcept {
    auto& self = *static_cast<typed_request*>(static_cast<exec::action*>(a));
    S& state = static_cast<service_instance<S>*>(self.service)->state;
    try {
      if constexpr (handler::is_coroutine) {
        const std::coroutine_handle<> frame = state.handle(std::move(self.value)).release();
        self.resume = &typed_request::end;
        promise_base& p = promise_of(frame.address());
        p.link = self.handle().address();
        p.slot = &self.out;
        self.out.frame = frame.address();
        self.out.kind = reports::to_service;
        if (tasks_recorded) [[unlikely]]
          step_resuming(frame);
        frame.resume();
        return;
      } else if constexpr (std::is_void_v<answer>) {
        state.handle(std::move(self.value));
        self.out.set();
      } else if constexpr (std::is_reference_v<answer>) {
        self.out.set(__builtin_addressof(state.handle(std::move(self.value))));
      } else {
        self.out.set(state.handle(std::move(self.value)));
      }
    } catch (...) {
      self.out.set_exception();
    }
    end(a);
  }
  static void end(void* a) noexcept {
    auto& self = *static_cast<typed_request*>(static_cast<exec::action*>(a));
    service_base* const s = self.service;
    if constexpr (handler::is_coroutine) {
      if (tasks_recorded && !self.out.has_failed()) [[unlikely]]
        step_over(std::coroutine_handle<>::from_address(self.out.frame));
    }
    // The instance goes when no root is left, so this one lasts until it is done here.
    exec::executor& home = s->home();
    home.root_started();
    self.over_(self);  // *this may be gone
    s->handled();
    home.root_finished();
  }

  void (*over_)(typed_request&) noexcept;
};

template <class S, class Request, bool Deliver>
class [[nodiscard("co_await it")]] call_operation {
  using request = typed_request<S, Request>;
  using answer = typename request::answer;

 public:
  template <class R>
  call_operation(service_instance<S> & s, R && r) : service_(s), request_(std::forward<R>(r), &call_operation::over) {}
  call_operation(call_operation &&) = delete;

  bool await_ready() const noexcept { return false; }
  template <class P>
  std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) {
    if (!current_executor) core::trap("a service is called outside a runtime");
    request_.service = &service_;
    request_.asking.handle = waiting;
    request_.asking.home = current_executor;
    if constexpr (!Deliver) request_.asking.parent = failing_promise(waiting);
    if constexpr (is_task_promise<P>) {
      request_.caller = request_of(waiting.address());
      if (service_.in_cycle(request_.caller)) {
        if constexpr (!Deliver) return fail_from(waiting, errc::call_cycle);
        request_.out.set_failure(errc::call_cycle);
        return waiting;
      }
    }
    if (tasks_recorded) [[unlikely]]
      step_waits(waiting, wait_kind::service, &service_);
    if (cancel_state* c = token_of(waiting)) {
      return cancel_.suspend(
          c, waiting, [](cancel_point* p) noexcept { return static_cast<point*>(p)->owner->withdraw(); },
          [this]() noexcept {
            service_.call(request_);
            return true;
          });
    }
    service_.call(request_);  // *this may be gone
    return std::noop_coroutine();
  }
  std::conditional_t<Deliver, expected<answer, error>, answer> await_resume() {
    cancel_.leave();
    if constexpr (Deliver) {
      if (request_.out.has_failed()) return unexpected<error>(request_.out.err);
      if constexpr (std::is_void_v<answer>) {
        request_.out.take();
        return {};
      } else {
        return request_.out.take();
      }
    } else {
      return request_.out.take();
    }
  }
  auto deliver_errors()&& { return call_operation<S, Request, true>(service_, std::move(request_.value)); }

 private:
  static void over(request & r) noexcept {
    const waiter caller = r.asking;
    if (caller.parent && r.out.has_failed()) {
      const error e = r.out.err;
      fail_later(caller.handle, e);  // destroys r
    } else {
      caller.home->schedule(caller.handle);
    }
  }

  service_instance<S>& service_;
  bool withdraw() noexcept { return service_.withdraw(request_); }

  struct point : cancel_point {
    explicit point(call_operation* o) noexcept : owner(o) {}
    call_operation* owner;
  };
  request request_;
  point cancel_{this};
};

// A request without anybody who waits for the answer: a block of its own, counted as a root until it is over.
template <class S, class Request>
struct posted_request : typed_request<S, Request> {
  using base = typed_request<S, Request>;
  template <class R>
  explicit posted_request(R&& r) : base(std::forward<R>(r), &posted_request::over) {}

  template <class R>
  static posted_request* make(service_base& s, R&& r) {
    static_assert(alignof(posted_request) <= 16);
    auto* p = ::new (allocate_block(sizeof(posted_request))) posted_request(std::forward<R>(r));
    p->service = &s;
    s.home().root_started();
    return p;
  }
  void release() noexcept {
    exec::executor& home = this->service->home();
    this->~posted_request();
    free_block_of(this, sizeof(posted_request));
    home.root_finished();
  }

 private:
  static void over(base& r) noexcept { static_cast<posted_request&>(r).release(); }
};

class [[nodiscard("co_await it")]] post_operation {
 public:
  explicit post_operation(service_request & r) noexcept : request_(&r) {}
  post_operation(post_operation &&) = delete;

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> h) noexcept {
    if (tasks_recorded) [[unlikely]]
      step_waits(h, wait_kind::service, request_->service);
    request_->poster = h;
    request_->poster_home = current_executor;
    return !request_->service->post(*request_);
  }
  void await_resume() const noexcept {}

 private:
  service_request* request_;
};

}  // namespace detail

// A handle to a service.
template <class S>
class service {
 public:
  service() noexcept = default;
  explicit service(detail::service_instance<S>& s) noexcept : instance_(&s) {}

  bool valid() const noexcept { return instance_ != nullptr; }

  template <class Request>
  auto call(Request&& r) const {
    return detail::call_operation<S, std::decay_t<Request>, false>(*instance_, std::forward<Request>(r));
  }
  template <class Request>
  auto post(Request&& r) const {
    return detail::post_operation(
        *detail::posted_request<S, std::decay_t<Request>>::make(*instance_, std::forward<Request>(r)));
  }
  // From a task, or from a thread outside.
  template <class Request>
  bool try_post(Request&& r) const {
    auto* p = detail::posted_request<S, std::decay_t<Request>>::make(*instance_, std::forward<Request>(r));
    if (instance_->post(*p)) return true;
    p->release();
    return false;
  }

 private:
  detail::service_instance<S>* instance_ = nullptr;
};

template <class S, class... Args>
service<S> runtime::start_service(const service_options& options, Args&&... args) {
  check_open();
  auto instance = std::make_unique<detail::service_instance<S>>(*services_home_, options, std::forward<Args>(args)...);
  auto& s = *instance;
  s.start();
  keep_service(std::move(instance));
  return service<S>(s);
}

}  // namespace hel
