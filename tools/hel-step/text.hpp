// Text from the program on its way to a person.
#pragma once

#include <string>
#include <string_view>

namespace hel::step {

// The text with control characters (C0, DEL and C1) as escapes, so that a value cannot move the cursor, change colours
// or look like several lines.
std::string printable(std::string_view text);

// `word` is a non-empty decimal number that fits: true, and `number` is set.
bool parse_number(std::string_view word, unsigned long& number);

// Takes the first word, and the blanks around it, off `line`.
std::string_view take_word(std::string_view& line);

std::string_view trim(std::string_view text);

}  // namespace hel::step
