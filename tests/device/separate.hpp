// What the two files of the test of separate compilation share.
#pragma once

extern __device__ int shared_counter;
__device__ int add_to_counter(int n);
inline __device__ int of_all_files = 0;  // one with -fgpu-rdc

int run_other(int* out);
