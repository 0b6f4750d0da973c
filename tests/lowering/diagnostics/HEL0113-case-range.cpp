#include "job.hpp"
job body(int v) {
  switch (v) {
  case 1 ... 3: co_await wait{1};
  }
}

// error: HEL0113 4:3
