// The tasks that exist now, for debuggers. Kept in single-step mode only (hel::detail::single_step).
#pragma once

#include <optional>
#include <vector>

#include "hel/cpu/step_observer.hpp"

namespace hel {

// Every task that exists, in order of creation.
std::vector<task_record> tasks();
std::optional<task_record> find_task(std::coroutine_handle<> frame);

namespace detail {
// Called by the executor before it resumes a frame.
void step_resuming(std::coroutine_handle<> frame) noexcept;
}  // namespace detail

}  // namespace hel
