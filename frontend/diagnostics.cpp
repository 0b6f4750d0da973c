#include "frontend/diagnostics.hpp"

namespace hel::frontend {
namespace {

struct Entry {
  Hel number;
  const char* message;
  const char* note;  // what to write instead
};

constexpr Entry entries[] = {
    {Hel::coroutine_template, "the instantiations of the coroutine template '%0' cannot be told apart by name",
     "give its template parameters names, and its arguments types with names"},
    {Hel::parameter_pack, "this expansion of a parameter pack is not lowered",
     "expand it outside of the lambda, or in a function of its own"},
    {Hel::await_in_static, "a suspension in the initializer of a static or thread_local variable",
     "the initialization would be left half done while suspended: await into a local variable first"},
    {Hel::statement_expression, "a suspension inside a GNU statement expression is not lowered",
     "await in a statement of its own"},
    {Hel::structured_binding, "this use of a structured binding is not lowered",
     "capture it by name, or use the object's members or std::get"},
    {Hel::nested_in_template, "a coroutine inside a generic lambda or a member template, inside another coroutine, is not lowered",
     "let it be no template, or move it out of the coroutine"},
    {Hel::unsupported_expression, "a suspension inside this kind of expression is not lowered: %0",
     "await into a local variable first"},
    {Hel::unspeakable_type, "the type of '%0' has no name that the frame could use",
     "give the type a name, or move its definition out of the coroutine"},
    {Hel::alloca_call, "alloca in a coroutine: its memory is gone after the next suspension",
     "use an array or a container"},
    {Hel::immovable_argument, "an argument of the non-movable type %0 is built before a suspension in the same call",
     "evaluate the suspension before the call"},
    {Hel::default_member_initializer, "%0 in an aggregate beside a suspension is not lowered",
     "await into a local variable first, or initialize every member"},
    {Hel::unsupported_statement, "a suspension inside this kind of statement is not lowered: %0",
     "write it with if, while or for"},
    {Hel::c_variadic, "a coroutine with C-style variadic arguments",
     "the standard makes no copy of them: pass a span or a container"},
    {Hel::jump_into_scope, "a jump into the scope of '%0', which is kept in the frame",
     "declare the variable before the jump"},
    {Hel::bit_field_reference, "a bit-field operand before a suspension in the same expression is not lowered",
     "read it into a local variable first"},
    {Hel::dangling_reference_parameter,
     "parameter '%0' is a reference to a temporary that is gone when the coroutine is resumed",
     "take the parameter by value"},
    {Hel::default_argument_temporary,
     "the default argument of parameter '%0' makes a temporary that must outlive a later suspension, and cannot be "
     "written at the call",
     "pass the argument explicitly, or await in a statement of its own"},
    {Hel::over_aligned,
     "'%0' needs more alignment than the frame gets: the promise type's operator new is not told of it",
     "keep the object behind a pointer, or out of the scopes that suspend"},
    {Hel::static_named_in_type,
     "'%0', a static variable that is initialized at run time, in a lambda or a local class that the frame keeps",
     "name a local reference to it there instead, or move the variable out of the coroutine"},
    {Hel::variable_attribute, "a variable of a scope that suspends would lose %0",
     "use an object with a destructor, or a block without a suspension"},
    {Hel::in_macro, "the body of this coroutine comes from a macro: %0",
     "write the braces of the body in the file itself"},
    {Hel::reserved_name, "'%0': names that begin with hel_ are used by lowered code", "choose another name"},
    {Hel::in_header, "a coroutine in a header is not lowered: '%0'",
     "name its directory after --headers, or move its definition into the source file"},
    {Hel::header_include, "the lowered header cannot be put in the place of '%0': this #include cannot be changed",
     "name the header in an ordinary #include with quotes or brackets"},
    {Hel::header_twice, "the file of '%0' is included more than once, and the coroutine is not the same each time",
     "give the header an include guard, or write the coroutine into the source file"},
    {Hel::own_library_types, "std::%0 is declared by the program itself", "include <coroutine>: lowered code uses its types, or those that stand in for them"},
    {Hel::device_exceptions, "exceptions in a task that is lowered for the device",
     "return hel::fail(code), or annotate the task HEL_HOST_TASK"},
    {Hel::device_resume, "an explicit %0 of a coroutine handle in a task that is lowered for the device",
     "return the handle from await_suspend, or annotate the task HEL_HOST_TASK"},
    {Hel::device_eager_start,
     "a task that is lowered for the device must be started lazily: initial_suspend must return std::suspend_always",
     "use hel::task, or annotate the coroutine HEL_HOST_TASK"},
    {Hel::device_nested_host, "a coroutine that is for the host alone, inside a task that is lowered for the device",
     "annotate it HEL_TASK, or the task around it HEL_HOST_TASK"},
    {Hel::inconsistent, "internal: the lowered form of '%0' does not pass the verifier",
     "this is a fault of hel-lower; no output is written"},
};

}  // namespace

void Diagnostics::report(clang::DiagnosticsEngine::Level level, clang::SourceLocation at, Hel what,
                         const std::string& argument) {
  for (const Entry& e : entries) {
    if (e.number != what) continue;
    char number[16];
    std::snprintf(number, sizeof number, "HEL%04u", static_cast<unsigned>(what));
    const std::string text = std::string(e.message) + " [" + number + "]";
    engine_.Report(at, engine_.getDiagnosticIDs()->getCustomDiagID(level == clang::DiagnosticsEngine::Error
                                                                       ? clang::DiagnosticIDs::Error
                                                                       : clang::DiagnosticIDs::Warning,
                                                                   text))
        << argument;
    engine_.Report(at, engine_.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Note, e.note));
    return;
  }
}

void Diagnostics::error(clang::SourceLocation at, Hel what, const std::string& argument) {
  failed_ = true;
  if (!given_.insert({at.getRawEncoding(), what}).second) return;
  report(clang::DiagnosticsEngine::Error, at, what, argument);
}

void Diagnostics::warning(clang::SourceLocation at, Hel what, const std::string& argument) {
  report(clang::DiagnosticsEngine::Warning, at, what, argument);
}

}  // namespace hel::frontend
