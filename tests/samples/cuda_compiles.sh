#!/usr/bin/env bash
# Lowers a sample for the GPU and compiles the result for the oldest and a current architecture. Lowering is tested
# without a CUDA toolkit too; then the test ends as skipped.
#
#   cuda_compiles.sh HEL_LOWER NVCC|'' SOURCE SCRATCH_DIR INCLUDE_DIR... (the first is the shim's)
set -euo pipefail
hel_lower=$1 nvcc=$2 source=$3 scratch=$4 shim=$5
shift 5
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
"$nvcc" -std=c++20 -Xcompiler -fno-coroutines -isystem "$shim" "${includes[@]}" -I "$(dirname "$source")" \
  -gencode arch=compute_75,code=sm_75 -gencode arch=compute_90,code=sm_90 \
  -c "$scratch/$name.lowered.cu" -o "$scratch/$name.o"
[ -s "$scratch/$name.o" ]
rm -rf "$scratch"
