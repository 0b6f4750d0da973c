#include "frontend/lower_file.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "frontend/annotation.hpp"
#include "frontend/compile_flags.hpp"
#include "frontend/environment.hpp"
#include "frontend/instantiations.hpp"
#include "frontend/lower_function.hpp"
#include "frontend/mirror.hpp"
#include "frontend/output_text.hpp"
#include "lowering/emit.hpp"
#include "lowering/ir/print.hpp"
#include "lowering/ir/verify.hpp"
#include "lowering/place_slots.hpp"

namespace hel::frontend {
namespace {

using namespace clang;

// The coroutines of a file by the place of their body: several functions have one place when it is in a template.
struct Group {
  const FunctionDecl* pattern = nullptr;
  std::vector<const FunctionDecl*> instances;
  bool in_initializer = false;  // of a member, or a default argument: g++ keeps those for later and loses its way at a pragma
};

class Coroutines : public RecursiveASTVisitor<Coroutines> {
 public:
  explicit Coroutines(const SourceManager& sm) : sm_(sm) {}
  std::map<std::pair<unsigned, unsigned>, Group> groups;  // by file and offset
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(FunctionDecl* f) {
    if (f->doesThisDeclarationHaveABody() && isa_and_nonnull<CoroutineBodyStmt>(f->getBody())) add(f);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr* l) {
    if (isa_and_nonnull<CoroutineBodyStmt>(l->getBody())) add(l->getCallOperator());
    if (const FunctionTemplateDecl* t = l->getDependentCallOperator())
      for (const FunctionDecl* f : t->specializations())
        if (isa_and_nonnull<CoroutineBodyStmt>(f->getBody())) add(f);
    return true;
  }
  bool TraverseFieldDecl(FieldDecl* d) {
    const bool outer = std::exchange(initializer_, true);
    const bool ok = RecursiveASTVisitor::TraverseFieldDecl(d);
    initializer_ = outer;
    return ok;
  }
  bool TraverseParmVarDecl(ParmVarDecl* d) {
    const bool outer = std::exchange(initializer_, true);
    const bool ok = RecursiveASTVisitor::TraverseParmVarDecl(d);
    initializer_ = outer;
    return ok;
  }
  // What is inside a coroutine is lowered with it.
  bool TraverseCoroutineBodyStmt(CoroutineBodyStmt*) { return true; }

 private:
  void add(const FunctionDecl* f) {
    const auto [file, offset] = sm_.getDecomposedLoc(sm_.getExpansionLoc(body_range(cast<CoroutineBodyStmt>(f->getBody())).getBegin()));
    Group& g = groups[{file.getHashValue(), offset}];
    g.in_initializer |= initializer_;
    // Not the one that the instantiation of a template around it makes.
    if (f->isDependentContext() && (!g.pattern || !in_instance(f)))
      g.pattern = f;
    else if (f->isDependentContext())
      return;
    else if (std::find(g.instances.begin(), g.instances.end(), f) == g.instances.end())
      g.instances.push_back(f);
  }
  const SourceManager& sm_;
  bool initializer_ = false;
};

// A temporary bound to a reference parameter of a lazily started coroutine is gone when the coroutine runs, unless the call
// is awaited in the same full-expression.
class DanglingArguments : public RecursiveASTVisitor<DanglingArguments> {
 public:
  DanglingArguments(const std::set<const FunctionDecl*>& coroutines, Diagnostics& diag) : coroutines_(coroutines), diag_(diag) {}
  bool TraverseCoawaitExpr(CoawaitExpr* e) {
    ++awaited_;
    const bool ok = RecursiveASTVisitor::TraverseCoawaitExpr(e);
    --awaited_;
    return ok;
  }
  bool VisitCallExpr(CallExpr* e) {
    const FunctionDecl* callee = e->getDirectCallee();
    if (awaited_ || !callee || !callee->getDefinition() || !coroutines_.count(callee->getDefinition())) return true;
    const unsigned offset = isa<CXXOperatorCallExpr>(e) && isa<CXXMethodDecl>(callee) ? 1 : 0;
    for (unsigned i = offset; i < e->getNumArgs() && i - offset < callee->getNumParams(); ++i) {
      if (!callee->getParamDecl(i - offset)->getType()->isReferenceType()) continue;
      const Expr* a = e->getArg(i);
      while (isa<ImplicitCastExpr, ExprWithCleanups>(a)) a = cast<Expr>(*a->children().begin());
      if (isa<MaterializeTemporaryExpr>(a)) diag_.warning(a->getBeginLoc(), Hel::dangling_reference_parameter, callee->getParamDecl(i - offset)->getNameAsString());
    }
    return true;
  }

 private:
  const std::set<const FunctionDecl*>& coroutines_;
  Diagnostics& diag_;
  unsigned awaited_ = 0;
};

class Consumer : public ASTConsumer {
 public:
  Consumer(CompilerInstance& ci, const LowerOptions& options, Lowered& result)
      : ci_(ci), options_(options), result_(result), collector_(std::make_unique<syntax::TokenCollector>(ci.getPreprocessor())), mirrored_(options.headers) {
    if (!options.headers.empty()) includes_.attach(ci.getPreprocessor());
    features_.attach(ci.getPreprocessor());
  }

  void HandleTranslationUnit(ASTContext& ctx) override {
    if (ci_.getDiagnostics().hasErrorOccurred()) return;
    const syntax::TokenBuffer tokens = std::move(*collector_).consume();
    const SourceManager& sm = ctx.getSourceManager();
    SourceText text(tokens, sm);
    Diagnostics diag(ci_.getDiagnostics());
    // One walk for all: a member template's instances hang from its class and from its definition.
    Coroutines visitor(sm);
    for (Decl* top : ctx.getTranslationUnitDecl()->decls()) {
      const SourceLocation at = sm.getExpansionLoc(top->getLocation());
      if (at.isInvalid() || !may_hold_coroutine(at, sm)) continue;
      visitor.TraverseDecl(top);
      const SourceLocation begin = sm.getExpansionLoc(begin_of(top));
      // A builtin has the place of its first use.
      if (begin.isValid() && !top->isImplicit()) tops_[entry(begin, sm)].push_back({sm.getFileOffset(begin), top});
    }
    for (const auto& [place, group] : visitor.groups) {
      const FunctionDecl* f = group.instances.empty() ? group.pattern : group.instances[0];
      const Annotation marked = std::max(annotation_of(f), group.pattern ? annotation_of(group.pattern) : Annotation::none);
      if (!options_.all && marked == Annotation::none) continue;
      const SourceLocation body = sm.getExpansionLoc(body_range(cast<CoroutineBodyStmt>(f->getBody())).getBegin());
      const OptionalFileEntryRef file = sm.getFileEntryRefForID(sm.getFileID(body));
      if (!file || !(sm.isInMainFile(body) || mirrored_(*file))) {
        if (marked != Annotation::none)
          diag.error(f->getLocation(), Hel::in_header, f->getQualifiedNameAsString());
        else if (!sm.isInSystemHeader(body))
          diag.warning(f->getLocation(), Hel::in_header, f->getQualifiedNameAsString());
        continue;
      }
      for (const FunctionDecl* one : group.instances) lowered_.insert(one);
      if (files_.empty()) check_library_types(ctx, diag);
      FileEdits& changes = files_[&file->getFileEntry()];
      file_ = sm.getPresumedLoc(body).getFilename();
      const std::size_t before = changes.edits.size();
      pragmas_ = !group.in_initializer;
      coroutine(group, ctx, text, diag, changes.edits, options_.cuda && (marked == Annotation::task || (marked == Annotation::none && device_lambda(f))));
      if (changes.edits.size() > before) include_before(text, sm, &file->getFileEntry(), changes.edits[before].begin);
    }
    DanglingArguments dangling(lowered_, diag);
    for (Decl* top : ctx.getTranslationUnitDecl()->decls())
      if (const SourceLocation at = sm.getExpansionLoc(top->getLocation()); at.isValid() && (sm.isInMainFile(at) || files_.count(entry(at, sm)))) dangling.TraverseDecl(top);
    if (diag.failed() || ci_.getDiagnostics().hasErrorOccurred()) return;
    name_operators(text);
    Mirror mirror(sm, includes_, options_.header_output, options_.output_directory);
    const std::vector<Mirror::Header> headers = mirror.arrange(files_, diag);
    if (diag.failed()) return;
    write(ci_.getSourceManager(), headers);
    result_.ok = true;
  }

 private:
  static const FileEntry* entry(SourceLocation at, const SourceManager& sm) {
    const OptionalFileEntryRef file = sm.getFileEntryRefForID(sm.getFileID(at));
    return file ? &file->getFileEntry() : nullptr;
  }

  // System headers hold a good part of most programs and seldom a coroutine: only those with the words in them are walked.
  bool may_hold_coroutine(SourceLocation at, const SourceManager& sm) {
    if (!sm.isInSystemHeader(at)) return true;
    const FileID file = sm.getFileID(at);
    const auto [known, added] = system_.try_emplace(file.getHashValue());
    if (added) {
      const StringRef text = sm.getBufferData(file);
      for (const char* word : {"co_await", "co_return", "co_yield"}) known->second |= text.contains(word);
    }
    return known->second;
  }

  // The runtime's header is included before the declaration that this place is in.
  void include_before(const SourceText& text, const SourceManager& sm, const FileEntry* in, std::size_t place) {
    const std::pair<unsigned, const Decl*>* last = nullptr;
    for (const auto& top : tops_[in])
      if (top.first <= place && (!last || top.first > last->first)) last = &top;
    if (!last) return;
    auto [file, offset] = start_of(text, sm, last->second);
    offset = behind_includes(sm.getBufferData(file), offset, [&, file = file](unsigned at) {
      for (const auto& top : tops_[in]) {
        const auto [begin_file, begin] = sm.getDecomposedExpansionLoc(top.second->getBeginLoc());
        const auto [end_file, end] = sm.getDecomposedLoc(sm.getExpansionRange(top.second->getEndLoc()).getEnd());
        if (begin_file == file && end_file == file && begin < at && at <= end) return false;
      }
      return true;
    });
    FileEdits& changes = files_[in];
    if (entry(sm.getLocForStartOfFile(file), sm) != in || changes.include_at <= offset) return;
    changes.include_at = offset;
    const PresumedLoc line = sm.getPresumedLoc(sm.getComposedLoc(file, offset));
    changes.include_line = std::to_string(line.getLine()) + " " + lowering::quoted(line.getFilename());
  }

  // `operator co_await` gets its other name in the source and in every header that is ours to change, after that name is
  // known.
  void name_operators(const SourceText& text) {
    SourceManager& sm = ci_.getSourceManager();
    std::map<const FileEntry*, FileEntryRef> candidates;
    if (const OptionalFileEntryRef main = sm.getFileEntryRefForID(sm.getMainFileID())) candidates.emplace(&main->getFileEntry(), *main);
    for (const Include& i : includes_.all())
      if (mirrored_(i.target)) candidates.emplace(&i.target.getFileEntry(), i.target);
    for (const auto& [file, ref] : candidates) {
      const auto buffer = sm.getMemoryBufferForFileOrNone(ref);
      if (!buffer || !buffer->getBuffer().contains("co_await")) continue;
      std::size_t first = std::string::npos;
      for_each_operator(buffer->getBuffer(), [&](std::size_t at) { first = std::min(first, at); });
      if (first == std::string::npos || (files_.count(file) && files_[file].include_at <= first)) continue;
      include_before(text, sm, file, first);
    }
  }

  // Each file that is lowered, or that leads to one that is.
  void write(SourceManager& sm, const std::vector<Mirror::Header>& headers) {
    std::string checks;
    for (const Mirror::Header& h : headers) {
      const FileEdits& changes = files_[&h.file.getFileEntry()];
      OutputOptions o{options_.header_output + "/" + h.place, options_.lines, options_.cuda, {}, {}};
      const StringRef source = sm.getMemoryBufferForFileOrNone(h.file)->getBuffer();
      // A source that is compiled with another version of the header, or with the original, says so.
      const std::string seen = "HEL_LOWERED_HEADER_" + llvm::utohexstr(llvm::xxh3_64bits(options_.unit + '\n' + output_text(source, changes, o)), true);
      o.head = "#define " + seen + "\n";
      if (options_.lines) o.head += "#line 1 " + lowering::quoted(h.file.getName().str()) + "\n";
      result_.headers.push_back({h.place, output_text(source, changes, o)});
      checks += "#if !defined(" + seen + ") && !defined(HEL_NO_HEADER_CHECK)\n#error " +
                lowering::quoted("this file was lowered together with " + h.file.getName().str() + ": " + options_.header_output + " must be searched for headers first, with -iquote and -I") + "\n#endif\n";
    }
    OutputOptions o{options_.output_name, options_.lines, options_.cuda, {}, {}};
    if (features_.found()) {
      o.head = define_features;
      if (options_.lines) o.head += "#line 1 " + lowering::quoted(sm.getFileEntryRefForID(sm.getMainFileID())->getName().str()) + "\n";
    }
    if (options_.lines && (!device_numbers_.empty() || !checks.empty())) o.tail += std::string(lowering::here_directive) + "\n";
    if (!device_numbers_.empty()) o.tail += "#if defined(__CUDACC__)\n#include \"hel/cuda/program.hpp\"\n" + lowering::emit_device_switch(device_numbers_, options_.unit, groups_) + "#endif\n";
    o.tail += checks;
    const FileID main = sm.getMainFileID();
    const OptionalFileEntryRef file = sm.getFileEntryRefForID(main);
    result_.text = output_text(sm.getBufferData(main), file ? files_[&file->getFileEntry()] : FileEdits{}, o);
  }

  // One coroutine; of a template, each instantiation that the file makes, chosen by `if constexpr`.
  void coroutine(const Group& group, ASTContext& ctx, SourceText& text, Diagnostics& diag, std::vector<Edit>& edits, bool device) {
    const SourceManager& sm = ctx.getSourceManager();
    const FunctionDecl* any = group.instances.empty() ? group.pattern : group.instances[0];
    const SourceRange braces = body_range(cast<CoroutineBodyStmt>(any->getBody()));
    if (braces.getBegin().isMacroID() || braces.getEnd().isMacroID()) return diag.error(any->getLocation(), Hel::in_macro, any->getNameAsString());
    text.define_local(sm.getBufferData(sm.getFileID(braces.getBegin())).substr(sm.getFileOffset(braces.getBegin()), sm.getFileOffset(braces.getEnd()) - sm.getFileOffset(braces.getBegin())));
    const std::string here = options_.lines ? std::string(lowering::here_directive) + "\n" : "";
    std::vector<Variant> variants;
    const auto lower = [&](const FunctionDecl* f, bool same_for_all) -> std::string {
      Diagnostics own(ci_.getDiagnostics());
      FunctionLowering lowering(ctx, text, own, f, group.pattern, device);
      if (same_for_all) lowering.same_for_all();
      lowering.on_nested([&](lowering::ir::Function& inner, const FunctionDecl* i) { return finish(inner, i, own, true); }, here);
      std::optional<lowering::ir::Function> fn = lowering.run();
      if (!fn) return {};
      if (f == any && !same_for_all)
        for (const FunctionLowering::NamedParameter& p : lowering.named_parameters()) {
          if (p.at.isMacroID() || sm.getFileID(p.at) != sm.getFileID(braces.getBegin())) {
            diag.error(p.at, Hel::in_macro, "a parameter without a name");
            return {};
          }
          const unsigned at = sm.getFileOffset(p.at);
          add(edits, {at, at, " " + p.name}, f, diag);
        }
      return finish(*fn, f, diag, false);
    };
    std::vector<NamedTemplateParameter> named;
    if (device && !number(group, ctx, named)) return diag.error(any->getLocation(), Hel::coroutine_template, any->getQualifiedNameAsString());
    for (const FunctionDecl* f : group.instances) {
      std::string code = lower(f, false);
      if (code.empty()) return;
      variants.push_back({f, group.instances.size() > 1 ? instantiation_condition(f, ctx, named) : std::optional<std::string>(), std::move(code)});
    }
    // Those that no condition tells apart must do with one text.
    const auto confused = [&](const Variant& a, const Variant& b) { return &a != &b && a.code != b.code && a.condition == b.condition; };
    std::vector<bool> again;
    for (const Variant& v : variants) again.push_back(std::any_of(variants.begin(), variants.end(), [&](const Variant& o) { return confused(v, o); }));
    for (std::size_t i = 0; i < variants.size(); ++i)
      if (again[i]) {
        variants[i].code = lower(variants[i].f, true);
        --result_.coroutines;
      }
    std::string code;
    if (variants.empty()) {
      const auto empty = uninstantiated_body(any);
      if (!empty) return diag.error(any->getLocation(), Hel::coroutine_template, any->getQualifiedNameAsString());
      ++result_.coroutines;
      code = *empty;
    } else if (std::all_of(variants.begin(), variants.end(), [&](const Variant& v) { return v.code == variants[0].code; })) {
      code = variants[0].code;
    } else {
      // What is around a generic lambda is told first: what is for others is not looked at then.
      std::map<std::optional<std::string>, std::vector<Variant>> around;
      for (const Variant& v : variants) around[enclosing_condition(v.f, ctx, named)].push_back(v);
      std::vector<Variant> groups;
      if (around.size() == 1 || around.count(std::nullopt)) {
        groups = variants;
      } else {
        for (const auto& [condition, group_variants] : around) {
          const auto one = choose(group_variants, here);
          if (!one) return diag.error(any->getLocation(), Hel::coroutine_template, any->getQualifiedNameAsString());
          groups.push_back({group_variants[0].f, condition, *one});
        }
      }
      const auto chosen = choose(groups, here);
      if (!chosen) return diag.error(any->getLocation(), Hel::coroutine_template, any->getQualifiedNameAsString());
      code = *chosen;
    }
    const bool told_apart = std::any_of(variants.begin(), variants.end(), [&](const Variant& v) { return v.code != variants[0].code; });
    if (told_apart || (device && group.instances.size() > 1))
      for (const NamedTemplateParameter& p : named) {
        if (sm.getFileID(p.at) != sm.getFileID(braces.getBegin())) return diag.error(any->getLocation(), Hel::coroutine_template, any->getQualifiedNameAsString());
        const unsigned at = sm.getFileOffset(p.at);
        if (std::none_of(edits.begin(), edits.end(), [&](const Edit& e) { return e.begin == at && e.text == " " + p.name; })) edits.push_back({at, at, " " + p.name});
      }
    if (device) use_nested_numbers(code);
    if (options_.lines) code += "\n#line " + std::to_string(sm.getPresumedLineNumber(braces.getEnd())) + " " + lowering::quoted(file_) + "\n";
    const unsigned last = Lexer::MeasureTokenLength(braces.getEnd(), sm, ctx.getLangOpts());  // `%>` is a brace, too
    add(edits, {sm.getFileOffset(braces.getBegin()), sm.getFileOffset(braces.getEnd()) + last, std::move(code)}, any, diag);
  }

  // The number of the device frame. The instantiations of a template may share their text, but not the number: their
  // frames are of different types. False when they cannot be told apart.
  bool number(const Group& group, ASTContext& ctx, std::vector<NamedTemplateParameter>& named) {
    type_id_.clear();
    nested_numbers_.clear();
    std::set<std::string> conditions;
    for (const FunctionDecl* f : group.instances) {
      const std::string own = std::to_string(++device_types_);
      device_numbers_.push_back(device_types_);
      if (group.instances.size() == 1) {
        type_id_ = own;
        return true;
      }
      const auto condition = instantiation_condition(f, ctx, named);
      if (!condition || !conditions.insert(*condition).second) return false;
      type_id_ += f == group.instances.back() ? own : "(" + *condition + ") ? " + own + " : ";
    }
    type_id_ = "(" + type_id_ + ")";
    return true;
  }

  // A coroutine inside of that one has a number wherever its text stands, and with it only there: the text may be gone.
  unsigned nested_number(const FunctionDecl* f) {
    const auto [at, added] = nested_numbers_.try_emplace(f);
    if (added) at->second = ++device_types_;
    return at->second;
  }
  void use_nested_numbers(const std::string& code) {
    for (const auto& [f, n] : nested_numbers_)
      if (code.find("device_define<hel_unit, " + std::to_string(n) + ", ") != std::string::npos) device_numbers_.push_back(n);
  }

  // A file that is included more than once is written once.
  static void add(std::vector<Edit>& edits, Edit edit, const FunctionDecl* f, Diagnostics& diag) {
    for (const Edit& e : edits) {
      if (e.begin == edit.begin && e.end == edit.end && e.text == edit.text) return;
      if ((e.begin < edit.end && edit.begin < e.end) || (e.begin == edit.begin && e.end == edit.end)) return diag.error(f->getLocation(), Hel::header_twice, f->getQualifiedNameAsString());
    }
    edits.push_back(std::move(edit));
  }

  // Places, verifies and emits one coroutine.
  lowering::ir::Text finish(lowering::ir::Function& fn, const FunctionDecl* f, Diagnostics& diag, bool nested) {
    lowering::place_slots(fn);
    if (options_.dump_ir) result_.ir += lowering::ir::print(fn);
    // A promise's own operator new is not told of an alignment.
    for (const lowering::ir::Slot& s : fn.slots)
      if (fn.own_allocation && s.storage == lowering::ir::Storage::frame && s.form == lowering::ir::Form::object &&
          std::max(s.align, s.alignas_) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
        diag.error(f->getLocation(), Hel::over_aligned, s.spelling.empty() ? s.display : s.spelling);
        return {};
      }
    const std::vector<std::string> faults = lowering::ir::verify(fn, lowering::ir::Stage::placed);
    if (!faults.empty()) {
      std::string all = fn.name;
      for (const std::string& s : faults) all += "; " + s;
      diag.error(f->getLocation(), Hel::inconsistent, all);
      return {};
    }
    lowering::EmitOptions emit;
    emit.file = file_;
    emit.lines = options_.lines;
    emit.pragmas = pragmas_;
    emit.cuda = options_.cuda;
    emit.unit = options_.unit;
    ++result_.coroutines;
    emit.type_id = nested && fn.device ? std::to_string(nested_number(f)) : type_id_;
    emit.nested = nested && fn.device;
    groups_ |= fn.device && is_of_lanes(f);
    result_.frames += lowering::describe_frame(fn);
    return lowering::emit(fn, emit);
  }

  // Whether all lanes of a warp run it together: its promise says so.
  static bool is_of_lanes(const FunctionDecl* f) {
    const auto* body = dyn_cast_or_null<CoroutineBodyStmt>(f->getBody());
    const CXXRecordDecl* promise = body ? body->getPromiseDecl()->getType()->getAsCXXRecordDecl() : nullptr;
    if (!promise || !promise->hasDefinition()) return false;
    const DeclarationName name(&f->getASTContext().Idents.get("hel_lanes"));
    bool found = !promise->lookup(name).empty();
    promise->forallBases([&](const CXXRecordDecl* base) { return !(found |= !base->lookup(name).empty()); });
    return found;
  }

  static SourceLocation begin_of(const Decl* top) {
    const auto* f = dyn_cast<FunctionTemplateDecl>(top);
    const SourceLocation begin = top->getBeginLoc();
    return f && begin.isInvalid() ? f->getTemplatedDecl()->getBeginLoc() : begin;  // without `template`: `auto` in a parameter
  }

  // Where the declaration begins, attributes and all: after the last `;` or `}` before it.
  std::pair<FileID, unsigned> start_of(const SourceText& text, const SourceManager& sm, const Decl* top) const {
    const SourceLocation at = begin_of(top);
    unsigned t = text.tokens(sm.getExpansionLoc(at)).begin;
    if (const auto r = text.tokens(at); !r.empty()) t = r.begin;
    while (t > 0 && text.kind(t - 1) != tok::semi && text.kind(t - 1) != tok::r_brace && text.file(t - 1) == text.file(t)) --t;
    return {text.file(t), text.offset(t)};
  }

  CompilerInstance& ci_;
  const LowerOptions& options_;
  Lowered& result_;
  std::unique_ptr<syntax::TokenCollector> collector_;
  Includes includes_;
  FeatureTests features_;
  Below mirrored_;
  std::map<const FileEntry*, FileEdits> files_;
  std::map<const FileEntry*, std::vector<std::pair<unsigned, const Decl*>>> tops_;  // a file's declarations and where they begin
  std::string file_;  // of the coroutine that is being lowered
  std::map<unsigned, bool> system_;
  unsigned device_types_ = 0;
  std::vector<unsigned> device_numbers_;  // of the frames that there are
  bool groups_ = false;                   // some are of group tasks
  std::map<const FunctionDecl*, unsigned> nested_numbers_;  // of coroutines inside of the one that is being lowered
  bool pragmas_ = true;
  std::string type_id_;  // of the coroutine that is being lowered for the device
  std::set<const FunctionDecl*> lowered_;
};

class Action : public ASTFrontendAction {
 public:
  Action(const LowerOptions& options, Lowered& result) : options_(options), result_(result) {}
  bool BeginInvocation(CompilerInstance& ci) override {
    dependencies_ = std::make_shared<DependencyCollector>();
    ci.addDependencyCollector(dependencies_);
    return true;
  }
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& ci, StringRef) override {
    return std::make_unique<Consumer>(ci, options_, result_);
  }
  void EndSourceFileAction() override {
    for (const std::string& d : dependencies_->getDependencies()) result_.dependencies.push_back(d);
  }

 private:
  const LowerOptions& options_;
  Lowered& result_;
  std::shared_ptr<DependencyCollector> dependencies_;
};

// Warnings are the compiler's business; ours and every error are shown.
class Printer : public TextDiagnosticPrinter {
 public:
  using TextDiagnosticPrinter::TextDiagnosticPrinter;
  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& info) override {
    if (level == DiagnosticsEngine::Warning) {
      llvm::SmallString<128> text;
      info.FormatDiagnostic(text);
      skipping_ = !StringRef(text).contains("[HEL");
    } else if (level != DiagnosticsEngine::Note) {
      skipping_ = false;
    }
    if (!skipping_) TextDiagnosticPrinter::HandleDiagnostic(level, info);
  }

 private:
  bool skipping_ = false;
};

}  // namespace

Lowered lower_file(const LowerOptions& options) {
  Lowered result;
  std::vector<std::string> args = {"hel-lower", "-fsyntax-only", "-std=c++20", "-D__HEL_LOWER__=1", "-resource-dir=" + options.resource_dir};
  if (options.cuda) {
    // The host's view of a CUDA source; what is wrong only on the device is nvcc's to say.
    args.insert(args.end(), {"-x", "cuda", "--cuda-host-only", "-nocudalib", "--cuda-gpu-arch=sm_90", "-Wno-unknown-cuda-version", "-isystem", options.shim});
    if (options.cuda_path.empty()) {
      args.insert(args.end(), {"--cuda-path=/nonexistent", "-nocudainc", "-include", options.shim + "/hel_cuda_keywords.h"});
    } else {
      args.insert(args.end(), {"--cuda-path=" + options.cuda_path, "-isystem", options.shim + "/cuda-parse", "-isystem", options.cuda_path + "/include/cccl"});
    }
  } else {
    args.insert(args.end(), {"-x", "c++"});
  }
  for (const std::string& i : options.includes) args.push_back("-I" + i);
  for (const std::string& f : parse_flags(options.flags)) args.push_back(f);
  args.push_back(options.file);
  llvm::IntrusiveRefCntPtr<FileManager> files(new FileManager(FileSystemOptions()));
#if CLANG_VERSION_MAJOR >= 21
  DiagnosticOptions diagnostic_options;
  diagnostic_options.ShowColors = llvm::errs().has_colors();
  diagnostic_options.ShowPresumedLoc = true;
  Printer printer(llvm::errs(), diagnostic_options);
#else
  llvm::IntrusiveRefCntPtr<DiagnosticOptions> diagnostic_options(new DiagnosticOptions());
  diagnostic_options->ShowColors = llvm::errs().has_colors();
  diagnostic_options->ShowPresumedLoc = true;
  Printer printer(llvm::errs(), diagnostic_options.get());
#endif
  tooling::ToolInvocation invocation(args, std::make_unique<Action>(options, result), files.get());
  invocation.setDiagnosticConsumer(&printer);
  if (!invocation.run()) result.ok = false;
  return result;
}

}  // namespace hel::frontend
