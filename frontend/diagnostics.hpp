// The numbered diagnostics of hel-lower. Each has a paragraph in docs/diagnostics.md.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "frontend/clang.hpp"

namespace hel::frontend {

enum class Hel : unsigned {
  coroutine_template = 102,
  await_in_static = 104,
  statement_expression = 105,
  structured_binding = 106,
  nested_in_template = 107,
  unsupported_expression = 108,
  unspeakable_type = 109,
  alloca_call = 110,
  immovable_argument = 111,
  default_member_initializer = 112,
  unsupported_statement = 113,
  c_variadic = 115,
  jump_into_scope = 116,
  bit_field_reference = 117,
  dangling_reference_parameter = 118,
  parameter_pack = 119,
  default_argument_temporary = 120,
  over_aligned = 121,
  static_named_in_type = 122,
  variable_attribute = 123,
  in_macro = 301,
  reserved_name = 302,
  in_header = 303,
  header_include = 304,
  header_twice = 305,
  own_library_types = 306,
  device_exceptions = 401,
  device_resume = 402,
  device_eager_start = 403,
  device_nested_host = 404,
  inconsistent = 901,
};

class Diagnostics {
 public:
  explicit Diagnostics(clang::DiagnosticsEngine& engine) : engine_(engine) {}

  // The first argument is put into the message where it has a %0.
  void error(clang::SourceLocation at, Hel what, const std::string& argument = {});
  void warning(clang::SourceLocation at, Hel what, const std::string& argument = {});
  bool failed() const { return failed_; }

 private:
  void report(clang::DiagnosticsEngine::Level level, clang::SourceLocation at, Hel what, const std::string& argument);
  clang::DiagnosticsEngine& engine_;
  bool failed_ = false;
  std::set<std::pair<unsigned, Hel>> given_;  // the same at the same place is said once
};

}  // namespace hel::frontend
