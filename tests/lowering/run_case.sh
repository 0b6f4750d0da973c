#!/usr/bin/env bash
# One case: every coroutine of it lowered, compiled by each back end and run; each must print what the case expects.
#
#   run_case.sh HEL_LOWER CASE WORK_DIR INCLUDE_DIR GNU_CXX CLANG_CXX [BACKEND...]
#
# A case says what it prints in a line `// expect: WORDS` (white space folded), and may add compiler flags
# (`// flags:`). Back ends: gnu-O0 gnu-O2 clang-O0 clang-O2 sanitize, and native, which is not among the default ones: it
# compares the expectation with Clang's own coroutines, unless `// native: REASON` says why those are wrong. A back end
# whose compiler is empty is left out. A case in refused-today.txt must be refused with the number given there.
set -u
tool=$1 case=$2 work=$3 include=$4 gnu=$5 clang=$6
shift 6
[ $# -gt 0 ] || set -- gnu-O0 gnu-O2 clang-O0 clang-O2 sanitize
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
name=$(basename "$case" .cpp)
mkdir -p "$work"
rm -f "$work/$name".*
lowered=$work/$name.lowered.cpp
failed=0
fail() { echo "$name: $*"; failed=1; }
directive() { sed -n "s,^// $1: *,,p" "$case" | tr -s ' \r\n' '   ' | sed 's/^ *//; s/ *$//'; }

expect=$(directive expect)
[ -n "$expect" ] || { echo "$name: no // expect: line"; exit 1; }
read -ra flags <<<"$(directive flags)"

refused=$(sed -n "s/^$name \(HEL[0-9]*\)\( .*\)\{0,1\}$/\1/p" "$here/refused-today.txt")
"$tool" --all "$case" -o "$lowered" -- -std=c++20 "${flags[@]}" >"$work/$name.log" 2>&1
rc=$?
if [ -n "$refused" ]; then
  if [ $rc -eq 0 ]; then
    echo "$name: is no longer refused with $refused: remove it from the list, tests/lowering/refused-today.txt"
    exit 1
  fi
  [ $rc -eq 1 ] || fail "exit code $rc instead of 1"
  grep -q "error: .*\[$refused\]" "$work/$name.log" || { fail "refused, but not with $refused:"; cat "$work/$name.log"; }
  [ ! -e "$lowered" ] || fail "refused, but wrote an output file"
  exit $failed
fi
[ $rc -eq 0 ] || { fail "not lowered, exit code $rc:"; cat "$work/$name.log"; exit 1; }
[ ! -s "$work/$name.log" ] || { fail "lowered, but with messages:"; cat "$work/$name.log"; }

# build_and_run BACKEND SOURCE COMMAND...
build_and_run() {
  local backend=$1 source=$2 program=$work/$name.$1
  shift 2
  if ! "$@" -std=c++20 -pthread "${flags[@]}" -I"$include" -iquote "$(dirname "$case")" "$source" -o "$program" >"$program.log" 2>&1; then
    fail "$backend does not compile:"
    head -30 "$program.log"
    return
  fi
  local got rc
  got=$(timeout 60 "$program" 2>"$program.err")
  rc=$?
  got=$(tr -s ' \r\n' '   ' <<<"$got" | sed 's/^ *//; s/ *$//')
  [ $rc -eq 0 ] || fail "$backend: exit code $rc"
  [ ! -s "$program.err" ] || { fail "$backend wrote on standard error:"; head -20 "$program.err"; }
  [ "$got" = "$expect" ] || { fail "$backend prints something else"; echo "  expected: $expect"; echo "  printed:  $got"; }
  rm -f "$program"
}

shim=(-isystem "$include/hel-shim")
strict=(-Wall -Wextra -Werror)
for backend in "$@"; do
  case $backend in
    gnu-*) [ -z "$gnu" ] || build_and_run "$backend" "$lowered" "$gnu" -fno-coroutines "${shim[@]}" "${strict[@]}" "-${backend#gnu-}" ;;
    clang-*) [ -z "$clang" ] || build_and_run "$backend" "$lowered" "$clang" "${shim[@]}" "${strict[@]}" "-${backend#clang-}" ;;
    sanitize)
      [ -z "$gnu" ] || ASAN_OPTIONS=detect_stack_use_after_return=1 build_and_run "$backend" "$lowered" "$gnu" -fno-coroutines "${shim[@]}" "${strict[@]}" \
        -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined ;;
    native) [ -z "$clang" ] || grep -q '^// native: ' "$case" || build_and_run native "$case" "$clang" -O0 ;;
    *) fail "no such back end: $backend" ;;
  esac
done
exit $failed
