#!/usr/bin/env bash
# From a fresh clone to running coroutine tasks: installs what is missing, builds hel-lower and the runtime, lowers the
# samples and runs them on the CPU fallback.
#
#   tools/demo.sh [FILE...]    the files for the word count (default README.md)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1:-} in
  -h|--help) sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
files=("$@")
[ ${#files[@]} -gt 0 ] || files=(README.md)

bold=''
plain=''
if [ -t 1 ]; then bold=$'\e[1m'; plain=$'\e[0m'; fi
say() { printf '%s\n' "$bold$*$plain"; }
# run COMMAND...: shows the command as typed, then its output
run() {
  say "\$ $*"
  "$@"
}

jobs=${HEL_JOBS:-$(nproc)}
say "1/4  packages"
tools/setup.sh

say "2/4  build hel-lower, hel-step and the runtime (build/)"
cmake --preset default | grep -E '^-- (hel-lower|native|CUDA|hel-step):' || true
cmake --build --preset default -j "$jobs" --target hel hel-lower hel-step

say "3/4  lower the samples with hel-lower, compile them with the host compiler (build/samples/)"
cmake --build --preset default -j "$jobs" --target samples

say "4/4  run them on the CPU fallback"
for sample in fib producer_consumer host_rpc warp_sum block_scan; do
  run "build/samples/$sample"
done
run build/samples/wordcount "${files[@]}"
say "Done. Next: build/bin/hel-step build/samples/fib steps through one, tools/test.sh runs the tests."
