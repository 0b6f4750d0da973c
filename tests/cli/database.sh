#!/usr/bin/env bash
# -p: the flags of a compile_commands.json; those of nvcc and those that load or write files are dropped.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
program base.cpp
mkdir -p build src/inc
echo '#define START 5' >src/inc/start.hpp
{ echo '#include <start.hpp>'; sed 's/argc + 4/argc * 0 + START + EXTRA/' base.cpp; } >src/a.cpp
cat >build/compile_commands.json <<END
[
  {"directory": "$PWD/build", "file": "$PWD/src/other.cpp", "command": "c++ -c $PWD/src/other.cpp"},
  {"directory": "$PWD/build", "file": "$PWD/src/a.cpp",
   "arguments": ["nvcc", "-std=c++20", "-gencode=arch=compute_90,code=sm_90", "-gencode", "arch=compute_75,code=sm_75", "--expt-relaxed-constexpr",
     "-Xcompiler", "-fPIC", "-ccbin", "g++", "-rdc=true", "-I../src/inc", "-DEXTRA=2", "-O2", "-Werror", "-fplugin=$PWD/plugin.so",
     "-Xclang", "-load", "-Xclang", "$PWD/plugin.so", "-fpass-plugin=$PWD/plugin.so", "-MD", "-MF", "$PWD/from-database.d",
     "-o", "$PWD/from-database.o", "-c", "$PWD/src/a.cpp"]}
]
END
lower 0 src/a.cpp --all -p build -o out.cpp
silent
[ ! -e from-database.o ] && [ ! -e from-database.d ] || fail "an output of the database's command was written"
"$gnu" -std=c++20 -fno-coroutines -isystem "$include/hel-shim" -I"$include" -Isrc/inc -DEXTRA=2 out.cpp -o a 2>"$err" || fail "does not compile"
[ "$(./a)" = "total 28" ] || fail "prints $(./a)"
# flags after -- come on top
lower 0 src/a.cpp --all -p build -o out.cpp -- -UEXTRA -DEXTRA=3
lower 1 src/a.cpp --all -o none.cpp
says "'start.hpp' file not found"
# a file without an entry gets the flags of its neighbour, as in Clang's other tools
sed 's/argc + 4/EXTRA/' base.cpp >src/neighbour.cpp
lower 0 src/neighbour.cpp --all -p build -o out.cpp
lower 1 base.cpp --all -p nowhere -o none.cpp
says 'nowhere'
echo '[{"directory": 1' >build/compile_commands.json
lower 1 src/a.cpp --all -p build -o none.cpp
says 'build'
[ ! -e none.cpp ] || fail "an output was written"
finish
