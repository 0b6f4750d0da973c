#!/usr/bin/env bash
# The resident kernel of a sample as PTX: scopes and orders of what its queues, frame memory and mailboxes do.
#
#   resident.sh SOURCE WORK_DIR HEL_LOWER SHIM RUNTIME_INCLUDE STDLIB_INCLUDE NVCC|''
set -euo pipefail
source=$1 work=$2 lower=$3 shim=$4 runtime=$5 stdlib=$6 nvcc=$7
[ -n "$nvcc" ] || { echo "skipped: no nvcc"; exit 77; }
mkdir -p "$work"
"$lower" --target cuda "$source" -o "$work/sample.cu" -- -I"$runtime" -I"$stdlib"
"$nvcc" -std=c++20 --expt-relaxed-constexpr -Xcompiler -fno-coroutines,-w -diag-suppress 20012,20013,20014,20015 -isystem "$shim" \
  -I"$runtime" -I"$stdlib" -arch=sm_75 -ptx "$work/sample.cu" -o "$work/sample.ptx"
failed=0
# expect COUNT|+ PATTERN WHY: instructions of the resident kernel and of what it calls
expect() {
  local found
  found=$(awk -v p="$2" '/[.]visible [.]entry/ { on = /resident_kernel/ } /[.]func/ && !/[.]extern/ { on = 1 } on && $0 ~ p { ++n } END { print n + 0 }' \
    "$work/sample.ptx")
  if [ "$1" = + ]; then [ "$found" -gt 0 ] && return; elif [ "$found" -eq "$1" ]; then return; fi
  echo "$found instructions like $2, expected $1: $3"
  failed=1
}
expect 0 '(^|[ \t])(atom|red)[.][^;]*[.]sys' 'atomic operations stay on the device; over the bus there are none'
expect 0 'membar|fence' 'what a fence would order is ordered by a release or an acquire of the scope that it needs'
expect 0 '(^|[ \t])(atom|red)[.][a-z0-9]+[.](shared|global|b|u)' 'no atomic operation without an order and a scope'
expect + 'atom[.]cas[.]acq_rel[.]gpu' 'frame memory, completion words'
expect + 'atom[.]add[.]acq_rel[.]gpu' 'dependency counters'
expect + 'st[.]release[.]gpu' 'the shared queues publish frames'
expect + 'ld[.]acquire[.]gpu' 'the shared queues, read'
expect + 'ld[.]acquire[.]sys' 'the doorbell of launches, the stop flag'
expect + 'st[.]release[.]sys' 'answers to launches'
exit $failed
