#include "hel/exec/sub_executor.hpp"

#include "hel/detail/cancel.hpp"
#include "hel/detail/context.hpp"
#include "hel/detail/frame_memory.hpp"

namespace hel::exec {
namespace {

// Something of a part that is ready.
struct visit : action {
  visit(sub_executor& p, std::coroutine_handle<> h) noexcept : action(&visit::run), part(&p), frame(h) { p.share(); }
  static void run(void* self) noexcept {
    auto* v = static_cast<visit*>(static_cast<action*>(self));
    sub_executor& part = *v->part;
    const std::coroutine_handle<> frame = v->frame;
    detail::free_block_of(v, sizeof(visit));
    {
      const detail::executor_scope scope(&part);
      if (detail::tasks_recorded) detail::step_resuming(frame);
      frame.resume();
    }
    part.release();
  }
  sub_executor* part;
  std::coroutine_handle<> frame;
};

}  // namespace

void executor::schedule_in(sub_executor& part, std::coroutine_handle<> h, turn when) noexcept {
  if (detail::tasks_recorded) detail::step_ready(h, &timers());
  const std::coroutine_handle<> v = (::new (detail::allocate_block(sizeof(visit))) visit(part, h))->handle();
  // The part may be gone as soon as the visit can run.
  if (part.urgent() && when != turn::next) return schedule_urgent(v);
  switch (when) {
  case turn::soon: return schedule(v);
  case turn::last: return schedule_last(v);
  case turn::next: return schedule_next(v);
  }
}

void sub_executor::share() noexcept { parts_.share(); }
void sub_executor::release() noexcept { parts_.release(); }

executor& sub_executor::at(priority p) { return parts_.at(p, spawned_); }

void sub_executor::root_started() noexcept {
  share();
  whole_.root_started();
}
void sub_executor::root_finished() noexcept {
  whole_.root_finished();
  release();
}

application_parts::application_parts(executor& whole, detail::cancel_state* token)
    : references_(1), token_(token), launched_(whole, token, *this, false) {
  executor& tasks = whole.spawns();
  if (&tasks == &whole) return;
  if (token) spawned_.emplace(tasks, token, *this, true);
  launched_.normal.spawn_on(token ? at(priority::normal, true) : tasks.at(priority::normal));
  launched_.high.spawn_on(token ? at(priority::high, true) : tasks.at(priority::high));
}
application_parts* application_parts::create(executor& whole, detail::cancel_state* token) {
  return ::new (detail::allocate_block(sizeof(application_parts))) application_parts(whole, token);
}
void application_parts::release() noexcept {
  if (!references_.arrive()) return;
  if (token_) token_->release();
  this->~application_parts();
  detail::free_block_of(this, sizeof(application_parts));
}
void application_parts::cancel() noexcept { token_->request(); }
void application_parts::follow(detail::cancel_state& other) { token_->follow(&other); }

}  // namespace hel::exec
