#include "hel/exec/host_calls.hpp"

#include <new>
#include <stdexcept>
#include <string>

#include "hel/detail/frame_memory.hpp"
#include "hel/host_function.hpp"

namespace hel::exec {
namespace {

using links = core::atomic<std::uint32_t>;
using waits = core::atomic<std::uintptr_t>;

std::size_t waits_at(const core::rpc_shape& s) { return s.bytes(); }
std::size_t links_at(const core::rpc_shape& s) { return waits_at(s) + s.all() * sizeof(waits); }

// Zeroed by the system where it is large, so that starting a runtime touches none of it.
void* zeroed(const core::rpc_shape& s) {
  constexpr std::size_t line = 64;
  void* const p = std::calloc(1, links_at(s) + s.all() * sizeof(links) + line);
  if (!p) throw std::bad_alloc();
  return p;
}
unsigned char* aligned(void* p) {
  return reinterpret_cast<unsigned char*>((reinterpret_cast<std::uintptr_t>(p) + 63) & ~std::uintptr_t{63});
}

}  // namespace

host_calls::host_calls(const core::rpc_shape& shape)
    : shape_(shape), arena_(zeroed(shape)), client_(core::rpc_memory(aligned(arena_.get()), shape),
                                                    reinterpret_cast<links*>(aligned(arena_.get()) + links_at(shape)),
                                                    reinterpret_cast<waits*>(aligned(arena_.get()) + waits_at(shape))),
      server_(core::rpc_memory(aligned(arena_.get()), shape)) {
  for (const detail::host_function_entry* e = detail::first_host_function; e; e = e->next) {
    const auto [at, fresh] = functions_.try_emplace(e->id, e);
    if (fresh) continue;
    const detail::host_function_entry& other = *at->second;
    const auto place = [](const detail::host_function_entry& f) {
      return std::string(f.name) + " (" + f.file + ":" + std::to_string(f.line) + ")";
    };
    throw std::logic_error("HEL_HOST_FUNCTION: two functions are registered under one name: " + place(other) + " and " +
                           place(*e) + ": rename one, or put it in a namespace that has a name");
  }
}

bool host_calls::wait_for_slot(host_request& r) noexcept {
  const std::uint32_t c = core::rpc_class_of(r.payload_bytes);
  {
    const std::lock_guard lock(mutex_);
    r.slot = client::none;
    r.next = nullptr;
    queue& q = queues_[c];
    *q.last = &r;
    q.last = &r.next;
    if (waiting_[c].load_relaxed() == 0) {
      waiting_[c].store_relaxed(1);
      // Whoever frees a slot without seeing the word has freed it before submit_waiting() looks: see release(). Later
      // ones see it, as it stays until the queue is empty.
      heavy_fence();
    }
  }
  return submit_waiting(c);
}

bool host_calls::submit_waiting(std::uint32_t c) noexcept {
  const std::lock_guard lock(mutex_);
  queue& q = queues_[c];
  bool any = false;
  while (host_request* r = q.first) {
    const std::uint32_t slot = client_.claim(core::rpc_payload_bytes(c));
    if (slot == client::none) return any;
    q.first = r->next;
    if (!q.first) q.last = &q.first;
    r->slot = slot;
    send(*r);
    any = true;
  }
  waiting_[c].store_relaxed(0);
  return any;
}

bool host_calls::abandon(host_request& r) noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (r.slot == client::none) {
      queue& q = queues_[core::rpc_class_of(r.payload_bytes)];
      for (host_request** at = &q.first; *at; at = &(*at)->next) {
        if (*at != &r) continue;
        *at = r.next;
        if (q.last == &r.next) q.last = at;
        break;
      }
      return true;
    }
  }
  return client_.abandon(r.slot, &r);
}

const detail::host_function_entry* host_calls::find(std::uint64_t id) const noexcept {
  const auto at = functions_.find(id);
  return at == functions_.end() ? nullptr : at->second;
}

std::int32_t host_calls::run(std::uint32_t slot) noexcept {
  core::rpc_header& h = server_.header(slot);
  const bool wanted = !server_.is_abandoned(slot);
  if (h.function == by_pointer_id) {
    const by_pointer p = *static_cast<const by_pointer*>(server_.payload(slot));
    (wanted ? p.run : p.drop)(p.call);
    return 0;
  }
  if (!wanted) return static_cast<std::int32_t>(errc::timed_out);
  return run(h, server_.payload(slot));
}

std::int32_t host_calls::run(const core::rpc_header& h, void* payload) const noexcept {
  const detail::host_function_entry* f = find(h.function);
  // A device's code and the host's may be of different builds.
  if (!f || f->argument_bytes != h.argument_bytes || f->result_bytes != h.result_bytes)
    return static_cast<std::int32_t>(errc::no_host_function);
  return f->call(payload);
}

host_calls::~host_calls() {
  // What is left was abandoned.
  detail::register_frame_cache();
  for (std::uint32_t slot; (slot = server_.next()) != core::rpc_server::none;) {
    if (server_.header(slot).function != by_pointer_id) continue;
    const by_pointer p = *static_cast<const by_pointer*>(server_.payload(slot));
    p.drop(p.call);
  }
}

}  // namespace hel::exec
