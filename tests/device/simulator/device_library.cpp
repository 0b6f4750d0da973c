// What device code finds in its C library: printf, the heap, assert.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "block.hpp"

namespace {

// The arguments of printf, as the NVPTX front end lays them out: each aligned to its size.
class argument_reader {
 public:
  explicit argument_reader(const void* p) : at_(static_cast<const char*>(p)) {}
  template <class T>
  T next() {
    at_ = reinterpret_cast<const char*>((reinterpret_cast<std::uintptr_t>(at_) + sizeof(T) - 1) & ~(sizeof(T) - 1));
    T value;
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
    return value;
  }

 private:
  const char* at_;
};

template <class... T>
void append(std::string& text, const std::string& format, T... values) {
  const int n = std::snprintf(nullptr, 0, format.c_str(), values...);
  if (n <= 0) return;
  const std::size_t before = text.size();
  text.resize(before + static_cast<std::size_t>(n) + 1);
  std::snprintf(text.data() + before, static_cast<std::size_t>(n) + 1, format.c_str(), values...);
  text.resize(before + static_cast<std::size_t>(n));
}

std::string formatted(const char* format, const void* arguments, int& conversions) {
  argument_reader from(arguments);
  std::string text;
  for (const char* p = format; *p;) {
    if (*p != '%') {
      text += *p++;
      continue;
    }
    std::string one = "%";
    for (++p; *p && std::strchr("-+ #0123456789.*", *p); ++p) {
      if (*p == '*')
        one += std::to_string(from.next<int>());
      else
        one += *p;
    }
    bool is_long = false;
    for (; *p && std::strchr("hlqjzt", *p); ++p) is_long = is_long || *p != 'h';
    const char conversion = *p ? *p++ : '%';
    if (conversion == '%') {
      text += '%';
      continue;
    }
    ++conversions;
    if (std::strchr("diuoxX", conversion)) {
      one += is_long ? "ll" : "";
      one += conversion;
      if (is_long)
        append(text, one, from.next<long long>());
      else
        append(text, one, from.next<int>());
    } else if (conversion == 'c') {
      append(text, one + 'c', from.next<int>());
    } else if (std::strchr("eEfFgGaA", conversion)) {
      append(text, one + conversion, from.next<double>());
    } else if (conversion == 's') {
      append(text, one + 's', from.next<const char*>());
    } else if (conversion == 'p') {
      append(text, one + 'p', from.next<void*>());
    } else {
      text += one + conversion;  // as on a device
    }
  }
  return text;
}

}  // namespace

extern "C" {

int hel_sim_dev_vprintf(const char* format, const void* arguments) {
  int conversions = 0;
  const std::string text = formatted(format, arguments, conversions);
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
  return conversions;
}

[[noreturn]] void hel_sim_dev___assertfail(const char* message, const char* file, unsigned line, const char* function,
                                           std::size_t) {
  hel_sim::block& b = hel_sim::block::current();
  const auto& t = b.task();
  const auto& l = b.self();
  std::fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
               function, t.index.x, t.index.y, t.index.z, l.thread.x, l.thread.y, l.thread.z, message);
  b.fail(hel_sim::block_result::asserted);
}

[[noreturn]] void hel_sim_dev___cxa_pure_virtual() { hel_sim::block::current().fail(hel_sim::block_result::trapped); }

void* hel_sim_dev_malloc(std::size_t bytes) {
  void* p = std::malloc(bytes);
  if (p) std::memset(p, 0xa5, bytes);
  return p;
}
void hel_sim_dev_free(void* p) { std::free(p); }
void* hel_sim_dev__Znwm(std::size_t bytes) { return hel_sim_dev_malloc(bytes); }
void* hel_sim_dev__Znam(std::size_t bytes) { return hel_sim_dev_malloc(bytes); }
void hel_sim_dev__ZdlPv(void* p) { std::free(p); }
void hel_sim_dev__ZdaPv(void* p) { std::free(p); }
void hel_sim_dev__ZdlPvm(void* p, std::size_t) { std::free(p); }
void hel_sim_dev__ZdaPvm(void* p, std::size_t) { std::free(p); }
void* hel_sim_dev__ZnwmSt11align_val_t(std::size_t bytes, std::size_t alignment) {
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void hel_sim_dev__ZdlPvSt11align_val_t(void* p, std::size_t) { std::free(p); }
void hel_sim_dev__ZdlPvmSt11align_val_t(void* p, std::size_t, std::size_t) { std::free(p); }

}  // extern "C"
