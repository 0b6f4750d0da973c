// What waits in completion words: coroutines, and tasks that start when others are over.
#pragma once

#include <coroutine>
#include <cstddef>
#include <cstdint>

#include "hel/core/completion_word.hpp"
#include "hel/core/dependency_counter.hpp"
#include "hel/core/spin_lock.hpp"
#include "hel/detail/frame_memory.hpp"

namespace hel::detail {

struct root_record;
struct dependency_node;

// What stands in a completion word: a waiter, or an edge of a task that was spawned to start later.
struct completion_link {
  completion_link* next = nullptr;
  dependency_node* node = nullptr;  // null: a waiter
};
using completion = core::completion_word<completion_link>;

// Held by who takes links out of words, or looks for cycles through them.
inline core::spin_lock link_list_lock;

// What the holders of a ticket share.
struct ticket_state {
  completion word;
  core::dependency_counter<> references;
  std::int32_t failure = 0;  // written before the word is done: nobody will ever complete the ticket

  HEL_HD ticket_state() noexcept : references(1) {}
  HEL_HD static ticket_state* create() { return ::new (allocate_block(sizeof(ticket_state))) ticket_state(); }
  HEL_HD void share() noexcept { references.add(1); }
  HEL_HD void release() noexcept {
    if (!references.arrive()) return;
    this->~ticket_state();
    free_block_of(this, sizeof(ticket_state));
  }
};

// What the last edge of a task has to settle with who may have cancelled the task before it started
// (detail/cancel.hpp).
struct unstarted {
  // False: the task was cancelled, and the node is not the caller's any more. True: the node is as any other; *this is
  // gone.
  bool (*arrived)(unstarted*) noexcept;
};

// A task that waits for others before it starts (hel::spawn_after), with one edge for each of them. Its block has room
// for the edges behind it, and for a pointer where the task can be cancelled. The node of a task that was cancelled
// stays where its edges are, in the words of others, and goes with the last of them.
struct dependency_node {
  core::dependency_counter<> left;  // edges that have not arrived, plus one while the task is being spawned
  core::atomic<std::uint32_t> shape;
  std::coroutine_handle<> root;  // null: a ticket that is bound to a task
  union {
    root_record* record = nullptr;  // of the root; null: it was cancelled (changed with link_list_lock held)
    ticket_state* ticket;
  };
  dependency_node* visit_next = nullptr;  // while a cycle is looked for

  HEL_HD explicit dependency_node(std::uint32_t n, std::uint32_t shape_of) noexcept : left(n + 1), shape(shape_of) {}
  // Null on a device only: there is no memory.
  HEL_HD static dependency_node* create(std::uint32_t n) { return create(n, n); }
  HEL_HD static dependency_node* create_cancellable(std::uint32_t n) { return create(n, (n + 1) | cancellable_bit); }
  HEL_HD void destroy() noexcept { free_block_of(this, bytes(shape.load_relaxed())); }
  HEL_HD completion_link* links() noexcept { return reinterpret_cast<completion_link*>(this + 1); }
  // Of one that was created as cancellable; written before the first edge is.
  HEL_HD unstarted*& cancellation() noexcept {
    return *reinterpret_cast<unstarted**>(links() + ((shape.load_relaxed() & ~(doomed_bit | cancellable_bit)) - 1));
  }

  // One of the edges can never be over: the task is to fail instead of starting. Before that edge arrives.
  HEL_HD void doom() noexcept {
    std::uint32_t found = shape.load_relaxed();
    while (!shape.cas_relaxed(found, found | doomed_bit)) {
    }
  }
  HEL_HD bool doomed() const noexcept { return (shape.load_relaxed() & doomed_bit) != 0; }
  HEL_HD bool cancellable() const noexcept { return (shape.load_relaxed() & cancellable_bit) != 0; }
  HEL_HD bool doomed_or_cancellable() const noexcept {
    return (shape.load_relaxed() & (doomed_bit | cancellable_bit)) != 0;
  }

  static constexpr std::uint32_t most_edges = 0x3ffffffeu;

 private:
  // Of shape; the rest is the number of edges, with a place more for the pointer of a cancellable one.
  static constexpr std::uint32_t doomed_bit = 0x80000000u, cancellable_bit = 0x40000000u;
  HEL_HD static std::size_t bytes(std::uint32_t shape) noexcept {
    return sizeof(dependency_node) + (shape & ~(doomed_bit | cancellable_bit)) * sizeof(completion_link);
  }
  HEL_HD static dependency_node* create(std::uint32_t n, std::uint32_t shape) {
#if defined(__CUDA_ARCH__)
    void* const block = device::try_allocate(bytes(shape));
    if (!block) return nullptr;
#else
    void* const block = allocate_block(bytes(shape));
#endif
    auto* d = ::new (block) dependency_node(n, shape);
    for (std::uint32_t i = 0; i < n; ++i) {
      ::new (static_cast<void*>(d->links() + i)) completion_link();
      d->links()[i].node = d;
    }
    return d;
  }
};
static_assert(sizeof(dependency_node) == 32 && alignof(dependency_node) == alignof(completion_link));

}  // namespace hel::detail
