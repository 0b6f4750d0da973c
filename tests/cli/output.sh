#!/usr/bin/env bash
# Where the output goes: whole or not at all.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
program a.cpp
lower 0 a.cpp --all
prints 'HEL_LOWERED_BEGIN'
holds a.cpp
lower 0 a.cpp --all -o -
prints 'HEL_LOWERED_BEGIN'
lower 1 a.cpp --all -o no/such/folder/out.cpp
says 'no/such/folder/out.cpp: cannot be written'
mkdir folder
lower 1 a.cpp --all -o folder
says 'folder: is a directory'
holds a.cpp folder
if [ "$(id -u)" != 0 ]; then  # root writes everywhere
  chmod 500 folder
  lower 1 a.cpp --all -o folder/out.cpp
  says 'folder/out.cpp: cannot be written'
  chmod 700 folder
fi
rmdir folder
if [ -e /dev/full ]; then
  lower 1 a.cpp --all -o /dev/full
  says 'cannot be written'
  "$tool" a.cpp --all >/dev/full 2>"$err"
  [ $? -eq 1 ] || fail "a full standard output is not noticed"
fi
lower 0 a.cpp --all -o /dev/null
holds a.cpp

# an output that is refused later leaves the earlier one alone; a new one replaces it
lower 0 a.cpp --all -o out.cpp
cp out.cpp before.cpp
sed -i 's/int total = n;/static int total = (co_await std::suspend_always{}, n);/' a.cpp
lower 1 a.cpp --all -o out.cpp
cmp out.cpp before.cpp || fail "the earlier output was touched"
program a.cpp
sed -i 's/total %d/sum %d/' a.cpp
lower 0 a.cpp --all -o out.cpp
grep -q 'sum %d' out.cpp || fail "the output was not replaced"
# the same input, the same output
lower 0 a.cpp --all -o again.cpp
sed 's/again\.cpp/out.cpp/' again.cpp | cmp - out.cpp || fail "two runs differ"
holds a.cpp out.cpp before.cpp again.cpp

# names with blanks, quotes and a leading dash
name="it's a \"strange\" name \$x.cpp"
program "$name"
lower 0 "$name" --all -o "out of $name"
silent
"$gnu" -std=c++20 -fno-coroutines -isystem "$include/hel-shim" -I"$include" "out of $name" -o strange 2>"$err" || fail "the output does not compile"
[ "$(./strange)" = "total 20" ] || fail "the program prints $(./strange)"
program ./-dash.cpp
lower 0 ./-dash.cpp --all -o ./-out.cpp
[ -s ./-out.cpp ] || fail "no output"
finish
