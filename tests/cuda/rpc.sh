#!/usr/bin/env bash
# The device code of the host-call protocol: over the bus go plain loads and stores of system scope, atomic operations
# stay on the device. (Over PCIe an atomic operation of the device is none for the host.)
#
#   rpc.sh SOURCE WORK_DIR INCLUDE_DIR NVCC|''
set -euo pipefail
source=$1 work=$2 include=$3 nvcc=$4
[ -n "$nvcc" ] || { echo "skipped: no nvcc"; exit 77; }
mkdir -p "$work"
"$nvcc" -std=c++20 --expt-relaxed-constexpr -Xcompiler -fno-coroutines,-w -isystem "$include/hel-shim" -I"$include" \
  -arch=sm_75 -ptx "$source" -o "$work/rpc.ptx"
failed=0
# count PATTERN FUNCTION: how many instructions of a function match
count() { awk -v f=".visible .entry $2(" -v p="$1" 'index($0, ".visible .entry") { on = index($0, f) } on && $0 ~ p { ++n } END { print n + 0 }' "$work/rpc.ptx"; }
expect() {
  local found; found=$(count "$2" "$3")
  if [ "$1" = + ]; then [ "$found" -gt 0 ] && return; elif [ "$found" -eq "$1" ]; then return; fi
  echo "$3: $found instructions like $2, expected $1"; failed=1
}
for f in call take_answers give_up; do
  expect 0 'atom.*[.]sys' $f
  expect 0 'red.*[.]sys' $f
  expect 0 'membar|fence' $f
done
expect 1 'st[.]release[.]sys' call            # the doorbell publishes the slot, nothing else does
expect 1 'st[.]relaxed[.]sys' call            # the request word
expect + 'ld[.]acquire[.]sys' take_answers    # the doorbell of answers
expect 0 'st[.].*[.]sys' take_answers         # a poll and a release write nothing to the host
expect + 'atom[.]cas[.]acq_rel[.]gpu' call    # free slots
expect 0 'st[.]release[.]sys' give_up
exit $failed
