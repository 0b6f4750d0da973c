// What a runtime takes from the machine: memory, processors.
#pragma once

namespace hel_bench {

double resident_bytes();       // of this process
double most_resident_bytes();  // since it started

// CPU time of this process while the calling thread sleeps, in percent of one processor.
double processor_use_while_idle(bool quick);

}  // namespace hel_bench
