// options: headers
#include "include_next.hpp"

// error: HEL0304 5:1
