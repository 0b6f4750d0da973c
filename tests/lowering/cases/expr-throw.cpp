// case:   throw of an awaited operand destroys the locals
// expect: ~ # +1 | ~ -1 # +1 | -1 unhandled ~ # alive0
#include "case.hpp"
VoidJob body() {
  Trace t(1);
  throw co_await Pause{2};
}
int main() { at_each_suspension(body); }
