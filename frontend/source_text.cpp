#include "frontend/source_text.hpp"

#include <algorithm>

namespace hel::frontend {

using namespace clang;
using lowering::ir::Text;

SourceText::SourceText(const syntax::TokenBuffer& tokens, const SourceManager& sm)
    : tokens_(tokens.expandedTokens()), buffer_(tokens), sm_(sm) {}

SourceText::Range SourceText::tokens(SourceRange r) const {
  if (r.isInvalid()) return {};
  const llvm::ArrayRef<syntax::Token> found = buffer_.expandedTokens(r);
  if (found.empty()) return {};
  const auto begin = static_cast<unsigned>(found.begin() - tokens_.begin());
  return {begin, begin + static_cast<unsigned>(found.size())};
}

StringRef SourceText::spelling(unsigned token) const { return tokens_[token].text(sm_); }

SourceText::Spot SourceText::spot(unsigned token) const {
  const SourceLocation at = tokens_[token].location();
  if (at.isFileID()) {
    const auto [file, offset] = sm_.getDecomposedLoc(at);
    return {file, offset, offset + tokens_[token].length()};
  }
  const CharSourceRange r = sm_.getExpansionRange(at);
  const auto [file, begin] = sm_.getDecomposedLoc(r.getBegin());
  unsigned end = sm_.getDecomposedLoc(r.getEnd()).second;
  end += Lexer::MeasureTokenLength(r.getEnd(), sm_, LangOptions());
  return {file, begin, end};
}

std::string SourceText::raw(FileID file, unsigned begin, unsigned end) const {
  return sm_.getBufferData(file).substr(begin, end - begin).str();
}

void SourceText::define_local(StringRef body) {
  while (!body.empty()) {
    const auto [first, rest] = body.split('\n');
    StringRef line = first.ltrim();
    body = rest;
    if (!line.consume_front("#")) continue;
    line = line.ltrim();
    if (!line.consume_front("define")) continue;
    local_macros_.insert(line.ltrim().take_while([](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }).str());
  }
}

// White space and comments between two tokens. Conditional directives have done their work; others are kept.
std::string SourceText::gap(unsigned before, unsigned after) const {
  const Spot a = spot(before), b = spot(after);
  if (a.file != b.file || b.begin < a.end) return " ";
  std::string between = raw(a.file, a.end, b.begin);
  if (between.find('#') == std::string::npos) return between.empty() ? "" : between;
  std::string kept;
  std::size_t at = 0;
  bool directive_seen = false;
  while (at < between.size()) {
    std::size_t nl = between.find('\n', at);
    if (nl == std::string::npos) nl = between.size();
    std::string line = between.substr(at, nl - at);
    while (!line.empty() && line.back() == '\\' && nl < between.size()) {
      const std::size_t next = between.find('\n', nl + 1);
      const std::size_t stop = next == std::string::npos ? between.size() : next;
      line += "\n" + between.substr(nl + 1, stop - nl - 1);
      nl = stop;
    }
    const std::size_t first = line.find_first_not_of(" \t");
    if (first != std::string::npos && line[first] == '#') {
      directive_seen = true;
      const std::size_t word = line.find_first_not_of(" \t", first + 1);
      const std::string name = word == std::string::npos ? "" : line.substr(word, line.find_first_of(" \t\r\n(<\"", word) - word);
      if (name == "pragma" || name == "include") kept += (kept.ends_with('\n') ? "" : "\n") + line + "\n";
    } else if (!directive_seen) {
      kept += line + "\n";
    }
    at = nl + 1;
  }
  return kept.empty() ? "\n" : kept;
}

Text SourceText::render(Range r, std::vector<Replacement> replacements) const {
  std::stable_sort(replacements.begin(), replacements.end(), [](const Replacement& a, const Replacement& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  Text out;
  unsigned i = r.begin;
  std::size_t next = 0;
  unsigned last = ~0u;  // the token that was written last
  const auto space = [&](unsigned token) {
    if (last == ~0u) return;
    if (from_macro(last) && from_macro(token)) {
      const Spot a = spot(last), b = spot(token);
      if (a.file == b.file && a.begin == b.begin) {
        out += ' ';
        return;
      }
    }
    const std::string g = gap(last, token);
    out += g.empty() && (from_macro(last) || from_macro(token)) ? " " : g;
  };
  while (i < r.end) {
    while (next < replacements.size() && replacements[next].begin < i) ++next;  // inside something already replaced
    if (next < replacements.size() && replacements[next].begin == i) {
      const Replacement& p = replacements[next++];
      space(i);
      out += p.text;
      if (p.end > p.begin) {
        last = p.end - 1;
        i = p.end;
      } else {
        out += spelling(i);
        last = i++;
      }
      continue;
    }
    if (!from_macro(i)) {
      space(i);
      out += spelling(i);
      last = i++;
      continue;
    }
    // A macro call: the tokens that come from the same place in the file.
    const Spot call = spot(i);
    unsigned end = i;
    while (end < tokens_.size() && from_macro(end)) {
      const Spot s = spot(end);
      if (s.file != call.file || s.begin != call.begin) break;
      ++end;
    }
    bool whole = end <= r.end;
    if (!local_macros_.empty()) {
      const StringRef from = sm_.getBufferData(call.file).substr(call.begin);
      whole &= !local_macros_.count(from.take_while([](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }).str());
    }
    if (i > 0 && from_macro(i - 1)) {
      const Spot s = spot(i - 1);
      whole &= s.file != call.file || s.begin != call.begin;
    }
    std::vector<std::pair<Spot, const Replacement*>> arguments;  // replacements of what the call's arguments spell
    for (std::size_t n = next; whole && n < replacements.size() && replacements[n].begin < end; ++n) {
      const Replacement& p = replacements[n];
      const SourceLocation first = tokens_[p.begin].location(), final = tokens_[std::max(p.begin + 1, p.end) - 1].location();
      const SourceLocation from = sm_.getSpellingLoc(first), to = sm_.getSpellingLoc(final);
      const bool argument = p.end > p.begin && p.end <= end && sm_.isMacroArgExpansion(first) && sm_.isMacroArgExpansion(final);
      const auto [file, offset] = sm_.getDecomposedLoc(from);
      const auto [to_file, to_offset] = sm_.getDecomposedLoc(to);
      const unsigned to_end = to_offset + tokens_[std::max(p.begin + 1, p.end) - 1].length();
      if (!argument || file != call.file || to_file != call.file || offset < call.begin || to_end > call.end)
        whole = false;
      else
        arguments.push_back({Spot{file, offset, to_end}, &p});
    }
    if (whole) {
      std::sort(arguments.begin(), arguments.end(), [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
      space(i);
      unsigned at = call.begin;
      for (const auto& [where, p] : arguments) {
        if (where.begin < at) continue;  // the argument is used twice: already written
        out += raw(call.file, at, where.begin) + p->text;
        at = where.end;
      }
      out += raw(call.file, at, call.end);
      last = end - 1;
      i = end;
    } else {
      space(i);
      out += spelling(i);
      last = i++;
    }
  }
  return out;
}

}  // namespace hel::frontend
