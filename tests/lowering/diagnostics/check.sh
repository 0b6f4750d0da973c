#!/usr/bin/env bash
# A program that is refused: the numbers and places of all messages are those it states itself.
#
#   check.sh HEL_LOWER FILE WORK_DIR INCLUDE_DIR [--print]
#
# `// error: HELnnnn LINE:COLUMN` and `// warning: ...`, one a line; `// flags:` for the compiler; `// options: cuda`
# (--target cuda), `// options: annotated` (without --all) or `// options: headers` (--headers, this directory). Messages that are repeated at one place count once. What is in
# failing-today.txt is expected to fail.
set -u
tool=$1 file=$2 work=$3 include=$4
name=$(basename "$file" .cpp)
mkdir -p "$work"
out=$work/$name.out
rm -rf "$out" "$out.headers"
read -ra flags <<<"$(sed -n 's,^// flags: *,,p' "$file")"
options=(--all)
case $(sed -n 's,^// options: *,,p' "$file") in
  cuda) options=(--target cuda) ;;
  annotated) options=() ;;
  headers) options=(--all --headers .) ;;
esac
cd "$(dirname "$file")"
"$tool" "${options[@]}" "$name.cpp" -o "$out" -- -std=c++20 "${flags[@]}" -I"$include" >"$work/$name.stdout" 2>"$work/$name.stderr"
rc=$?
got=$(sed -n 's/^[^ ]*:\([0-9]*:[0-9]*\): \(error\|warning\): .*\[\(HEL[0-9]*\)\]$/\2: \3 \1/p' "$work/$name.stderr" | sort -u)
if [ "${5:-}" = --print ]; then
  sed 's,^,// ,' <<<"$got"
  exit
fi
want=$(sed -n 's,^// \(\(error\|warning\): HEL.*\),\1,p' "$file" | sort -u)
failed=0
fail() { echo "$name: $*"; failed=1; }
today=$(grep -c "^$name\b" failing-today.txt)
[ -n "$want" ] || fail "states no // error: line"
[ "$got" = "$want" ] || { fail "other messages"; diff <(echo "$want") <(echo "$got") | sed 's/^</expected:/; s/^>/got:     /'; cat "$work/$name.stderr"; }
if grep -q '^error' <<<"$want"; then
  [ $rc -eq 1 ] || fail "exit code $rc instead of 1"
  [ ! -e "$out" ] && [ ! -e "$out.headers" ] || fail "an output file was written"
else
  [ $rc -eq 0 ] || fail "exit code $rc instead of 0"
fi
[ ! -s "$work/$name.stdout" ] || fail "text on standard output"
# each message shows the source line with a caret and is followed by what to write instead
messages=$(grep -c '\[HEL[0-9]*\]$' "$work/$name.stderr")
[ "$(grep -c '^ *|.*\^' "$work/$name.stderr")" -ge "$messages" ] || fail "no caret"
[ "$(grep -c ': note: ' "$work/$name.stderr")" -ge "$messages" ] || fail "no note on what to write instead"
if [ "$today" != 0 ]; then
  [ $failed -eq 1 ] || { echo "$name: passes now: remove it from the list, tests/lowering/diagnostics/failing-today.txt"; exit 1; }
  exit 0
fi
exit $failed
