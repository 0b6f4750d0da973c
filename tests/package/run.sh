#!/usr/bin/env bash
# Builds the project beside this script against HEL in one of the ways that users have.
#
#   run.sh build-tree|prefix|shipped|relower BUILD_DIR SCRATCH_DIR CXX_COMPILER HEL_LOWER
set -euo pipefail
way=$1 build=$2 scratch=$3 compiler=$4 hel_lower=$5
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

rm -rf "$scratch"
mkdir -p "$scratch"
cp -r "$here/project" "$scratch/project"
cd "$scratch"

fail() { echo "FAILED: $*" >&2; exit 1; }
configure() { cmake -S project -B app -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug "$@"; }
expect() {
  local printed
  printed=$(app/app) || fail "app ended with $?"
  [ "$printed" = "$1" ] || fail "app printed '$printed' instead of '$1'"
}
# install COMPONENT...: into a prefix that is then moved, as packages are
install_moved() {
  local component
  for component in "$@"; do cmake --install "$build" --prefix "$PWD/staging" --component "$component" >install.log; done
  mv staging prefix
}

case $way in
  build-tree)
    configure -Dhel_DIR="$build"
    cmake --build app
    expect 45
    ;;
  prefix)
    install_moved hel-runtime hel-tools
    configure -DCMAKE_PREFIX_PATH="$PWD/prefix"
    cmake --build app
    expect 45
    [ "$(prefix/bin/hel-lower --version)" = "$("$hel_lower" --version)" ] || fail "installed hel-lower differs"
    # the installed tool finds the installed headers and library by itself
    prefix/bin/hel-lower --build project/app.cpp --headers project -o by-hand
    [ "$(./by-hand)" = 45 ] || fail "--build with the installed hel-lower"
    ;;
  shipped)
    install_moved hel-runtime
    [ ! -e prefix/bin ] || fail "component hel-runtime brings programs: $(ls prefix/bin)"
    mkdir project/lowered
    "$hel_lower" project/app.cpp --headers project -o project/lowered/app.lowered.cpp
    rm project/app.cpp
    configure -DCMAKE_PREFIX_PATH="$PWD/prefix" -DSHIPPED=ON
    ! grep -q -E '^(LLVM|Clang)_DIR' app/CMakeCache.txt || fail "the build of a lowered source looks for LLVM"
    cmake --build app
    expect 45
    # and a source that is not lowered yet is refused in so many words
    cp "$here/project/app.cpp" project/
    ! cmake -S project -B unlowered -G Ninja -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$PWD/prefix" \
      >unlowered.log 2>&1 || fail "configured without hel-lower"
    grep -q 'app.cpp must be lowered' unlowered.log || { cat unlowered.log; fail "no clear message without hel-lower"; }
    ;;
  relower)
    configure -Dhel_DIR="$build"
    cmake --build app
    expect 45
    cmake --build app | grep -q 'no work to do' || fail "a second build does something"
    sleep 1.1  # file systems with whole seconds
    sed -i 's/return 1;/return 2;/' project/step.hpp
    touch before
    sleep 1.1
    cmake --build app
    [ app/app.lowered/app.lowered.cpp -nt before ] || fail "touching a header did not lower again"
    expect 20
    sleep 1.1
    sed -i 's,n / ordinary(),3 * n / ordinary(),' project/half.hpp
    cmake --build app
    expect 60
    cmake --build app | grep -q 'no work to do' || fail "a build after that does something"
    ;;
  *) fail "unknown way $way" ;;
esac
rm -rf "$scratch"
