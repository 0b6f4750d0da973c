#pragma once
#include "job.hpp"
#include <hel/annotate.hpp>
HEL_HOST_TASK inline job in_header() { co_await wait{1}; }
