#!/usr/bin/env bash
# What HEL_HOST_FUNCTION refuses, with the words by which the user is told.
#
#   refused.sh COMPILER INCLUDE_DIR
set -euo pipefail
compiler=$1 include=$2 failed=0
try() {  # MESSAGE CODE; an empty message: it compiles
  local log
  if log=$("$compiler" -std=c++20 -fsyntax-only -I"$include" -x c++ - 2>&1 <<<"#include <string>
#include \"hel/host_function.hpp\"
struct big { char bytes[65537]; };
$2"); then
    [ -z "$1" ] && return
    echo "accepted: $2"
  else
    [ -n "$1" ] && grep -qF "$1" <<<"$log" && return
    printf 'wanted "%s" for: %s\n%s\n' "$1" "$2" "$(head -5 <<<"$log")"
  fi
  failed=1
}
try '' 'struct f { int operator()(int, const double&) const noexcept; }; HEL_HOST_FUNCTION(f);'
try '' 'namespace { struct f { void operator()(); }; } HEL_HOST_FUNCTION(f);'
try 'must be trivially copyable' 'struct f { int operator()(std::string) const; }; HEL_HOST_FUNCTION(f);'
try 'must be trivially copyable' 'struct f { std::string operator()(int) const; }; HEL_HOST_FUNCTION(f);'
try 'more than 64 KiB' 'struct f { int operator()(big) const; }; HEL_HOST_FUNCTION(f);'
try 'more than 64 KiB' 'struct f { big operator()(int) const; }; HEL_HOST_FUNCTION(f);'
try 'nothing else travels' 'struct f { int operator()(int&) const; }; HEL_HOST_FUNCTION(f);'
try 'nothing else travels' 'struct f { const int& operator()(int) const; }; HEL_HOST_FUNCTION(f);'
try 'must be empty' 'struct f { int n; int operator()(int) const; }; HEL_HOST_FUNCTION(f);'
try 'neither a template nor overloaded' 'struct f { template <class T> int operator()(T) const; }; HEL_HOST_FUNCTION(f);'
try 'neither a template nor overloaded' 'struct f { int operator()(int) const; int operator()(long) const; }; HEL_HOST_FUNCTION(f);'
try 'redefinition' 'struct f { int operator()(int) const; }; HEL_HOST_FUNCTION(f); HEL_HOST_FUNCTION(f);'
exit $failed
