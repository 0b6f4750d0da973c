// The words that stand for enumerators in the IR's text.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "lowering/ir/ir.hpp"

namespace hel::lowering::ir::names {

inline constexpr std::array<std::string_view, 7> origins{"parameter", "local", "temporary", "awaiter",
                                                         "array",     "flag",  "capture"};
inline constexpr std::array<std::string_view, 3> forms{"object", "scalar", "reference"};
inline constexpr std::array<std::string_view, 6> inits{"none", "direct", "list", "copy", "bind", "assign"};
inline constexpr std::array<std::string_view, 4> suspends{"void", "bool", "handle", "release"};
inline constexpr std::array<std::string_view, 4> awaits{"initial", "await", "yield", "final"};
// Of markers that belong to no slot.
inline constexpr std::array<std::pair<std::string_view, Mark>, 4> marks{
    {{"promise", Mark::promise}, {"handle", Mark::handle}, {"self", Mark::self}, {"frame", Mark::frame_type}}};

// What print() need not say.
inline std::string usual_spelling(const Slot& s) {
  const bool written = s.origin == Origin::parameter || s.origin == Origin::local || s.origin == Origin::capture;
  return written ? s.name : std::string();
}

constexpr bool in_identifier(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
         (c & 0x80);
}

template <class Enum, std::size_t N>
constexpr std::string_view of(const std::array<std::string_view, N>& words, Enum e) {
  return words[static_cast<std::size_t>(e)];
}
template <class Enum, std::size_t N>
constexpr std::optional<Enum> find(const std::array<std::string_view, N>& words, std::string_view word) {
  for (std::size_t i = 0; i < N; ++i)
    if (words[i] == word) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace hel::lowering::ir::names
