#include "golden.hpp"

job count(int from, int to) {
  for (int i = from; i < to; ++i) co_yield i;
}
