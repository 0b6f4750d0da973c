#!/usr/bin/env bash
# What the resident kernel of each sample, its scheduler with the sample's tasks, costs on a GPU, as ptxas reports it.
# Nothing is run.
#
#   tests/docs/device_registers.sh [HEL_LOWER [NVCC]]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
hel_lower=${1:-build/bin/hel-lower}
nvcc=${2:-$(command -v nvcc || true)}
[ -n "$nvcc" ] || { echo "skipped: no nvcc"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

printf '%-18s %-6s %9s %11s %12s\n' sample arch registers 'stack bytes' 'spill bytes'
for sample in fib producer_consumer host_rpc warp_sum block_scan; do
  "$hel_lower" --target cuda "samples/$sample.cpp" -o "$scratch/$sample.cu"
  for arch in 75 90; do
    "$nvcc" -std=c++20 -arch=sm_$arch -Xptxas -v -Xcompiler -fno-coroutines -isystem runtime/include/hel-shim \
      -Iruntime/include -Istdlib/include -Isamples -c "$scratch/$sample.cu" -o "$scratch/$sample.o" >"$scratch/log" 2>&1 ||
      { cat "$scratch/log" >&2; exit 1; }
    awk -v sample="$sample" -v arch="sm_$arch" '
      /Function properties for/ { in_probe = /resident_kernel/ }
      in_probe && /bytes stack frame/ { stack = $1; spill = $5 }
      in_probe && /Used [0-9]+ registers/ { for (i = 1; i < NF; i++) if ($i == "Used") registers = $(i + 1) }
      END { printf "%-18s %-6s %9s %11s %12s\n", sample, arch, registers, stack, spill }' "$scratch/log"
  done
done
