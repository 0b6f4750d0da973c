#!/usr/bin/env bash
# gdb in a lowered program: breakpoints by the user's file and line, locals by the user's names.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
command -v gdb >"$out" || { echo "skipped: no gdb"; exit 77; }
program app.cpp
line=$(grep -n 'total += product' app.cpp | cut -d: -f1)
for cxx in "$gnu" "$clang"; do
  [ -n "$cxx" ] || continue
  options=(-O0 -g)
  lower 0 app.cpp --all -o app.lowered.cpp
  case $cxx in *clang*) ;; *) options+=(-fno-coroutines) ;; esac
  "$cxx" -std=c++20 "${options[@]}" -isystem "$include/hel-shim" -I"$include" app.lowered.cpp -o app 2>"$err" || { fail "$cxx does not compile"; continue; }
  gdb -nx -batch -iex 'set debuginfod enabled off' -ex "break app.cpp:$line" -ex run -ex 'info locals' -ex 'print n' -ex 'print i' -ex backtrace -ex continue -ex 'print i' \
    -ex 'print total' ./app >gdb.log 2>&1 </dev/null
  if grep -q 'ptrace: Operation not permitted\|Could not trace the inferior' gdb.log; then
    echo "skipped: gdb may not trace here"
    exit 77
  fi
  sees() { grep -q -- "$1" gdb.log || { fail "$cxx: gdb does not show: $1"; cat gdb.log; }; }
  sees "Breakpoint 1, .*app.cpp:$line"
  sees "^$line.*total += product"
  sees '^total = 5'
  sees '^product = 5'
  sees '^\$1 = 5'
  sees '^\$2 = 1'
  sees '^\$3 = 2'
  sees '^\$4 = 10'
  sees 'main (.*app.cpp:24'
done
finish
