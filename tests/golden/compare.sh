#!/usr/bin/env bash
# The lowered text of NAME.cpp must be what stands in NAME.golden.
#
#   compare.sh HEL_LOWER NAME WORK_DIR
set -eu
tool=$1 name=$2 work=$3
cd "$(dirname "${BASH_SOURCE[0]}")"
mkdir -p "$work"
"$tool" --all --no-line "$name.cpp" -o "$work/$name.lowered.cpp"
diff -u "$name.golden" "$work/$name.lowered.cpp" ||
  { echo "the lowered text of $name.cpp has changed; if that is meant, run tests/golden/update.sh"; exit 1; }
