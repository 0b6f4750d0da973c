#include "print.hpp"

namespace hel::fuzz {

namespace {

std::string list(const std::vector<Expr>& exprs, std::size_t first = 0, std::size_t count = std::string::npos) {
  std::string text;
  for (std::size_t i = first; i < exprs.size() && i - first < count; ++i) {
    text += (i == first ? "" : ", ") + to_string(exprs[i]);
  }
  return text;
}

std::string awaiter(int which) {
  constexpr const char* names[awaiter_count] = {"Pause", "Ready",   "Hold",    "Decline", "Self",
                                                "Hop",   "Fail<0>", "Fail<1>", "Fail<2>"};
  return names[which];
}

class Printer {
 public:
  std::string text;

  void coroutine(const Coroutine& c) {
    text += signature(c) + " {\n";
    ++depth_;
    statements(c.body);
    line("co_return " + to_string(c.result) + ";");
    --depth_;
    text += "}\n";
  }
  static std::string signature(const Coroutine& c) {
    const char* type = c.passing == Passing::value       ? "Trace"
                       : c.passing == Passing::reference ? "Trace&"
                                                         : "const Trace&";
    return "Job " + c.name + "(int a, " + type + " t)";
  }

 private:
  void line(const std::string& s) { text += std::string(static_cast<std::size_t>(depth_) * 2, ' ') + s + "\n"; }
  void open(const std::string& s) { line(s), ++depth_; }
  void close(const std::string& s = "}") { --depth_, line(s); }
  void statements(const Body& body) {
    for (const Stmt& s : body) statement(s);
  }
  void braces(const std::string& head, const Body& body, const std::string& tail = "}") {
    open(head.empty() ? "{" : head + " {");
    statements(body);
    close(tail);
  }

  void statement(const Stmt& s) {
    const auto e = [&](std::size_t i) { return to_string(s.exprs[i]); };
    const std::string limit = std::to_string(s.value);
    switch (s.kind) {
    case Kind::say: line("say(\"" + s.name + "\", " + e(0) + ");"); break;
    case Kind::discard: line("static_cast<void>(" + e(0) + ");"); break;
    case Kind::declare_int:
      line("int " + s.name + (s.style == 0 ? " = " + e(0) : s.style == 1 ? "{" + e(0) + "}" : "(" + e(0) + ")") + ";");
      break;
    case Kind::declare_trace:
      if (s.style == 1)
        line("Trace " + s.name + "((" + e(0) + "));");
      else if (s.style == 2)
        line("Trace " + s.name + "{" + e(0) + "};");
      else
        line((s.style == 0 ? "Trace " : s.style == 3 ? "auto " : "const Trace ") + s.name + " = " + e(0) + ";");
      break;
    case Kind::declare_relay: line("Trace " + s.name + " = relay(" + e(0) + ");"); break;
    case Kind::declare_ref:
      line((s.style == 0 ? "const Trace& " : s.style == 1 ? "Trace&& " : "Trace& ") + s.name + " = " + e(0) + ";");
      break;
    case Kind::declare_pair:
      line((s.style == 2 ? "const Pair " : "Pair ") + s.name + (s.style == 1 ? " = {" : "{") + list(s.exprs) + "};");
      break;
    case Kind::declare_array:
      line("Trace " + s.name + "[" + std::to_string(s.exprs.size()) + "]" + (s.style ? " = {" : "{") + list(s.exprs) +
           "};");
      break;
    case Kind::declare_ints:
      if (s.style)
        line("std::vector<int> " + s.name + "{" + list(s.exprs) + "};");
      else
        line("int " + s.name + "[] = {" + list(s.exprs) + "};");
      break;
    case Kind::declare_bindings:
      line(std::string(s.style == 0   ? "auto"
                       : s.style == 1 ? "auto&"
                                      : "const auto&") +
           " [" + s.names[0] + ", " + s.names[1] + ", " + s.names[2] +
           "] = " + (s.exprs.empty() ? s.name : "Pair{" + list(s.exprs) + "}") + ";");
      break;
    case Kind::declare_lambda: {
      std::string captures;
      for (const Capture& c : s.captures)
        captures += (captures.empty() ? "" : ", ") + std::string(c.by_reference ? "&" : "") + c.name;
      line("auto " + s.name + " = [" + captures + "](int x) { say(\"l\", x); return " + e(0) + " + 0; };");
      break;
    }
    case Kind::declare_job: line("Job " + s.name + " = " + s.target + "(" + list(s.exprs) + ");"); break;
    case Kind::assign_int: line(s.name + (s.style ? " += " : " = ") + e(0) + ";"); break;
    case Kind::assign_value: line(s.name + " = value_of(" + list(s.exprs) + ");"); break;
    case Kind::assign_element: line(s.name + "[at(" + e(0) + ", " + limit + ")] = " + e(1) + ";"); break;
    case Kind::assign_trace: line(s.name + " = " + e(0) + ";"); break;
    case Kind::if_: {
      std::string head;
      if (s.style == 1 || s.style == 3) head += "int " + s.names[0] + " = " + e(1) + "; ";
      head += s.style >= 2 ? "Check " + s.name + "{" + e(0) + ", " + to_string(s.exprs.back()) + "}" : e(0);
      braces("if (" + head + ")", s.bodies[0], s.bodies.size() > 1 ? "} else {" : "}");
      if (s.bodies.size() > 1) {
        ++depth_;
        statements(s.bodies[1]);
        close();
      }
      break;
    }
    case Kind::while_: {
      open("{ int " + s.name + " = 0;");
      const std::string again = s.name + "++ < " + limit;
      if (s.style == 1)
        braces("while (Check " + s.names[0] + "{" + e(0) + ", " + again + "})", s.bodies[0]);
      else
        braces("while (" + e(0) + ", " + again + ")", s.bodies[0]);
      close();
      break;
    }
    case Kind::do_while:
      open("{ int " + s.name + " = 0;");
      braces("do", s.bodies[0], "} while (" + e(0) + ", " + s.name + "++ < " + limit + ");");
      close();
      break;
    case Kind::for_:
      braces("for (int " + s.name + " = (" + e(0) + ", 0); " + e(1) + ", " + s.name + " < " + limit + "; ++" + s.name +
                 ", " + e(2) + ")",
             s.bodies[0]);
      break;
    case Kind::forever:
      open("{ int " + s.name + " = 0;");
      open("for (;;) {");
      line("if (" + s.name + "++ >= " + limit + ") break;");
      statements(s.bodies[0]);
      close();
      close();
      break;
    case Kind::range_for: {
      const bool objects = s.style == 1 || s.style == 3;
      const std::string type = objects ? (s.value == 0   ? "Trace "
                                          : s.value == 1 ? "const Trace& "
                                                         : "Trace& ")
                                       : (s.value == 0 ? "int " : "const int& ");
      std::string range = s.target;
      if (s.style >= 2) {
        range = "{";
        // + makes an int of a bool: all elements must be of one type.
        for (const Expr& x : s.exprs)
          range += (range == "{" ? "" : ", ") + std::string(objects ? "" : "+") + to_string(x);
        range += "}";
      }
      braces("for (" + type + s.name + " : " + range + ")", s.bodies[0]);
      break;
    }
    case Kind::switch_: switch_statement(s); break;
    case Kind::duff:
      open("{ int " + s.name + " = 0;");
      open("switch (at(" + e(0) + ", 3)) {");
      line("case 0: do {");
      braces("", s.bodies[0]);
      braces("case 1:", s.bodies[1]);
      braces("case 2:", s.bodies[2]);
      line("} while (" + s.name + "++ < " + limit + ");");
      close();
      close();
      break;
    case Kind::block: braces("", s.bodies[0]); break;
    case Kind::label:
      if (s.style == 0) {
        braces("", s.bodies[0], "} " + s.names[0] + ":;");
      } else {
        open("{ int " + s.name + " = 0;");
        braces(s.names[0] + ":", s.bodies[0]);
        close();
      }
      break;
    case Kind::goto_:
      line((s.name.empty() ? "" : "if (" + s.name + "++ < " + limit + ") ") + "goto " + s.target + ";");
      break;
    case Kind::break_: line("break;"); break;
    case Kind::continue_: line("continue;"); break;
    case Kind::return_: line("co_return " + e(0) + ";"); break;
    case Kind::try_: try_statement(s); break;
    // + makes an int of a bool
    case Kind::throw_:
      line("throw " + (s.style == 0 ? "+" + e(0) : s.style == 1 ? "Error{" + e(0) + "}" : e(0)) + ";");
      break;
    case Kind::rethrow: line("throw;"); break;
    }
  }

  void switch_statement(const Stmt& s) {
    const std::string head = s.style == 1 ? "int " + s.name + " = " + to_string(s.exprs[0]) + "; " : "";
    open("switch (" + head + to_string(s.exprs.back()) + ") {");
    if (s.style == 2) line("int " + s.target + ";");
    for (std::size_t i = 0; i < s.bodies.size(); ++i) {
      const Case& c = s.cases[i];
      const bool last = i + 1 == s.bodies.size();
      const std::string range = c.more ? " ... " + std::to_string(c.value + c.more) : "";
      braces(c.is_default ? "default:" : "case " + std::to_string(c.value) + range + ":", s.bodies[i],
             c.falls_through ? (last ? "}" : "} [[fallthrough]];") : "} break;");
    }
    close();
  }

  void try_statement(const Stmt& s) {
    open("try {");
    statements(s.bodies[0]);
    for (std::size_t i = 1; i < s.bodies.size(); ++i) {
      constexpr const char* heads[] = {"int e", "const Error& error", "const Trace& e", "..."};
      close("} catch (" + std::string(heads[static_cast<int>(s.handlers[i - 1])]) + ") {");
      ++depth_;
      line("say(\"caught\");");
      if (s.handlers[i - 1] == Caught::error) line("int e = error.n;");
      statements(s.bodies[i]);
    }
    close();
  }

  int depth_ = 0;
};

}  // namespace

std::string to_string(const Expr& e) {
  const auto kid = [&](std::size_t i) { return to_string(e.kids[i]); };
  switch (e.op) {
  case Op::number: return e.value < 0 ? "(" + std::to_string(e.value) + ")" : std::to_string(e.value);
  case Op::int_variable:
  case Op::trace_variable: return e.name;
  case Op::int_element:
  case Op::trace_element: return e.name + "[at(" + kid(0) + ", " + std::to_string(e.value) + ")]";
  case Op::id: return kid(0) + ".id";
  case Op::plus: return kid(0) + ".plus(" + kid(1) + ")";
  case Op::binary: {
    constexpr const char* signs[] = {" + ", " - ", " * ", " < ", " == "};
    return "(" + kid(0) + signs[e.value] + kid(1) + ")";
  }
  case Op::negate: return "!" + kid(0);
  case Op::logical_and: return "(" + kid(0) + " && " + kid(1) + ")";
  case Op::logical_or: return "(" + kid(0) + " || " + kid(1) + ")";
  case Op::conditional:
  case Op::trace_conditional:
  case Op::lvalue_conditional: return "(" + kid(0) + " ? " + kid(1) + " : " + kid(2) + ")";
  case Op::conditional_throw: return "(" + kid(0) + " ? " + kid(1) + " : throw +" + kid(2) + ")";
  case Op::comma:
  case Op::trace_comma:
  case Op::lvalue_comma: return "(" + kid(0) + ", " + kid(1) + ")";
  case Op::note: return "note(" + kid(0) + ")";
  case Op::boom: return "boom(" + kid(0) + ")";
  case Op::use: return "use(" + list(e.kids) + ")";
  case Op::sum: return "sum({" + list(e.kids) + "})";
  case Op::ids: return "ids({" + list(e.kids) + "})";
  case Op::shift: {
    std::string text = "(Out{}";
    for (const Expr& k : e.kids) text += " << " + to_string(k);
    return text + ").n";
  }
  case Op::both: return e.value == 0 ? "Both(" + list(e.kids) + ").n()" : "Both{" + list(e.kids) + "}.n()";
  case Op::own_new: return "own(new Trace(" + kid(0) + "))";
  case Op::own_array: {
    const std::string n = std::to_string(e.kids.size());
    return "own_all(new Trace[" + n + "]{" + list(e.kids) + "}, " + n + ")";
  }
  case Op::with_default:
    return e.value == 0   ? "given(" + kid(0) + ")"
           : e.value == 1 ? "Given(" + kid(0) + ").n()"
                          : "Given{" + kid(0) + "}.n()";
  case Op::short_conditional: return "(" + kid(0) + " ?: " + kid(1) + ")";
  case Op::pair_number: return "Pair{" + list(e.kids) + "}.n";
  case Op::assign: return "(" + e.name + " = " + kid(0) + ")";
  case Op::call_lambda: return e.name + "(" + kid(0) + ")";
  case Op::await_int: {
    const bool aggregate =
        e.value != static_cast<int>(Awaiter::hold) && e.value < static_cast<int>(Awaiter::fail_ready);
    return "(co_await " + awaiter(e.value) + (aggregate ? "{" + kid(0) + "})" : "(" + kid(0) + "))");
  }
  case Op::await_on: return "(co_await On(" + kid(0) + "))";
  case Op::await_child: return "(co_await " + e.name + "(" + list(e.kids) + "))";
  case Op::await_job: return "(co_await " + e.name + ")";
  case Op::yield_int:
  case Op::yield_trace: return "(co_yield " + kid(0) + ")";
  case Op::make: return "Trace(" + kid(0) + ")";
  case Op::make_call: return "make(" + kid(0) + ")";
  case Op::await_give: return "(co_await Give{" + kid(0) + "})";
  case Op::copy: return "Trace(" + kid(0) + ")";
  case Op::field: return e.name + (e.value == 0 ? ".first" : e.value == 1 ? ".second" : ".t");
  case Op::ref: return "ref(" + kid(0) + ")";
  case Op::await_lend: return "(co_await Lend(" + kid(0) + "))";
  case Op::move: return "std::move(" + e.name + ")";
  case Op::pair_first: return "Pair{" + list(e.kids) + "}.first";
  }
  return "";
}

std::string to_source(const std::vector<Program>& programs) {
  std::string text = "#include \"prelude.hpp\"\n";
  std::string entries;
  for (std::size_t i = 0; i < programs.size(); ++i) {
    const Program& p = programs[i];
    const std::string space = "p" + std::to_string(i);
    text += "\nnamespace " + space + " {  // seed " + std::to_string(p.seed) + "\n";
    for (auto c = p.coroutines.rbegin(); c != p.coroutines.rend(); ++c) {
      Printer printer;
      printer.coroutine(*c);
      text += printer.text;
    }
    const std::string& name = p.coroutines[0].name;
    text += "Job start() { return " + name + "(" + std::to_string(p.argument) + ", Trace(" + std::to_string(p.object) +
            ")); }\n}  // end\n";
    std::string stops;
    for (int s : p.stops) stops += (stops.empty() ? "" : ", ") + std::to_string(s);
    entries += "  {" + std::to_string(i) + ", " + space + "::start, {" + stops + "}},\n";
  }
  return text + "\nint main(int argc, char** argv) {\n  static const Entry entries[] = {\n" + entries +
         "  };\n  return run_all(entries, argc, argv);\n}\n";
}

}  // namespace hel::fuzz
