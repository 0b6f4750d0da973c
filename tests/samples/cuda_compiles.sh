#!/usr/bin/env bash
# Lowers a sample for the GPU and compiles the result for each architecture; what its resident kernel costs must not be
# more than the budget file says. Lowering is tested without a CUDA toolkit too; then the test ends as skipped.
#
#   cuda_compiles.sh HEL_LOWER NVCC|'' SOURCE SCRATCH_DIR BUDGET|--print INCLUDE_DIR... (the first is the shim's)
#
# BUDGET has lines `SAMPLE ARCHITECTURE REGISTERS STACK_BYTES SPILL_BYTES`; --print prints them.
set -euo pipefail
hel_lower=$1 nvcc=$2 source=$3 scratch=$4 budget=$5 shim=$6
shift 6
rm -rf "$scratch"
mkdir -p "$scratch"
name=$(basename "$source" .cpp)
"$hel_lower" --target cuda "$source" -o "$scratch/$name.lowered.cu"
if [ -z "$nvcc" ]; then
  echo "skipped: no nvcc"
  exit 77
fi
includes=()
for directory in "$@"; do includes+=("-I$directory"); done
failed=0
archs=(75 80 90 100 120)
grep -q HEL_DEVICE_PROGRAM "$scratch/$name.lowered.cu" || archs=(75)  # no task of it is for a device
for arch in "${archs[@]}"; do
  if ! "$nvcc" -std=c++20 -arch="sm_$arch" -Xptxas -v -Xcompiler -fno-coroutines -isystem "$shim" "${includes[@]}" \
    -I "$(dirname "$source")" -c "$scratch/$name.lowered.cu" -o "$scratch/$name.o" >"$scratch/log" 2>&1; then
    cat "$scratch/log"
    echo "$name does not compile for sm_$arch"
    exit 1
  fi
  [ -s "$scratch/$name.o" ]
  figures=$(awk '/Function properties for/ { on = /resident_kernel/ }
    on && /bytes stack frame/ { stack = $1; spill = $5 + $9 }
    on && /Used [0-9]+ registers/ { for (i = 1; i < NF; i++) if ($i == "Used") registers = $(i + 1) }
    END { if (registers) print registers, stack, spill }' "$scratch/log")
  [ -n "$figures" ] || continue  # none of its tasks is for a device
  if [ "$budget" = --print ]; then
    echo "$name sm_$arch $figures"
    continue
  fi
  allowed=$(awk -v s="$name" -v a="sm_$arch" '$1 == s && $2 == a { print $3, $4, $5 }' "$budget")
  [ -n "$allowed" ] || { echo "$name sm_$arch: $figures is not in $budget"; failed=1; continue; }
  what=(registers 'bytes of stack' 'bytes spilled')
  read -ra now <<<"$figures"
  read -ra most <<<"$allowed"
  for i in 0 1 2; do
    [ "${now[i]}" -gt "${most[i]}" ] || continue
    echo "$name sm_$arch: ${now[i]} ${what[i]}, the budget is ${most[i]}"
    failed=1
  done
done
rm -rf "$scratch"
exit $failed
