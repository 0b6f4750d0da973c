#!/usr/bin/env bash
# The lowering cases for the device: all that it can run in one source, lowered once and compiled for an architecture. A
# kernel for each case resumes its tasks as a scheduler does; ptxas reports registers, stack and spills of each.
#
#   cases.sh prepare WORK_DIR CASES_DIR HEL_LOWER ANNOTATE RESOURCE_DIR  annotates and lowers the cases
#   cases.sh sm_NN   WORK_DIR INCLUDE_DIR NVCC|'' [--update]             compiles them; holds the figures to budget.txt
#   cases.sh host    WORK_DIR INCLUDE_DIR NVCC|''                        compiles the host's side too
#
# host-only.txt names the cases that only nvcc knows to be for the host. --update writes the registers into budget.txt.
set -euo pipefail
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mode=$1 work=$2
mkdir -p "$work"
source=$work/cases.cu
if [ "$mode" = prepare ]; then
  cases=$3 hel_lower=$4 annotate=$5 resources=$6
  rm -f "$source"
  skip=$(sed -n 's/^\([a-z0-9][a-z0-9-]*\) .*/\1/p' "$here/host-only.txt")
  for name in $skip; do [ -e "$cases/$name.cpp" ] || { echo "host-only.txt names $name, which does not exist"; exit 1; }; done
  while :; do
    mapfile -t files < <(for f in "$cases"/*.cpp; do grep -qxF "$(basename "$f" .cpp)" <<<"$skip" || echo "$f"; done)
    "$annotate" "$work/cases.cpp" "$work/skipped" "$resources" "${files[@]}"
    if "$hel_lower" --target cuda --all "$work/cases.cpp" -o "$source" -- -ferror-limit=0 >"$work/log" 2>&1; then break; fi
    # what hel-lower refuses is for the host alone
    refused=$(sed -n 's/^\([a-z0-9-]*\)\.cpp:[0-9:]* error: .*\[HEL[0-9]*\]$/\1/p' "$work/log" | sort -u)
    unnumbered=$(sed -n '/\[HEL[0-9]*\]$/d; s/^\(.*: error: .*\)/\1/p' "$work/log")
    [ -n "$refused" ] && [ -z "$unnumbered" ] || { cat "$work/log"; exit 1; }
    sed -n 's/^\([a-z0-9-]*\)\.cpp:[0-9:]* error: \(.*\[HEL[0-9]*\]\)$/for the host alone: \1: \2/p' "$work/log" | sort -u
    skip+=$'\n'$refused
  done
  sed 's/^/not in the source: /' "$work/skipped"
  sed -n 's/^\([a-z0-9][a-z0-9-]*\) \(.*\)/for the host alone: \1: \2/p' "$here/host-only.txt"
  awk -f "$here/probes.awk" "$source" >"$work/probes"
  cat "$work/probes" >>"$source"
  tested=$(grep -c '^__global__ void probe_case_' "$work/probes")
  echo "$tested cases of $(ls "$cases"/*.cpp | wc -l) for the device"
  [ "$tested" -ge 120 ] || { echo "fewer than there were"; exit 1; }
  exit
fi

include=$3 nvcc=$4
[ -n "$nvcc" ] || { echo "skipped: no nvcc"; exit 77; }
[ -s "$source" ] || { echo "cases.sh prepare has not run"; exit 1; }
# nvcc refuses: its first words for each case
refused() {
  sed -n 's/^\([a-z0-9-]*\)\.cpp([0-9]*): error: /\1: /p; s/^\([a-z0-9-]*\.cpp:[0-9:]* error: \)/\1/p; /cases\.cu.*error/p; /bort/p' "$1" | awk -F: '!seen[$1]++' | cut -c1-300
  echo "(a case that only the host can run belongs in tests/cuda/host-only.txt, with the reason)"
  exit 1
}
flags=(-std=c++20 -DHEL_NO_DEVICE_PROGRAM --expt-relaxed-constexpr -Xcompiler -fno-coroutines,-w -isystem "$include/hel-shim" -I"$include")
if [ "$mode" = host ]; then
  "$nvcc" "${flags[@]}" -arch=sm_75 -c "$source" -o "$work/cases.o" >"$work/host.log" 2>&1 || refused "$work/host.log"
  exit
fi
log=$work/$mode.log
"$nvcc" "${flags[@]}" "-arch=$mode" -cubin -Xptxas -v "$source" -o "$work/$mode.cubin" >"$log" 2>&1 || refused "$log"
# NAME REGISTERS STACK SPILL
awk '/Function properties for/ { name = ""; if (match($0, /probe_(all|case_[A-Za-z0-9_]*)Pv$/)) { name = substr($0, RSTART + 6, RLENGTH - 8); sub(/^case_/, "", name) } }
     name != "" && /bytes stack frame/ { stack = $1; spill = $5 + $9 }
     name != "" && /Used [0-9]+ registers/ { for (i = 1; i < NF; ++i) if ($i == "Used") print name, $(i + 1), stack, spill; name = "" }' "$log" | sort >"$work/$mode.figures"
[ "$(wc -l <"$work/$mode.figures")" -gt 120 ] || { echo "ptxas has reported $(wc -l <"$work/$mode.figures") kernels only"; exit 1; }
budget=$here/budget.txt
if [ "${5:-}" = --update ]; then
  { grep '^#' "$budget"; { grep -v -e '^#' -e "^$mode " "$budget" || true; awk -v arch="$mode" '$1 != "all" { print arch, $1, $2 }' "$work/$mode.figures"; } | sort; } >"$work/budget.txt"
  mv "$work/budget.txt" "$budget"
fi
echo "registers: $(awk '{ print $2 }' "$work/$mode.figures" | sort -n | awk '{ v[NR] = $1 } END { print v[1] " to " v[NR] ", median " v[int((NR + 1) / 2)] }')"
awk -v arch="$mode" '
  NR == FNR { if ($1 == arch) budget[$2] = $3; next }
  { seen[$1] = 1 }
  $3 || $4 { print $1 ": " $3 " bytes of stack, " $4 " bytes of spills; the budget is 0 and 0"; bad = 1 }
  $1 in budget && $2 > budget[$1] + 2 { print $1 ": " $2 " registers; the budget is " budget[$1]; bad = 1 }
  END {
    for (name in budget) if (!(name in seen)) { print name ": is in budget.txt, but is no longer compiled for the device"; bad = 1 }
    exit bad
  }' "$budget" "$work/$mode.figures"
