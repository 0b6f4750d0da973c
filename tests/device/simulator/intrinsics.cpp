// The functions that llvm.nvvm.* intrinsics and special registers become. retarget.py reads this file to know which
// there are: hel_sim_nvvm_ and the intrinsic's name with _ for each dot; _pair where it returns a value and a
// predicate.
#include <time.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>

#include "block.hpp"
#include "settings.hpp"

using hel_sim::block;
using hel_sim::lane;
using hel_sim::warp_operation;

namespace {

lane& self() { return block::current().self(); }
const hel_sim::block_task& task() { return block::current().task(); }

std::uint64_t together(warp_operation operation, std::uint32_t mask, std::uint64_t value, const char* what) {
  block& b = block::current();
  b.self().value = value;
  b.warp(operation, mask, what);
  return b.self().result;
}

std::uint32_t shuffle(warp_operation operation, std::uint32_t mask, std::uint32_t value, std::uint32_t b,
                      std::uint32_t c, std::uint8_t* flag) {
  lane& l = self();
  l.b = b;
  l.c = c;
  const std::uint64_t result = together(operation, mask, value, "__shfl_sync");
  if (flag) *flag = l.flag;
  return static_cast<std::uint32_t>(result);
}

std::uint64_t nanoseconds(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<std::uint64_t>(t.tv_sec) * 1000000000u + static_cast<std::uint64_t>(t.tv_nsec);
}

std::uint32_t lane_bit() { return 1u << self().index % hel_sim::warp_lanes; }

template <class I>
I to_integer(double v, double (*round)(double)) {
  if (std::isnan(v)) return 0;
  const double r = round(v);
  if (r <= static_cast<double>(std::numeric_limits<I>::min())) return std::numeric_limits<I>::min();
  if (r >= static_cast<double>(std::numeric_limits<I>::max())) return std::numeric_limits<I>::max();
  return static_cast<I>(r);
}

template <class F>
auto toward_zero(F f) {
  const int before = std::fegetround();
  std::fesetround(FE_TOWARDZERO);
  volatile auto result = f();
  std::fesetround(before);
  return +result;
}

}  // namespace

// A special register of 32 bits.
#define HEL_SIM_SREG(name, value)                                                                                      \
  std::uint32_t hel_sim_##name() { return value; }
#define HEL_SIM_SHUFFLE(name, operation)                                                                               \
  std::uint32_t hel_sim_##name##_i32(std::uint32_t m, std::uint32_t v, std::uint32_t b, std::uint32_t c) {             \
    return shuffle(operation, m, v, b, c, nullptr);                                                                    \
  }                                                                                                                    \
  std::uint32_t hel_sim_##name##_i32p_pair(std::uint32_t m, std::uint32_t v, std::uint32_t b, std::uint32_t c,         \
                                           std::uint8_t* p) {                                                          \
    return shuffle(operation, m, v, b, c, p);                                                                          \
  }                                                                                                                    \
  float hel_sim_##name##_f32(std::uint32_t m, float v, std::uint32_t b, std::uint32_t c) {                             \
    return std::bit_cast<float>(shuffle(operation, m, std::bit_cast<std::uint32_t>(v), b, c, nullptr));                \
  }                                                                                                                    \
  float hel_sim_##name##_f32p_pair(std::uint32_t m, float v, std::uint32_t b, std::uint32_t c, std::uint8_t* p) {      \
    return std::bit_cast<float>(shuffle(operation, m, std::bit_cast<std::uint32_t>(v), b, c, p));                      \
  }
#define HEL_SIM_REDUCE(name, operation)                                                                                \
  std::uint32_t hel_sim_##name(std::uint32_t value, std::uint32_t mask) {                                              \
    return static_cast<std::uint32_t>(together(operation, mask, value, #name));                                        \
  }
#define HEL_SIM_TO_INTEGER(name, type, from, round)                                                                    \
  type hel_sim_##name(from v) { return to_integer<type>(v, round); }
#define HEL_SIM_BINARY(name, type, expression)                                                                         \
  type hel_sim_##name(type a, type b) { return expression; }
#define HEL_SIM_UNARY(name, type, expression)                                                                          \
  type hel_sim_##name(type a) { return expression; }

extern "C" {

void hel_sim_poll() { block::current().poll(); }
void hel_sim_atomic(void* address) {
  if (hel_sim::configured().count) block::current().count_atomic(address);
}
[[noreturn]] void hel_sim_trap() {
  const auto& t = task();
  std::fprintf(stderr, "simulated device: kernel %s, block (%u, %u, %u), lane %u: __trap\n",
               hel_sim::readable(t.kernel->name).c_str(), t.index.x, t.index.y, t.index.z, self().index);
  block::current().fail(hel_sim::block_result::trapped);
}
[[noreturn]] void hel_sim_exit() { block::current().end_lane(); }
[[noreturn]] void hel_sim_nvvm_exit() { block::current().end_lane(); }

// --- where a lane is
HEL_SIM_SREG(nvvm_read_ptx_sreg_tid_x, self().thread.x)
HEL_SIM_SREG(nvvm_read_ptx_sreg_tid_y, self().thread.y)
HEL_SIM_SREG(nvvm_read_ptx_sreg_tid_z, self().thread.z)
HEL_SIM_SREG(nvvm_read_ptx_sreg_ntid_x, task().block.x)
HEL_SIM_SREG(nvvm_read_ptx_sreg_ntid_y, task().block.y)
HEL_SIM_SREG(nvvm_read_ptx_sreg_ntid_z, task().block.z)
HEL_SIM_SREG(nvvm_read_ptx_sreg_ctaid_x, task().index.x)
HEL_SIM_SREG(nvvm_read_ptx_sreg_ctaid_y, task().index.y)
HEL_SIM_SREG(nvvm_read_ptx_sreg_ctaid_z, task().index.z)
HEL_SIM_SREG(nvvm_read_ptx_sreg_nctaid_x, task().grid.x)
HEL_SIM_SREG(nvvm_read_ptx_sreg_nctaid_y, task().grid.y)
HEL_SIM_SREG(nvvm_read_ptx_sreg_nctaid_z, task().grid.z)
HEL_SIM_SREG(nvvm_read_ptx_sreg_laneid, self().index % hel_sim::warp_lanes)
HEL_SIM_SREG(nvvm_read_ptx_sreg_warpid, self().index / hel_sim::warp_lanes)
HEL_SIM_SREG(nvvm_read_ptx_sreg_nwarpid, 64)
HEL_SIM_SREG(nvvm_read_ptx_sreg_warpsize, hel_sim::warp_lanes)
HEL_SIM_SREG(nvvm_read_ptx_sreg_smid, task().multiprocessor)
HEL_SIM_SREG(nvvm_read_ptx_sreg_nsmid, hel_sim::multiprocessors())
HEL_SIM_SREG(nvvm_read_ptx_sreg_lanemask_eq, lane_bit())
HEL_SIM_SREG(nvvm_read_ptx_sreg_lanemask_lt, lane_bit() - 1)
HEL_SIM_SREG(nvvm_read_ptx_sreg_lanemask_le, lane_bit() * 2 - 1)
HEL_SIM_SREG(nvvm_read_ptx_sreg_lanemask_gt, ~(lane_bit() * 2 - 1))
HEL_SIM_SREG(nvvm_read_ptx_sreg_lanemask_ge, ~(lane_bit() - 1))
HEL_SIM_SREG(nvvm_read_ptx_sreg_dynamic_smem_size, static_cast<std::uint32_t>(task().dynamic_shared))
HEL_SIM_SREG(nvvm_read_ptx_sreg_total_smem_size,
             static_cast<std::uint32_t>(task().dynamic_shared + task().kernel->shared_bytes))

// --- time
HEL_SIM_SREG(nvvm_read_ptx_sreg_clock, static_cast<std::uint32_t>(nanoseconds(CLOCK_MONOTONIC)))
HEL_SIM_SREG(nvvm_read_ptx_sreg_clock_hi, static_cast<std::uint32_t>(nanoseconds(CLOCK_MONOTONIC) >> 32))
std::uint64_t hel_sim_nvvm_read_ptx_sreg_clock64() { return nanoseconds(CLOCK_MONOTONIC); }
std::uint64_t hel_sim_nvvm_read_ptx_sreg_globaltimer() { return nanoseconds(CLOCK_REALTIME); }
HEL_SIM_SREG(nvvm_read_ptx_sreg_globaltimer_lo, static_cast<std::uint32_t>(nanoseconds(CLOCK_REALTIME)))
HEL_SIM_SREG(nvvm_read_ptx_sreg_globaltimer_hi, static_cast<std::uint32_t>(nanoseconds(CLOCK_REALTIME) >> 32))
void hel_sim_nvvm_nanosleep(std::uint32_t ns) { block::current().sleep(ns); }

// --- barriers
void hel_sim_nvvm_barrier_cta_sync_aligned_all(std::uint32_t id) { block::current().wait_at_barrier(id, 0, false); }
void hel_sim_nvvm_barrier_cta_sync_all(std::uint32_t id) { block::current().wait_at_barrier(id, 0, false); }
void hel_sim_nvvm_barrier_cta_sync_aligned_count(std::uint32_t id, std::uint32_t n) {
  block::current().wait_at_barrier(id, n, false);
}
void hel_sim_nvvm_barrier_cta_sync_count(std::uint32_t id, std::uint32_t n) {
  block::current().wait_at_barrier(id, n, false);
}
void hel_sim_nvvm_barrier_cta_arrive_aligned_count(std::uint32_t id, std::uint32_t n) {
  block::current().arrive(id, n);
}
void hel_sim_nvvm_barrier_cta_arrive_count(std::uint32_t id, std::uint32_t n) { block::current().arrive(id, n); }
bool hel_sim_nvvm_barrier_cta_red_and_aligned_all(std::uint32_t id, bool p) {
  block::current().wait_at_barrier(id, 0, p);
  return self().value != 0;
}
bool hel_sim_nvvm_barrier_cta_red_or_aligned_all(std::uint32_t id, bool p) {
  block::current().wait_at_barrier(id, 0, p);
  return self().b != 0;
}
std::uint32_t hel_sim_nvvm_barrier_cta_red_popc_aligned_all(std::uint32_t id, bool p) {
  block::current().wait_at_barrier(id, 0, p);
  return static_cast<std::uint32_t>(self().c);
}
void hel_sim_nvvm_membar_cta() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void hel_sim_nvvm_membar_gl() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void hel_sim_nvvm_membar_sys() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

// --- lanes of a warp together
void hel_sim_nvvm_bar_warp_sync(std::uint32_t mask) { together(warp_operation::sync, mask, 0, "__syncwarp"); }
HEL_SIM_SHUFFLE(nvvm_shfl_sync_idx, warp_operation::shuffle_idx)
HEL_SIM_SHUFFLE(nvvm_shfl_sync_up, warp_operation::shuffle_up)
HEL_SIM_SHUFFLE(nvvm_shfl_sync_down, warp_operation::shuffle_down)
HEL_SIM_SHUFFLE(nvvm_shfl_sync_bfly, warp_operation::shuffle_bfly)
bool hel_sim_nvvm_vote_all_sync(std::uint32_t m, bool p) {
  return together(warp_operation::vote_all, m, p, "__all_sync");
}
bool hel_sim_nvvm_vote_any_sync(std::uint32_t m, bool p) {
  return together(warp_operation::vote_any, m, p, "__any_sync");
}
bool hel_sim_nvvm_vote_uni_sync(std::uint32_t m, bool p) {
  return together(warp_operation::vote_uni, m, p, "__uni_sync");
}
std::uint32_t hel_sim_nvvm_vote_ballot_sync(std::uint32_t m, bool p) {
  return static_cast<std::uint32_t>(together(warp_operation::vote_ballot, m, p, "__ballot_sync"));
}
__attribute__((noinline)) std::uint32_t hel_sim_nvvm_activemask() {
  return block::current().active_mask(__builtin_return_address(0));
}
std::uint32_t hel_sim_nvvm_match_any_sync_i32(std::uint32_t m, std::uint32_t v) {
  return static_cast<std::uint32_t>(together(warp_operation::match_any, m, v, "__match_any_sync"));
}
std::uint32_t hel_sim_nvvm_match_any_sync_i64(std::uint32_t m, std::uint64_t v) {
  return static_cast<std::uint32_t>(together(warp_operation::match_any, m, v, "__match_any_sync"));
}
std::uint32_t hel_sim_nvvm_match_all_sync_i32p_pair(std::uint32_t m, std::uint32_t v, std::uint8_t* p) {
  const auto result = static_cast<std::uint32_t>(together(warp_operation::match_all, m, v, "__match_all_sync"));
  *p = self().flag;
  return result;
}
std::uint32_t hel_sim_nvvm_match_all_sync_i64p_pair(std::uint32_t m, std::uint64_t v, std::uint8_t* p) {
  const auto result = static_cast<std::uint32_t>(together(warp_operation::match_all, m, v, "__match_all_sync"));
  *p = self().flag;
  return result;
}
HEL_SIM_REDUCE(nvvm_redux_sync_add, warp_operation::reduce_add)
HEL_SIM_REDUCE(nvvm_redux_sync_min, warp_operation::reduce_min)
HEL_SIM_REDUCE(nvvm_redux_sync_max, warp_operation::reduce_max)
HEL_SIM_REDUCE(nvvm_redux_sync_umin, warp_operation::reduce_umin)
HEL_SIM_REDUCE(nvvm_redux_sync_umax, warp_operation::reduce_umax)
HEL_SIM_REDUCE(nvvm_redux_sync_and, warp_operation::reduce_and)
HEL_SIM_REDUCE(nvvm_redux_sync_or, warp_operation::reduce_or)
HEL_SIM_REDUCE(nvvm_redux_sync_xor, warp_operation::reduce_xor)

// --- arithmetic. What is approximate on a device is exact here.
std::uint32_t hel_sim_nvvm_bfind_u32(std::uint32_t v) { return v == 0 ? ~0u : 31u - std::countl_zero(v); }
std::uint32_t hel_sim_nvvm_bfind_shiftamt_u32(std::uint32_t v) { return v == 0 ? ~0u : std::countl_zero(v); }
std::uint32_t hel_sim_nvvm_fns(std::uint32_t mask, std::uint32_t base, std::int32_t offset) {  // PTX ISA, fns
  if (offset == 0) return base < 32 && (mask >> base & 1) ? base : ~0u;
  const int step = offset < 0 ? -1 : 1;
  for (int at = static_cast<int>(base), left = offset * step; at >= 0 && at < 32; at += step)
    if ((mask >> at & 1) && --left == 0) return static_cast<std::uint32_t>(at);
  return ~0u;
}
std::uint32_t hel_sim_nvvm_prmt(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {  // PTX ISA, prmt
  const std::uint64_t bytes = a | std::uint64_t{b} << 32;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t s = selector >> 4 * i & 15;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> 8 * (s & 7)) & 255;
    if (s & 8) byte = byte & 128 ? 255 : 0;
    result |= byte << 8 * i;
  }
  return result;
}
std::int32_t hel_sim_nvvm_mulhi_i(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(std::int64_t{a} * b >> 32);
}
std::uint32_t hel_sim_nvvm_mulhi_ui(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint32_t>(std::uint64_t{a} * b >> 32);
}
std::int64_t hel_sim_nvvm_mulhi_ll(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<__int128>(a) * b >> 64);
}
std::uint64_t hel_sim_nvvm_mulhi_ull(std::uint64_t a, std::uint64_t b) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b >> 64);
}
std::int32_t hel_sim_nvvm_d2i_lo(double v) { return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(v)); }
std::int32_t hel_sim_nvvm_d2i_hi(double v) { return static_cast<std::int32_t>(std::bit_cast<std::uint64_t>(v) >> 32); }
double hel_sim_nvvm_lohi_i2d(std::uint32_t lo, std::uint32_t hi) {
  return std::bit_cast<double>(lo | std::uint64_t{hi} << 32);
}
HEL_SIM_TO_INTEGER(nvvm_f2i_rn, std::int32_t, float, std::nearbyint)
HEL_SIM_TO_INTEGER(nvvm_f2i_rz, std::int32_t, float, std::trunc)
HEL_SIM_TO_INTEGER(nvvm_f2i_rm, std::int32_t, float, std::floor)
HEL_SIM_TO_INTEGER(nvvm_f2i_rp, std::int32_t, float, std::ceil)
HEL_SIM_TO_INTEGER(nvvm_f2ui_rn, std::uint32_t, float, std::nearbyint)
HEL_SIM_TO_INTEGER(nvvm_f2ui_rz, std::uint32_t, float, std::trunc)
HEL_SIM_TO_INTEGER(nvvm_f2ll_rn, std::int64_t, float, std::nearbyint)
HEL_SIM_TO_INTEGER(nvvm_f2ll_rz, std::int64_t, float, std::trunc)
HEL_SIM_TO_INTEGER(nvvm_f2ull_rn, std::uint64_t, float, std::nearbyint)
HEL_SIM_TO_INTEGER(nvvm_f2ull_rz, std::uint64_t, float, std::trunc)
HEL_SIM_TO_INTEGER(nvvm_d2i_rn, std::int32_t, double, std::nearbyint)
HEL_SIM_TO_INTEGER(nvvm_d2i_rz, std::int32_t, double, std::trunc)
HEL_SIM_TO_INTEGER(nvvm_d2i_rm, std::int32_t, double, std::floor)
HEL_SIM_TO_INTEGER(nvvm_d2i_rp, std::int32_t, double, std::ceil)
HEL_SIM_TO_INTEGER(nvvm_d2ui_rn, std::uint32_t, double, std::nearbyint)
HEL_SIM_TO_INTEGER(nvvm_d2ui_rz, std::uint32_t, double, std::trunc)
HEL_SIM_TO_INTEGER(nvvm_d2ll_rn, std::int64_t, double, std::nearbyint)
HEL_SIM_TO_INTEGER(nvvm_d2ll_rz, std::int64_t, double, std::trunc)
HEL_SIM_TO_INTEGER(nvvm_d2ull_rn, std::uint64_t, double, std::nearbyint)
HEL_SIM_TO_INTEGER(nvvm_d2ull_rz, std::uint64_t, double, std::trunc)
HEL_SIM_BINARY(nvvm_add_rn_f, float, a + b)
HEL_SIM_BINARY(nvvm_add_rn_d, double, a + b)
HEL_SIM_BINARY(nvvm_mul_rn_f, float, a* b)
HEL_SIM_BINARY(nvvm_mul_rn_d, double, a* b)
HEL_SIM_BINARY(nvvm_div_rn_f, float, a / b)
HEL_SIM_BINARY(nvvm_div_rn_d, double, a / b)
HEL_SIM_BINARY(nvvm_div_approx_f, float, a / b)
HEL_SIM_BINARY(nvvm_div_full_f, float, a / b)
HEL_SIM_BINARY(nvvm_fmin_f, float, std::fmin(a, b))
HEL_SIM_BINARY(nvvm_fmax_f, float, std::fmax(a, b))
HEL_SIM_BINARY(nvvm_fmin_d, double, std::fmin(a, b))
HEL_SIM_BINARY(nvvm_fmax_d, double, std::fmax(a, b))
HEL_SIM_UNARY(nvvm_fabs_f32, float, std::fabs(a))
HEL_SIM_UNARY(nvvm_fabs_f, float, std::fabs(a))
HEL_SIM_UNARY(nvvm_fabs_d, double, std::fabs(a))
HEL_SIM_UNARY(nvvm_floor_f, float, std::floor(a))
HEL_SIM_UNARY(nvvm_floor_d, double, std::floor(a))
HEL_SIM_UNARY(nvvm_ceil_f, float, std::ceil(a))
HEL_SIM_UNARY(nvvm_ceil_d, double, std::ceil(a))
HEL_SIM_UNARY(nvvm_trunc_f, float, std::trunc(a))
HEL_SIM_UNARY(nvvm_trunc_d, double, std::trunc(a))
HEL_SIM_UNARY(nvvm_round_f, float, std::nearbyint(a))
HEL_SIM_UNARY(nvvm_round_d, double, std::nearbyint(a))
HEL_SIM_UNARY(nvvm_sqrt_f, float, std::sqrt(a))
HEL_SIM_UNARY(nvvm_sqrt_rn_f, float, std::sqrt(a))
HEL_SIM_UNARY(nvvm_sqrt_rn_d, double, std::sqrt(a))
HEL_SIM_UNARY(nvvm_sqrt_approx_f, float, std::sqrt(a))
HEL_SIM_UNARY(nvvm_rsqrt_approx_f, float, 1 / std::sqrt(a))
HEL_SIM_UNARY(nvvm_rsqrt_approx_d, double, 1 / std::sqrt(a))
HEL_SIM_UNARY(nvvm_rcp_rn_f, float, 1 / a)
HEL_SIM_UNARY(nvvm_rcp_rn_d, double, 1 / a)
HEL_SIM_UNARY(nvvm_rcp_approx_ftz_d, double, 1 / a)
HEL_SIM_UNARY(nvvm_ex2_approx_f, float, std::exp2(a))
HEL_SIM_UNARY(nvvm_ex2_approx_f32, float, std::exp2(a))
HEL_SIM_UNARY(nvvm_ex2_approx_ftz_f32, float, std::exp2(a))
HEL_SIM_UNARY(nvvm_lg2_approx_f, float, std::log2(a))
HEL_SIM_UNARY(nvvm_sin_approx_f, float, std::sin(a))
HEL_SIM_UNARY(nvvm_cos_approx_f, float, std::cos(a))
HEL_SIM_UNARY(nvvm_fabs_f64, double, std::fabs(a))
float hel_sim_nvvm_fma_rz_f(float a, float b, float c) {
  return toward_zero([&] { return std::fma(a, b, c); });
}
double hel_sim_nvvm_fma_rz_d(double a, double b, double c) {
  return toward_zero([&] { return std::fma(a, b, c); });
}
float hel_sim_nvvm_fma_rn_f(float a, float b, float c) { return std::fma(a, b, c); }
double hel_sim_nvvm_fma_rn_d(double a, double b, double c) { return std::fma(a, b, c); }

}  // extern "C"
