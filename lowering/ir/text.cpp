#include "lowering/ir/text.hpp"

#include <charconv>

namespace hel::lowering::ir {

Text mark(Mark kind, std::uint32_t number) {
  Text t(1, '\x01');
  t += static_cast<char>(kind);
  t += std::to_string(number);
  t += '\x02';
  return t;
}

void scan(const Text& text, const std::function<void(std::string_view)>& on_text,
          const std::function<void(Mark, std::uint32_t)>& on_mark) {
  std::size_t at = 0;
  while (at < text.size()) {
    std::size_t m = text.find('\x01', at);
    if (m == Text::npos) m = text.size();
    if (m > at) on_text(std::string_view(text).substr(at, m - at));
    if (m == text.size()) return;
    std::size_t end = text.find('\x02', m);
    std::uint32_t number = 0;
    std::from_chars(text.data() + m + 2, text.data() + end, number);
    on_mark(static_cast<Mark>(text[m + 1]), number);
    at = end + 1;
  }
}

std::string render(const Text& text, const std::function<std::string(Mark, std::uint32_t)>& spell) {
  std::string out;
  scan(
      text, [&](std::string_view s) { out += s; }, [&](Mark k, std::uint32_t n) { out += spell(k, n); });
  return out;
}

std::set<SlotId> slots_of(const Text& text) {
  std::set<SlotId> found;
  scan(
      text, [](std::string_view) {},
      [&](Mark k, std::uint32_t n) {
        if (k == Mark::slot) found.insert(n);
      });
  return found;
}

namespace {
constexpr char part_end = '\x05';
bool begins_part(char c) { return c == static_cast<char>(Side::host) || c == static_cast<char>(Side::device); }
}  // namespace

Text only_for(Side side, const Text& part) { return part.empty() ? part : static_cast<char>(side) + part + part_end; }

Text without(const Text& text, Side other) {
  Text out;
  unsigned depth = 0, dropped = 0;  // where the outermost part that goes began
  for (char c : text) {
    if (begins_part(c)) {
      ++depth;
      if (!dropped && c == static_cast<char>(other)) dropped = depth;
    }
    if (!dropped) out += c;
    if (c == part_end && depth-- == dropped) dropped = 0;
  }
  return out;
}

Text for_both(const Text& text) {
  Text out;
  for (char c : text)
    if (!begins_part(c) && c != part_end) out += c;
  return out;
}

bool mentions(const Text& text, Mark kind) {
  bool found = false;
  scan(
      text, [](std::string_view) {}, [&](Mark k, std::uint32_t) { found |= k == kind; });
  return found;
}

}  // namespace hel::lowering::ir
