#!/usr/bin/env bash
# -MD and -MF: what the output depends on, in make's words.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
program base.cpp
mkdir 'inc dir'
echo 'inline int inner = 1;' >'inc dir/inner#1.hpp'
echo '#include "inner#1.hpp"' >'inc dir/outer.hpp'
{ echo '#include "outer.hpp"'; cat base.cpp; } >a.cpp
lower 0 a.cpp --all -o out.cpp -MD -- -I'inc dir'
[ -e out.cpp.d ] || fail "-MD writes no out.cpp.d"
lower 0 a.cpp --all -o out.cpp -MD -MF named.d -- -I'inc dir'
cmp -s out.cpp.d named.d || fail "-MF writes another text"
head -1 named.d | grep -q '^out\.cpp:' || fail "the target is $(head -1 named.d)"
tr -d '\\\n' <named.d | grep -q ' a\.cpp ' || fail "the source is no dependency"
grep -q 'inc\\ dir/outer\.hpp' named.d || fail "outer.hpp is no dependency, or its blank is not escaped"
grep -q 'inc\\ dir/inner\\#1\.hpp' named.d || fail "inner#1.hpp is no dependency, or its # is not escaped"
if command -v make >"$out"; then
  { printf 'out.cpp:\n\t@echo again\n'; cat named.d; } >Makefile
  touch -d '1 hour ago' a.cpp base.cpp inc*/*.hpp
  touch out.cpp
  [ "$(make -s out.cpp 2>"$err")" != again ] || fail "make finds it out of date at once"
  touch -d '+1 minute' 'inc dir/inner#1.hpp'
  [ "$(make -s out.cpp 2>"$err")" = again ] || fail "make does not see the touched header"
fi
rm -f named.d
sed -i 's/int total = n;/static int total = (co_await std::suspend_always{}, n);/' a.cpp
lower 1 a.cpp --all -o new.cpp -MD -MF named.d -- -I'inc dir'
[ ! -e named.d ] || fail "a dependency file for a refused source"
finish
