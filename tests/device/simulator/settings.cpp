#include "settings.hpp"

#include <cuda_runtime_api.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace hel_sim {
namespace {

void bad(const char* name, const char* text) {
  std::fprintf(stderr, "simulated device: %s=%s cannot be read\n", name, text);
  std::_Exit(2);
}

void number(const char* name, unsigned least, unsigned& value) {
  const char* text = std::getenv(name);
  if (!text || !*text) return;
  char* end = nullptr;
  const unsigned long n = std::strtoul(text, &end, 10);
  if (*end || n < least || n > 1000000) bad(name, text);
  value = static_cast<unsigned>(n);
}

settings read() {
  settings s;
  number("HEL_SIM_DEVICES", 0, s.devices);
  number("HEL_SIM_SMS", 1, s.multiprocessors);
  number("HEL_SIM_BLOCKS", 1, s.blocks);
  number("HEL_SIM_MEMORY", 1, s.memory);
  number("HEL_SIM_POLL", 1, s.poll);
  number("HEL_SIM_SEED", 0, s.seed);
  number("HEL_SIM_TIMEOUT", 0, s.timeout);
  unsigned count = 0;
  number("HEL_SIM_COUNT", 0, count);
  s.count = count != 0;
  unsigned driver = CUDART_VERSION;
  number("HEL_SIM_DRIVER", 0, driver);
  s.driver = static_cast<int>(driver);
  const char* loading = std::getenv("CUDA_MODULE_LOADING");
  s.lazy = !(loading && std::strcmp(loading, "EAGER") == 0);
  return s;
}

struct fault {
  std::string name;
  unsigned call = 0;  // 0: each
  int error = 0;
};

std::vector<fault> read_faults() {
  std::vector<fault> faults;
  const char* text = std::getenv("HEL_SIM_FAULT");
  if (!text) return faults;
  const std::string all = text;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find(',', at), all.size());
    std::string one = all.substr(at, end - at);
    at = end + 1;
    fault f;
    if (const auto e = one.find('='); e != std::string::npos) {
      f.error = std::atoi(one.c_str() + e + 1);
      if (f.error <= 0) bad("HEL_SIM_FAULT", text);
      one.resize(e);
    }
    if (const auto c = one.find('@'); c != std::string::npos) {
      f.call = static_cast<unsigned>(std::atoi(one.c_str() + c + 1));
      if (f.call == 0) bad("HEL_SIM_FAULT", text);
      one.resize(c);
    }
    if (one.empty()) bad("HEL_SIM_FAULT", text);
    if (f.error == 0) {
      const bool memory = one.find("Malloc") != std::string::npos || one.find("Alloc") != std::string::npos;
      f.error = memory ? cudaErrorMemoryAllocation : cudaErrorLaunchFailure;
    }
    f.name = std::move(one);
    faults.push_back(std::move(f));
  }
  return faults;
}

}  // namespace

const settings& configured() {
  static const settings s = read();
  return s;
}

int injected_fault(const char* name) {
  static const std::vector<fault> faults = read_faults();
  if (faults.empty()) return 0;
  static std::mutex mutex;
  static std::map<std::string, unsigned> calls;
  const std::lock_guard lock(mutex);
  const unsigned call = ++calls[name];
  for (const fault& f : faults)
    if (f.name == name && (f.call == 0 || f.call == call)) return f.error;
  return 0;
}

}  // namespace hel_sim
