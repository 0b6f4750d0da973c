// options: annotated
#include "in_header.hpp"
HEL_HOST_TASK job body() { co_await wait{2}; }

// error: HEL0303 4:26
