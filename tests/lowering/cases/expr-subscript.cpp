// case:   subscripts: the array before the index, built in and overloaded
// expect: ~ # | ~ # | a12 | ~ # | a12 | n1 b11 | ~ # | a12 | n1 b11 | | ~ # | a12 | n1 b11 | | c13 | ~ # | a12
// expect: | n1 b11 | | c13 | | ~ # | a12 | n1 b11 | | c13 | | at1 n1 at1 | ~ # | a12 | n1 b11 | | c13 | | at1
// expect: n1 at1 | at2 d23 | ~ # | a12 | n1 b11 | | c13 | | at1 n1 at1 | at2 d23 | n0 | ~ # | a12 | n1 b11 | |
// expect: c13 | | at1 n1 at1 | at2 d23 | n0 | e27 ~ # alive0
#include "case.hpp"
struct Row {
  int data[3]{1, 2, 3};
  int& operator[](int i) { say("at", i); return data[i]; }
};
static int note(int v) { say("n", v); return v; }
VoidJob body() {
  int plain[4] = {10, 11, 12, 13};
  say("a", plain[co_await Pause{2}]);
  say("b", (co_await PauseFor<int*>{plain})[note(1)]);
  say("c", (co_await PauseFor<int*>{plain})[co_await Pause{3}]);
  Row row;
  row[co_await Pause{1}] = co_await Pause{20};
  say("d", row[note(1)] + row[co_await Pause{2}]);
  plain[note(0)] += co_await Pause{5};
  (co_await PauseFor<int*>{plain})[1]++;
  say("e", plain[0] + plain[1]);
}
int main() { at_each_suspension(body); }
