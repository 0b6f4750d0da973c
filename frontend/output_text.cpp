#include "frontend/output_text.hpp"

#include <algorithm>

#include "lowering/emit.hpp"

namespace hel::frontend {

using namespace clang;

namespace {

// `operator co_await` is no name without coroutine support: see HEL_CO_AWAIT.
void name_operators(std::string& out) {
  std::string named;
  std::size_t copied = 0;
  for_each_operator(out, [&](std::size_t at) {
    named += out.substr(copied, at - copied) + "HEL_CO_AWAIT";
    copied = at + std::string_view("co_await").size();
  });
  if (copied) out = named + out.substr(copied);
}

// Generated lines name the output file.
std::string number_lines(const std::string& out, const std::string& output_name) {
  std::string numbered;
  unsigned line = 1;
  for (std::size_t p = 0; p < out.size();) {
    std::size_t nl = out.find('\n', p);
    if (nl == std::string::npos) nl = out.size() - 1;
    const StringRef l(out.data() + p, nl + 1 - p);
    if (l.rtrim() == lowering::here_directive)
      numbered += "#line " + std::to_string(line + 1) + " " + lowering::quoted(output_name) + "\n";
    else
      numbered += l;
    ++line;
    p = nl + 1;
  }
  return numbered;
}

}  // namespace

void for_each_operator(StringRef text, const std::function<void(std::size_t)>& each) {
  LangOptions options;
  options.CPlusPlus = options.CPlusPlus20 = true;
  const std::string terminated = text.str();
  Lexer lexer(SourceLocation::getFromRawEncoding(1), options, terminated.data(), terminated.data(), terminated.data() + terminated.size());
  bool after_operator = false;
  for (Token t; !lexer.LexFromRawLexer(t);) {
    if (t.isNot(tok::raw_identifier)) {
      after_operator = false;
      continue;
    }
    const StringRef word = t.getRawIdentifier();
    if (after_operator && word == "co_await") each(static_cast<std::size_t>(t.getRawIdentifier().data() - terminated.data()));
    after_operator = word == "operator";
  }
}

unsigned behind_includes(StringRef text, unsigned before, const std::function<bool(unsigned)>& allowed) {
  LangOptions options;
  options.CPlusPlus = options.CPlusPlus20 = true;
  const std::string terminated = text.take_front(before).str();
  Lexer lexer(SourceLocation::getFromRawEncoding(1), options, terminated.data(), terminated.data(), terminated.data() + terminated.size());
  struct Branch {  // of an #if
    unsigned number;
    bool includes = false;
  };
  struct Place {
    unsigned at;
    std::vector<unsigned> branches;
  };
  std::vector<Branch> open;
  std::vector<Place> places;
  unsigned branches = 0;
  const auto numbers = [&] {
    std::vector<unsigned> out;
    for (const Branch& b : open) out.push_back(b.number);
    return out;
  };
  Token t;
  bool more = !lexer.LexFromRawLexer(t);
  const auto end_of = [&](const Token& token) { return token.getLocation().getRawEncoding() - 1 + token.getLength(); };
  while (more) {
    if (t.isNot(tok::hash) || !t.isAtStartOfLine()) {
      more = !lexer.LexFromRawLexer(t);
      continue;
    }
    unsigned end = end_of(t);
    std::string word;
    for (more = !lexer.LexFromRawLexer(t); more && !t.isAtStartOfLine(); more = !lexer.LexFromRawLexer(t)) {
      if (word.empty() && t.is(tok::raw_identifier)) word = t.getRawIdentifier().str();
      end = end_of(t);
    }
    bool place = word == "include" || word == "include_next" || word == "import";
    if (word == "if" || word == "ifdef" || word == "ifndef") {
      open.push_back({++branches});
    } else if (open.empty()) {
    } else if (word == "endif") {
      place = open.back().includes;
      open.pop_back();
    } else if (word.starts_with("el")) {
      open.back().number = ++branches;
    }
    if (!place) continue;
    for (Branch& b : open) b.includes = true;
    const std::size_t line = text.find('\n', end);
    if (line == StringRef::npos || line >= before) continue;
    const StringRef rest = text.slice(end, line).trim();
    if ((!rest.empty() && !rest.starts_with("//")) || rest.ends_with("\\") || !allowed(static_cast<unsigned>(line + 1))) continue;
    places.push_back({static_cast<unsigned>(line + 1), numbers()});
  }
  const std::vector<unsigned> here = numbers();
  for (std::size_t i = places.size(); i-- > 0;)
    if (const auto& b = places[i].branches; b.size() <= here.size() && std::equal(b.begin(), b.end(), here.begin())) return places[i].at;
  return before;
}

std::string output_text(StringRef source, FileEdits changes, const OutputOptions& options) {
  std::vector<Edit>& edits = changes.edits;
  if (const unsigned at = changes.include_at; at != FileEdits::nowhere) {
    std::string include = "#include \"hel/abi/lowered.hpp\"\n";
    if (options.cuda) include += "#include \"hel/abi/device.hpp\"\nnamespace {\nstruct hel_unit;\n}\n";
    if (options.lines) include += "#line " + changes.include_line + "\n";
    if (at > 0 && source[at - 1] != '\n') include = "\n" + include;
    edits.push_back({at, at, include});
  }
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
  std::string out;
  unsigned at = 0;
  if (!options.head.empty()) {
    if (source.starts_with("\xef\xbb\xbf")) at = 3;
    out = source.take_front(at).str() + options.head;
  }
  for (const Edit& e : edits) {
    out += source.substr(at, e.begin - at);
    out += e.text;
    at = e.end;
  }
  out += source.substr(at);
  if (changes.include_at != FileEdits::nowhere) name_operators(out);
  if (!options.tail.empty()) {
    if (!out.ends_with('\n')) out += '\n';
    out += options.tail;
  }
  return number_lines(out, options.output_name);
}

}  // namespace hel::frontend
