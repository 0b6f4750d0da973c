#include "generate.hpp"

#include <algorithm>

#include "check.hpp"
#include "generator.hpp"
#include "interpret.hpp"

namespace hel::fuzz {

namespace {

// An array new behind which something may throw becomes a list of the same objects.
void replace_arrays(Expr& e) {
  if (e.op == Op::own_array) e.op = Op::ids;
  for (Expr& kid : e.kids) replace_arrays(kid);
}

void replace_early_arrays(Body& body) {
  for (Stmt& s : body) {
    const bool one_by_one = s.kind == Kind::for_ || s.exprs.size() == 1;
    for (Expr& e : s.exprs) {
      if (!one_by_one || s.kind == Kind::throw_ || has_early_array(e)) replace_arrays(e);
    }
    for (Body& b : s.bodies) replace_early_arrays(b);
  }
}

}  // namespace

Program Generator::program() {
  Program p;
  const int count = random_.between(1, 3);
  for (int i = count; i-- > 0;) {  // the last one first: it is what the others call
    Coroutine c;
    c.name = "c" + std::to_string(i);
    c.passing = i == 0 ? Passing::value : static_cast<Passing>(random_.below(3));
    budget_ = i == 0 ? random_.between(6, 16) : random_.between(2, 6);
    Scope scope(names_);
    names_.declare({"a", Names::number});
    names_.declare({"t", Names::trace, c.passing == Passing::constant_reference});
    statements(c.body, 3, budget_);
    c.result = integer(random_.between(0, 2));
    replace_early_arrays(c.body);
    if (has_early_array(c.result)) replace_arrays(c.result);
    later_.insert(later_.begin(), std::move(c));
  }
  p.coroutines = std::move(later_);
  p.argument = random_.between(0, 5);
  p.object = random_.between(1, 12);
  return p;
}

Program generate(std::uint64_t seed) {
  for (std::uint64_t attempt = 0;; ++attempt) {
    Program p = Generator(seed + (attempt << 40)).program();
    p.seed = seed;
    if (!is_valid(p)) continue;
    int suspensions = 0;
    if (!interpret(p, -1, &suspensions) || suspensions == 0) continue;
    Random random(seed ^ 0xabcdef);
    for (int i = 0; i < 5 && i < suspensions; ++i) p.stops.push_back(random.below(suspensions + 1));
    std::sort(p.stops.begin(), p.stops.end());
    p.stops.erase(std::unique(p.stops.begin(), p.stops.end()), p.stops.end());
    p.stops.push_back(-1);
    if (interpret(p)) return p;
  }
}

}  // namespace hel::fuzz
