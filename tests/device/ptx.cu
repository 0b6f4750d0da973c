// Inline PTX, libcu++'s atomics (which are inline PTX), the older atomic functions of every scope, and arithmetic.
#include <cmath>
#include <cuda/atomic>

#include "check.hpp"

__global__ void registers(unsigned* out) {
  unsigned lane, mask, sm;
  unsigned long long time;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(mask));
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  const long long before = clock64();
  asm volatile("nanosleep.u32 %0;" ::"r"(2000));
  out[threadIdx.x] =
      lane == threadIdx.x % 32 && mask == (1u << lane) - 1 && sm < 2 && time != 0 && clock64() - before >= 2000;
}

__global__ void instructions(unsigned* word, unsigned long long* wide, unsigned* out) {
  unsigned v, w;
  asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(word), "r"(5) : "memory");
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(word) : "memory");
  asm volatile("atom.add.acq_rel.sys.global.u32 %0, [%1], %2;" : "=r"(w) : "l"(word), "r"(10) : "memory");
  out[0] = v == 5 && w == 5;
  asm volatile("red.relaxed.gpu.global.or.b32 [%0], %1;" ::"l"(word), "r"(0x100) : "memory");
  asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(v) : "l"(word) : "memory");
  out[1] = v == 0x10f;
  asm volatile("atom.min.s32 %0, [%1], %2;" : "=r"(v) : "l"(word), "r"(-1) : "memory");
  asm volatile("atom.max.u32 %0, [%1], %2;" : "=r"(w) : "l"(word), "r"(3) : "memory");
  out[2] = v == 0x10f && w == 0xffffffff && *word == 0xffffffff;
  unsigned long long x;
  asm volatile("atom.cas.acquire.gpu.b64 %0, [%1], %2, %3;"
               : "=l"(x)
               : "l"(wide), "l"(0ull), "l"(1ull << 40)
               : "memory");
  out[3] = x == 0 && *wide == 1ull << 40;
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
  asm volatile("fence.sc.sys;" ::: "memory");
  asm volatile("membar.gl;" ::: "memory");
  asm volatile("" : "+r"(v)::"memory");
  asm("bfind.u32 %0, %1;" : "=r"(v) : "r"(0x00100000));
  out[4] = v == 20;
  asm volatile("exit;");
  out[5] = 0;  // nobody comes here
}

__global__ void libcu(unsigned* word, unsigned long long* wide, int* small, unsigned* out) {
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> a(*word);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> b(*wide);
  cuda::atomic_ref<int, cuda::thread_scope_block> c(*small);
  a.fetch_add(2, cuda::std::memory_order_relaxed);
  a.fetch_or(1u << 31, cuda::std::memory_order_acq_rel);
  b.fetch_add(1ull << 33);  // sequentially consistent
  unsigned long long found = b.load(cuda::std::memory_order_acquire);
  while (!b.compare_exchange_weak(found, found + 5, cuda::std::memory_order_acq_rel, cuda::std::memory_order_acquire)) {
  }
  c.fetch_min(-static_cast<int>(threadIdx.x));
  cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_device);
  out[blockIdx.x * 32 + threadIdx.x] = a.load() >> 31 && a.is_lock_free();
}

__global__ void atomics(int* i, unsigned* u, float* f, double* d) {
  atomicAdd(i, 1);
  atomicAdd_system(i + 1, 1);
  atomicAdd_block(i + 2, 1);
  atomicSub(i + 3, 2);
  atomicMin(i + 4, -static_cast<int>(threadIdx.x));
  atomicMax_system(u, threadIdx.x);
  atomicInc(u + 1, 9);
  atomicXor(u + 2, 1u << threadIdx.x % 32);
  atomicExch_block(u + 3, 7);
  atomicCAS_system(u + 4, threadIdx.x, threadIdx.x + 1);
  atomicAdd(f, 0.5f);
  atomicAdd(d, 0.25);
}

__global__ void arithmetic(double* out, float f, double d, unsigned u) {
  int i = 0;
  out[i++] = sinf(f) - ::sin(1.5);
  out[i++] = cos(d) - ::cos(2.5);
  out[i++] = exp(d) / ::exp(2.5) - 1;
  out[i++] = pow(d, 3.0) - 15.625;
  out[i++] = sqrtf(f * f) - 1.5f;
  out[i++] = rsqrtf(4 * f / f) - 0.5;
  out[i++] = fmaf(f, 2, 1) - 4;
  out[i++] = __float2int_rn(2.5f * f / f) - 2;
  out[i++] = __double2int_rz(-d) + 2;
  out[i++] = __popc(u) - 5;
  out[i++] = __clz(u) - 24;
  out[i++] = __ffs(u) - 1;
  out[i++] = __brev(u) == 0xd9000000 ? 0 : 1;
  out[i++] = __umulhi(u << 24, u << 24) == 0x5dd90000 ? 0 : 1;
  out[i++] = __byte_perm(0x33221100, 0x77665544, 0x7250) == 0x77225500 ? 0 : 1;
  out[i++] = fmodf(7.5f * f, 4.0f * f / f) - 3.25;
  out[i++] = sin(1e10 * d) - ::sin(2.5e10);  // the long way of reducing an argument
  out[i] = 12345;
}

int main() {
  unsigned* u = nullptr;
  unsigned long long* wide = nullptr;
  unsigned h[64] = {};
  CHECK_CUDA(cudaMalloc(&u, 256 * sizeof(unsigned)));
  CHECK_CUDA(cudaMalloc(&wide, 256));
  registers<<<1, 64>>>(u);
  CHECK_CUDA(cudaMemcpy(h, u, sizeof h, cudaMemcpyDeviceToHost));
  for (const unsigned ok : h) CHECK(ok == 1);

  CHECK_CUDA(cudaMemset(u, 0xff, 256 * sizeof(unsigned)));
  CHECK_CUDA(cudaMemset(wide, 0, 256));
  instructions<<<1, 1>>>(u + 100, wide, u);
  CHECK_CUDA(cudaMemcpy(h, u, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 5; ++i) CHECK(h[i] == 1);
  CHECK(h[5] == ~0u);

  CHECK_CUDA(cudaMemset(u, 0, 256 * sizeof(unsigned)));
  CHECK_CUDA(cudaMemset(wide, 0, 256));
  libcu<<<2, 32>>>(u + 100, wide, reinterpret_cast<int*>(u + 101), u);
  CHECK_CUDA(cudaMemcpy(h, u, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) CHECK(h[i] == 1);
  unsigned long long total = 0;
  CHECK_CUDA(cudaMemcpy(&total, wide, sizeof total, cudaMemcpyDeviceToHost));
  CHECK(total == 64 * ((1ull << 33) + 5));
  CHECK_CUDA(cudaMemcpy(h, u + 100, 8, cudaMemcpyDeviceToHost));
  CHECK(h[0] == (1u << 31) + 128 && static_cast<int>(h[1]) == -31);

  CHECK_CUDA(cudaMemset(u, 0, 256 * sizeof(unsigned)));
  CHECK_CUDA(cudaMemset(wide, 0, 256));
  atomics<<<1, 64>>>(reinterpret_cast<int*>(u), u + 10, reinterpret_cast<float*>(u + 20),
                     reinterpret_cast<double*>(wide));
  CHECK_CUDA(cudaMemcpy(h, u, sizeof h, cudaMemcpyDeviceToHost));
  const int* i = reinterpret_cast<const int*>(h);
  CHECK(i[0] == 64 && i[1] == 64 && i[2] == 64 && i[3] == -128 && i[4] == -63);
  CHECK(h[10] == 63 && h[11] == 4 && h[12] == 0 && h[13] == 7 && h[14] >= 1 && h[14] <= 64);
  CHECK(*reinterpret_cast<const float*>(h + 20) == 32.0f);
  double quarter = 0;
  CHECK_CUDA(cudaMemcpy(&quarter, wide, sizeof quarter, cudaMemcpyDeviceToHost));
  CHECK(quarter == 16.0);

  double results[32] = {};
  arithmetic<<<1, 1>>>(reinterpret_cast<double*>(u), 1.5f, 2.5, 0x9b);
  CHECK_CUDA(cudaMemcpy(results, u, sizeof results, cudaMemcpyDeviceToHost));
  for (int k = 0; results[k] != 12345 && k < 31; ++k) {
    if (std::fabs(results[k]) > 1e-6) std::fprintf(stderr, "arithmetic %d: %g\n", k, results[k]);
    CHECK(std::fabs(results[k]) <= 1e-6);
  }
  CHECK_CUDA(cudaFree(u));
  CHECK_CUDA(cudaFree(wide));
  return failures();
}
