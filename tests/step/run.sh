#!/usr/bin/env bash
# Runs a script through hel-step and compares everything that it shows with NAME.expected.
#
#   run.sh HEL_STEP PROGRAM SOURCE SCRIPT EXPECTED EXIT_CODE [ARGUMENT...]
#
# In both files @NAME@ stands for the line of SOURCE that ends in `// line: NAME`.
set -euo pipefail
hel_step=$1 program=$2 source=$3 script=$4 expected=$5 exit_code=$6
shift 6
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

edits=()
while IFS=: read -r number name; do edits+=(-e "s/@$name@/$number/g"); done \
  < <(awk '/\/\/ line: [a-z]+$/ { print NR ":" $NF }' "$source")
sed "${edits[@]}" "$script" >"$scratch/script"
# the width of the task table's columns depends on where the source lies
squeeze=(-e 's/   */  /g')
sed "${edits[@]}" "${squeeze[@]}" "$expected" >"$scratch/expected"

code=0
"$hel_step" "$program" "$@" <"$scratch/script" >"$scratch/shown" 2>&1 || code=$?
# paths as the test's author sees them
sed -i -e "s|$source|$(basename "$source")|g" -e "s|$program|$(basename "$program")|g" "${squeeze[@]}" "$scratch/shown"
diff -u "$scratch/expected" "$scratch/shown"
[ "$code" = "$exit_code" ] || { echo "FAILED: exit code $code instead of $exit_code" >&2; exit 1; }
