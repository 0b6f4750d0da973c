#!/usr/bin/env bash
# --headers: coroutines in headers, lowered into a directory that goes in front of the include path.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
[ -n "$gnu" ] || exit 77

# The project: two sources that share headers in two include directories and beside themselves.
mkdir -p include/lib/detail src
program base.cpp
{ printf '#pragma once\n'; sed '/^job work/,$d' base.cpp; } >include/lib/job.hpp
cat >include/lib/detail/await.hpp <<'X'
#ifndef AWAIT_HPP
#define AWAIT_HPP
struct ticket { int n; };
struct ticket_awaiter {
  int n;
  bool await_ready() const noexcept { return false; }
  template <class H> void await_suspend(H) const noexcept {}
  int await_resume() const noexcept { return n * 2; }
};
inline ticket_awaiter operator co_await(ticket t) noexcept { return {t.n}; }
#endif
X
cat >include/lib/work.hpp <<'X'
#ifndef WORK_HPP
#define WORK_HPP
#include "detail/await.hpp"
#include <lib/job.hpp>
#include <cstdio>
#include "helper.hpp"
// a comment	with a tab; größe
inline job shared(int n) {
  int twice = co_await ticket{n};
  std::printf("shared %d %d\n", twice, helper());
}
template <class T> job typed(T value) {
  if constexpr (sizeof(T) > 4) co_await std::suspend_always{};
  T copy = value;
  co_await std::suspend_always{};
  std::printf("typed %d\n", static_cast<int>(copy));
}
template <class T> struct box {
  T value;
  job show() {
    T before = value;
    int twice = co_await ticket{3};
    std::printf("box %d %d\n", static_cast<int>(before), twice);
  }
};
template <class T> job never(T value) { co_await ticket{value}; }
#endif
X
echo '#pragma once
inline int helper() { return 7; }' >include/lib/helper.hpp
cat >src/local.hpp <<'X'
#pragma once
#include "../include/lib/work.hpp"
inline void drive(job j) { while (!j.h.done()) j.h.resume(); j.h.destroy(); }
namespace local {
#include "body.inc"
}
X
echo 'inline job inner(int n) { int m = n + 1; co_await std::suspend_always{}; std::printf("inner %d\n", n + m); }' >src/body.inc
cat >src/a.cpp <<'X'
#include "local.hpp"
#include <lib/work.hpp>
void other();
job own(int n) { int m = n; co_await ticket{1}; std::printf("own %d\n", m); }
int main() {
  drive(own(1));
  drive(shared(2));
  drive(typed(3));
  drive(local::inner(4));
  box<int> b{5};
  drive(b.show());
  other();
}
X
cat >src/b.cpp <<'X'
#include <lib/work.hpp>
#include "local.hpp"
void other() {
  drive(shared(12));
  drive(typed(13L));
  drive(typed(13));
  drive(local::inner(14));
  box<long> b{15};
  drive(b.show());
}
X
originals=$(find include src -type f | sort | xargs cat | cksum)

wanted="own 1
shared 4 7
typed 3
inner 9
box 5 6
shared 24 7
typed 13
typed 13
inner 29
box 15 6"
if [ -n "$clang" ]; then
  "$clang" -std=c++20 -Iinclude src/a.cpp src/b.cpp -o native 2>"$err" || fail "the project does not compile natively"
  [ "$(./native)" = "$wanted" ] || fail "natively it prints $(./native)"
fi

# without the option: annotated coroutines are refused, others are named
lower 0 src/a.cpp --all -o out.cpp -- -Iinclude
says 'work.hpp:8:12: warning: a coroutine in a header is not lowered: .shared. \[HEL0303\]' '--headers'
sed 's/^inline job shared/HEL_HOST_TASK &/; 1i#include <hel/annotate.hpp>' include/lib/work.hpp >include/lib/marked.hpp
sed 's,#include <lib/work.hpp>,#include <lib/marked.hpp>,' src/b.cpp >marked.cpp
rm out.cpp
lower 1 marked.cpp --all -o out.cpp -- -Iinclude -Isrc -I"$include"
says 'error: a coroutine in a header is not lowered: .shared. \[HEL0303\]'
lower 1 marked.cpp --all -o out.cpp -- -isystem include -Isrc -I"$include"
says 'error: a coroutine in a header is not lowered: .shared. \[HEL0303\]'
[ ! -e out.cpp ] || fail "an output for a refused source"
rm include/lib/marked.hpp

# lowered, linked by each compiler, alone and mixed with native code
mkdir out
for s in a b; do
  lower 0 src/$s.cpp --all --headers include --headers src -o out/$s.cpp -MD -- -Iinclude
  silent
  for h in include/lib/work.hpp include/lib/detail/await.hpp src/body.inc; do
    tr -d '\\\n' <out/$s.cpp.d | tr -s ' ' '\n' | grep -q "$h\$" || fail "$h is no dependency"
  done
done
[ "$(find include src -type f | sort | xargs cat | cksum)" = "$originals" ] || fail "the originals were touched"
compile() {  # COMPILER SOURCE OBJECT FLAG...
  local cxx=$1 source=$2 object=$3
  shift 3
  "$cxx" -std=c++20 -isystem "$include/hel-shim" -iquote "$source.headers" -iquote src -I"$source.headers" -Iinclude -I"$include" -Wall -Wextra -Werror "$@" -c "$source" -o "$object" 2>"$err" ||
    fail "$source does not compile with $cxx $*"
}
run() { "$gnu" "$@" -o program 2>"$err" && [ "$(./program)" = "$wanted" ] || fail "$* print: $(./program)"; }
for s in a b; do compile "$gnu" out/$s.cpp $s.gnu.o -fno-coroutines; done
run a.gnu.o b.gnu.o
if [ -n "$clang" ]; then
  for s in a b; do
    compile "$clang" out/$s.cpp $s.clang.o
    "$clang" -std=c++20 -Iinclude -c src/$s.cpp -o $s.native.o
  done
  run a.clang.o b.clang.o
  run a.gnu.o b.clang.o
  run a.native.o b.gnu.o
  run a.gnu.o b.native.o
fi
for s in a b; do compile "$gnu" out/$s.cpp $s.san.o -fno-coroutines -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined; done
run a.san.o b.san.o -fsanitize=address,undefined

# outside of the bodies every byte stays, an #include that had to be led elsewhere excepted
sed '/^inline job shared/,$d' include/lib/work.hpp >want
sed '/^inline job shared/,$d; /^#define HEL_LOWERED_HEADER_/d; /^#include "hel\/abi\/lowered/d; /^#line /d' out/a.cpp.headers/lib/work.hpp >got
cmp want got || fail "lib/work.hpp: the text before the first coroutine has changed"
tail -1 out/a.cpp.headers/lib/work.hpp | cmp - <(tail -1 include/lib/work.hpp) || fail "lib/work.hpp: the end has changed"
grep -qx '#include <lib/work.hpp>' out/a.cpp.headers/local.hpp || fail "the #include with .. still leads to the original"
# lines of the original, for debuggers and messages
grep -q '#line 9 "include/lib/work.hpp"' out/b.cpp.headers/lib/work.hpp || fail "no #line of the original"
grep -q '#line 1 "src/body.inc"' out/b.cpp.headers/body.inc || fail "no #line of the included body"

# a source that is compiled with the original, or with another source's headers, says so
"$clang" -std=c++20 -iquote src -Iinclude -I"$include" -fsyntax-only out/b.cpp 2>"$err" && fail "compiled with the original headers"
says 'was lowered together with include/lib/work.hpp: out/b.cpp.headers must be searched'
"$clang" -std=c++20 -iquote out/a.cpp.headers -Iout/a.cpp.headers -Iinclude -I"$include" -fsyntax-only out/b.cpp 2>"$err" && fail "compiled with another source's headers"

# the same input, the same files: headers that did not change are not touched
touch -d '1 hour ago' stamp out/b.cpp.headers/lib/*.hpp out/b.cpp
lower 0 src/b.cpp --all --headers include --headers src -o out/b.cpp -- -Iinclude
[ ! out/b.cpp.headers/lib/work.hpp -nt stamp ] || fail "an unchanged header was written again"
[ out/b.cpp -nt stamp ] || fail "the source was not written"
# what is no longer lowered goes away, and does not hide the original
cp -r out before
cp src/b.cpp b.saved
sed -i '/local/d; s/drive(\(.*\));/(void)sizeof(\1);/' src/b.cpp
lower 0 src/b.cpp --all --headers include/lib/detail -o out/b.cpp -- -Iinclude
[ ! -e out/b.cpp.headers/local.hpp ] && [ ! -e out/b.cpp.headers/body.inc ] || fail "an obsolete header stays"
mv b.saved src/b.cpp
rm -rf out
mv before out

# all files or none
cp include/lib/work.hpp work.saved
sed -i 's/T before = value;/static T before = (co_await ticket{1}, value);/' include/lib/work.hpp
before=$(find out -type f | sort | xargs cat | cksum)
lower 1 src/b.cpp --all --headers include --headers src -o out/b.cpp -- -Iinclude
says HEL0104
lower 1 src/b.cpp --all --headers include --headers src -o new.cpp -- -Iinclude
[ "$(find out -type f | sort | xargs cat | cksum)" = "$before" ] && [ ! -e new.cpp ] && [ ! -e new.cpp.headers ] || fail "a refused header left files"
mv work.saved include/lib/work.hpp
lower 1 src/b.cpp --all --headers include --headers src -o no/such/folder.cpp --header-output fresh -- -Iinclude
[ ! -e fresh ] || fail "headers without their source"
mkdir -p blocked/lib/work.hpp
lower 1 src/b.cpp --all --headers include --headers src -o new.cpp --header-output blocked -- -Iinclude
says 'blocked: is not empty'
# a directory belongs to one source
lower 1 src/b.cpp --all --headers include --headers src -o new.cpp --header-output out/a.cpp.headers -- -Iinclude
says 'out/a.cpp.headers: holds headers of another lowered source (.*src/a.cpp'
lower 1 src/b.cpp --all --headers include -o new.cpp --header-output include -- -Iinclude
[ ! -e new.cpp ] || fail "a source without its headers"
[ "$(find include src -type f | sort | xargs cat | cksum)" = "$originals" ] || fail "the originals were touched"
lower 1 src/b.cpp --headers nowhere -o new.cpp
says 'nowhere: no such file or directory'
lower 2 src/b.cpp --headers include
lower 2 src/b.cpp --header-output x -o new.cpp

# the output beside the source: "local.hpp" there is the original
lower 0 src/a.cpp --all --headers . -o src/a.lowered.cpp --header-output mirror -- -Iinclude
"$gnu" -std=c++20 -fno-coroutines -isystem "$include/hel-shim" -Imirror -Iinclude -I"$include" -c src/a.lowered.cpp -o a.beside.o 2>"$err" || fail "beside the source it does not compile"
run a.beside.o b.gnu.o
rm -r src/a.lowered.cpp mirror

# --build and --print-frames
echo 'int main() { extern int run(); return run(); }' >main.cpp
printf '#include "local.hpp"\nvoid other() {}\n' | cat - src/a.cpp >src/one.cpp
CXX=$gnu lower 0 --build src/one.cpp --all --headers . -o one -- -Iinclude
[ "$(./one)" = "$(head -5 <<<"$wanted")" ] || fail "--build prints $(./one)"
CXX=$gnu lower 0 --build --keep src/one.cpp --all --headers . -o one -- -Iinclude
[ -e one.lowered.cpp.headers/lib/work.hpp ] || fail "--keep keeps no headers"
rm -r src/one.cpp one one.lowered.cpp one.lowered.cpp.headers
lower 0 src/b.cpp --all --headers include --print-frames -- -Iinclude
prints '^shared: [0-9]* bytes' '^box<long>::show: [0-9]* bytes' 'before: long'

# different files with one name, one of them lowered
mkdir -p one two
printf '#include "../src/local.hpp"\ninline job first() { co_await ticket{1}; }\n' >one/same.hpp
printf 'inline int second = 2;\n' >two/same.hpp
printf '#include <same.hpp>\n#include <two.hpp>\nint main() { return second - 2; }\n' >names.cpp
printf '#include "same.hpp"\n' >two/two.hpp
lower 0 names.cpp --all --headers . -o out/names.cpp -- -Ione -Itwo -Iinclude
compile "$gnu" out/names.cpp names.o -fno-coroutines -Ione -Itwo
# what cannot be led to the lowered header is refused
printf 'int main() {}\n' >forced.cpp
lower 1 forced.cpp --all --headers . -o new.cpp -- -Iinclude -include src/local.hpp
says 'HEL0304'
printf '#include "src/local.hpp"\n#define JOB once\n#include "twice.inc"\n#undef JOB\n#define JOB again\n#include "twice.inc"\nint main() {}\n' >twice.cpp
printf 'inline job JOB() { int JOB = 1; co_await ticket{JOB}; std::printf("%%d", JOB); }\n' >twice.inc
lower 1 twice.cpp --all --headers . -o new.cpp -- -Iinclude
says 'HEL0305'
[ ! -e new.cpp ] || fail "an output for a refused source"

# for the device: numbers of one file
cat >device.hpp <<'X'
#pragma once
#include <hel/hel.hpp>
HEL_TASK inline hel::task<int> leaf(int n) { co_return n + 1; }
X
printf '#include "device.hpp"\nHEL_TASK hel::task<int> root(int n) { int a = co_await leaf(n); co_return a + co_await leaf(a); }\n' >device.cpp
lower 0 device.cpp --target cuda --headers . -o out/device.cu -- -I"$include"
grep -q 'case 2: return' out/device.cu || fail "the switch lacks the header's coroutine"
finish
