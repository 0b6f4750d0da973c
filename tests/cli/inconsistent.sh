#!/usr/bin/env bash
# A fault of hel-lower's own (HEL0901): its number and its exit code, and nothing that could be compiled.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
program a.cpp
refused() {
  lower 1 "$@"
  says "error: internal: the lowered form of 'work; block 0: made up by a test' does not pass the verifier \[HEL0901\]" 'no output is written'
  [ ! -s "$out" ] || fail "text on standard output: hel-lower $*"
}
refused a.cpp --all
refused a.cpp --all -o out.cpp
refused a.cpp --all -o out.cpp -MD -MF out.d
refused a.cpp --all --print-frames
refused a.cpp --all --target cuda -o out.cu
refused a.cpp --all --build --keep -o out
holds a.cpp

# of a header, too
mkdir include
sed '/^int main/,$d; s/^job work/inline job work/' a.cpp >include/work.hpp
printf '#include "work.hpp"\nint main() { work(1); }\n' >b.cpp
refused b.cpp --all --headers include -o out.cpp -- -Iinclude
holds a.cpp b.cpp include include/work.hpp

# what was there before stays as it was
echo earlier >out.cpp
refused a.cpp --all -o out.cpp
[ "$(cat out.cpp)" = earlier ] || fail "the earlier output was touched"

# without a coroutine there is nothing to verify
echo 'int main() {}' >c.cpp
lower 0 c.cpp --all -o c.lowered.cpp
finish
