#!/usr/bin/env bash
# Outside of the rewritten bodies every byte stays: line ends, tabs, byte order mark, macros, comments.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
program base.cpp
# around FILE OUTPUT: the text before and after the coroutine `work`
before() { sed '/^job work/,$d' "$1"; }
after() { sed '1,/^int main/d' "$1"; }
check() {
  lower 0 "$1" --all -o out.cpp
  # one line is added: the include of the runtime's header, before the first coroutine
  before "$1" >want.before
  before out.cpp | grep -v '^#include "hel/abi/lowered.hpp"\|^#line ' >got.before
  cmp want.before got.before || fail "$1: the text before the coroutine has changed"
  after "$1" >want.after
  after out.cpp >got.after
  cmp want.after got.after || fail "$1: the text after the coroutine has changed"
}
check base.cpp
{
  printf '#define EMPTY\n#define ADD(a, b) \\\n  ((a) + /* sum */ (b))\n\t// größe \t \n/* a\n   comment */ int x = ADD(1, 2); EMPTY\n\n\n'
  cat base.cpp
  printf '\n#if 0\n job not_compiled() { co_await 1; }\n#endif\nconst char* raw = R"(job fake() { co_return; })";\n// the end without a newline'
} >rich.cpp
check rich.cpp
sed 's/$/\r/' rich.cpp >crlf.cpp
lower 0 crlf.cpp --all -o out.cpp
after crlf.cpp >want.after
after out.cpp >got.after
cmp want.after got.after || fail "CR LF after the coroutine have changed"
[ "$(head -c 15 out.cpp | od -c)" = "$(head -c 15 crlf.cpp | od -c)" ] || fail "CR LF at the start have changed"
{ printf '\357\273\277'; cat base.cpp; } >bom.cpp
lower 0 bom.cpp --all -o out.cpp
[ "$(head -c 3 out.cpp | od -An -tx1)" = " ef bb bf" ] || fail "the byte order mark is lost or not first"
"$gnu" -std=c++20 -fno-coroutines -isystem "$include/hel-shim" -I"$include" out.cpp -o bom 2>"$err" || fail "with a byte order mark it does not compile"
for file in rich crlf; do
  lower 0 $file.cpp --all -o out.cpp
  "$gnu" -std=c++20 -fno-coroutines -isystem "$include/hel-shim" -I"$include" out.cpp -o $file 2>"$err" || fail "$file does not compile"
  [ "$(./$file)" = "total 20" ] || fail "$file prints $(./$file)"
done
# only annotated coroutines are touched without --all
{ printf '#include <hel/annotate.hpp>\n'; cat base.cpp; printf 'HEL_HOST_TASK job marked() { co_await std::suspend_always{}; }\n'; } >marked.cpp
lower 0 marked.cpp -o out.cpp -- -I"$include"
silent
sed '/^HEL_HOST_TASK/,$d' marked.cpp >want.before
sed '/^HEL_HOST_TASK/,$d' out.cpp | grep -v '^#include "hel/abi/lowered.hpp"\|^#line ' | cmp want.before - || fail "an unmarked coroutine was touched"
grep -q HEL_LOWERED_BEGIN out.cpp || fail "the marked coroutine was not lowered"
finish
