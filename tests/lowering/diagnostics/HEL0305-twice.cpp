// options: headers
#include "job.hpp"
#define NAME once
#include "twice.inc"
#undef NAME
#define NAME again
#include "twice.inc"

// error: HEL0305 2:12
