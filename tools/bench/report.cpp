#include "tools/bench/report.hpp"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <sstream>
#include <thread>

namespace hel_bench {
namespace {

const result* find(const results& r, const benchmark& b, const std::string& contender) {
  const auto of = r.find(b.name);
  if (of == r.end()) return nullptr;
  const auto by = of->second.find(contender);
  return by == of->second.end() ? nullptr : &by->second;
}

bool measured(const result* r) { return r && r->error.empty() && !r->samples.empty(); }

// Ours as a multiple of the peer's.
std::optional<double> ratio(const results& r, const benchmark& b, const std::string& peer) {
  const result* ours = find(r, b, b.ours);
  const result* theirs = find(r, b, peer);
  if (!measured(ours) || !measured(theirs) || theirs->median() <= 0) return std::nullopt;
  return ours->median() / theirs->median();
}

std::string key(std::string name) {
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::string fixed(double value, int digits) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(digits) << value;
  return text.str();
}

// Three or more digits, no exponent.
std::string figure(double value) { return fixed(value, value < 10 ? 2 : value < 1000 ? 1 : 0); }

}  // namespace

void print_list(std::ostream& out, const std::vector<benchmark>& all) {
  for (const benchmark& b : all) {
    out << std::left << std::setw(16) << b.name << b.what << " (" << b.group << ", " << b.unit << ")\n";
    out << std::setw(16) << "";
    for (const contender& c : b.contenders) out << c.name << (c.missing.empty() ? " " : "(missing) ");
    out << '\n';
  }
}

void print_table(std::ostream& out, const std::vector<benchmark>& chosen, const results& r, const settings& s) {
  out << "threads: " << s.threads << ", " HEL_BENCH_BUILD_TYPE " build" << (s.quick ? ", quick" : "")
      << "; medians, the least and the greatest in brackets\n";
  for (const benchmark& b : chosen) {
    out << '\n' << b.name << ": " << b.what << " (" << b.unit << ")\n";
    const bool counted = std::any_of(b.contenders.begin(), b.contenders.end(), [&](const contender& c) {
      const result* x = find(r, b, c.name);
      return x && x->instructions;
    });
    for (const contender& c : b.contenders) {
      const result* x = find(r, b, c.name);
      out << "  " << std::left << std::setw(16) << c.name << std::right;
      if (!c.missing.empty()) {
        out << "missing: " << c.missing << '\n';
        continue;
      }
      if (x && !x->error.empty()) {
        out << "FAILED: " << x->error << '\n';
        continue;
      }
      if (measured(x)) {
        const auto [least, greatest] = std::minmax_element(x->samples.begin(), x->samples.end());
        out << std::setw(12) << figure(x->median()) << "  " << std::left << std::setw(22)
            << '[' + figure(*least) + ", " + figure(*greatest) + ']' << std::right;
      }
      if (counted) {
        const std::string instructions = x && x->instructions ? fixed(*x->instructions, 1) : "-";
        out << std::setw(10) << instructions << " instructions";
      }
      if (c.name != b.ours) {
        if (const auto times = ratio(r, b, c.name)) out << "  " << b.ours << " is " << fixed(*times, 2) << " of it";
      }
      out << '\n';
    }
  }
}

void print_json(std::ostream& out, const std::vector<benchmark>& chosen, const results& r, const settings& s) {
  using nlohmann::ordered_json;
  ordered_json all{{"format", 1},
                   {"threads", s.threads},
                   {"quick", s.quick},
                   {"build_type", HEL_BENCH_BUILD_TYPE},
                   {"processors", std::thread::hardware_concurrency()},
                   {"benchmarks", ordered_json::array()}};
  for (const benchmark& b : chosen) {
    ordered_json one{{"name", b.name}, {"group", b.group}, {"unit", b.unit}, {"ours", b.ours}};
    ordered_json contenders = ordered_json::object();
    ordered_json missing = ordered_json::object();
    ordered_json ratios = ordered_json::object();
    for (const contender& c : b.contenders) {
      if (!c.missing.empty()) {
        missing[c.name] = c.missing;
        continue;
      }
      ordered_json figures = ordered_json::object();
      const result* x = find(r, b, c.name);
      if (x && !x->error.empty()) figures["error"] = x->error;
      if (measured(x)) {
        const auto [least, greatest] = std::minmax_element(x->samples.begin(), x->samples.end());
        figures["median"] = x->median();
        figures["min"] = *least;
        figures["max"] = *greatest;
        figures["repetitions"] = x->samples.size();
      }
      if (x && x->instructions) figures["instructions"] = *x->instructions;
      contenders[c.name] = figures;
      if (c.name == b.ours) continue;
      if (const auto times = ratio(r, b, c.name)) ratios["ratio_" + key(c.name)] = *times;
    }
    one["contenders"] = contenders;
    one["missing"] = missing;
    one.update(ratios);
    if (chosen.size() == 1) all.update(ratios);  // so that a script need not look for them
    all["benchmarks"].push_back(one);
  }
  out << all.dump(2) << '\n';
}

}  // namespace hel_bench
