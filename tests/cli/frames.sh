#!/usr/bin/env bash
# --print-frames: each coroutine with its size, each member with offset, size, type and reason.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
program a.cpp
lower 0 a.cpp --all --print-frames
silent
prints '^work: [0-9]* bytes, alignment 8, 3 suspension points$' 'resume, destroy' 'promise' 'index' \
  ' n: int  -- parameter$' ' total: int  -- alive across the suspension at line 17$' ' product: int  -- alive across' ' i: int  -- alive across'
prints '^  *0  *16  resume, destroy'
holds a.cpp
lower 0 a.cpp --all --print-frames -o out.cpp
prints '^work: '
[ -s out.cpp ] || fail "with -o the output is written, too"
printf 'int main() {}\n' >none.cpp
lower 0 none.cpp --all --print-frames
[ ! -s "$out" ] || fail "frames of nothing"
finish
