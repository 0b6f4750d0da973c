#!/usr/bin/env bash
# Inputs that cannot be lowered: exit code 1, one clear message, no output file, nothing left behind.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
lower 1 missing.cpp -o out.cpp
says 'missing.cpp: no such file'
holds
mkdir folder.cpp
lower 1 folder.cpp -o out.cpp
says 'folder.cpp: is a directory'
rmdir folder.cpp
if [ "$(id -u)" != 0 ]; then  # root reads everything
  program secret.cpp
  chmod 000 secret.cpp
  lower 1 secret.cpp -o out.cpp
  says 'secret.cpp: cannot be read'
  rm -f secret.cpp
fi

# a syntax error: Clang's own text, once
printf '#include <coroutine>\nint f() { return }\n' >broken.cpp
lower 1 broken.cpp --all -o out.cpp
says 'broken.cpp:2:18: error: expected expression' '\^'
[ "$(grep -c 'expected expression' "$err")" = 1 ] || fail "the error is not shown once"
holds broken.cpp
printf '#include "no-such-header.hpp"\n' >broken.cpp
lower 1 broken.cpp --all -o out.cpp
says "broken.cpp:1:10: fatal error: 'no-such-header.hpp' file not found"
[ "$(grep -c 'file not found' "$err")" = 1 ] || fail "the error is not shown once"
holds broken.cpp
rm broken.cpp

# refused: numbered, with file, line, column and caret
program refused.cpp
sed -i 's/int total = n;/static int total = (co_await std::suspend_always{}, n);/' refused.cpp
lower 1 refused.cpp --all -o out.cpp
says 'refused.cpp:14:14: error: .* \[HEL0104\]' '^ *14 | *static int total' '^ *| *\^' 'refused.cpp:14:14: note: '
[ ! -s "$out" ] || fail "something on standard output"
holds refused.cpp
lower 1 refused.cpp --all
[ ! -s "$out" ] || fail "something on standard output"
rm refused.cpp

# without a coroutine, or without an annotated one: the output is the input, and a note says so
printf '// nothing here\nint main() { return 0; }\n' >plain.cpp
lower 0 plain.cpp --all -o out.cpp
says 'note: plain.cpp: no coroutine; the output equals the input'
cmp plain.cpp out.cpp || fail "the output differs"
program unmarked.cpp
lower 0 unmarked.cpp -o out.cpp
says 'note: unmarked.cpp: no annotated coroutine; the output equals the input'
cmp unmarked.cpp out.cpp || fail "the output differs"
lower 0 unmarked.cpp --all -o out.cpp
silent
cmp -s unmarked.cpp out.cpp && fail "nothing was lowered"
: >empty.cpp
lower 0 empty.cpp -o out.cpp
cmp empty.cpp out.cpp || fail "the output differs"
holds plain.cpp unmarked.cpp empty.cpp out.cpp

# random bytes
head -c 4096 /dev/urandom >noise.cpp
lower 1 noise.cpp --all -o noise.out
[ ! -e noise.out ] || fail "noise was lowered"
finish
