// hel::dependency: what a task can wait for before it starts (hel::spawn_after).
//
// Made from a join handle, a batch, an event or a ticket, which must live until spawn_after has returned; an event until it is
// set. A join handle that was joined already stands for a task that is over.
#pragma once

#include "hel/event.hpp"
#include "hel/spawn.hpp"
#include "hel/ticket.hpp"

namespace hel {

template <class T>
class batch;

class dependency {
 public:
  template <class T>
  HEL_HD dependency(join_handle<T>& h) noexcept  // implicit, as all of these: a list of dependencies mixes them
      : word_(h.valid() ? &h.root()->word : nullptr) {}
  template <class T>
  dependency(batch<T>& b) noexcept;  // hel/batch.hpp
  HEL_HD dependency(event& e) noexcept : word_(&e.word()) {}
  HEL_HD dependency(const ticket& t) noexcept : word_(t.valid() ? &t.state()->word : nullptr), ticket_(t.state()) {}

  HEL_HD bool done() const noexcept { return !word_ || word_->done(); }

  // For the runtime. Null: over.
  HEL_HD detail::completion* word() const noexcept { return word_; }
  // True when it can never be over. Only once done().
  HEL_HD bool abandoned() const noexcept { return ticket_ && ticket_->failure != 0; }

 private:
  detail::completion* word_ = nullptr;
  const detail::ticket_state* ticket_ = nullptr;
};

}  // namespace hel
