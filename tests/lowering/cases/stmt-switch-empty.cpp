// case:   a switch without cases and one without a matching case
// expect: ~ # | ~ # | | ~ # | | end ~ # alive0
#include "case.hpp"
VoidJob body() {
  switch (co_await Pause{1}) {}
  switch (co_await Pause{1}) { case 2: co_await Pause{0}; say("no"); }
  say("end");
}
int main() { at_each_suspension(body); }
