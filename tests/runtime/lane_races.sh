#!/usr/bin/env bash
# lane_races.sh PROGRAM warp|block: correct groups run without a report, each faulty one is reported with the line.
set -euo pipefail
program=$1 group=$2
export TSAN_OPTIONS="exitcode=66 halt_on_error=0"
for kind in correct suspension; do
  "$program" "$group" "$kind" >/dev/null || { echo "$group $kind: reported"; exit 1; }
done
kinds="missing ahead"
[ "$group" = warp ] || kinds+=" other_warp"
for kind in $kinds; do
  if log=$("$program" "$group" "$kind" 2>&1); then echo "$group $kind: not reported"; exit 1; fi
  grep -q '^    #0 .*lane_races\.cpp:[0-9]' <<<"$log" || { echo "$group $kind: reported as"; head -40 <<<"$log"; exit 1; }
done
