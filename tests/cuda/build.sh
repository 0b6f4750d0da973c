#!/usr/bin/env bash
# Programs of several files for the GPU, built as users build them: hel-lower --build --target cuda, and CMake's
# hel_add_executable(... CUDA). On the CPU fallback they print what they are to; where there is no GPU, the resident
# runtime says so.
#
#   build.sh HEL_LOWER FILES_DIR WORK_DIR BUILD_TREE NVCC|''
set -euo pipefail
lower=$1 files=$2 work=$3 build=$4 nvcc=$5
[ -n "$nvcc" ] || { echo "skipped: no nvcc"; exit 77; }
rm -rf "$work"
mkdir -p "$work/project"
wanted='8 22401061 42 17'
check() {
  local printed
  printed=$(HEL_EXECUTOR=threads "$1") || { echo "$1 ended with $?"; exit 1; }
  [ "$printed" = "$wanted" ] || { echo "$1 prints: $printed"; exit 1; }
  printed=$(HEL_EXECUTOR=cuda "$1" 2>&1) || true
  [ "$printed" = "$wanted" ] || grep -q 'hel::cuda: cudaGetDeviceCount: ' <<<"$printed" || { echo "$1 on a GPU prints: $printed"; exit 1; }
}
"$lower" --build --target cuda --cxx "$nvcc" "$files/first.cpp" "$files/second.cpp" --headers "$files" -o "$work/app" -- \
  -arch=sm_75 -Xcompiler -w >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
check "$work/app"

cp "$files"/*.cpp "$files"/*.hpp "$work/project"
cat >"$work/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.22)
project(files LANGUAGES CXX CUDA)
find_package(hel REQUIRED)
hel_add_executable(app first.cpp second.cpp CUDA HEADERS "${CMAKE_CURRENT_SOURCE_DIR}")
END
{
  cmake -S "$work/project" -B "$work/tree" -Dhel_DIR="$build" -DCMAKE_CUDA_COMPILER="$nvcc" -DCMAKE_CUDA_ARCHITECTURES=75 -DCMAKE_BUILD_TYPE=Release
  cmake --build "$work/tree"
} >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
check "$work/tree/app"
