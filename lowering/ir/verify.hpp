// Checks that a Function obeys the rules of the IR:
//
//   * it is well-formed: every number means something, blocks end as their kind says, suspension indices are distinct;
//   * there is one cleanup stack, the same at every join; on each path every object with a destructor is built once,
//     covered before anything else can throw, and destroyed once;
//   * on each path a slot is built before it is used, and before a suspension that keeps it; after place_slots(), what
//   is
//     used after a suspension was in the frame.
#pragma once

#include <string>
#include <vector>

#include "lowering/ir/ir.hpp"

namespace hel::lowering::ir {

enum class Stage { built, placed };  // before or after place_slots()

// One line per violation, empty when the function is sound.
std::vector<std::string> verify(const Function& f, Stage stage = Stage::built);

// Its parts; the later ones rely on the earlier ones.
std::vector<std::string> verify_form(const Function& f);
std::vector<std::string> verify_objects(const Function& f);
std::vector<std::string> verify_values(const Function& f, Stage stage);

}  // namespace hel::lowering::ir
