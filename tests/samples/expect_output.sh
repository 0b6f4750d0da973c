#!/usr/bin/env bash
# Runs a program and compares what it prints with a file: expect_output.sh EXPECTED PROGRAM [ARGUMENT...]
set -euo pipefail
expected=$1
shift
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
"$@" >"$printed" || { echo "FAILED: $1 ended with $?" >&2; exit 1; }
diff -u --label expected --label printed "$expected" "$printed"
