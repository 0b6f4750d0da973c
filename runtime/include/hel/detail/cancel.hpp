// How a suspended task is cancelled: its wait is withdrawn from whatever it waits for, then the task fails where it
// stands.
//
// A root that was spawned with a token has it in its record; whatever it awaits finds it there by walking up. Programs
// without tokens pay one load per suspension. Nothing is walked or locked then.
#pragma once

#include "hel/core/spin_lock.hpp"
#include "hel/detail/promise.hpp"

namespace hel::detail {

// Set for good by the first task that is spawned with a token.
inline core::atomic<std::uint32_t> cancellation_used;

// How many requests are being carried out. Meanwhile a task may wait for nothing any more and not be ready yet: who
// finds nothing to run is not to call that a deadlock.
inline core::atomic<std::uint32_t> requests_under_way;

class cancel_point;
struct cancel_link;

// What the holders of a token share.
struct cancel_state {
  core::spin_lock lock;  // of the list, and of `requested` while it changes
  core::atomic<std::uint32_t> requested;
  cancel_point* first = nullptr;  // the tasks that are suspended under the token
  core::dependency_counter<> references;
  core::spin_lock links_lock;
  cancel_link* links = nullptr;  // to the tokens that cancel this one, too

  cancel_state() noexcept : references(1) {}
  static cancel_state* create() { return ::new (allocate_block(sizeof(cancel_state))) cancel_state(); }
  void share() noexcept { references.add(1); }
  void release() noexcept {
    if (!references.arrive()) return;
    drop_links();
    this->~cancel_state();
    free_block_of(this, sizeof(cancel_state));
  }
  void request() noexcept;
  // When `other` is requested, so is this. Any number of times for the same one.
  void follow(cancel_state* other);

 private:
  void drop_links() noexcept;
};

// The token under which the coroutine at `frame` runs, or null.
inline cancel_state* token_of(void* frame) noexcept {
  for (;;) {
    const promise_base& p = promise_of(frame);
    switch (p.slot->kind) {
    case reports::to_task:
    case reports::to_catcher:
    case reports::step_task:
    case reports::step_catcher: frame = p.link; break;
    case reports::to_group: {
      const auto& g = *static_cast<const join_group*>(p.link);
      if (g.token) return g.token;
      frame = task_above(g);
      if (!frame) return nullptr;
      break;
    }
    case reports::to_lanes:
      frame = static_cast<const lanes_slot*>(p.slot)->above;
      if (!frame) return nullptr;
      break;
    case reports::to_batch:
      return static_cast<const batch_member*>(static_cast<const exec::action*>(static_cast<const void*>(p.link)))
          ->group->token;
    case reports::to_root: {
      const spawn_extra* extra = static_cast<const root_record*>(p.link)->extra;
      return extra ? extra->token : nullptr;
    }
    case reports::joined_task:
    case reports::joined_caller:
    case reports::to_attempt: {  // a root all the same
      const spawn_extra* extra = record_of(p.slot).extra;
      return extra ? extra->token : nullptr;
    }
    case reports::to_caller:
    case reports::to_service:
    case reports::step_caller: return nullptr;
    }
  }
}
template <class P>
cancel_state* token_of(std::coroutine_handle<P> h) noexcept {
  if constexpr (is_task_promise<P>) {
    if (cancellation_used.load_relaxed() != 0) [[unlikely]]
      return token_of(h.address());
  }
  return nullptr;
}

// One suspension under a token. Part of the awaitable.
class cancel_point : public exec::action {
 public:
  cancel_point() noexcept : action(&cancel_point::fail) {}
  cancel_point(cancel_point&&) = delete;
  ~cancel_point() { leave(); }

  // Withdraws the wait; false: it is being woken already. Called with the token's lock held.
  using withdraw_function = bool (*)(cancel_point*) noexcept;

  enum class started : std::uint8_t { queued, not_queued, cancelled };
  // `queue` puts the coroutine where it waits, or answers false. Queued: the awaitable may be gone already.
  template <class Queue>
  started start(cancel_state* c, std::coroutine_handle<> h, withdraw_function withdraw, Queue queue) noexcept {
    frame_ = h;
    home_ = current_home();
    withdraw_ = withdraw;
    c->share();  // the task may be over before this function is
    started result = started::cancelled;
    c->lock.lock();
    if (c->requested.load_relaxed() == 0) {
      link(c);
      result = queue() ? started::queued : started::not_queued;
      if (result == started::not_queued) unlink();
    }
    c->lock.unlock();
    c->release();
    return result;
  }
  // The same for an await_suspend: returns what runs next.
  template <class Queue>
  std::coroutine_handle<> suspend(cancel_state* c, std::coroutine_handle<> h, withdraw_function withdraw,
                                  Queue queue) noexcept {
    switch (start(c, h, withdraw, queue)) {
    case started::cancelled: return fail_from(h, errc::cancelled);
    case started::not_queued: return h;
    case started::queued: break;
    }
    return std::noop_coroutine();
  }
  // The coroutine goes on.
  void leave() noexcept {
    if (!state_) return;
    const core::spin_guard guard(state_->lock);
    unlink();
  }

 private:
  friend struct cancel_state;
  void link(cancel_state* c) noexcept {
    state_ = c;
    next_ = c->first;
    at_ = &c->first;
    if (next_) next_->at_ = &next_;
    c->first = this;
  }
  // With the lock held; after cancellation it is on no list.
  void unlink() noexcept {
    state_ = nullptr;
    if (!at_) return;
    *at_ = next_;
    if (next_) next_->at_ = at_;
    at_ = nullptr;
  }
  static void fail(void* a) noexcept {
    const std::coroutine_handle<> frame = static_cast<cancel_point*>(static_cast<exec::action*>(a))->frame_;
    fail_later(frame, errc::cancelled);  // destroys *a
  }

  cancel_state* state_ = nullptr;
  cancel_point* next_ = nullptr;
  cancel_point** at_ = nullptr;  // what points here
  std::coroutine_handle<> frame_;
  exec::executor* home_ = nullptr;
  withdraw_function withdraw_ = nullptr;
};

// What a thread has to wake when it has let go of all tokens: waking may lead to any of them.
class wake_list {
 public:
  // Null: the calling thread holds no token.
  static inline constinit thread_local wake_list* current = nullptr;

  wake_list() noexcept {
    if (!current) current = this;
  }
  wake_list(const wake_list&) = delete;
  ~wake_list() {
    if (current != this) return;
    current = nullptr;
    wake_links_later(first_);
  }
  void add(completion_link* list) noexcept {
    *last_ = list;
    while (*last_) last_ = &(*last_)->next;
  }

 private:
  completion_link* first_ = nullptr;
  completion_link** last_ = &first_;
};

inline void cancel_state::request() noexcept {
  const struct under_way {
    under_way() noexcept { requests_under_way.fetch_add_relaxed(1); }
    ~under_way() { requests_under_way.fetch_sub_acq_rel(1); }
  } until_all_are_woken;
  const wake_list later;
  const core::spin_guard guard(lock);
  requested.store_relaxed(1);
  // All are withdrawn before the first one ends: what one waits for may be in the frame of another.
  cancel_point* withdrawn = nullptr;
  cancel_point** last = &withdrawn;
  while (cancel_point* p = first) {
    first = p->next_;
    if (first) first->at_ = &first;
    p->at_ = nullptr;
    p->next_ = nullptr;
    if (!p->withdraw_(p)) continue;
    *last = p;
    last = &p->next_;
  }
  while (cancel_point* p = withdrawn) {
    withdrawn = p->next_;
    p->home_->schedule(p->handle());
  }
}

// Passes a token's cancellation on to another one.
struct cancel_link : cancel_point {
  cancel_link(cancel_state* from, cancel_state* to) noexcept : followed(from), follower(to) { from->share(); }
  ~cancel_link() {
    leave();
    followed->release();
  }
  static bool pass_on(cancel_point* p) noexcept {
    static_cast<cancel_link*>(p)->follower->request();
    return false;
  }
  cancel_state* const followed;
  cancel_state* const follower;
  cancel_link* next = nullptr;
};

inline void cancel_state::follow(cancel_state* other) {
  if (other == this) return;
  const core::spin_guard guard(links_lock);
  for (cancel_link* l = links; l; l = l->next)
    if (l->followed == other) return;
  auto* l = ::new (allocate_block(sizeof(cancel_link))) cancel_link(other, this);
  l->next = links;
  links = l;
  if (l->start(other, {}, &cancel_link::pass_on, []() noexcept { return true; }) == cancel_point::started::cancelled)
    request();
}
inline void cancel_state::drop_links() noexcept {
  while (cancel_link* l = links) {
    links = l->next;
    l->~cancel_link();
    free_block_of(l, sizeof(cancel_link));
  }
}

// In a record that keeps nothing else.
struct token_only : spawn_extra {
  static void release(spawn_extra* e) noexcept { free_block_of(e, sizeof(token_only)); }
};

// The root is cancelled by `c`, and with `c` by the token that it had. Before it is made ready.
inline void attach_token(root_record& r, cancel_state* c) {
  if (!r.extra) r.extra = ::new (allocate_block(sizeof(token_only))) token_only{{&token_only::release}};
  c->share();
  if (cancel_state* had = r.extra->token) {
    c->follow(had);
    had->release();
  }
  r.extra->token = c;
  r.extra->release_token = [](cancel_state* s) noexcept { s->release(); };
  cancellation_used.store_relaxed(1);
}

// Takes a link back; false: it is being woken.
inline bool withdraw_link(completion& word, completion_link& link) noexcept {
  completion_link* missed = nullptr;
  bool withdrawn = false;
  {
    const core::spin_guard guard(link_list_lock);
    withdrawn = word.withdraw(&link, missed);
  }
  if (wake_list::current)
    wake_list::current->add(missed);
  else
    wake_links_later(missed);
  return withdrawn;
}

// A task that waits unstarted for others (hel::spawn_after) under a token. Of two that come for it, the last edge and
// the token's request, the first one ends the wait; the second frees this.
class unstarted_cancel : unstarted, cancel_point {
 public:
  // Null: it is cancelled already, and no node was made.
  static dependency_node* make_node(cancel_state* c, root_record* record, std::coroutine_handle<> root,
                                    std::uint32_t n) {
    auto* u = ::new (allocate_block(sizeof(unstarted_cancel))) unstarted_cancel(c);
    dependency_node* const node = dependency_node::create_cancellable(n);
    node->root = root;
    node->record = record;
    node->cancellation() = u;
    u->node_ = node;
    if (u->start(c, root, &unstarted_cancel::withdraw, []() noexcept { return true; }) == started::queued) return node;
    node->destroy();
    u->free();
    return nullptr;
  }

 private:
  explicit unstarted_cancel(cancel_state* c) noexcept : unstarted{&unstarted_cancel::last_edge}, token_(c), users_(2) {
    resume = &unstarted_cancel::cancelled;
    c->share();  // the task's record may go before the last edge comes
  }
  void free() noexcept {
    cancel_state* const c = token_;
    this->~unstarted_cancel();
    free_block_of(this, sizeof(unstarted_cancel));
    c->release();
  }
  void release() noexcept {
    if (!users_.arrive()) return;
    node_->destroy();
    free();
  }

  // With the token's lock held.
  static bool withdraw(cancel_point* p) noexcept {
    auto* self = static_cast<unstarted_cancel*>(p);
    self->cancelled_ = true;  // the last edge has yet to come by here
    return true;
  }
  static void cancelled(void* a) noexcept {
    auto* self = static_cast<unstarted_cancel*>(static_cast<cancel_point*>(static_cast<exec::action*>(a)));
    const std::coroutine_handle<> root = self->node_->root;
    {
      const core::spin_guard guard(link_list_lock);
      self->node_->record = nullptr;
    }
    self->release();
    fail_later(root, errc::cancelled);
  }
  static bool last_edge(unstarted* u) noexcept {
    auto* self = static_cast<unstarted_cancel*>(u);
    self->leave();  // from here on there is no request any more, or there was one
    if (self->cancelled_) {
      self->release();
      return false;
    }
    self->free();
    return true;
  }

  cancel_state* const token_;
  dependency_node* node_ = nullptr;
  core::dependency_counter<> users_;  // of one that was cancelled: the last edge, and the request
  bool cancelled_ = false;            // with the token's lock
};

// What an awaitable that waits in a completion word has for cancellation: nothing but a pointer until it waits under a
// token.
class word_cancel {
  struct point : cancel_point {
    point(completion& w, completion_link& l) noexcept : word(&w), link(&l) {}
    static bool withdraw(cancel_point* p) noexcept {
      auto* self = static_cast<point*>(p);
      return withdraw_link(*self->word, *self->link);
    }
    completion* word;
    completion_link* link;
  };

 public:
  HEL_HD word_cancel() noexcept {}
  HEL_HD word_cancel(const word_cancel&) noexcept {}  // before it is awaited
  HEL_HD word_cancel& operator=(const word_cancel&) noexcept { return *this; }
  HEL_HD ~word_cancel() { end(); }

  // `joined`: if that has failed, the coroutine fails in turn.
  std::coroutine_handle<> suspend(cancel_state* c, std::coroutine_handle<> h, completion& word, completion_link& link,
                                  const return_slot* joined = nullptr) {
    point_ = ::new (allocate_block(sizeof(point))) point(word, link);
    using started = cancel_point::started;
    const started s = point_->start(c, h, &point::withdraw, [&]() noexcept { return word.try_wait(&link); });
    if (s == started::queued) return std::noop_coroutine();
    if (s == started::cancelled) return fail_from(h, errc::cancelled);
    if (joined && joined->has_failed()) return fail_from(h, joined->err);
    return h;
  }
  HEL_HD void end() noexcept {
#if !defined(__CUDA_ARCH__)
    if (!point_) [[likely]]
      return;
    point_->~point();
    free_block_of(point_, sizeof(point));
    point_ = nullptr;
#endif
  }

 private:
  point* point_ = nullptr;
};

// Joins under a token. A handle has no room for any of this, so it is a block that goes by itself.
class join_point : cancel_point {
 public:
  // `joined`: if that has failed, the coroutine fails in turn.
  static std::coroutine_handle<> suspend(cancel_state* c, std::coroutine_handle<> h, completion& word,
                                         const return_slot* joined) {
    auto* p = ::new (allocate_block(sizeof(join_point))) join_point(h, word, joined);
    const started s = p->start(c, h, &join_point::withdraw, [p]() noexcept { return p->word_->try_wait(&p->waiter_); });
    if (s == started::queued) return std::noop_coroutine();
    p->free();
    if (s == started::cancelled) return fail_from(h, errc::cancelled);
    if (joined && joined->has_failed()) return fail_from(h, joined->err);
    return h;
  }

 private:
  struct waking : exec::action {
    explicit waking(join_point* p) noexcept : action(&waking::run), point(p) {}
    static void run(void* a) noexcept { static_cast<waking*>(static_cast<exec::action*>(a))->point->woken(); }
    join_point* point;
  };

  join_point(std::coroutine_handle<> h, completion& word, const return_slot* joined) noexcept
      : word_(&word), joined_(joined), waiting_(h), waking_(this) {
    resume = &join_point::cancelled;
    waiter_.handle = waking_.handle();
    waiter_.home = current_home();
  }
  void free() noexcept {
    this->~join_point();
    free_block_of(this, sizeof(join_point));
  }
  static bool withdraw(cancel_point* p) noexcept {
    auto* self = static_cast<join_point*>(p);
    return withdraw_link(*self->word_, self->waiter_);
  }
  static void cancelled(void* a) noexcept {
    auto* self = static_cast<join_point*>(static_cast<exec::action*>(a));
    const std::coroutine_handle<> h = self->waiting_;
    self->free();
    fail_later(h, errc::cancelled);
  }
  void woken() noexcept {
    const std::coroutine_handle<> h = waiting_;
    const return_slot* const out = joined_;
    exec::executor* const home = waiter_.home;
    free();
    if (out && out->has_failed())
      fail_later(h, error(out->err));
    else
      home->schedule(h);  // not from here: a chain of tasks that end would grow the stack
  }

  completion* word_;
  const return_slot* joined_;
  std::coroutine_handle<> waiting_;
  waiter waiter_;
  waking waking_;
};

}  // namespace hel::detail
