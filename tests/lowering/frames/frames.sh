#!/usr/bin/env bash
# Frame sizes: what lowered code asks of operator new is within the limits and is what --print-frames says. The native
# compiler's figures stand beside.
#
#   frames.sh HEL_LOWER WORK_DIR INCLUDE_DIR GNU_CXX [CLANG_CXX]
set -eu
tool=$1 work=$2 include=$3 gnu=$4 clang=${5:-}
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p "$work"
"$tool" --all frames.cpp -o "$work/frames.lowered.cpp"
"$tool" --all --print-frames frames.cpp >"$work/printed"
"$gnu" -std=c++20 -O2 -fno-coroutines -isystem "$include/hel-shim" -I"$include" "$work/frames.lowered.cpp" -o "$work/lowered"
"$work/lowered" >"$work/lowered.sizes"
: >"$work/native.sizes"
if [ -n "$clang" ]; then
  "$clang" -std=c++20 -O2 frames.cpp -o "$work/native"
  "$work/native" >"$work/native.sizes"
fi
failed=0
while read -r name limit; do
  size=$(sed -n "s/^$name //p" "$work/lowered.sizes")
  native=$(sed -n "s/^$name //p" "$work/native.sizes")
  printed=$(sed -n "s/^$name: \([0-9]*\) bytes.*/\1/p" "$work/printed")
  echo "$name: lowered $size, limit $limit, native ${native:--}, --print-frames $printed"
  [ -n "$size" ] && [ "$size" -le "$limit" ] || { echo "  too large"; failed=1; }
  [ "$size" = "$printed" ] || { echo "  --print-frames says something else"; failed=1; }
done < <(sed -n 's,^// limit: ,,p' frames.cpp)
exit $failed
