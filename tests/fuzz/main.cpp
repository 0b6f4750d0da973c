// hel-fuzz: random coroutine programs with the traces that they must print. See README.md.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "check.hpp"
#include "generate.hpp"
#include "interpret.hpp"
#include "print.hpp"
#include "shrink.hpp"

namespace {

using namespace hel::fuzz;

[[noreturn]] void usage() {
  std::cerr << "usage: hel-fuzz SOURCE EXPECTED program...    writes the programs and what they print\n"
               "       hel-fuzz --candidates PROGRAM          how many smaller programs there are\n"
               "a program: SEED[:EDIT...]    that of a seed, made smaller by the edits of the given numbers in turn\n";
  std::exit(2);
}

Program parse(const std::string& text) {
  char* end = nullptr;
  Program p = generate(std::strtoull(text.c_str(), &end, 10));
  while (*end == ':') {
    const std::size_t edit = std::strtoull(end + 1, &end, 10);
    std::optional<Program> smaller = shrink(p, edit);
    if (!smaller) {
      std::cerr << "hel-fuzz: no such edit in " << text << "\n";
      std::exit(1);
    }
    p = std::move(*smaller);
  }
  if (*end) usage();
  return p;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--candidates") {
    const Program p = parse(argv[2]);
    for (std::size_t i = 0; i < edit_count(p); ++i) {
      if (shrink(p, i)) std::cout << i << "\n";
    }
    return 0;
  }
  if (argc < 4) usage();
  std::vector<Program> programs;
  std::ofstream expected(argv[2]);
  for (int i = 3; i < argc; ++i) {
    programs.push_back(parse(argv[i]));
    expected << i - 3 << ": " << interpret(programs.back()).value_or("") << "\n";
    expected << i - 3 << " partial-array: " << interpret(programs.back(), true).value_or("") << "\n";
  }
  std::ofstream source(argv[1]);
  source << to_source(programs);
  source.close();
  expected.close();
  if (!source || !expected) {
    std::cerr << "hel-fuzz: cannot write\n";
    return 1;
  }
  return 0;
}
