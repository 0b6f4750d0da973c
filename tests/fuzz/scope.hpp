// The names in scope, for the generator, the checker and the shrinker.
#pragma once

#include <string>
#include <vector>

namespace hel::fuzz {

enum class Names { unusable, number, trace, pair, check, traces, ints, lambda, job, label };

struct Name {
  std::string name;
  Names kind = Names::unusable;
  bool constant = false;
  bool fixed = false;  // a loop counter: only the loop changes it
  int length = 0;      // traces, ints
};

class Scopes {
 public:
  void enter() { marks_.push_back(names_.size()); }
  void leave() {
    names_.resize(marks_.back());
    marks_.pop_back();
  }
  // False: the innermost scope has the name already.
  bool declare(Name name) {
    for (std::size_t i = marks_.empty() ? 0 : marks_.back(); i < names_.size(); ++i) {
      if (names_[i].name == name.name) return false;
    }
    names_.push_back(std::move(name));
    return true;
  }
  // The declaration that the name means here.
  Name* find(const std::string& name) {
    for (std::size_t i = names_.size(); i-- > 0;) {
      if (names_[i].name == name) return &names_[i];
    }
    return nullptr;
  }
  // Those of a kind that no inner declaration hides.
  std::vector<Name> visible(Names kind) {
    std::vector<Name> result;
    for (const Name& n : names_) {
      if (n.kind == kind && find(n.name) == &n) result.push_back(n);
    }
    return result;
  }

 private:
  std::vector<Name> names_;
  std::vector<std::size_t> marks_;
};

struct [[nodiscard]] Scope {
  explicit Scope(Scopes& s) : scopes(s) { scopes.enter(); }
  ~Scope() { scopes.leave(); }
  Scope(const Scope&) = delete;
  Scopes& scopes;
};

}  // namespace hel::fuzz
