#!/usr/bin/env bash
# --build: lower, compile and link in one go.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ -n "$gnu" ] || exit 77
program a.cpp
unset CXX
CXX=$gnu lower 0 --build a.cpp --all -o a
[ "$(./a)" = "total 20" ] || fail "prints $(./a)"
lower 0 --build --cxx "$gnu" a.cpp --all -o b -- -O0 -DUNUSED
[ "$(./b x)" = "total 24" ] || fail "prints $(./b x)"
holds a.cpp a b  # no lowered source is left, here or anywhere
rm -f a b
lower 0 --build --cxx "$gnu" a.cpp --all
[ "$(./a)" = "total 20" ] || fail "the program is named after the source"
lower 0 --build --cxx "$gnu" --keep a.cpp --all -o kept
grep -q HEL_LOWERED_BEGIN kept.lowered.cpp || fail "--keep keeps no source"
if [ -n "$clang" ]; then
  lower 0 --build --cxx "$clang" a.cpp --all -o c
  [ "$(./c)" = "total 20" ] || fail "prints $(./c)"
fi
# --cxx before $CXX
CXX=/no/such/compiler lower 0 --build --cxx "$gnu" a.cpp --all -o d
CXX=/no/such/compiler lower 1 --build a.cpp --all -o e
says '/no/such/compiler'
[ ! -e e ] || fail "a program without a compiler"
# names and flags reach the compiler without a shell
mkdir 'a folder'
program "a folder/it's; touch owned.cpp"
lower 0 --build --cxx "$gnu" "a folder/it's; touch owned.cpp" --all -o 'a folder/p $(touch owned)' -- '-DX="; touch owned"'
[ "$('a folder/p $(touch owned)')" = "total 20" ] || fail "a name with a blank and a quote"
[ ! -e owned ] || fail "a shell has seen the names"
# a header beside the source is found
echo '#define BESIDE 1' >beside.hpp
{ echo '#include "beside.hpp"'; cat a.cpp; } >'a folder/f.cpp'
cp beside.hpp 'a folder/'
rm beside.hpp
lower 0 --build --cxx "$gnu" 'a folder/f.cpp' --all -o f
# g++ -Og makes no tail call, so 200,000 transfers need bodies that take none
case=$(cd "$(dirname "${BASH_SOURCE[0]}")/../lowering/cases" && pwd)/transfer-depth.cpp
lower 0 --build --cxx "$gnu" "$case" --all -o deep -- -Og
./deep >/dev/null || fail "-Og takes stack for each transfer"
# an error of the compiler: its messages name the user's file and line, exit code 1
sed 's/int main(/int oops = undeclared_here;\nint main(/' a.cpp >bad.cpp
lower 1 --build --cxx "$gnu" bad.cpp --all -o bad
says 'bad.cpp:22' 'undeclared_here'
[ ! -e bad ] || fail "a program of a broken source"
lower 1 --build --cxx "$gnu" a.cpp --all -o g -- -DX -fno-such-flag-exists
finish
