// The CPU's two ends of the host-call protocol (hel/core/rpc.hpp): tasks submit, host threads serve, workers take the
// answers.
//
// A registered function (hel/host_function.hpp) gets its arguments in the slot, as from a device. Any other callable
// stays where it is; its slot carries a pointer to the call.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "hel/core/rpc.hpp"
#include "hel/exec/action.hpp"
#include "hel/exec/asymmetric_fence.hpp"

namespace hel::detail {
struct host_function_entry;
}

namespace hel::exec {

class host_calls;

// A call of a task. The action is resumed by the task's executor once the answer is there.
struct host_request : action {
  HEL_HD explicit host_request(void (*answered)(void*)) noexcept : action(answered) {}

  // Writes what the slot is to carry.
  void (*fill)(host_request*, core::rpc_header&, void* payload) noexcept = nullptr;
  host_calls* calls = nullptr;
  host_request* next = nullptr;  // while it waits for a slot
  std::uint32_t slot = 0;
  std::uint32_t payload_bytes = 0;
};

class host_calls {
 public:
  // The payload of a function that has no number.
  struct by_pointer {
    void (*run)(host_request* call) noexcept;   // makes the call, keeps its outcome
    void (*drop)(host_request* call) noexcept;  // instead: the call is not to be made any more
    host_request* call;
  };
  static constexpr std::uint64_t by_pointer_id = 0;
  // In rpc_header::flags: the caller may abandon the call, so that its runtime may end before the function does.
  static constexpr std::uint32_t may_be_abandoned = 1;

  // Throws std::logic_error when two functions are registered under one name.
  explicit host_calls(const core::rpc_shape& shape = {});
  host_calls(const host_calls&) = delete;
  host_calls& operator=(const host_calls&) = delete;
  ~host_calls();

  // Hands the call over, now or when a slot gets free, in order. True: now; the caller of submit() tells the servers.
  // `r` may be answered, and gone, at once.
  bool submit(host_request& r) noexcept {
    r.calls = this;
    const std::uint32_t c = core::rpc_class_of(r.payload_bytes);
    if (waiting_[c].load_relaxed() == 0) [[likely]] {
      r.slot = client_.claim(r.payload_bytes);
      if (r.slot != client::none) [[likely]] {
        send(r);
        return true;
      }
    }
    return wait_for_slot(r);
  }

  // A call whose answer has come, or null. By a thread of the executor, which resumes it.
  host_request* next_answer() noexcept {
    const auto a = client_.next_answer();
    if (a.slot == client::none) return nullptr;
    // Its line comes from another processor, and so does the next one's: both at once.
    const std::uint32_t next = client_.peek_answer();
    if (next != client::none) __builtin_prefetch(&client_.header(next));
    return a.waiter;
  }
  bool any_answer() const noexcept { return !client_.looks_unanswered(); }
  // Calls that are not answered yet. A call that waits for a slot is not counted: others have the slots then.
  std::size_t under_way() const noexcept { return client_.under_way(); }

  core::rpc_header& header(std::uint32_t slot) const noexcept { return client_.header(slot); }
  void* payload(std::uint32_t slot) const noexcept { return client_.payload(slot); }

  // See rpc_client. True: `r` will not be resumed.
  bool abandon(host_request& r) noexcept;

  // The result was read. Another call may be waiting for the slot: true, the caller tells the servers.
  bool release(std::uint32_t slot) noexcept {
    const std::uint32_t c = shape_.class_of_slot(slot);
    client_.release(slot);
    // The slot must be free before it is asked who waits. Pairs with the heavy fence in wait_for_slot().
    light_fence();
    if (waiting_[c].load_relaxed() == 0) [[likely]]
      return false;
    return submit_waiting(c);
  }

  // A host thread's side.
  core::rpc_server& server() noexcept { return server_; }
  // Runs the function of a call, unless nobody waits for it any more. Returns what server().answer() wants to know.
  std::int32_t run(std::uint32_t slot) noexcept;
  // The same for a registered function in a slot of another bridge.
  std::int32_t run(const core::rpc_header& h, void* payload) const noexcept;

 private:
  using client = core::rpc_client<host_request>;
  struct freeing {
    void operator()(void* p) const noexcept { std::free(p); }
  };
  struct queue {
    host_request* first = nullptr;
    host_request** last = &first;
  };

  void send(host_request& r) noexcept {
    const std::uint32_t slot = r.slot;
    core::rpc_header& h = client_.header(slot);
    h.flags = 0;
    r.fill(&r, h, &h + 1);
    client_.submit(slot, &r);
  }
  bool wait_for_slot(host_request& r) noexcept;
  bool submit_waiting(std::uint32_t c) noexcept;
  const detail::host_function_entry* find(std::uint64_t id) const noexcept;

  const core::rpc_shape shape_;
  std::unique_ptr<void, freeing> arena_;  // all that is below and not on a line of its own
  client client_;
  core::rpc_server server_;
  core::atomic<std::uint32_t> waiting_[core::rpc_classes];  // whether the queue is not empty, readable without the lock
  std::mutex mutex_;                                        // of the queues
  queue queues_[core::rpc_classes];
  std::unordered_map<std::uint64_t, const detail::host_function_entry*> functions_;
};

}  // namespace hel::exec
