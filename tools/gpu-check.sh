#!/usr/bin/env bash
# Everything that can be checked on a machine with a GPU, within 8 minutes and without a network: builds the device
# programs, runs each with a time-out, the small ones under compute-sanitizer too, then the benchmarks.
#
#   tools/gpu-check.sh                  builds and runs; needs nvcc, a driver, g++, Boost.Context and hel-lower
#   tools/gpu-check.sh --build DIR      only builds, into DIR, where no GPU need be; DIR can be copied to another machine
#   tools/gpu-check.sh --run DIR        only runs what --build has made; needs a driver, bash, coreutils and python3
#
#   --lower PROGRAM   hel-lower (default: build/bin/hel-lower, else the one in PATH)
#   --arch "75 90"    compute capabilities to build for (default: this machine's GPU, else 75 and 90)
#   --report FILE     where the figures go (default: gpu-report.json)
#   --seconds N       what is not done by then is left out, and named in the report (default: 450)
#   --quick           small problems, few repetitions
#   --command PREFIX  in front of every program, e.g. for a profiler
#
# Prints a table; FILE has the same as JSON. Exit code 1: a test failed, or nothing could be run.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
begin=$SECONDS
build=1 run=1 dir='' lower='' archs='' report=gpu-report.json seconds=450 quick='' prefix=''

die() { echo "gpu-check: $*" >&2; exit 1; }
while [ $# -gt 0 ]; do
  case $1 in
    --quick) quick=--quick; shift; continue ;;
    -h | --help) sed -n '2,18s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
  esac
  [ $# -gt 1 ] || die "$1 needs an argument, or is unknown (see --help)"
  case $1 in
    --build) run=0 dir=$2 ;;
    --run) build=0 dir=$2 ;;
    --lower) lower=$2 ;;
    --arch) archs=$2 ;;
    --report) report=$2 ;;
    --seconds) seconds=$2 ;;
    --command) prefix=$2 ;;
    *) die "unknown option $1 (see --help)" ;;
  esac
  shift 2
done
[ -n "$dir" ] || { dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT; }
mkdir -p "$dir" || die "cannot write to $dir"
dir=$(cd "$dir" && pwd)
left() { echo $((seconds - (SECONDS - begin))); }

# --- the programs: NAME KIND SOURCE. sample: prints its .expected; test: exits with 0; bench: prints lines of figures.
# Those from .cpp are lowered first.
programs() {
  local s
  while read -r s; do
    case $s in '' | '#'*) ;; *) echo "sample-$s sample samples/$s.cpp" ;; esac
  done <"$root/samples/device.txt"
  for s in basics warps mailbox host_calls streams ptx; do echo "device-$s test tests/device/$s.cu"; done
  echo "bench-resident bench tools/bench/gpu/resident.cpp"
  echo "bench-baselines bench tools/bench/gpu/baselines.cu"
}

# --- build
compile_one() {  # NAME KIND SOURCE, in $dir
  local name=$1 source=$3 flags=(-std=c++20 -O3 --expt-relaxed-constexpr -I"$root" -I"$root/runtime/include" -I"$root/stdlib/include")
  local cu=$root/$source libraries=()
  case $source in
    *.cpp)
      cu=$dir/$name.cu
      "$lower" --target cuda "$root/$source" -o "$cu" -- -I"$root" -I"$root/runtime/include" -I"$root/stdlib/include" || return
      flags+=(-isystem "$root/runtime/include/hel-shim")
      ;;
  esac
  case $source in */baselines.cu) flags+=(-rdc=true) libraries+=(-lcudadevrt) ;; esac
  case $source in *.cpp | */host_calls.cu) libraries+=("$dir/libhel.a" -lboost_context -Xcompiler -pthread) ;; esac
  "$nvcc" "${flags[@]}" "${gencode[@]}" -Xcompiler -fno-coroutines,-w -diag-suppress 20012,20013,20014,20015 "$cu" -o "$dir/$name" "${libraries[@]}"
}
library() {
  local f
  mkdir -p "$dir/runtime"
  for f in "$root"/runtime/*/*.cpp; do echo "$f"; done | xargs -P "$jobs" -I{} sh -c \
    'g++ -std=c++20 -O3 -DNDEBUG -pthread -I"$0/runtime/include" -I"$0/stdlib/include" -I"$0" -I"$(dirname "$1")" -c "$1" -o "$2/$(basename "$1" .cpp).o"' \
    "$root" {} "$dir/runtime" || return
  rm -f "$dir/libhel.a"
  ar rcs "$dir/libhel.a" "$dir"/runtime/*.o
}
if [ $build = 1 ]; then
  nvcc=${NVCC:-$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)}
  [ -x "$nvcc" ] || die "no nvcc: install the CUDA toolkit, or set NVCC"
  [ -n "$lower" ] || lower=$root/build/bin/hel-lower
  [ -x "$lower" ] || lower=$(command -v hel-lower) || die "no hel-lower: build it (README), or give --lower"
  if [ -z "$archs" ]; then
    archs=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -u | tr '\n' ' ')
    [[ $archs =~ ^[0-9\ ]+$ ]] || archs="75 90"
  fi
  gencode=()
  for a in $archs; do gencode+=(-gencode "arch=compute_$a,code=sm_$a"); done
  a=${archs%% *}
  gencode+=(-gencode "arch=compute_$a,code=compute_$a")  # for what is newer
  jobs=$(nproc)
  echo "building for compute capability $archs"
  library || die "the runtime does not compile"
  programs >"$dir/programs.txt"
  while read -r name kind source; do
    rm -f "$dir/$name"
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    compile_one "$name" "$kind" "$source" >"$dir/$name.log" 2>&1 &
  done <"$dir/programs.txt"
  wait
  broken=0
  while read -r name _; do
    [ ! -x "$dir/$name" ] || continue
    broken=1
    echo "$name does not compile:"
    grep -m5 -E 'error|fatal' "$dir/$name.log" || tail -5 "$dir/$name.log"
  done <"$dir/programs.txt"
  for s in $(awk '$2 == "sample" { print $3 }' "$dir/programs.txt"); do cp "$root/${s%.cpp}.expected" "$dir/"; done
  rm -rf "$dir/runtime"
  [ $run = 1 ] || { echo "built in $((SECONDS - begin)) s: $dir"; exit $broken; }
fi

# --- run
[ -f "$dir/programs.txt" ] || die "$dir was not made by --build"
results=$dir/results.txt figures=$dir/figures.txt
: >"$results"
: >"$figures"
result() { # NAME OUTCOME SECONDS DETAIL
  printf '%s\t%s\t%s\t%s\n' "$@" >>"$results"
  printf '  %-32s %-8s %5s s  %.100s\n' "$@"
}
# once LIMIT NAME COMMAND...: its output is in $dir/out and $dir/err; a program that hangs is killed, and its group
once() {
  local limit=$1
  shift
  [ "$limit" -le "$(left)" ] || limit=$(left)
  [ "$limit" -gt 0 ] || return 125
  # shellcheck disable=SC2086
  { timeout -k 5 "$limit" env HEL_EXECUTOR=cuda $prefix "$@" >"$dir/out" 2>"$dir/err" </dev/null; } 2>/dev/null
}
outcome() { # RC
  case $1 in 0) echo ok ;; 124 | 137) echo hangs ;; 125) echo 'not run' ;; *) echo FAILED ;; esac
}
judge() { # NAME RC SECONDS
  local said
  said=$(head -c 300 "$dir/err" | tr '\n\t' '  ')
  [ "$2" != 125 ] || said='out of time'
  result "$1" "$(outcome "$2")" "$3" "$said"
}

echo "device: $(nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader 2>/dev/null | head -1 || true)"
echo "tests"
while read -r name kind source; do
  [ "$kind" != bench ] || continue
  [ -x "$dir/$name" ] || { result "$name" FAILED 0 'not built'; continue; }
  from=$SECONDS
  once 60 "$dir/$name"
  rc=$?
  if [ $rc = 0 ] && [ "$kind" = sample ] && ! diff -u "$dir/$(basename "${source%.cpp}").expected" "$dir/out" >"$dir/err"; then rc=1; fi
  judge "$name" $rc $((SECONDS - from))
done <"$dir/programs.txt"

sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
if [ -n "$sanitizer" ]; then
  echo "under compute-sanitizer"
  for tool in memcheck racecheck synccheck; do
    while read -r name kind _; do
      arguments=()
      case $name in
        sample-fib) arguments=(8) ;;
        device-basics | device-warps) ;;
        *) continue ;;
      esac
      [ -x "$dir/$name" ] || continue
      from=$SECONDS
      once 45 "$sanitizer" --tool $tool --error-exitcode 9 "$dir/$name" "${arguments[@]}"
      rc=$?
      [ $rc = 0 ] || tail -c 300 "$dir/out" >>"$dir/err"
      judge "$tool $name" $rc $((SECONDS - from))
    done <"$dir/programs.txt"
  done
else
  result compute-sanitizer skipped 0 'not installed'
fi

echo "benchmarks"
bench() { # FIGURE PROGRAM ARGUMENT...
  local name=$1 program=$2 from=$SECONDS rc
  shift 2
  grep -q "^$program " "$dir/programs.txt" || return
  [ -x "$dir/$program" ] || { result "$name" FAILED 0 'not built'; return; }
  once 90 "$dir/$program" "$@" $quick
  rc=$?
  grep '^{' "$dir/out" >>"$figures"
  judge "$name" $rc $((SECONDS - from))
}
bench baselines bench-baselines
# One after the other: what hangs is known by its name, and the others have their turn.
for figure in submit submit-many fib spawn-join spawn dependent producer-consumer host-call beside; do
  bench "$figure" bench-resident "$figure"
done

python3 - "$results" "$figures" "$report" "$(nvidia-smi --query-gpu=name,driver_version,memory.total,compute_cap --format=csv,noheader 2>/dev/null | head -1)" "$((SECONDS - begin))" <<'PYTHON'
import json, sys
results, figures, report, device, seconds = sys.argv[1:]
tests = []
with open(results, errors="replace") as f:
    for line in f:
        name, outcome, took, detail = (line.rstrip("\n").split("\t") + ["", "", ""])[:4]
        tests.append({"name": name, "outcome": outcome, "seconds": int(took or 0), "detail": detail.strip()})
with open(figures) as f:
    values = [json.loads(line) for line in f]
with open(report, "w") as f:
    json.dump({"version": 1, "device": device, "seconds": int(seconds), "tests": tests, "figures": values}, f, indent=1)
    f.write("\n")
if values:
    print("figures (median; least to greatest)")
for v in values:
    print("  %-18s %-44s %12.4g  (%.4g to %.4g) %s" % (v["name"], v["side"], v["value"], v["least"], v["greatest"], v["unit"]))
bad = [t["name"] for t in tests if t["outcome"] not in ("ok", "skipped")]
ok = sum(t["outcome"] == "ok" for t in tests)
print("%d ok, %d not: %s" % (ok, len(bad), ", ".join(bad)) if bad else "%d ok" % ok)
print("report: " + report)
sys.exit(2 if bad else 0)
PYTHON
case $? in 0) exit 0 ;; 2) exit 1 ;; *) die "no report: python3 failed" ;; esac
