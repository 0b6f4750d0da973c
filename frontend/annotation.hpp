// How a coroutine is marked in the source: HEL_TASK, HEL_HOST_TASK (hel/annotate.hpp).
#pragma once

#include "frontend/clang.hpp"

namespace hel::frontend {

enum class Annotation { none, host_task, task };

// A coroutine is annotated itself or through its return type.
Annotation annotation_of(const clang::FunctionDecl* f);

// A lambda is for whom the function around it is for, with --target cuda.
bool device_lambda(const clang::FunctionDecl* f);

}  // namespace hel::frontend
