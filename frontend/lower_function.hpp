// Builds the IR of one coroutine from its AST ([dcl.fct.def.coroutine], [expr.await]).
//
// Statements without a suspension stay text. Everything else is flattened: statements into blocks, expressions in
// evaluation order, each prvalue built in its destination. What is evaluated before a suspension is kept in slots;
// what follows the last suspension of a full-expression stays as the user wrote it.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "frontend/clang.hpp"
#include "frontend/diagnostics.hpp"
#include "frontend/packs.hpp"
#include "frontend/scan.hpp"
#include "frontend/source_text.hpp"
#include "frontend/type_text.hpp"
#include "lowering/ir/builder.hpp"

namespace hel::frontend {

namespace ir = lowering::ir;

// The braces of a coroutine; for a function-try-block, from `try` to the last handler's brace.
clang::SourceRange body_range(const clang::CoroutineBodyStmt* s);

class FunctionLowering {
 public:
  // `pattern`: of a template's instantiation, or null.
  FunctionLowering(clang::ASTContext& ctx, const SourceText& text, Diagnostics& diag, const clang::FunctionDecl* fd, const clang::FunctionDecl* pattern,
                   bool device, FunctionLowering* outer = nullptr);
  // Nothing when a diagnostic was given.
  std::optional<ir::Function> run();
  // How a coroutine inside this coroutine becomes text; set by the owner. Empty text: a diagnostic was given. `here` comes
  // before lines of hel-lower's own.
  using Finish = std::function<ir::Text(ir::Function&, const clang::FunctionDecl*)>;
  void on_nested(Finish finish, std::string here) {
    finish_ = std::move(finish);
    here_ = std::move(here);
  }
  // Says nothing of a type without a name that another instantiation might not share: size, triviality, what it is.
  void same_for_all() { same_for_all_ = true; }
  // Parameters without a name get one, for the ramp: where it must be inserted.
  struct NamedParameter {
    clang::SourceLocation at;
    std::string name;
  };
  const std::vector<NamedParameter>& named_parameters() const { return named_; }

 private:
  friend class Substituter;

  // lower_nested.cpp: the text of a coroutine inside this one, a lambda or a member of a local class, whole body; `self`: what
  // `this` is called in a lambda's, out here.
  ir::Text nested(const clang::LambdaExpr* l, std::vector<Replacement>& names, const ir::Text& self);
  ir::Text nested(const clang::FunctionDecl* f, const clang::FunctionDecl* pattern, std::vector<Replacement>* names, const ir::Text& self);

  // The object that a prvalue is built in.
  struct Destination {
    ir::SlotId slot;
    ir::Text place, type;  // a part of the slot
  };
  // An element of an aggregate that is built in place.
  struct Element {
    ir::SlotId slot = ir::none;
    ir::Text whole, place;  // the aggregate and the element, as lvalues
    clang::QualType type;
    const clang::FieldDecl* field = nullptr;
    bool base = false;
    clang::SourceLocation at;  // of the aggregate's list
  };
  // Where break and continue of the innermost flattened statements go.
  struct Target {
    ir::BlockId block;
    ir::CleanupId depth;
  };
  struct Position {
    std::uint32_t region = 0;
    std::size_t slots = 0;  // how many there are before it
  };
  struct Label {
    ir::BlockId block = ir::none;
    ir::CleanupId depth = ir::none;
    Position where;
  };
  struct Jump {
    ir::BlockId from;
    Position where;
    const clang::LabelDecl* to;
    clang::SourceLocation at;
  };
  // A list of operands: which may be left as text is decided from this.
  struct Operand {
    const clang::Expr* e;
    bool by_value = false;  // it initialises an object: a spilled class prvalue is moved once more
    const clang::CXXDefaultArgExpr* by_default = nullptr;  // nobody wrote it at the call
  };

  // lower_packs.cpp: elements of packs are variables with names of their own
  void find_packs();
  void use_empty_packs();
  // Of a parameter or capture: what the ramp calls it, if it is an element of a pack.
  std::optional<std::string> ramp_element(const clang::VarDecl* v, const clang::CXXRecordDecl* closure) const;
  bool is_element(unsigned declaring_token) const;
  std::optional<std::size_t> element_count(unsigned declaring_token) const;
  std::size_t pack_size(const clang::TemplateTypeParmDecl* parameter) const;
  const std::string* pack_name(const clang::VarDecl* v);
  SourceText::Range range(const clang::Stmt* s, SourceText::Range inside = {}) const;

  // lower_function.cpp: the frame of the coroutine and its protocol
  void check_signature();
  void parameters();
  void captures();
  void copied_self(clang::QualType t, bool constant);
  void captured_binding(const clang::BindingDecl* b, const clang::LambdaCapture& c, bool constant);
  void promise();
  void initial_suspend();
  void final_suspend();
  std::string unique_name(const std::string& wish);
  std::string numbered(const std::string& name, unsigned number) const;
  // A slot whose type cannot be spelled gets its type from what it is built from, in into() or build().
  ir::SlotId slot_of_type(clang::QualType t, ir::Origin origin, const std::string& name, const clang::Expr* for_expr);
  ir::SlotId object_slot(clang::QualType t, ir::Origin origin, const std::string& name, const clang::Expr* for_expr);
  void describe_type(ir::Slot& s, clang::QualType t) const;
  ir::Text type_name(clang::QualType t, clang::SourceLocation at, const std::string& what);
  ir::Text declared_type(const clang::VarDecl* v, clang::SourceLocation at);
  ir::Text type_of(const ir::Text& expression, const std::string& trait);
  ir::Text made_type(const ir::Text& expression, ir::Text& call);
  bool trivially_destroyed(clang::QualType t) const;
  ir::SourceLine line(clang::SourceLocation l) const;
  ir::CleanupId push_cleanup(ir::SlotId s);

  // lower_statement.cpp
  void statement(const clang::Stmt* s);
  void compound(const clang::CompoundStmt* s);
  void opaque(const clang::Stmt* first, const clang::Stmt* last, bool braces);
  void if_statement(const clang::IfStmt* s);
  void while_statement(const clang::WhileStmt* s);
  void do_statement(const clang::DoStmt* s);
  void for_statement(const clang::ForStmt* s);
  void range_for(const clang::CXXForRangeStmt* s);
  void switch_statement(const clang::SwitchStmt* s);
  void switch_case(const clang::SwitchCase* s);
  void try_statement(const clang::CXXTryStmt* s);
  void decomposition(const clang::DecompositionDecl* d, ir::SlotId slot);
  void return_statement(const clang::CoreturnStmt* s);
  void go_to(const clang::LabelDecl* to, clang::SourceLocation at);
  ir::BlockId goto_block(const clang::LabelDecl* to, clang::SourceLocation at);
  void resolve_jumps();
  void enter_scope(const Label& to, const Position& from, clang::SourceLocation at);
  Position position() const { return {b_.region(), fn_.slots.size()}; }
  void condition(const clang::Expr* e, ir::BlockId yes, ir::BlockId no);
  void full_expression(const clang::Expr* e);
  void scoped(const std::function<void()>& inside);
  unsigned end_with_semicolon(unsigned end) const;

  // lower_declaration.cpp
  void declaration(const clang::DeclStmt* s);
  void variable(const clang::VarDecl* v);
  void initialise(const clang::VarDecl* v, ir::SlotId slot);
  void settle(ir::CleanupId depth);
  bool constant(const clang::VarDecl* v) const;
  bool constantly_initialised(const clang::VarDecl* v) const;
  void check_statics(const clang::Stmt* s, const clang::Decl* d);
  void hoist(const clang::DeclStmt* s, const char* prefix);
  void name_types(const clang::DeclStmt* s);
  ir::SlotId declare(const clang::VarDecl* v);
  std::string found_by_arguments(const std::string& name) const;

  // lower_expression.cpp
  bool must_decompose(const clang::Expr* e) const;
  ir::Text value(const clang::Expr* e);
  ir::Text decompose(const clang::Expr* e);
  static const clang::Expr* arrow_operand(const clang::Expr* e);
  ir::Text operands(const clang::Expr* whole, std::vector<Operand> list, bool ordered);
  ir::Text spill(const Operand& o);
  bool stable(const clang::Expr* e) const;
  ir::SlotId flag_slot();
  void discard(const clang::Expr* e);
  void into(const clang::Expr* e, const Destination& d, ir::Init braces_of_variable = ir::Init::none);
  ir::Text written_type(const Destination& d) const;
  void build(const Destination& d, ir::Init init, ir::Text text, bool aggregate = false);
  void make_whole(ir::CleanupId depth, const std::vector<ir::CleanupId>& parts);
  void begin_at_branch(ir::SlotId s);
  ir::Text materialise(const clang::MaterializeTemporaryExpr* e, bool in_slot = false);
  bool ends_initializer(const clang::Expr* e) const;
  ir::Text conditional(const clang::AbstractConditionalOperator* e, bool read = false);
  ir::Text logical(const clang::BinaryOperator* e);
  void arms(const ir::Text& condition, const std::function<void()>& yes, const std::function<void()>& no);
  void arms(const clang::Expr* condition, const std::function<void()>& yes, const std::function<void()>& no);
  std::optional<ir::Text> default_member(const clang::CXXDefaultInitExpr* e, const ir::Text& whole);
  void throw_arm(const clang::Expr* e);
  void elements(const clang::Expr* e, std::vector<Operand>& list) const;
  void push_temporary(ir::SlotId s);
  ir::Text temporary_value(ir::SlotId s, const clang::Expr* e) const;
  ir::Text plain(const clang::Expr* e);
  ir::Text plain(SourceText::Range r, const clang::Stmt* in, std::vector<Replacement> extra = {}, std::map<const Packs::Expansion*, std::vector<ir::Text>> given = {});

  // lower_default_argument.cpp
  bool must_write(const clang::CXXDefaultArgExpr* e) const;
  void arguments(std::vector<Operand>& list, clang::CallExpr::const_arg_range all) const;
  ir::Text default_argument(const Operand& o, bool last);
  ir::Text default_arguments(const clang::CXXConstructExpr* e);
  ir::Text conversion(const clang::CXXConstructExpr* e);
  bool add_arguments(const clang::Expr* call, const std::vector<ir::Text>& by_default,
                     std::vector<Replacement>& replacements) const;
  bool names_function(const clang::CXXDefaultArgExpr* e) const;
  ir::Text source_location(clang::SourceLocation at);

  // lower_new.cpp
  ir::Text new_expression(const clang::CXXNewExpr* e);

  // lower_aggregate.cpp
  bool has_parts(const clang::Expr* e) const;
  bool needs_parts(const clang::Expr* e) const;
  bool build_parts(const clang::Expr* list, const Destination& d);
  ir::Text braced(const clang::InitListExpr* list, ir::Text text) const;
  void build_elements(const clang::Expr* list, ir::SlotId slot, const ir::Text& whole, std::vector<ir::CleanupId>& parts);
  void build_element(const clang::Expr* x, const Element& e, std::vector<ir::CleanupId>& parts);
  void cover(const Element& e, std::vector<ir::CleanupId>& parts);

  // lower_await.cpp
  ir::Text await(const clang::CoroutineSuspendExpr* e, ir::AwaitKind kind);
  bool synthetic(const clang::CallExpr* e) const;
  ir::Text synthetic_call(const clang::CallExpr* e);
  ir::Suspends suspend_kind(const clang::CoroutineSuspendExpr* e) const;
  bool releases_frame(clang::QualType awaiter) const;
  bool is_promise(const clang::Expr* e) const;

  clang::ASTContext& ctx_;
  FunctionLowering* outer_;  // of a lambda inside another coroutine
  const SourceText& text_;
  Diagnostics& diag_;
  const clang::FunctionDecl* fd_;
  const clang::FunctionDecl* pattern_;
  const clang::CoroutineBodyStmt* body_;
  Packs own_packs_;
  const Packs* packs_;  // of the outermost coroutine's text
  std::map<unsigned, std::size_t> element_counts_;  // of packs, by the token that declares each
  std::map<const clang::VarDecl*, std::string> pack_names_;
  std::map<unsigned, std::string> unnamed_packs_;  // of parameters, by the token where the name goes
  Scan scan_;
  ir::Function fn_;
  ir::Builder b_;
  llvm::DenseMap<const clang::VarDecl*, ir::SlotId> slots_;
  llvm::DenseSet<const clang::VarDecl*> constant_captures_;  // in the closure, whatever they are declared as
  LocalNames local_names_;  // types of the body that have moved to the ramp under another name
  llvm::DenseMap<const clang::BindingDecl*, ir::Text> bindings_;
  llvm::DenseMap<const clang::VarDecl*, std::string> renamed_;  // static locals and constants
  llvm::DenseSet<const clang::VarDecl*> body_statics_;          // static locals that only the body sees
  std::set<std::string> names_;
  std::map<const clang::LabelDecl*, Label> labels_;
  std::vector<Jump> jumps_;
  std::vector<Target> breaks_, continues_;
  std::map<const clang::SwitchCase*, Label> cases_;
  std::vector<NamedParameter> named_;
  std::vector<ir::BlockId>* exits_ = nullptr;  // of the opaque statement that is being written
  std::vector<ir::CleanupId> kept_;            // cleanups of the scope, pushed inside the current full-expression
  const clang::VarDecl* extending_ = nullptr;  // the variable that is being initialised
  std::uint32_t scope_region_ = 0;
  Finish finish_;
  std::string here_;
  std::map<std::string, ir::Text> outer_names_;  // placeholders in a nested lambda's text: what they mean out here
  ir::Text outer_self_;  // what `this` of a lambda inside another coroutine means out here
  const clang::CXXDefaultArgExpr* elsewhere_ = nullptr;  // whose text is being moved to a call
  std::map<unsigned, std::string> locations_;            // by line: what std::source_location::current() gives there
  bool same_for_all_ = false;
  bool hoist_ = false;        // temporaries must live in slots: what is evaluated now is not the end of the expression
  unsigned conditional_ = 0;  // inside ?: && ||: temporaries need a flag
  ir::BlockId flags_at_ = ir::none;  // where flags are cleared
  unsigned types_ = 0, makers_ = 0, temporaries_ = 0;
};

}  // namespace hel::frontend
