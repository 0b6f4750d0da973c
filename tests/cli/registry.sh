#!/usr/bin/env bash
# Programs of several files: --build compiles them all, --registry joins the device parts of separately compiled ones.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cat >part.hpp <<'END'
#pragma once
#include "hel/task.hpp"
HEL_TASK hel::task<int> twice(int n);
HEL_TASK hel::task<int> once(int n);
END
cat >one.cpp <<'END'
#include "part.hpp"
HEL_TASK static hel::task<int> same_name(int n) { co_return n; }
HEL_TASK hel::task<int> once(int n) { co_return co_await same_name(n) + 1; }
END
cat >two.cpp <<'END'
#include "part.hpp"
#include <cstdio>
HEL_TASK static hel::task<int> same_name(int n) { co_return 2 * n; }
HEL_TASK hel::task<int> twice(int n) { co_return co_await same_name(co_await once(n)); }
int main() {
#if !defined(NO_RUNTIME)
  std::printf("two\n");
#endif
}
END
echo 'int unrelated() { return 1; }' >three.cpp
lower 2 one.cpp two.cpp -o x.cpp -- -I"$include"
says 'several sources require --build or --registry'
lower 2 --registry --build one.cpp
lower 2 --build one.cpp two.cpp --headers . --header-output h
for f in one two; do lower 0 --target cuda $f.cpp -o $f.cu -- -I"$include"; done
lower 0 --target cuda three.cpp -o three.cu
lower 0 --registry one.cu two.cu three.cu -o registry.cu
silent
[ "$(grep -c 'resume_one_[0-9a-f]*' registry.cu)" -gt 0 ] && [ "$(grep -c 'resume_two_[0-9a-f]*' registry.cu)" -gt 0 ] || fail "a file is not in the registry"
grep -q three registry.cu && fail "a file without tasks is in the registry"
lower 0 --registry three.cu -o empty.cu
# what is no part of a program
rm -f bad.cu
lower 1 --registry one.cu registry.cu -o bad.cu
says 'registry.cu: is a registry itself'
lower 1 --registry one.cu two.cu one.cu -o bad.cu
says 'the same number as'
lower 0 one.cpp -o one.host.cpp -- -I"$include"
lower 1 --registry one.host.cpp two.cu -o bad.cu
says 'one.host.cpp: was lowered for the host'
lower 1 --registry one.cu nowhere.cu -o bad.cu
says 'nowhere.cu: '
[ ! -e bad.cu ] || fail "a registry of broken parts"
# host programs of several files; those of the same name do not overwrite each other
if [ -n "$gnu" ]; then
  program main
  mv main main.cpp
  sed -i 's/^int main(int argc, char\*\*) {/int offset();\nint main(int argc, char**) {\n  argc += offset();/' main.cpp
  mkdir sub
  echo 'int offset() { return 2; }' >sub/main.cpp
  lower 0 --build --cxx "$gnu" --keep --all main.cpp sub/main.cpp -o several
  [ "$(./several)" = "total 28" ] || fail "prints $(./several)"
  [ -e several.main.lowered.cpp ] && [ -e several.main.2.lowered.cpp ] || fail "--keep keeps: $(ls)"
  echo 'int offset() { return undeclared_here; }' >sub/main.cpp
  rm -f several
  lower 1 --build --cxx "$gnu" --all main.cpp sub/main.cpp -o several
  says 'undeclared_here'
  [ ! -e several ] || fail "a program of a broken source"
fi
finish
