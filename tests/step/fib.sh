#!/usr/bin/env bash
# The first thing that people try: a breakpoint in a sample, and its locals. fib.sh HEL_STEP PROGRAM SOURCE
set -euo pipefail
hel_step=$1 program=$2 source=$3
line=$(grep -n 'co_await fib(n - 1)' "$source" | head -n 1 | cut -d: -f1)
shown=$(printf 'break samples/fib.cpp:%s\ncontinue\nlocals\nquit\n' "$line" | "$hel_step" "$program" 5)
if ! grep -q "^Breakpoint 1: .*fib.cpp:$line " <<<"$shown" || ! grep -qx 'n = 5' <<<"$shown"; then
  echo "FAILED: $shown" >&2
  exit 1
fi
