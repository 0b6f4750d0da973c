// Makes one CUDA source of many lowering cases: each in a namespace of its own, its functions for host and device, its
// coroutines tasks.
//
//   annotate_cases OUT.cpp OUT.skipped RESOURCE_DIR CASE.cpp...
//
// A case says nothing of execution spaces; what an author would write is put in: HEL_TASK before a coroutine, HEL_HD
// before any other function, __device__ before a variable with static storage. A function that resumes a handle stays
// with the host, and a handle is destroyed through case_destroy(), as on a device there is no pointer to call. What is
// printed goes to a variable: printf's arguments are on the stack of who calls it. main() becomes run(): it says what templates are instantiated with. What cannot stand in a namespace is skipped, with the reason.
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "frontend/clang.hpp"

using namespace clang;

namespace {

struct Case {
  std::string name, text, skipped;
  std::set<std::string> includes;
  std::map<unsigned, std::pair<unsigned, std::string>> edits;           // offset: length, text
  std::map<unsigned, std::pair<unsigned, std::string>> shared_edits;    // of case.hpp
  std::string shared_text;
};

bool handle_call(const CXXMemberCallExpr* e, StringRef& name) {
  const CXXMethodDecl* m = e->getMethodDecl();
  if (!m || !m->getParent()->isInStdNamespace() || m->getParent()->getName() != "coroutine_handle") return false;
  name = m->getIdentifier() ? m->getName() : "operator()";
  return true;
}

// A function that only the host can run.
struct Resumes : RecursiveASTVisitor<Resumes> {
  bool found = false;
  bool VisitCallExpr(CallExpr* e) {
    if (const auto* m = dyn_cast<CXXMemberCallExpr>(e)) {
      StringRef name;
      if (handle_call(m, name)) found |= name == "resume" || name == "done";
      // The cases' own names for a function that does.
      if (const auto* d = dyn_cast_or_null<NamedDecl>(m->getMethodDecl()); d && d->getIdentifier()) found |= d->getName() == "step" || d->getName() == "run";
    }
    // In a template the handle's type may depend on a parameter.
    if (const auto* d = dyn_cast<CXXDependentScopeMemberExpr>(e->getCallee())) {
      const std::string member = d->getMember().getAsString();
      found |= member == "resume" || member == "done" || member == "step" || member == "run";
    }
    return true;
  }
};

class Annotate : public RecursiveASTVisitor<Annotate> {
 public:
  Annotate(ASTContext& ctx, Case& out) : context_(ctx), sm_(ctx.getSourceManager()), out_(out) {}

  bool TraverseFunctionDecl(FunctionDecl* f) { return within(f, [&] { return RecursiveASTVisitor::TraverseFunctionDecl(f); }); }
  bool TraverseCXXMethodDecl(CXXMethodDecl* f) { return within(f, [&] { return RecursiveASTVisitor::TraverseCXXMethodDecl(f); }); }

  bool VisitFunctionDecl(FunctionDecl* f) {
    if (f->isImplicit() || f->isDefaulted() || f->isDeleted() || isa<CXXDeductionGuideDecl>(f)) return true;
    if (const auto* m = dyn_cast<CXXMethodDecl>(f); m && m->getParent()->isLambda()) return true;
    if (f->isMain()) return edit(f->getLocation(), 4, "run");
    const FunctionDecl* definition = f->getDefinition() ? f->getDefinition() : f;
    const bool coroutine = isa_and_nonnull<CoroutineBodyStmt>(definition->getBody());
    if (!coroutine && definition->getBody()) {
      Resumes finder;
      finder.TraverseStmt(definition->getBody());
      if (finder.found) return true;
    }
    return edit(f->getInnerLocStart(), 0, coroutine ? "HEL_TASK " : "HEL_HD ");
  }

  bool VisitVarDecl(VarDecl* v) {
    if (!v->hasGlobalStorage() || v->isStaticLocal() || v->isConstexpr() || isa<ParmVarDecl>(v)) return true;
    if (v->getTSCSpec() != TSCS_unspecified && v->isFileVarDecl()) {
      out_.skipped = "thread_local variable";
      return true;
    }
    if (v->getType().isConstQualified() && v->hasInit() && v->getType()->isIntegralOrEnumerationType()) return true;
    // A static member cannot be in device memory, but a function's static can.
    if (v->isStaticDataMember()) {
      const std::string type = v->getType().getAsString(PrintingPolicy(context_.getLangOpts()));
      edit(v->getInnerLocStart(), sm_.getFileOffset(v->getLocation()) - sm_.getFileOffset(v->getInnerLocStart()), "HEL_HD static " + type + "& ");
      const unsigned length = static_cast<unsigned>(v->getName().size());
      const SourceLocation end = v->getEndLoc();
      std::string init = Lexer::getSourceText(CharSourceRange::getTokenRange(v->getLocation(), end), sm_, LangOptions()).substr(length).str();
      edit(v->getLocation().getLocWithOffset(static_cast<int>(length)), static_cast<unsigned>(init.size()), "() { static " + type + " value" + init + "; return value; }");
      return true;
    }
    return edit(v->getInnerLocStart(), 0, "CASE_GLOBAL ");
  }
  bool VisitDeclRefExpr(DeclRefExpr* e) {
    if (const auto* f = dyn_cast<FunctionDecl>(e->getDecl()); f && f->getIdentifier() && f->getName() == "printf") {
      const unsigned begin = sm_.getFileOffset(e->getBeginLoc());
      return edit(e->getBeginLoc(), sm_.getFileOffset(e->getLocation()) + 6 - begin, "case_print");
    }
    return use(e->getDecl(), e->getLocation());
  }
  bool VisitMemberExpr(MemberExpr* e) { return use(e->getMemberDecl(), e->getMemberLoc()); }

  bool VisitCXXMemberCallExpr(CXXMemberCallExpr* e) {
    StringRef name;
    if (coroutine_ || !handle_call(e, name) || name != "destroy") return true;
    const SourceLocation begin = e->getImplicitObjectArgument()->getBeginLoc(), dot = cast<MemberExpr>(e->getCallee())->getOperatorLoc();
    edit(begin, 0, "case_destroy(");
    return edit(dot, sm_.getFileOffset(e->getRParenLoc()) + 1 - sm_.getFileOffset(dot), ")");
  }
  // In a template.
  bool VisitCallExpr(CallExpr* e) {
    const auto* d = dyn_cast<CXXDependentScopeMemberExpr>(e->getCallee());
    if (coroutine_ || !d || d->isImplicitAccess() || d->getMember().getAsString() != "destroy") return true;
    edit(d->getBase()->getBeginLoc(), 0, "case_destroy(");
    return edit(d->getOperatorLoc(), sm_.getFileOffset(e->getRParenLoc()) + 1 - sm_.getFileOffset(d->getOperatorLoc()), ")");
  }

  bool VisitNamespaceDecl(NamespaceDecl* n) {
    if (sm_.isInMainFile(n->getLocation()) && n->getName() == "std") out_.skipped = "specialises a template of namespace std";
    return true;
  }

 private:
  template <class F>
  bool within(FunctionDecl* f, F traverse) {
    const bool before = coroutine_;
    coroutine_ = isa_and_nonnull<CoroutineBodyStmt>(f->getBody());
    const bool ok = traverse();
    coroutine_ = before;
    return ok;
  }
  bool use(const ValueDecl* d, SourceLocation at) {
    const auto* v = dyn_cast<VarDecl>(d);
    if (!v || !v->isStaticDataMember() || v->isConstexpr() || sm_.isInSystemHeader(v->getLocation())) return true;
    if (v->getType().isConstQualified() && v->getType()->isIntegralOrEnumerationType()) return true;
    return edit(at.getLocWithOffset(static_cast<int>(v->getName().size())), 0, "()");
  }
  bool edit(SourceLocation at, unsigned length, const std::string& text) {
    if (at.isMacroID()) {
      out_.skipped = "a function or variable from a macro";
      return true;
    }
    const bool shared = sm_.getFilename(at).ends_with("/case.hpp");
    if (!shared && !sm_.isInMainFile(at)) return true;
    if (shared) out_.shared_text = sm_.getBufferData(sm_.getFileID(at)).str();
    (shared ? out_.shared_edits : out_.edits)[sm_.getFileOffset(at)] = {length, text};
    return true;
  }

  const ASTContext& context_;
  const SourceManager& sm_;
  Case& out_;
  bool coroutine_ = false;
};

class Consumer : public ASTConsumer {
 public:
  explicit Consumer(Case& out) : out_(out) {}
  void HandleTranslationUnit(ASTContext& ctx) override {
    if (ctx.getDiagnostics().hasErrorOccurred()) return;
    const SourceManager& sm = ctx.getSourceManager();
    Annotate visitor(ctx, out_);
    for (Decl* d : ctx.getTranslationUnitDecl()->decls())
      if (d->getLocation().isValid() && !sm.isInSystemHeader(sm.getExpansionLoc(d->getLocation()))) visitor.TraverseDecl(d);
  }

 private:
  Case& out_;
};

class Action : public ASTFrontendAction {
 public:
  explicit Action(Case& out) : out_(out) {}
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance&, StringRef) override { return std::make_unique<Consumer>(out_); }

 private:
  Case& out_;
};

std::string edited(const std::string& text, const std::map<unsigned, std::pair<unsigned, std::string>>& edits) {
  std::string out;
  unsigned at = 0;
  for (const auto& [offset, change] : edits) {
    if (offset < at) continue;
    out += text.substr(at, offset - at) + change.second;
    at = offset + change.first;
  }
  return out + text.substr(at);
}

// The text without its #include lines, which are collected; what it defines is undefined at the end.
std::string body(const std::string& text, std::set<std::string>& includes) {
  std::istringstream in(text);
  std::string out, undefine;
  for (std::string line; std::getline(in, line);) {
    std::string word, name;
    if (const std::size_t hash = line.find_first_not_of(" \t"); hash != std::string::npos && line[hash] == '#') {
      std::istringstream words(line.substr(hash + 1));
      words >> word >> name;
    }
    if (word == "include") {
      if (name.starts_with("<")) includes.insert(line);
      line.clear();
    } else if (word == "define") {
      undefine += "#undef " + name.substr(0, name.find('(')) + "\n";
    } else if (word == "pragma" && name == "once") {
      line.clear();
    }
    out += line + "\n";
  }
  return out + undefine;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  std::set<std::string> includes;
  std::string shared, all, skipped;
  for (int i = 4; i < argc; ++i) {
    const std::string file = argv[i];
    Case c;
    c.name = file.substr(file.rfind('/') + 1);
    c.name = c.name.substr(0, c.name.rfind('.'));
    std::ifstream in(file, std::ios::binary);
    c.text.assign(std::istreambuf_iterator<char>(in), {});
    llvm::IntrusiveRefCntPtr<FileManager> files(new FileManager(FileSystemOptions()));
    tooling::ToolInvocation invocation({"annotate_cases", "-fsyntax-only", "-std=c++20", "-w", std::string("-resource-dir=") + argv[3], file}, std::make_unique<Action>(c), files.get());
    if (!invocation.run()) c.skipped = "does not compile as it is";
    if (c.text.find('\r') != std::string::npos) c.skipped = "CR LF";
    if (!c.skipped.empty()) {
      skipped += c.name + " " + c.skipped + "\n";
      continue;
    }
    if (shared.empty() && !c.shared_text.empty()) shared = body(edited(c.shared_text, c.shared_edits), includes);
    std::string name = c.name;
    for (char& x : name)
      if (!std::isalnum(static_cast<unsigned char>(x))) x = '_';
    all += "namespace case_" + name + " {\n#line 1 \"" + c.name + ".cpp\"\n" + body(edited(c.text, c.edits), includes) + "}\n";
  }
  includes.insert({"#include <cstdio>", "#include <type_traits>"});
  std::string head = "#include <hel/annotate.hpp>\n";
  for (const std::string& i : includes) head += i + "\n";
  head +=
      "#if defined(__CUDACC__) && !defined(__HEL_LOWER__)\n"
      "#define CASE_GLOBAL __device__\n"
      "#else\n"
      "#define CASE_GLOBAL\n"
      "#endif\n"
      "#line 1 \"case_destroy\"\n"
      "CASE_GLOBAL static void* case_destroyed;  // a device would put it on a list\n"
      "template <class Handle> HEL_HD void case_destroy(Handle h) {\n"
      "#if defined(__CUDA_ARCH__)\n"
      "  case_destroyed = h.address();\n"
      "#else\n"
      "  h.destroy();\n"
      "#endif\n"
      "}\n"
      "template <class T> HEL_HD unsigned long long case_bits(T v) {\n"
      "  if constexpr (std::is_pointer_v<T>)\n"
      "    return reinterpret_cast<unsigned long long>(v);\n"
      "  else\n"
      "    return static_cast<unsigned long long>(v);\n"
      "}\n"
      "CASE_GLOBAL static volatile unsigned long long case_printed;\n"
      "template <class... T> HEL_HD void case_print(T... values) {\n"
      "#if defined(__CUDA_ARCH__)\n"
      "  ((case_printed = case_bits(values)), ...);\n"
      "#else\n"
      "  std::printf(values...);\n"
      "#endif\n"
      "}\n";
  std::ofstream(argv[1], std::ios::binary) << head << "#line 1 \"case.hpp\"\n" << shared << all;
  std::ofstream(argv[2], std::ios::binary) << skipped;
  return 0;
}
