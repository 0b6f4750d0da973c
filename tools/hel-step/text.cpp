#include "tools/hel-step/text.hpp"

#include <charconv>
#include <cstdio>

namespace hel::step {

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  auto escape = [&out](unsigned value) {
    char code[8];
    std::snprintf(code, sizeof code, "\\x%02x", value);
    out += code;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == '\n')
      out += "\\n";
    else if (c == '\t')
      out += "\\t";
    else if (c == '\r')
      out += "\\r";
    else if (c < 0x20 || c == 0x7f)
      escape(c);
    else if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0)
      escape(static_cast<unsigned char>(text[++i]));  // U+0080 to U+009F
    else
      out += static_cast<char>(c);
  }
  return out;
}

bool parse_number(std::string_view word, unsigned long& number) {
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return !word.empty() && error == std::errc() && end == word.data() + word.size();
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n\v\f";
  std::size_t first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::string_view take_word(std::string_view& line) {
  line = trim(line);
  std::size_t end = line.find_first_of(" \t");
  std::string_view word = line.substr(0, end);
  line = trim(line.substr(word.size()));
  return word;
}

}  // namespace hel::step
