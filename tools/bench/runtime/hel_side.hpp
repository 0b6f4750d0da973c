// What hel-bench measures of HEL's runtime, in files that hel-lower has lowered (*_hel.cpp).
#pragma once

#include "tools/bench/suite.hpp"

namespace hel_bench::hel_side {

// a round: a task
runner spawn(const settings& s);
runner spawn_batch(const settings& s);

// a round: an item
runner channel(const settings& s);         // both ends on one worker
runner channel_across(const settings& s);  // an end on each of two workers
runner channel_many(const settings& s);    // four senders, four receivers
runner ring(const settings& s);            // two coroutines, a ring without synchronisation, no runtime
runner host_call(const settings& s);       // a round: a call, with 64 in flight
runner registered_host_call(const settings& s);

runner start_and_stop(const settings& s);  // a round: a runtime
double suspended(const settings& s);       // bytes for each suspended task
double idle(const settings& s);            // of a processor, in percent

}  // namespace hel_bench::hel_side
