#include "frontend/mirror.hpp"

#include <llvm/Support/FileSystem.h>

#include <algorithm>
#include <filesystem>

namespace hel::frontend {

using namespace clang;
namespace fs = std::filesystem;

namespace {

class Recorder : public PPCallbacks {
 public:
  explicit Recorder(std::vector<Include>& all) : all_(all) {}
  void InclusionDirective(SourceLocation at, const Token& directive, StringRef name, bool angled, CharSourceRange written, OptionalFileEntryRef target, StringRef, StringRef,
                          const Module*, bool, SrcMgr::CharacteristicKind) override {
    if (target) all_.push_back({at, name.str(), angled, directive.getIdentifierInfo() && directive.getIdentifierInfo()->getName() == "include_next", written, *target});
  }

 private:
  std::vector<Include>& all_;
};

std::string normal(const fs::path& p) { return p.lexically_normal().generic_string(); }
bool escapes(const std::string& place) { return place.starts_with("../") || fs::path(place).is_absolute(); }

std::string real_path(StringRef path) {
  llvm::SmallString<256> real;
  if (llvm::sys::fs::real_path(path, real)) return {};
  return real.str().str();
}

}  // namespace

void Includes::attach(Preprocessor& preprocessor) { preprocessor.addPPCallbacks(std::make_unique<Recorder>(all_)); }

Below::Below(const std::vector<std::string>& paths) {
  for (const std::string& p : paths)
    if (std::string real = real_path(p); !real.empty()) paths_.push_back(std::move(real));
}

bool Below::operator()(FileEntryRef file) {
  if (paths_.empty()) return false;
  const auto [known, added] = known_.try_emplace(&file.getFileEntry(), false);
  if (added) {
    const std::string real = real_path(file.getName());
    known->second = std::any_of(paths_.begin(), paths_.end(), [&](const std::string& p) { return real == p || StringRef(real).starts_with(p == "/" ? p : p + "/"); });
  }
  return known->second;
}

const FileEntry* Mirror::from(const Include& i) const {
  const OptionalFileEntryRef file = sm_.getFileEntryRefForID(sm_.getFileID(i.at));
  return file ? &file->getFileEntry() : nullptr;
}

// Found in the directory of the file that includes it.
bool Mirror::beside(const Include& i) const {
  if (i.angled || i.next || fs::path(i.name).is_absolute()) return false;
  const OptionalFileEntryRef file = sm_.getFileEntryRefForID(sm_.getFileID(i.at));
  if (!file) return false;
  const OptionalFileEntryRef found = sm_.getFileManager().getOptionalFileRef((fs::path(file->getName().str()).parent_path() / i.name).string());
  return found && &found->getFileEntry() == &i.target.getFileEntry();
}

// Adds the files on the way.
void Mirror::close(std::map<const FileEntry*, FileEdits>& changed, Diagnostics& diag) {
  const OptionalFileEntryRef main = sm_.getFileEntryRefForID(sm_.getMainFileID());
  for (bool more = true; more;) {
    more = false;
    for (const Include& i : includes_.all()) {
      const FileEntry *file = from(i), *target = &i.target.getFileEntry();
      if (changed.count(target) && (!main || target != &main->getFileEntry())) {
        if (file)
          more |= changed.try_emplace(file).second;
        else
          diag.error(i.at, Hel::header_include, i.name);  // of the command line
      }
      if (file && main && file != &main->getFileEntry() && changed.count(file) && beside(i)) more |= changed.try_emplace(target).second;
    }
  }
}

// Where an #include that leads to the header looks for it: one that searches for it, or else the first one.
void Mirror::place(FileEntryRef header) {
  std::string wish;
  for (const Include& i : includes_.all()) {
    if (&i.target.getFileEntry() != &header.getFileEntry()) continue;
    const bool near = beside(i);
    std::string place = normal(i.name);
    if (near)
      if (const auto p = places_.find(from(i)); p != places_.end()) place = normal(fs::path(p->second).parent_path() / i.name);
    const bool searched = !near && !escapes(place);
    if (wish.empty() || searched) wish = place;
    if (searched) break;
  }
  if (fs::path(wish).is_absolute()) wish = fs::path(wish).filename().string();
  while (wish.starts_with("../")) wish = wish.substr(3);
  // Another file that is included by this name must stay within reach.
  const auto taken = [&](const std::string& p) {
    return at_.count(p) || std::any_of(includes_.all().begin(), includes_.all().end(), [&](const Include& other) {
      return normal(other.name) == p && &other.target.getFileEntry() != &header.getFileEntry() && !beside(other);
    });
  };
  std::string p = wish;
  for (unsigned n = 2; taken(p); ++n) p = "hel_" + std::to_string(n) + "/" + wish;
  places_[&header.getFileEntry()] = p;
  at_[p] = &header.getFileEntry();
  headers_.push_back({header, p});
}

// What a compiler that searches the directory first takes for this #include: a header of the directory, or null.
const FileEntry* Mirror::leads_to(const Include& i) const {
  if (fs::path(i.name).is_absolute()) return nullptr;
  if (!i.angled) {
    const auto place = places_.find(from(i));
    const fs::path directory = place == places_.end() ? fs::path(output_directory_) : fs::path(directory_) / fs::path(place->second).parent_path();
    if (place != places_.end())
      if (const auto found = at_.find(normal(fs::path(place->second).parent_path() / i.name)); found != at_.end()) return found->second;
    std::error_code ignored;
    const std::string there = normal(directory / i.name);
    // What lies in the directory itself is of an earlier run.
    if (!StringRef(there).starts_with(normal(fs::path(directory_) / "")) && fs::exists(there, ignored)) return nullptr;
  }
  const auto found = at_.find(normal(i.name));
  return found == at_.end() ? nullptr : found->second;
}

void Mirror::redirect(const Include& i, const std::string& name, std::map<const FileEntry*, FileEdits>& changed, Diagnostics& diag) {
  const FileID file = sm_.getFileID(i.at);
  const CharSourceRange range = Lexer::makeFileCharRange(i.written, sm_, LangOptions());
  if (range.isInvalid() || sm_.getFileID(range.getBegin()) != file || i.next) return diag.error(i.at, Hel::header_include, i.name);
  const unsigned begin = sm_.getFileOffset(range.getBegin()), end = sm_.getFileOffset(range.getEnd());
  std::vector<Edit>& edits = changed[from(i)].edits;
  for (const Edit& e : edits) {
    if (e.begin == begin && e.end == end && e.text == name) return;  // the file is included more than once
    if (e.begin < end && begin < e.end) return diag.error(i.at, Hel::header_include, i.name);
  }
  edits.push_back({begin, end, name});
}

std::vector<Mirror::Header> Mirror::arrange(std::map<const FileEntry*, FileEdits>& changed, Diagnostics& diag) {
  const OptionalFileEntryRef main = sm_.getFileEntryRefForID(sm_.getMainFileID());
  if (!main) return {};
  close(changed, diag);
  if (diag.failed()) return {};
  const FileEntry* source = &main->getFileEntry();
  for (const Include& i : includes_.all())
    if (const FileEntry* target = &i.target.getFileEntry(); target != source && changed.count(target) && !places_.count(target)) place(i.target);
  for (const Include& i : includes_.all()) {
    const FileEntry* file = from(i);
    if (!file || !changed.count(file)) continue;
    const FileEntry* wanted = &i.target.getFileEntry();
    const auto place = places_.find(wanted);
    const FileEntry* found = leads_to(i);
    if (place == places_.end() ? found != nullptr : found != wanted)
      redirect(i, place == places_.end() ? "\"" + normal(fs::absolute(i.target.getName().str())) + "\"" : "<" + place->second + ">", changed, diag);
    else if (i.next && file != source)
      diag.error(i.at, Hel::header_include, i.name);  // the search would go on from another directory
  }
  return std::move(headers_);
}

}  // namespace hel::frontend
