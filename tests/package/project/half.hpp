// A task in a header.
#pragma once
#include <hel/hel.hpp>

#if HAVE_ORDINARY
int ordinary();
#else
inline int ordinary() { return 2; }
#endif

HEL_HOST_TASK inline hel::task<int> half(int n) { co_return n / ordinary(); }
