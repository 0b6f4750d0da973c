#!/usr/bin/env bash
# The IR of every case, explored. A case in refused-today.txt has none.
#
#   check.sh HEL_LOWER HEL_IR_CHECK CASES_DIR WORK_DIR
set -u
tool=$1 check=$2 cases=$3 work=$4
mkdir -p "$work"
rm -f "$work"/*.ir
failed=0
for case in "$cases"/*.cpp; do
  name=$(basename "$case" .cpp)
  grep -q "^$name HEL" "$cases/../refused-today.txt" && continue
  read -ra flags <<<"$(sed -n 's,^// flags: *,,p' "$case" | tr -d '\r')"
  "$tool" --all --print-ir "$case" -- -std=c++20 "${flags[@]}" >"$work/$name.ir" 2>"$work/$name.log" ||
    { echo "$name: not lowered:"; cat "$work/$name.log"; failed=1; rm -f "$work/$name.ir"; }
done
(cd "$work" && "$check" *.ir) || failed=1
exit $failed
