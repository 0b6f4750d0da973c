// What the lanes of a group tell ThreadSanitizer, to which each lane is a thread. Empty in other builds.
#pragma once

#include "hel/core/platform.hpp"

#if defined(HEL_TSAN)
extern "C" {
void __tsan_acquire(void* address);
void __tsan_release(void* address);
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
#endif

namespace hel::detail {

// A point at which some come together: what is released there happens before what acquires it.
class meeting_point {
 public:
  void release() noexcept {
#if defined(HEL_TSAN)
    __tsan_release(this);
#endif
  }
  void acquire() noexcept {
#if defined(HEL_TSAN)
    __tsan_acquire(this);
#endif
  }

 private:
#if defined(HEL_TSAN)
  [[maybe_unused]] long address_ = 0;
#endif
};

// A barrier that is used again and again. Two points in turn: a lane that is ahead has released the next one when
// another lane acquires this one, and must not be ordered before it by that.
class barrier_points {
 public:
  meeting_point& now() noexcept { return points_[turn_]; }
  void next() noexcept { turn_ ^= 1; }

 private:
  unsigned turn_ = 0;
  meeting_point points_[2];
};

// While it lives, what the current fiber reads and writes is no access. For the group's own books, which are kept by
// one thread on behalf of the lanes: to order those accesses would order the lanes, too, and hide their races.
class book_keeping {
 public:
  book_keeping() noexcept {
#if defined(HEL_TSAN)
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
#endif
  }
  book_keeping(const book_keeping&) = delete;
  book_keeping& operator=(const book_keeping&) = delete;
  ~book_keeping() {
#if defined(HEL_TSAN)
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
#endif
  }
};

}  // namespace hel::detail
