// In the place of the verifier, for a hel-lower whose every coroutine is found inconsistent.
#include "lowering/ir/verify.hpp"

namespace hel::lowering::ir {

std::vector<std::string> verify(const Function&, Stage) { return {"block 0: made up by a test"}; }

}  // namespace hel::lowering::ir
