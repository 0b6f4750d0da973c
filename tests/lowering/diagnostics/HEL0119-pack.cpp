#include "job.hpp"
template <class... T> job all(T... v) { co_await wait{static_cast<int>(sizeof...(v))}; }
int main() { all(1, 2.5); }

// error: HEL0119 2:27
