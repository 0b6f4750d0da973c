#include "lowering/ir/parse.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "lowering/ir/names.hpp"

namespace hel::lowering::ir {
namespace {

struct Wrong {
  std::string what;
};

// One line, read from left to right.
class Line {
 public:
  Line(std::string_view text, const std::map<std::string, SlotId, std::less<>>& slots) : rest_(text), slots_(slots) {}

  void spaces() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  bool at_end() { return spaces(), rest_.empty(); }
  bool sees(std::string_view s) { return spaces(), rest_.starts_with(s); }

  // A sign or a whole word.
  bool take(std::string_view s) {
    if (!sees(s)) return false;
    if (names::in_identifier(s.back()) && s.size() < rest_.size() && names::in_identifier(rest_[s.size()]))
      return false;
    rest_.remove_prefix(s.size());
    return true;
  }
  void expect(std::string_view s) {
    if (!take(s)) throw Wrong{"expected '" + std::string(s) + "' before '" + std::string(rest_.substr(0, 20)) + "'"};
  }
  std::string_view word() {
    spaces();
    std::size_t n = 0;
    while (n < rest_.size() && (names::in_identifier(rest_[n]) || rest_[n] == '-')) ++n;
    if (n == 0) throw Wrong{"expected a word before '" + std::string(rest_.substr(0, 20)) + "'"};
    return std::exchange(rest_, rest_.substr(n)).substr(0, n);
  }
  template <class Enum, std::size_t N>
  Enum one_of(const std::array<std::string_view, N>& words) {
    const std::string_view w = word();
    const auto e = names::find<Enum>(words, w);
    if (!e) throw Wrong{"'" + std::string(w) + "' means nothing here"};
    return *e;
  }
  std::uint64_t number() {
    spaces();
    std::uint64_t n = 0;
    const auto [end, fault] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
    if (fault != std::errc()) throw Wrong{"expected a number before '" + std::string(rest_.substr(0, 20)) + "'"};
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return n;
  }
  std::uint32_t cleanup() { return take("-") ? none : id_after('c'); }
  BlockId block() { return id_after('b'); }
  std::uint32_t id_after(char kind) {
    spaces();
    if (rest_.empty() || rest_[0] != kind)
      throw Wrong{std::string("expected ") + kind + " and a number before '" + std::string(rest_.substr(0, 20)) + "'"};
    rest_.remove_prefix(1);
    return rest_.starts_with('-') ? (rest_.remove_prefix(1), none) : static_cast<std::uint32_t>(number());
  }
  bool take_where(SourceLine& where) {
    spaces();
    if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') return false;
    where.line = static_cast<unsigned>(number());
    expect(":");
    where.column = static_cast<unsigned>(number());
    return true;
  }
  SlotId slot() {
    expect("%");
    return slot_name(rest_);
  }
  std::set<SlotId> live() {
    std::set<SlotId> found;
    if (!take("live")) return found;
    while (sees("%")) found.insert(slot());
    return found;
  }
  Text quoted() {
    expect("`");
    const std::size_t end = rest_.find('`');
    if (end == std::string_view::npos) throw Wrong{"a text that does not end"};
    const Text t = text(rest_.substr(0, end));
    rest_.remove_prefix(end + 1);
    return t;
  }
  // The rest, after one blank.
  Text remainder() {
    if (rest_.starts_with(' ')) rest_.remove_prefix(1);
    return text(std::exchange(rest_, {}));
  }
  void end() {
    if (!at_end()) throw Wrong{"'" + std::string(rest_) + "' is too much"};
  }

 private:
  SlotId slot_name(std::string_view& from) const {
    if (from.starts_with('#')) {
      from.remove_prefix(1);
      SlotId n = 0;
      const auto [end, fault] = std::from_chars(from.data(), from.data() + from.size(), n);
      if (fault != std::errc()) throw Wrong{"expected the number of a slot"};
      from.remove_prefix(static_cast<std::size_t>(end - from.data()));
      return n;
    }
    std::size_t n = 0;
    while (n < from.size() && names::in_identifier(from[n])) ++n;
    const auto it = slots_.find(from.substr(0, n));
    if (it == slots_.end()) throw Wrong{"no slot is called '" + std::string(from.substr(0, n)) + "'"};
    from.remove_prefix(n);
    return it->second;
  }

  Text text(std::string_view s) const {
    Text out;
    const auto close = [&](char c) {
      if (!s.starts_with(c)) throw Wrong{"a marker that does not end"};
      s.remove_prefix(1);
    };
    while (!s.empty()) {
      const char c = s[0];
      s.remove_prefix(1);
      if (c == '\\') {
        if (s.empty()) throw Wrong{"a text that ends in a backslash"};
        out += s[0] == 'n' ? '\n' : s[0] == 'q' ? '`' : s[0];
        s.remove_prefix(1);
      } else if (c != '%') {
        out += c;
      } else if (s.starts_with('%')) {
        out += '%';
        s.remove_prefix(1);
      } else if (s.starts_with('{')) {
        s.remove_prefix(1);
        out += slot_ref(slot_name(s));
        close('}');
      } else if (s.starts_with('(')) {
        s.remove_prefix(1);
        out += marker(s);
        close(')');
      } else {
        out += slot_ref(slot_name(s));
      }
    }
    return out;
  }

  Text marker(std::string_view& s) const {
    for (const auto& [word, kind] : names::marks)
      if (s.starts_with(word)) return s.remove_prefix(word.size()), mark(kind);
    for (const auto& [word, kind] : {std::pair<std::string_view, Mark>{"name ", Mark::name}, {"type ", Mark::type}})
      if (s.starts_with(word)) return s.remove_prefix(word.size()), mark(kind, slot_name(s));
    if (!s.starts_with("exit ")) throw Wrong{"no such marker: '" + std::string(s.substr(0, 12)) + "'"};
    s.remove_prefix(5);
    std::uint32_t n = 0;
    const auto [end, fault] = std::from_chars(s.data(), s.data() + s.size(), n);
    if (fault != std::errc()) throw Wrong{"expected the number of an exit"};
    s.remove_prefix(static_cast<std::size_t>(end - s.data()));
    return mark(Mark::exit, n);
  }

  std::string_view rest_;
  const std::map<std::string, SlotId, std::less<>>& slots_;
};

class Parser {
 public:
  explicit Parser(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      lines_.push_back(text.substr(at, end - at));
      at = end + 1;
    }
  }

  Parsed run() {
    Parsed out;
    try {
      for (number_ = 0; number_ < lines_.size(); ++number_) {
        const std::string_view text = lines_[number_];
        const std::size_t first = text.find_first_not_of(' ');
        if (first == std::string_view::npos || text[first] == '#') continue;
        if (text.starts_with("coroutine")) {
          finish();
          fn_ = &out.functions.emplace_back();
          find_slots();
        }
        if (!fn_) throw Wrong{"expected a coroutine first"};
        line(text);
      }
      finish();
    } catch (const Wrong& w) {
      out.error = "line " + std::to_string(std::min(number_ + 1, lines_.size())) + ": " + w.what;
    }
    return out;
  }

 private:
  // Texts may name slots that are described later.
  void find_slots() {
    slots_.clear();
    for (std::size_t n = number_ + 1; n < lines_.size() && !lines_[n].starts_with("coroutine"); ++n) {
      Line l(lines_[n], slots_);
      if (!l.take("slot")) continue;
      l.expect("%");
      const std::string name(l.word());
      if (!slots_.emplace(name, static_cast<SlotId>(slots_.size())).second) {
        number_ = n;
        throw Wrong{"two slots are called " + name};
      }
    }
    fn_->slots.reserve(slots_.size());
    block_ = nullptr;
    described_.clear();
  }

  void finish() {
    if (!fn_) return;
    for (std::size_t c = 0; c < fn_->cleanups.size(); ++c)
      if (c >= described_.size() || !described_[c]) throw Wrong{"cleanup c" + std::to_string(c) + " is not described"};
    fn_ = nullptr;
  }

  void line(std::string_view text) {
    Line l(text, slots_);
    if (l.sees("b") && text[0] == 'b') return block(l);
    if (block_ && awaits_labels_ && l.sees("b")) return label(l);
    if (block_) return inside(l);
    head(l);
  }

  void head(Line& l) {
    Function& f = *fn_;
    if (l.take("coroutine")) {
      l.take_where(f.where);
      f.name = l.remainder();
    } else if (l.take("returns")) {
      f.return_type = l.remainder();
    } else if (l.take("promise")) {
      f.promise_type = l.remainder();
    } else if (l.take("allocate")) {
      f.allocate = l.remainder();
    } else if (l.take("deallocate")) {
      f.deallocate = l.remainder();
    } else if (l.take("type of self")) {
      f.this_type = l.remainder();
    } else if (l.take("self")) {
      f.this_expression = l.remainder();
    } else if (l.take("is")) {
      while (!l.at_end()) property(l.word());
    } else if (l.take("size of promise")) {
      f.promise_size = l.number();
      l.expect("align");
      f.promise_align = l.number();
      l.end();
    } else if (l.take("suspensions")) {
      f.suspensions = static_cast<std::uint32_t>(l.number());
      l.end();
    } else if (l.take("slot")) {
      slot(l);
    } else if (l.take("region")) {
      if (l.number() != f.regions.size()) throw Wrong{"regions must be in order"};
      l.expect("in");
      f.regions.push_back({static_cast<std::uint32_t>(l.number())});
      l.end();
    } else if (l.take("parameter")) {
      const SlotId s = l.slot();
      f.parameters.push_back({s, l.remainder()});
    } else if (l.take("capture")) {
      const SlotId s = l.slot();
      f.captures.push_back({s, l.remainder()});
    } else if (l.take("argument")) {
      f.promise_arguments.push_back(l.remainder());
    } else if (l.take("declare")) {
      Declaration d;
      l.take_where(d.where);
      l.expect(":");
      d.text = l.remainder();
      f.declarations.push_back(std::move(d));
    } else if (l.take("initial")) {
      if (!l.take("await")) return f.initial.objects.push_back(instr(l));
      f.initial.suspends = l.one_of<Suspends>(names::suspends);
      f.initial.slot = l.slot();
      f.initial.live = l.live();
      l.end();
    } else if (l.take("handler")) {
      if (l.id_after('h') != f.handlers.size()) throw Wrong{"handlers must be in order"};
      l.expect("of");
      Handler h;
      h.node = l.cleanup();
      h.block = l.block();
      f.handlers.push_back(h);
      l.end();
    } else if (l.take("cleanup")) {
      const CleanupId c = l.cleanup();
      describe(c, l);
      l.end();
    } else {
      throw Wrong{"'" + std::string(l.word()) + "' means nothing before the first block"};
    }
  }

  void property(std::string_view w) {
    Function& f = *fn_;
    if (w == "member")
      f.has_this = true;
    else if (w == "own-allocation")
      f.own_allocation = true;
    else if (w == "allocation-may-fail")
      f.allocation_may_fail = true;
    else if (w == "immovable-return")
      f.immovable_return = true;
    else if (w == "void-return-object")
      f.void_get_return_object = true;
    else if (w == "no-handler")
      f.catches = false;
    else if (w == "device")
      f.device = true;
    else if (w == "hidden-locals")
      f.hidden_locals = true;
    else
      throw Wrong{"a coroutine is not '" + std::string(w) + "'"};
  }

  void slot(Line& l) {
    Slot s;
    l.expect("%");
    s.name = l.word();
    l.expect(":");
    s.type = s.display = l.quoted();
    if (l.take("shown")) s.display = l.quoted();
    s.origin = l.one_of<Origin>(names::origins);
    s.form = l.one_of<Form>(names::forms);
    s.spelling = names::usual_spelling(s);
    while (!l.at_end()) {
      if (l.take("called"))
        s.spelling = l.quoted();
      else if (l.take("region"))
        s.region = static_cast<std::uint32_t>(l.number());
      else if (l.take("size"))
        s.size = l.number();
      else if (l.take("align"))
        s.align = l.number();
      else if (l.take("alignas"))
        s.alignas_ = l.number();
      else if (l.take("destroyed"))
        s.trivial = false;
      else if (l.take("empty"))
        s.empty = true;
      else if (l.take("boxed"))
        s.array = true;
      else if (l.take("constant"))
        s.loaded = false;
      else if (l.take("early"))
        s.early = true;
      else if (l.take("at"))
        l.take_where(s.where);
      else if (l.take("frame"))
        s.storage = Storage::frame, s.why = l.sees("`") ? l.quoted() : Text();
      else
        throw Wrong{"a slot is not '" + std::string(l.word()) + "'"};
    }
    fn_->slots.push_back(std::move(s));
  }

  // Cleanups may be mentioned before they are described.
  CleanupId mentioned(CleanupId c) {
    if (c != none && c >= fn_->cleanups.size()) {
      if (c > 1'000'000) throw Wrong{"no such cleanup"};
      fn_->cleanups.resize(c + 1);
    }
    return c;
  }

  void describe(CleanupId id, Line& l) {
    if (id == none) throw Wrong{"- is no cleanup"};
    mentioned(id);
    if (described_.size() <= id) described_.resize(id + 1);
    if (described_[id]) throw Wrong{"cleanup c" + std::to_string(id) + " is described twice"};
    described_[id] = true;
    l.expect("on");
    Cleanup c;
    c.parent = mentioned(l.cleanup());
    l.expect("=");
    if (l.take("try")) c.handler = l.id_after('h');
    if (l.take("~")) c.slot = l.slot();
    if (l.take("part")) c.place = l.quoted();
    if (l.take("as")) c.type = l.quoted();
    if (l.take("if")) c.flag = l.slot();
    if (l.take("run")) c.code = l.quoted();
    fn_->cleanups[id] = std::move(c);
  }

  void block(Line& l) {
    if (l.block() != fn_->blocks.size()) throw Wrong{"blocks must be in order"};
    const auto id = static_cast<BlockId>(fn_->blocks.size());
    l.expect(":");
    block_ = &fn_->blocks.emplace_back();
    awaits_labels_ = false;
    l.expect("[");
    block_->entry = mentioned(l.cleanup());
    l.expect("]");
    if (l.take("entry")) fn_->entry = id;
    if (l.take("final")) fn_->final = id;
    l.end();
  }

  void label(Line& l) {
    block_->term.to.push_back(l.block());
    if (l.take("case"))
      block_->term.labels.push_back(l.remainder());
    else if (l.take("default"))
      block_->term.labels.emplace_back();
    l.end();
  }

  void inside(Line& l) {
    SourceLine where;
    l.take_where(where);
    Terminator& t = block_->term;
    const auto is = [&](std::string_view word, Exit e) {
      if (!l.take(word)) return false;
      t.exit = e;
      t.where = where;
      return true;
    };
    if (is("jump", Exit::jump)) {
      t.to = {l.block()};
      l.end();
    } else if (is("branch", Exit::branch)) {
      while (!l.take("by")) t.to.push_back(l.block());
      t.text = l.remainder();
    } else if (is("select", Exit::select)) {
      t.text = l.remainder();
      awaits_labels_ = true;
    } else if (is("await", Exit::await)) {
      l.expect("#");
      t.await.index = static_cast<std::uint32_t>(l.number());
      t.await.kind = l.one_of<AwaitKind>(names::awaits);
      t.await.suspends = l.one_of<Suspends>(names::suspends);
      l.expect("->");
      while (l.sees("b")) t.to.push_back(l.block());
      t.await.live = l.live();
      l.expect(":");
      t.await.awaiter = l.remainder();
    } else if (is("destroy", Exit::destroy) || is("unreachable", Exit::dead)) {
      l.end();
    } else {
      Instr i = instr(l);
      i.where = where;
      block_->instrs.push_back(std::move(i));
    }
  }

  Instr instr(Line& l) {
    Instr i;
    l.take_where(i.where);
    if (l.take("build")) {
      i.op = Op::build;
      i.slot = l.slot();
      if (l.take("part")) i.place = l.quoted();
      if (l.take("as")) i.type = l.quoted();
      if (l.take("<-")) i.init = l.one_of<Init>(names::inits), i.text = l.remainder();
    } else if (l.take("eval")) {
      i.op = Op::eval;
      i.text = l.remainder();
    } else if (l.take("statement")) {
      i.op = Op::statement;
      while (l.take("->")) i.exits.push_back(l.block());
      l.expect(":");
      i.text = l.remainder();
    } else if (l.take("push")) {
      i.op = Op::push;
      i.cleanup = mentioned(l.cleanup());
      if (l.sees("on")) describe(i.cleanup, l);
    } else if (l.take("pop") || l.sees("run")) {
      if (l.take("run")) i.init = Init::assign;
      i.op = Op::pop;
      i.cleanup = mentioned(l.cleanup());
      if (l.take("=")) l.expect("~"), i.slot = l.slot();
    } else if (l.take("drop to")) {
      i.op = Op::drop;
      i.cleanup = mentioned(l.cleanup());
    } else if (l.take("begin")) {
      i.op = Op::begin;
      i.slot = l.slot();
    } else if (l.take("flag")) {
      i.op = Op::flag;
      i.slot = l.slot();
      l.expect(":=");
      i.text = l.remainder();
    } else {
      throw Wrong{"no such instruction: '" + std::string(l.word()) + "'"};
    }
    l.end();
    return i;
  }

  std::vector<std::string_view> lines_;
  std::size_t number_ = 0;
  Function* fn_ = nullptr;
  std::map<std::string, SlotId, std::less<>> slots_;
  std::vector<bool> described_;
  Block* block_ = nullptr;
  bool awaits_labels_ = false;
};

}  // namespace

Parsed parse(std::string_view text) { return Parser(text).run(); }

}  // namespace hel::lowering::ir
