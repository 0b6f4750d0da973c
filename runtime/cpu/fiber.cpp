#include "fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>
#include <vector>

namespace hel::exec {
namespace {

std::vector<std::unique_ptr<fiber>>& pool() {
  static thread_local std::vector<std::unique_ptr<fiber>> fibers;
  return fibers;
}

}  // namespace

std::unique_ptr<fiber> take_fiber() {
  auto& fibers = pool();
  if (fibers.empty()) return std::make_unique<fiber>();
  std::unique_ptr<fiber> f = std::move(fibers.back());
  fibers.pop_back();
  return f;
}

void give_back_fiber(std::unique_ptr<fiber> f) noexcept {
  auto& fibers = pool();
  if (fibers.size() < fiber_pool_limit) fibers.push_back(std::move(f));
}

void* map_stack(std::size_t stack_bytes, std::size_t& mapping_bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  mapping_bytes = page + (stack_bytes + page - 1) / page * page;
  void* p = mmap(nullptr, mapping_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  // An overflow faults instead of writing into a neighbour.
  if (mprotect(p, page, PROT_NONE) != 0) {
    munmap(p, mapping_bytes);
    throw std::bad_alloc();
  }
  return p;
}

}  // namespace hel::exec
