#pragma once
#include "job.hpp"
inline job in_header_plain() { co_await wait{1}; }
