// Priorities: what is ready and urgent runs before what is only ready.
//
//   auto h = hel::spawn(hel::priority::high, f, a);                    // as hel::spawn otherwise
//   auto h = hel::spawn(hel::priority::high, hel::retry{}, f, a);      // any other option follows
//   auto app = rt.launch(hel::priority::high, f, a);
//   auto b = hel::at(hel::priority::high, [&] { return hel::spawn_batch(n, g); });   // what the function spawns
//
// A priority is that of a task and of everything that it awaits or spawns without saying otherwise; it counts each time
// that one of them becomes ready. A worker that chooses takes what is of high priority first, but every eighth time
// what is not, so that neither starves. It chooses between tasks: what runs is not interrupted. Tasks of normal
// priority pay nothing for this; those of high priority go through a queue that all workers share. Host only so far.
#pragma once

#include <stdexcept>

#include "hel/spawn.hpp"

namespace hel {

namespace detail {
template <>
inline constexpr bool is_spawn_option<priority> = true;
}

// Calls f; what f spawns has the priority p. In a task; std::logic_error elsewhere.
template <class F>
decltype(auto) at(priority p, F&& f) {
  exec::executor* const home = detail::spawn_home();
  if (!home) throw std::logic_error("a hel::priority is given in a task, or to runtime::launch");
  const detail::executor_scope scope(&home->at(p));
  return std::forward<F>(f)();
}

template <class F, class... Args>
HEL_APART auto spawn(priority p, F&& f, Args&&... args) {
  return at(p, [&] { return spawn(std::forward<F>(f), std::forward<Args>(args)...); });
}

}  // namespace hel
