#!/usr/bin/env bash
# Installs what is missing, builds, and runs all tests. Ends in ctest's summary; stops at the first failing preset.
#
#   tools/test.sh                   the default preset
#   tools/test.sh --all             default, then asan (address+undefined), then tsan; so too where CI=true
#   tools/test.sh --preset debug    these presets only (repeatable)
#   tools/test.sh -- -L samples     further arguments for ctest
#
# HEL_TEST_PRESETS="default asan" chooses presets from the environment, HEL_JOBS the number of parallel jobs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

presets=()
[ "${CI:-}" != true ] || presets=(default asan tsan)
[ -z "${HEL_TEST_PRESETS:-}" ] || read -ra presets <<<"$HEL_TEST_PRESETS"
chosen=()
while [ $# -gt 0 ]; do
  case $1 in
    --all) chosen=(default asan tsan) ;;
    --preset) [ $# -gt 1 ] || { echo "test.sh: --preset needs a name" >&2; exit 2; }; chosen+=("$2"); shift ;;
    -h|--help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
    --) shift; break ;;
    *) echo "test.sh: unknown argument $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done
[ ${#chosen[@]} -eq 0 ] || presets=("${chosen[@]}")
[ ${#presets[@]} -gt 0 ] || presets=(default)
jobs=${HEL_JOBS:-$(nproc)}

tools/setup.sh
for preset in "${presets[@]}"; do
  echo "== $preset: configure and build"
  options=()
  [ "$preset" != tsan ] || options=(-DHEL_LOWER_EXECUTABLE=)
  # hel-lower is not instrumented for threads: the default build's serves.
  if [ "$preset" = tsan ] && [ -x build/bin/hel-lower ] && [[ " ${presets[*]} " == *" default "* ]]; then
    options=(-DHEL_LOWER_EXECUTABLE="$PWD/build/bin/hel-lower")
  fi
  cmake --preset "$preset" "${options[@]}" | grep -vE '^$|^Preset CMake variables|^  [A-Z_]+=' || exit 1
  cmake --build --preset "$preset" -j "$jobs"
  echo "== $preset: tests"
  ctest --preset "$preset" -j "$jobs" "$@"
done
