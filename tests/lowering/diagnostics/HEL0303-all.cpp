// Without annotations it is a warning: another compiler may take the header's coroutine as it is.
#include "in_header_plain.hpp"
job body() { co_await wait{2}; }

// warning: HEL0303 3:12
