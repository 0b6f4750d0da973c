#include "frontend/lower_file.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "frontend/compile_flags.hpp"
#include "frontend/instantiations.hpp"
#include "frontend/lower_function.hpp"
#include "lowering/emit.hpp"
#include "lowering/ir/print.hpp"
#include "lowering/ir/verify.hpp"
#include "lowering/place_slots.hpp"

namespace hel::frontend {
namespace {

using namespace clang;

struct Edit {
  unsigned begin, end;  // offsets in the file
  std::string text;
};

enum class Annotation { none, host_task, task };

Annotation annotation(const Decl* d) {
  for (const auto* a : d->specific_attrs<AnnotateAttr>()) {
    if (a->getAnnotation() == "hel::task") return Annotation::task;
    if (a->getAnnotation() == "hel::host_task") return Annotation::host_task;
  }
  return Annotation::none;
}

// A coroutine is annotated itself or through its return type.
Annotation annotation_of(const FunctionDecl* f) {
  for (const FunctionDecl* d : f->redecls())
    if (const Annotation a = annotation(d); a != Annotation::none) return a;
  if (const CXXRecordDecl* r = f->getReturnType()->getAsCXXRecordDecl()) {
    if (const Annotation a = annotation(r); a != Annotation::none) return a;
  }
  return Annotation::none;
}

// The coroutines of a file by the place of their body: several functions have one place when it is in a template.
struct Group {
  const FunctionDecl* pattern = nullptr;
  std::vector<const FunctionDecl*> instances;
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
  // What is inside a coroutine is lowered with it.
  bool TraverseCoroutineBodyStmt(CoroutineBodyStmt*) { return true; }

 private:
  void add(const FunctionDecl* f) {
    const auto [file, offset] = sm_.getDecomposedLoc(sm_.getExpansionLoc(body_range(cast<CoroutineBodyStmt>(f->getBody())).getBegin()));
    Group& g = groups[{file.getHashValue(), offset}];
    if (f->isDependentContext())
      g.pattern = f;
    else if (std::find(g.instances.begin(), g.instances.end(), f) == g.instances.end())
      g.instances.push_back(f);
  }
  const SourceManager& sm_;
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
      : ci_(ci), options_(options), result_(result), collector_(std::make_unique<syntax::TokenCollector>(ci.getPreprocessor())) {}

  void HandleTranslationUnit(ASTContext& ctx) override {
    if (ci_.getDiagnostics().hasErrorOccurred()) return;
    const syntax::TokenBuffer tokens = std::move(*collector_).consume();
    const SourceManager& sm = ctx.getSourceManager();
    SourceText text(tokens, sm);
    Diagnostics diag(ci_.getDiagnostics());
    const FileID main = sm.getMainFileID();
    std::vector<Edit> edits;
    unsigned include_at = ~0u;
    for (Decl* top : ctx.getTranslationUnitDecl()->decls()) {
      const SourceLocation at = sm.getExpansionLoc(top->getLocation());
      if (at.isInvalid() || sm.isInSystemHeader(at)) continue;
      Coroutines visitor(sm);
      visitor.TraverseDecl(top);
      for (const auto& [place, group] : visitor.groups) {
        const FunctionDecl* f = group.instances.empty() ? group.pattern : group.instances[0];
        const Annotation marked = std::max(annotation_of(f), group.pattern ? annotation_of(group.pattern) : Annotation::none);
        if (!options_.all && marked == Annotation::none) continue;
        if (sm.getFileID(sm.getExpansionLoc(f->getLocation())) != main) {
          if (marked != Annotation::none) diag.error(f->getLocation(), Hel::in_header, f->getQualifiedNameAsString());
          continue;
        }
        for (const FunctionDecl* one : group.instances) lowered_.insert(one);
        const unsigned before = static_cast<unsigned>(edits.size());
        coroutine(group, ctx, text, diag, edits, options_.cuda && marked == Annotation::task);
        if (edits.size() > before && include_at == ~0u) include_at = start_of(text, sm, top);
      }
    }
    DanglingArguments dangling(lowered_, diag);
    for (Decl* top : ctx.getTranslationUnitDecl()->decls())
      if (sm.isInMainFile(sm.getExpansionLoc(top->getLocation()))) dangling.TraverseDecl(top);
    if (diag.failed() || ci_.getDiagnostics().hasErrorOccurred()) return;
    if (include_at != ~0u) {
      std::size_t first = std::string::npos;
      for_each_operator(sm.getBufferData(main), [&](std::size_t at) { first = std::min(first, at); });
      if (first < include_at)
        for (Decl* top : ctx.getTranslationUnitDecl()->decls()) {
          const SourceRange r = sm.getExpansionRange(top->getSourceRange()).getAsRange();
          if (sm.getFileID(r.getBegin()) == main && sm.getFileOffset(r.getBegin()) <= first && first <= sm.getFileOffset(r.getEnd())) {
            include_at = std::min(include_at, start_of(text, sm, top));
            break;
          }
        }
    }
    assemble(sm, std::move(edits), include_at);
    result_.ok = true;
  }

 private:
  // One coroutine; of a template, each instantiation that the file makes, chosen by `if constexpr`.
  void coroutine(const Group& group, ASTContext& ctx, SourceText& text, Diagnostics& diag, std::vector<Edit>& edits, bool device) {
    const SourceManager& sm = ctx.getSourceManager();
    const FunctionDecl* any = group.instances.empty() ? group.pattern : group.instances[0];
    const SourceRange braces = body_range(cast<CoroutineBodyStmt>(any->getBody()));
    if (braces.getBegin().isMacroID() || braces.getEnd().isMacroID()) return diag.error(any->getLocation(), Hel::in_macro, any->getNameAsString());
    text.define_local(sm.getBufferData(sm.getFileID(braces.getBegin())).substr(sm.getFileOffset(braces.getBegin()), sm.getFileOffset(braces.getEnd()) - sm.getFileOffset(braces.getBegin())));
    std::vector<std::pair<std::string, std::string>> variants;  // condition, code
    bool conditions = true;
    for (const FunctionDecl* f : group.instances) {
      if (has_pack(f)) return diag.error(f->getLocation(), Hel::parameter_pack, f->getQualifiedNameAsString());
      Diagnostics own(ci_.getDiagnostics());
      FunctionLowering lowering(ctx, text, own, f, device);
      lowering.on_nested([&](lowering::ir::Function& inner) { return finish(inner, f, own, false); });
      std::optional<lowering::ir::Function> fn = lowering.run();
      if (!fn) return;
      const std::string code = finish(*fn, f, diag, device);
      if (code.empty()) return;
      if (f == any)
        for (const FunctionLowering::NamedParameter& p : lowering.named_parameters()) {
          if (p.at.isMacroID()) return diag.error(p.at, Hel::in_macro, "a parameter without a name");
          const unsigned at = sm.getFileOffset(p.at);
          edits.push_back({at, at, " " + p.name});
        }
      if (std::any_of(variants.begin(), variants.end(), [&](const auto& v) { return v.second == code; })) {
        // The same text does for both: its condition must not exclude one of them.
        for (auto& v : variants)
          if (v.second == code) {
            const auto condition = instantiation_condition(f, ctx);
            v.first = v.first.empty() || !condition ? "" : "(" + v.first + ") || (" + *condition + ")";
          }
        continue;
      }
      const auto condition = group.instances.size() > 1 ? instantiation_condition(f, ctx) : std::optional<std::string>("");
      conditions &= condition.has_value();
      variants.push_back({condition.value_or(""), code});
    }
    std::string code;
    if (variants.empty()) {
      const auto empty = uninstantiated_body(any);
      if (!empty) return diag.error(any->getLocation(), Hel::coroutine_template, any->getQualifiedNameAsString());
      ++result_.coroutines;
      code = *empty;
    } else if (variants.size() == 1) {
      code = variants[0].second;
    } else {
      // One without a condition can only be the last.
      std::stable_partition(variants.begin(), variants.end(), [](const auto& v) { return !v.first.empty(); });
      if (variants[variants.size() - 2].first.empty()) return diag.error(any->getLocation(), Hel::coroutine_template, any->getQualifiedNameAsString());
      code = "{\n";
      for (std::size_t i = 0; i < variants.size(); ++i) {
        if (options_.lines) code += std::string(lowering::here_directive) + "\n";
        if (i) code += "  else\n";
        if (i + 1 < variants.size()) code += "  if constexpr (" + variants[i].first + ")\n";
        code += variants[i].second + "\n";
      }
      code += "}";
    }
    if (options_.lines) code += "\n#line " + std::to_string(sm.getPresumedLineNumber(braces.getEnd())) + " " + lowering::quoted(options_.file) + "\n";
    const unsigned last = Lexer::MeasureTokenLength(braces.getEnd(), sm, ctx.getLangOpts());  // `%>` is a brace, too
    edits.push_back({sm.getFileOffset(braces.getBegin()), sm.getFileOffset(braces.getEnd()) + last, std::move(code)});
  }

  // Places, verifies and emits one coroutine.
  lowering::ir::Text finish(lowering::ir::Function& fn, const FunctionDecl* f, Diagnostics& diag, bool device) {
    lowering::place_slots(fn);
    if (options_.dump_ir) result_.ir += lowering::ir::print(fn);
    // A promise's own operator new is not told of an alignment.
    for (const lowering::ir::Slot& s : fn.slots)
      if (fn.own_allocation && s.storage == lowering::ir::Storage::frame && s.form == lowering::ir::Form::object &&
          std::max(s.align, s.alignas_) > __STDCPP_DEFAULT_NEW_ALIGNMENT__) {
        diag.error(f->getLocation(), Hel::over_aligned, s.spelling.empty() ? s.display : s.spelling);
        return {};
      }
    const std::vector<std::string> faults = lowering::ir::verify(fn);
    if (!faults.empty()) {
      std::string all = fn.name;
      for (const std::string& s : faults) all += "; " + s;
      diag.error(f->getLocation(), Hel::inconsistent, all);
      return {};
    }
    lowering::EmitOptions emit;
    emit.file = options_.file;
    emit.lines = options_.lines;
    emit.cuda = options_.cuda;
    ++result_.coroutines;
    if (device) emit.type_id = ++device_types_;
    result_.frames += lowering::describe_frame(fn);
    return lowering::emit(fn, emit);
  }

  // Where the declaration begins, attributes and all: after the last `;` or `}` before it.
  unsigned start_of(const SourceText& text, const SourceManager& sm, const Decl* top) const {
    unsigned t = text.tokens(sm.getExpansionRange(top->getSourceRange()).getAsRange()).begin;
    if (const auto r = text.tokens(top->getSourceRange()); !r.empty()) t = r.begin;
    while (t > 0 && text.kind(t - 1) != tok::semi && text.kind(t - 1) != tok::r_brace && text.file(t - 1) == text.file(t)) --t;
    return text.offset(t);
  }

  void assemble(const SourceManager& sm, std::vector<Edit> edits, unsigned include_at) {
    const StringRef source = sm.getBufferData(sm.getMainFileID());
    if (include_at != ~0u) {
      std::string include = "#include \"hel/abi/lowered.hpp\"\n";
      const unsigned line = sm.getLineNumber(sm.getMainFileID(), include_at);
      if (options_.cuda) include += "#include \"hel/abi/device.hpp\"\nnamespace {\nstruct hel_unit;\n}\n";
      if (options_.lines) include += "#line " + std::to_string(line) + " " + lowering::quoted(options_.file) + "\n";
      if (include_at > 0 && source[include_at - 1] != '\n') include = "\n" + include;
      edits.push_back({include_at, include_at, include});
    }
    std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.begin < b.begin; });
    std::string out;
    unsigned at = 0;
    for (const Edit& e : edits) {
      out += source.substr(at, e.begin - at);
      out += e.text;
      at = e.end;
    }
    out += source.substr(at);
    if (options_.cuda && device_types_) {
      if (!out.ends_with('\n')) out += '\n';
      if (options_.lines) out += std::string(lowering::here_directive) + "\n";
      out += "#if defined(__CUDACC__)\n" + lowering::emit_device_switch(device_types_, options_.unit) + "#endif\n";
    }
    if (include_at != ~0u) name_operators(out);
    // Generated lines name the output file.
    std::string numbered;
    unsigned line = 1;
    for (std::size_t p = 0; p < out.size();) {
      std::size_t nl = out.find('\n', p);
      if (nl == std::string::npos) nl = out.size() - 1;
      const StringRef l(out.data() + p, nl + 1 - p);
      if (l.rtrim() == lowering::here_directive)
        numbered += "#line " + std::to_string(line + 1) + " " + lowering::quoted(options_.output_name) + "\n";
      else
        numbered += l;
      ++line;
      p = nl + 1;
    }
    result_.text = std::move(numbered);
  }

  // `operator co_await` is no name without coroutine support: see HEL_CO_AWAIT.
  static void name_operators(std::string& out) {
    std::string named;
    std::size_t copied = 0;
    for_each_operator(out, [&](std::size_t at) {
      named += out.substr(copied, at - copied) + "HEL_CO_AWAIT";
      copied = at + std::string_view("co_await").size();
    });
    if (copied) out = named + out.substr(copied);
  }

  template <class F>
  static void for_each_operator(StringRef text, F each) {
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

  CompilerInstance& ci_;
  const LowerOptions& options_;
  Lowered& result_;
  std::unique_ptr<syntax::TokenCollector> collector_;
  unsigned device_types_ = 0;
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
  Printer printer(llvm::errs(), diagnostic_options);
#else
  llvm::IntrusiveRefCntPtr<DiagnosticOptions> diagnostic_options(new DiagnosticOptions());
  diagnostic_options->ShowColors = llvm::errs().has_colors();
  Printer printer(llvm::errs(), diagnostic_options.get());
#endif
  tooling::ToolInvocation invocation(args, std::make_unique<Action>(options, result), files.get());
  invocation.setDiagnosticConsumer(&printer);
  if (!invocation.run()) result.ok = false;
  return result;
}

}  // namespace hel::frontend
