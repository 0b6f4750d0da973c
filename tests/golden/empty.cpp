#include "golden.hpp"

job empty() { co_return; }
