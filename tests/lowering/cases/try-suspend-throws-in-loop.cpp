// case:   await_suspend that throws inside a loop around a try; the suspension before it goes on at its own place the next time
// expect: | D1 caught | D1 caught | D1 caught
#include "case.hpp"
struct Bad : Pause { void await_suspend(std::coroutine_handle<>) { throw 9; } };
Job c() { int i = 0; do { say("D", (co_await Pause{1})); try { say("R", (co_await Bad{{9}})); } catch (...) { say("caught"); } } while (i++ < 2); co_return 0; }
Job d() { co_return 1; try { if ((co_await Pause{1})) {} } catch (...) { say("caught"); } co_return 1; }
int main() { { Job j = c(); j.run(); } { Job j = d(); j.run(); } }
