// A header with a coroutine that goes on with the search for another one: from where, its copy could not say.
#pragma once
#include "job.hpp"
#pragma GCC diagnostic ignored "-Wgnu-include-next"
#include_next <cstdio>
inline job next() { co_await wait{1}; }
