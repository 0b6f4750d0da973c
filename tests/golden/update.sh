#!/usr/bin/env bash
# Writes the golden files anew. Look at `git diff tests/golden` afterwards.
#
#   tests/golden/update.sh [HEL_LOWER]    default: build/bin/hel-lower
set -eu
cd "$(dirname "${BASH_SOURCE[0]}")"
tool=${1:-../../build/bin/hel-lower}
for source in *.cpp; do
  "$tool" --all --no-line "$source" -o "${source%.cpp}.golden"
done
