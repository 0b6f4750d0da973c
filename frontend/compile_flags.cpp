#include "frontend/compile_flags.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace hel::frontend {
namespace {

// Joined or followed by their value.
constexpr std::array<std::string_view, 10> with_value = {"-I", "-D", "-U", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot", "--sysroot"};
constexpr std::array<std::string_view, 8> exact = {"-pthread", "-fopenmp", "-nostdinc", "-nostdinc++", "-funsigned-char", "-fsigned-char", "-fshort-enums", "-fchar8_t"};
constexpr std::array<std::string_view, 10> prefixes = {"-ferror-limit=", "-std=", "--std=", "-stdlib=", "--sysroot=", "-march=", "-mtune=", "-mavx", "-msse", "-m64"};
constexpr std::array<std::string_view, 4> switches = {"exceptions", "rtti", "char8_t", "sized-deallocation"};

}  // namespace

std::vector<std::string> parse_flags(const std::vector<std::string>& flags) {
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string_view f = flags[i];
    const auto is = [&](std::string_view p) { return f == p; };
    const auto starts = [&](std::string_view p) { return f.starts_with(p); };
    const auto own = std::find_if(with_value.begin(), with_value.end(), starts);
    if (std::any_of(with_value.begin(), with_value.end(), is)) {
      if (i + 1 < flags.size()) {
        kept.push_back(flags[i]);
        kept.push_back(flags[++i]);
      }
    } else if (own != with_value.end()) {
      kept.push_back(flags[i]);
    } else if (std::any_of(exact.begin(), exact.end(), is) || std::any_of(prefixes.begin(), prefixes.end(), starts)) {
      kept.push_back(flags[i]);
    } else {
      for (std::string_view s : switches)
        if (f == "-f" + std::string(s) || f == "-fno-" + std::string(s)) kept.push_back(flags[i]);
    }
  }
  return kept;
}

}  // namespace hel::frontend
