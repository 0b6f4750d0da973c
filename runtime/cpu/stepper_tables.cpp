#include "runtime/cpu/stepper_tables.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace hel::exec {
namespace {

// Length of the well-formed UTF-8 sequence at the start of `text`, 0 when there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const auto continues = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i)
      if ((byte(i) & 0xc0) != 0x80) return false;
    return true;
  };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return continues(1, 2) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool overlong = first == 0xe0 && second < 0xa0, surrogate = first == 0xed && second >= 0xa0;
    return !overlong && !surrogate && continues(1, 3) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool overlong = first == 0xf0 && second < 0x90, too_large = first == 0xf4 && second >= 0x90;
    return !overlong && !too_large && continues(1, 4) ? 4 : 0;
  }
  return 0;
}

std::string value_of(const abi::member_info& member, const void* frame) {
  const void* object = static_cast<const char*>(frame) + member.offset;
  if (member.indirect) object = *static_cast<const void* const*>(object);
  if (!member.format) return "{...}";
  if (!object) return "<null reference>";
  std::string text(256, '\0');
  std::size_t length = member.format(object, text.data(), text.size());
  if (length >= text.size()) {
    text.resize(length + 1);
    length = std::min(member.format(object, text.data(), text.size()), length);
  }
  text.resize(length);
  return text;
}

bool ends_a_coroutine(const abi::state_info& state) { return std::strcmp(state.kind, "final_suspend") == 0; }

// `part` is all of `path`, or its last components; an absolute path is no part of another.
bool ends_path(std::string_view path, std::string_view part) {
  if (part.empty() || !path.ends_with(part)) return false;
  return path.size() == part.size() || (part.front() != '/' && path[path.size() - part.size() - 1] == '/');
}

// Either may be the longer spelling of one file: the table has the path that hel-lower was given.
bool same_file(std::string_view table, std::string_view asked) {
  for (std::string_view* path : {&table, &asked})
    while (path->starts_with("./")) path->remove_prefix(2);
  return ends_path(table, asked) || ends_path(asked, table);
}

template <class F>
void for_each_table(F f) {
  for (const abi::frame_registrar* r = abi::frame_registrar::head; r; r = r->next) f(*r->info);
}

}  // namespace

std::string json_string(std::string_view text) {
  std::string out = "\"";
  char code[8];
  while (!text.empty()) {
    const unsigned char c = static_cast<unsigned char>(text.front());
    std::size_t length = utf8_length(text);
    if (c == '"' || c == '\\') {
      out += {'\\', static_cast<char>(c)};
    } else if (c < 0x20) {
      std::snprintf(code, sizeof code, "\\u%04x", c);
      out += code;
    } else if (length == 0) {
      std::snprintf(code, sizeof code, "\\\\x%02x", c);
      out += code;
      length = 1;
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return out += '"';
}

std::size_t table_count() {
  std::size_t count = 0;
  for_each_table([&](const abi::frame_info&) { ++count; });
  return count;
}

suspension_point current_point(const void* frame) {
  const abi::frame_info* info = abi::find_frame_info(frame);
  if (!info) return {};
  const std::uint32_t index = abi::frame_state(frame, *info);
  return {info, index < info->state_count ? &info->states[index] : nullptr};
}

std::string describe(const suspension_point& point) {
  if (!point.function) return {};
  std::string out =
      "\"function\":" + json_string(point.function->function) + ",\"file\":" + json_string(point.function->file);
  if (!point.state) return out + ",\"line\":" + std::to_string(point.function->line);
  return out + ",\"line\":" + std::to_string(point.state->line) + ",\"column\":" + std::to_string(point.state->column) +
         ",\"kind\":" + json_string(point.state->kind);
}

std::string describe_locals(const void* frame, const suspension_point& point) {
  std::string out = "[";
  for (std::uint16_t i = 0; point.state && i < point.state->live_count; ++i) {
    const abi::member_info& member = point.function->members[point.state->live[i]];
    if (i) out += ",";
    out += "{\"name\":" + json_string(member.name) + ",\"type\":" + json_string(member.type) +
           ",\"value\":" + json_string(value_of(member, frame)) + "}";
  }
  return out + "]";
}

binding bind(std::string_view file, std::uint32_t line) {
  std::vector<std::string_view> files;  // that the name fits
  std::uint32_t bound = 0;
  for_each_table([&](const abi::frame_info& info) {
    if (!same_file(info.file, file)) return;
    if (std::find(files.begin(), files.end(), info.file) == files.end()) files.push_back(info.file);
    for (std::uint16_t i = 0; i < info.state_count; ++i) {
      const abi::state_info& state = info.states[i];
      if (!ends_a_coroutine(state) && state.line >= line && (bound == 0 || state.line < bound)) bound = state.line;
    }
  });
  const std::string name(file);
  if (files.empty()) return {{}, "no lowered coroutine comes from a file " + name};
  if (files.size() > 1) {
    std::string all;
    for (std::string_view f : files) all += (all.empty() ? "" : ", ") + std::string(f);
    return {{}, name + " fits several files, name more of the path: " + all};
  }
  if (bound == 0) return {{}, name + " has no suspension point at line " + std::to_string(line) + " or after it"};

  binding result;
  for_each_table([&](const abi::frame_info& info) {
    if (info.file != files.front()) return;
    for (std::uint16_t i = 0; i < info.state_count; ++i)
      if (info.states[i].line == bound && !ends_a_coroutine(info.states[i]))
        result.points.push_back({&info, &info.states[i]});
  });
  return result;
}

}  // namespace hel::exec
