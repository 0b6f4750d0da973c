#!/usr/bin/env bash
# What the simulated device has no counterpart for is an error of the build that names it.
#
#   refused.sh WORK_DIR CLANG CUDA_PATH
set -euo pipefail
work=$1 clang=$2 cuda=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$work"
failed=0
# refused NAME PATTERN: the device code on standard input is refused with a message that the pattern matches
refused() {
  cat >"$work/$1.cu"
  if "$here/compile.sh" device "$work/$1.cu" "$work/$1.o" "$1" "$clang" "$cuda" -- >"$work/$1.log" 2>&1; then
    echo "$1: is not refused"; failed=1
  elif ! grep -qE "error: .*$2" "$work/$1.log"; then
    echo "$1: the message does not name '$2':"; head -5 "$work/$1.log"; failed=1
  fi
}
refused instruction 'wgmma\.fence\.sync\.aligned' <<'CU'
__global__ void k() { asm volatile("wgmma.fence.sync.aligned;"); }
CU
refused several 'mapa\.shared' <<'CU'
__global__ void k(unsigned* p) { unsigned a; asm volatile("{ .reg .u32 t; mapa.shared::cluster.u32 t, %1, 0; mov.u32 %0, t; }" : "=r"(a) : "r"(p[0])); *p = a; }
CU
refused register 'read_ptx_sreg_pm0' <<'CU'
__global__ void k(unsigned* p) { unsigned a; asm volatile("mov.u32 %0, %%pm0;" : "=r"(a)); *p = a; }
CU
refused intrinsic 'llvm\.nvvm\.read\.ptx\.sreg\.clusterid\.x' <<'CU'
__global__ void k(unsigned* p) { *p = __nvvm_read_ptx_sreg_clusterid_x(); }
CU
refused function 'somewhere_else' <<'CU'
extern "C" __device__ int somewhere_else(int);
__global__ void k(int* p) { *p = somewhere_else(1); }
CU
exit $failed
