#include "shrink.hpp"

#include "check.hpp"
#include "interpret.hpp"

namespace hel::fuzz {

namespace {

// Counts edits and does the one whose turn it is.
class Shrinker {
 public:
  explicit Shrinker(std::size_t edit) : left_(edit) {}
  std::size_t count = 0;

  void program(Program& p) {
    for (std::size_t i = 1; i < p.coroutines.size(); ++i) {
      if (turn()) {
        p.coroutines.erase(p.coroutines.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
    }
    for (Coroutine& c : p.coroutines) {
      body(c.body);
      expression(c.result);
    }
    for (std::size_t i = 0; p.stops.size() > 1 && i < p.stops.size(); ++i) {
      if (turn()) {
        p.stops.erase(p.stops.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
    }
  }

 private:
  bool turn() {
    ++count;
    return !done_ && left_-- == 0 && (done_ = true);
  }

  void body(Body& b) {
    for (std::size_t i = 0; i < b.size(); ++i) {
      const auto here = b.begin() + static_cast<std::ptrdiff_t>(i);
      if (turn()) {
        b.erase(here);
        return;
      }
      for (std::size_t k = 0; k < b[i].bodies.size(); ++k) {
        if (turn()) {  // the statements of a compound one
          const Body parts = std::move(b[i].bodies[k]);
          b.insert(b.erase(here), parts.begin(), parts.end());
          return;
        }
      }
      statement(b[i]);
      if (done_) return;
    }
  }

  void statement(Stmt& s) {
    for (Body& b : s.bodies) {
      if (!b.empty() && turn()) return b.clear();
      body(b);
    }
    if (s.kind == Kind::try_ && s.bodies.size() > 2) {
      for (std::size_t i = 1; i < s.bodies.size(); ++i) {
        if (turn()) {
          s.bodies.erase(s.bodies.begin() + static_cast<std::ptrdiff_t>(i));
          s.handlers.erase(s.handlers.begin() + static_cast<std::ptrdiff_t>(i) - 1);
          return;
        }
      }
    }
    if (s.kind == Kind::switch_ && s.bodies.size() > 1) {
      for (std::size_t i = 0; i < s.bodies.size(); ++i) {
        if (turn()) {
          s.bodies.erase(s.bodies.begin() + static_cast<std::ptrdiff_t>(i));
          s.cases.erase(s.cases.begin() + static_cast<std::ptrdiff_t>(i));
          return;
        }
      }
    }
    if (s.kind == Kind::if_) {
      if (s.bodies.size() > 1 && turn()) return s.bodies.pop_back();
      if (s.style == 1 && turn()) s.style = 0, s.exprs.pop_back();
      if (s.style == 2 && turn()) s.style = 0, s.exprs.erase(s.exprs.begin());
      if (s.style == 3 && turn()) s.style = 2, s.exprs.erase(s.exprs.begin() + 1);
    }
    if (s.kind == Kind::switch_ && s.style == 1 && turn()) s.style = 0, s.exprs.erase(s.exprs.begin());
    for (std::size_t i = 0; i < s.captures.size(); ++i) {
      if (turn()) {
        s.captures.erase(s.captures.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
    }
    const bool list = s.kind == Kind::declare_array || s.kind == Kind::declare_ints || s.kind == Kind::range_for;
    expressions(s.exprs, list);
  }

  void expressions(std::vector<Expr>& exprs, bool list) {
    for (std::size_t i = 0; i < exprs.size(); ++i) {
      if (list && exprs.size() > 1 && turn()) {
        exprs.erase(exprs.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
      expression(exprs[i]);
    }
  }

  void expression(Expr& e) {
    const bool simple = e.kids.empty() && e.op != Op::await_job;
    if (e.type() == Type::integer) {
      if (e.op != Op::number && turn()) return constant(e);
    } else if (!(e.op == Op::make && e.kids[0].op == Op::number) && turn()) {
      Expr n;
      n.value = 1;
      e = Expr{Op::make, 0, {}, {n}, false};
      return;
    }
    if (simple) return;
    for (std::size_t i = 0; i < e.kids.size(); ++i) {
      const bool same = (e.kids[i].type() == Type::integer) == (e.type() == Type::integer);
      if (same && turn()) {
        const Expr kid = e.kids[i];
        e = kid;
        return;
      }
    }
    if (e.op == Op::await_int && e.value != 0 && turn()) e.value = 0;
    const bool list = e.op == Op::sum || e.op == Op::ids || e.op == Op::shift || e.op == Op::own_array;
    expressions(e.kids, list);
  }

  static void constant(Expr& e) {
    e = Expr{};
    e.value = 1;
  }

  std::size_t left_;
  bool done_ = false;
};

}  // namespace

std::size_t edit_count(const Program& p) {
  Program copy = p;
  Shrinker s(static_cast<std::size_t>(-1));
  s.program(copy);
  return s.count;
}

std::optional<Program> shrink(const Program& p, std::size_t edit) {
  Program copy = p;
  Shrinker(edit).program(copy);
  if (!is_valid(copy) || !interpret(copy)) return std::nullopt;
  return copy;
}

}  // namespace hel::fuzz
