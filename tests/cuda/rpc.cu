// The client's side of the host-call protocol as device code, for tests/cuda/rpc.sh to look at.
#include "hel/core/rpc.hpp"

struct waiting {
  void* frame;
};
using client = hel::core::rpc_client<waiting>;

extern "C" __global__ void call(client* c, waiting* w, const long* arguments) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const std::uint32_t slot = c->claim(sizeof(long));
  if (slot == client::none) return;
  hel::core::rpc_header& h = c->header(slot);
  h.function = 1;
  h.argument_bytes = h.result_bytes = sizeof(long);
  *static_cast<long*>(c->payload(slot)) = arguments[i];
  c->submit(slot, &w[i]);
}

extern "C" __global__ void take_answers(client* c, long* results, waiting* w) {
  for (;;) {
    const auto a = c->next_answer();
    if (a.slot == client::none) return;
    results[a.waiter - w] = *static_cast<const long*>(c->payload(a.slot));
    c->release(a.slot);
  }
}

extern "C" __global__ void give_up(client* c, waiting* w, bool* done) { *done = c->abandon(0, w); }
