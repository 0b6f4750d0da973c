// hel-ir-check: what hel-lower --print-ir printed, without Clang and without a compiler. Each coroutine is parsed and
// printed again, verified, and run in every way that exceptions, branches and destroy() allow, over the layout of its
// frame. See README.md.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>

#include "lowering/emit_context.hpp"
#include "lowering/frame_layout.hpp"
#include "lowering/ir/interpret.hpp"
#include "lowering/ir/parse.hpp"
#include "lowering/ir/print.hpp"
#include "lowering/ir/verify.hpp"

namespace {

using namespace hel::lowering;

struct Totals {
  std::size_t coroutines = 0, states = 0, runs = 0, faults = 0, unfinished = 0;
};

void check(const ir::Function& f, const std::string& file, std::size_t limit, Totals& totals) {
  const auto fault = [&](const std::string& what) {
    ++totals.faults;
    std::cout << file << ": " << f.name << ": " << what << "\n";
  };
  ++totals.coroutines;
  const std::vector<std::string> unsound = ir::verify(f, ir::Stage::placed);
  for (const std::string& what : unsound) fault(what);
  if (!unsound.empty()) return;
  const EmitOptions options;
  for (const bool device : {false, true}) {
    if (device && !f.device) continue;
    const EmitContext context(f, options, device);
    ir::InterpretOptions how;
    how.placed = true;
    how.layout = bytes(f, context.layout);
    const ir::Exploration e = ir::explore(f, how, limit);
    for (const std::string& what : e.faults) fault(what);
    totals.states += e.states;
    totals.runs += e.runs;
    totals.unfinished += !e.complete;
  }
}

void check(const std::string& file, std::size_t limit, Totals& totals) {
  std::string text;
  if (file == "-") {
    text.assign(std::istreambuf_iterator<char>(std::cin), {});
  } else {
    std::ifstream in(file);
    if (!in) {
      std::cout << file << ": cannot be read\n";
      ++totals.faults;
      return;
    }
    text.assign(std::istreambuf_iterator<char>(in), {});
  }
  const ir::Parsed parsed = ir::parse(text);
  std::string again;
  for (const ir::Function& f : parsed.functions) again += ir::print(f);
  if (!parsed.error.empty() || again != text) {
    std::cout << file << ": " << (parsed.error.empty() ? "is printed differently after it was parsed" : parsed.error)
              << "\n";
    ++totals.faults;
    return;
  }
  for (const ir::Function& f : parsed.functions) check(f, file, limit, totals);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t limit = 20'000;
  Totals totals;
  int first = 1;
  if (argc > 2 && std::string(argv[1]) == "--states") {
    limit = std::strtoull(argv[2], nullptr, 10);
    first = 3;
  }
  if (first >= argc || std::string(argv[first]) == "--help") {
    std::cerr << "usage: hel-ir-check [--states N] FILE...    FILE: from hel-lower --print-ir; -: standard input\n";
    return 2;
  }
  for (int i = first; i < argc; ++i) check(argv[i], limit, totals);
  std::cout << totals.coroutines << " coroutines, " << totals.states << " states, " << totals.runs
            << " ways to the end, " << totals.unfinished << " with more than " << limit << " states, " << totals.faults
            << " faults\n";
  return totals.faults ? 1 : 0;
}
