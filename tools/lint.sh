#!/usr/bin/env bash
# Formatting and clang-tidy over our own sources; fails when something is to be done.
#
#   tools/lint.sh               formatting of all sources
#   tools/lint.sh --fix         formats them
#   tools/lint.sh --tidy [FILE...]   clang-tidy as well, on FILEs or all of frontend lowering runtime tools
#
# What a test takes apart to the letter (goldens, lowering cases, documented examples) keeps its own layout.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

fix=0
tidy=0
files=()
while [ $# -gt 0 ]; do
  case $1 in
    --fix) fix=1 ;;
    --tidy) tidy=1 ;;
    -h|--help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "lint.sh: unknown option $1 (see --help)" >&2; exit 2 ;;
    *) files+=("$1") ;;
  esac
  shift
done
tools/setup.sh --lint

mapfile -t sources < <(git ls-files '*.cpp' '*.hpp' ':!tests/golden' ':!tests/lowering' ':!docs')
if [ "$fix" = 1 ]; then
  clang-format -i "${sources[@]}"
else
  clang-format --dry-run -Werror "${sources[@]}"
fi
echo "formatting: ${#sources[@]} files"

[ "$tidy" = 1 ] || exit 0
[ ${#files[@]} -gt 0 ] || mapfile -t files < <(git ls-files 'frontend/*.cpp' 'lowering/*.cpp' 'runtime/*.cpp' 'tools/*.cpp')
llvm=${HEL_LLVM_VERSION:-19}
# a compilation database with Clang's flags, and without g++'s precompiled headers
cmake --preset default -B build-lint -DCMAKE_CXX_COMPILER="clang++-$llvm" -DCMAKE_C_COMPILER="clang-$llvm" \
  -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DHEL_LLVM_VERSION="$llvm" >/dev/null
"clang-tidy-$llvm" -p build-lint --quiet "${files[@]}"
echo "clang-tidy: ${#files[@]} files"
