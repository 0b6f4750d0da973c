#!/usr/bin/env bash
# --help, --version, and what is wrong usage (exit code 2).
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
lower 0 --help
silent
prints 'hel-lower' '--target' '--all' '--build' '--cxx' '--print-frames' '--headers' '--header-output' '--version' 'Exit codes: 0 done, 1 the input was refused, 2 wrong usage'
lower 0 --version
prints '^hel-lower [0-9]*\.[0-9]*\.[0-9]* (Clang [0-9]*)$'
lower 2
says source
lower 2 --no-such-option x.cpp
says no-such-option
lower 2 a.cpp b.cpp
lower 2 a.cpp -o
lower 2 a.cpp --target gpu
says gpu
program a.cpp
lower 2 a.cpp --target
holds a.cpp
finish
