#!/usr/bin/env bash
# Installs the Debian packages that HEL needs and this machine lacks. Says nothing when nothing is missing.
#
#   tools/setup.sh            what building and testing needs
#   tools/setup.sh --lint     clang-format and clang-tidy as well
#   tools/setup.sh --dry-run  print what would be installed
#
# HEL_LLVM_VERSION chooses the LLVM version (default 19).
set -euo pipefail

llvm=${HEL_LLVM_VERSION:-19}
lint=0
dry_run=0
for argument in "$@"; do
  case $argument in
    --lint) lint=1 ;;
    --dry-run) dry_run=1 ;;
    -h|--help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
    *) echo "setup.sh: unknown option $argument (see --help)" >&2; exit 2 ;;
  esac
done

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "setup.sh: no apt here, nothing installed; docs/third-party.md lists what HEL needs" >&2
  exit 0
fi

installed() { [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$1" 2>/dev/null | cut -c1-2)" = ii ]; }

missing=()
# need PACKAGE [TEST...]: the package, unless it is installed or the test succeeds (a cmake from elsewhere is as good)
need() {
  local package=$1
  shift
  installed "$package" && return
  if [ $# -gt 0 ] && "$@" >/dev/null 2>&1; then return; fi
  missing+=("$package")
}

cmake_is_new_enough() {
  local version
  version=$(cmake --version 2>/dev/null | sed -n '1s/[^0-9]*//p') && [ -n "$version" ] &&
    [ "$(printf '%s\n3.25\n' "$version" | sort -V | head -n 1)" = 3.25 ]
}

need cmake cmake_is_new_enough
need ninja-build command -v ninja
need g++ command -v g++
need "clang-$llvm"
need "libclang-$llvm-dev"
need "llvm-$llvm-dev"
need "libclang-rt-$llvm-dev"
need doctest-dev
need libcli11-dev
need nlohmann-json3-dev
need libedit-dev
need libbenchmark-dev  # tools/bench, and the peers that it compares with
need libtbb-dev
need valgrind command -v valgrind  # hel-bench --instructions
need clang-22 command -v clang++-22  # device code run on the host (tests/device)
need python3 command -v python3  # random programs through hel-lower (tests/fuzz)
if [ "$lint" = 1 ]; then
  need clang-format command -v clang-format
  need "clang-tidy-$llvm"
fi

# The development packages of different Boost versions exclude each other. Where one is installed take its Boost.Context,
# so that nothing of the user's is removed; HEL works with 1.74 and newer.
boost=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' 'libboost1.*-dev' 2>/dev/null |
  sed -n 's/^ii *libboost\(1\.[0-9]*\)-dev$/\1/p' | sort -V | tail -n 1) || true
need "libboost-context${boost:-1.81}-dev"

[ ${#missing[@]} -gt 0 ] || exit 0
if [ "$dry_run" = 1 ]; then
  printf '%s\n' "${missing[@]}"
  exit 0
fi

sudo=()
if [ "$(id -u)" != 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup.sh: these packages are missing and only root can install them:" >&2
    echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 1
  fi
  sudo=(sudo)
fi

echo "Installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# Without --no-remove apt may remove packages of the user's to satisfy ours.
apt_install() {
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends --no-remove "${missing[@]}" </dev/null >"$log" 2>&1
}
# Package lists may be absent (a fresh image) or old: fetch them only when the installation does not work without.
if ! apt_install; then
  if ! "${sudo[@]}" apt-get update -q </dev/null >>"$log" 2>&1 || ! apt_install; then
    cat "$log" >&2
    echo "setup.sh: could not install ${missing[*]}" >&2
    exit 1
  fi
fi
