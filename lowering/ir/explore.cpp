#include <algorithm>
#include <memory>
#include <set>
#include <unordered_set>
#include <utility>

#include "lowering/ir/interpret.hpp"

namespace hel::lowering::ir {
namespace {

// The choices that led to a state, the last one first.
struct Trail {
  std::shared_ptr<const Trail> before;
  std::string step;
};

std::string describe(std::shared_ptr<const Trail> t) {
  std::string s;
  for (int n = 0; t && n < 12; t = t->before, ++n) s = t->step + (s.empty() ? "" : ", ") + s;
  return (t ? "..., " : "") + s;
}

std::string word(const Choice& c) {
  static constexpr const char* words[] = {"goes on",  "throws",     "to",          "is ready",
                                          "suspends", "is resumed", "is destroyed"};
  return words[static_cast<int>(c.way)] + (c.block == none ? "" : " b" + std::to_string(c.block));
}

}  // namespace

Exploration explore(const Function& f, const InterpretOptions& options, std::size_t limit) {
  Exploration out;
  std::unordered_set<std::string> seen;
  std::set<std::string> told;
  std::vector<std::pair<Machine, std::shared_ptr<const Trail>>> work;
  work.emplace_back(Machine(f, options), nullptr);
  while (!work.empty()) {
    auto [m, trail] = std::move(work.back());
    work.pop_back();
    // A machine with one choice goes on; one with more is remembered, as is each block, where loops close.
    for (;;) {
      const std::vector<Choice> all = m.choices();
      if (all.empty()) break;
      if (all.size() > 1 || all[0].way == Choice::Way::to) {
        if (out.states == limit) {
          out.complete = false;
          return out;
        }
        if (!seen.insert(m.key()).second) break;
        ++out.states;
      }
      const std::string here = m.position();
      for (std::size_t i = all.size(); i-- > 1;) {
        Machine other = m;
        other.take(all[i]);
        work.emplace_back(std::move(other), std::make_shared<const Trail>(Trail{trail, here + " " + word(all[i])}));
      }
      m.take(all[0]);
      if (all.size() > 1 && all[0].way != Choice::Way::on)
        trail = std::make_shared<const Trail>(Trail{trail, here + " " + word(all[0])});
    }
    if (!m.choices().empty()) continue;
    ++out.runs;
    for (const std::string& what : m.faults())
      if (told.insert(what).second) out.faults.push_back(what + " (" + m.position() + "; " + describe(trail) + ")");
  }
  return out;
}

}  // namespace hel::lowering::ir
