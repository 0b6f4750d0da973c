#include "frontend/compile_flags.hpp"

#include <doctest/doctest.h>

using hel::frontend::parse_flags;
using Flags = std::vector<std::string>;

TEST_CASE("what changes the meaning of the source is kept, in order") {
  const Flags kept{"-std=c++20", "-Iinclude", "-I", "other", "-DNAME=1", "-D", "X", "-UY", "-isystem", "sys", "-iquote", "q",
                   "-include", "pre.hpp", "-pthread", "-fno-exceptions", "-fno-rtti", "-march=native", "-stdlib=libc++"};
  CHECK(parse_flags(kept) == kept);
}

TEST_CASE("output, optimisation, warning and debug flags are dropped") {
  CHECK(parse_flags({"-c", "-o", "out.o", "-O3", "-g", "-Wall", "-Werror", "-MD", "-MF", "x.d", "-S", "-E"}).empty());
}

TEST_CASE("plug-in and loading flags are dropped with their values") {
  for (const Flags& f : {Flags{"-fplugin=evil.so"}, Flags{"-fpass-plugin=evil.so"}, Flags{"-Xclang", "-load", "-Xclang", "evil.so"},
                         Flags{"-load", "evil.so"}, Flags{"-plugin", "x"}, Flags{"-Xclang", "-add-plugin", "-Xclang", "x"},
                         Flags{"-fsanitize-ignorelist=list"}, Flags{"-fprofile-use=p"}, Flags{"-specs=s"}, Flags{"-B", "dir"},
                         Flags{"--config", "c.cfg"}, Flags{"@response"}, Flags{"-ivfsoverlay", "o.yaml"}, Flags{"-Wp,-MD,x"}}) {
    CAPTURE(f[0]);
    for (const std::string& k : parse_flags(f)) CHECK(k == "");
  }
}

TEST_CASE("nvcc's own flags are dropped") {
  CHECK(parse_flags({"-gencode", "arch=compute_90,code=sm_90", "-arch=sm_90", "--expt-relaxed-constexpr", "-Xcompiler", "-fPIC", "-rdc=true",
                     "--extended-lambda", "-ccbin", "g++", "-lineinfo", "--ptxas-options=-v", "-dc"})
            .empty());
  CHECK(parse_flags({"-DA", "-gencode=arch=compute_75,code=sm_75", "-DB"}) == Flags{"-DA", "-DB"});
}

TEST_CASE("a value that looks like a flag stays with its flag; a missing value drops the flag") {
  CHECK(parse_flags({"-I", "-strange", "-DX"}) == Flags{"-I", "-strange", "-DX"});
  CHECK(parse_flags({"-DX", "-I"}) == Flags{"-DX"});
  CHECK(parse_flags({}).empty());
}

TEST_CASE("flags that only begin like a kept one are dropped") {
  CHECK(parse_flags({"-pthread-not", "-fopenmpx"}).empty());
}
