// hel::buffer<T>: memory that tasks and host share. On the CPU it is plain memory; on a device it is that device's.
//
//   hel::buffer<float> data = rt.make_buffer<float>(n);         // zeroed
//   { auto h = data.host_view(); std::iota(h.begin(), h.end(), 0.0f); }
//   rt.launch(scale, data.view(), 2.0f).get();                  // a task gets a view, by value
//   auto h = data.host_view(hel::read_only);
//
//   HEL_TASK hel::task<void> scale(hel::buffer_view<float> v, float factor) {
//     for (std::size_t i = 0; i < v.size(); ++i) v[i] *= factor;
//     co_await hel::copy(v.part(0, 10), v.part(10, 10));        // to, from: between buffers, ...
//     co_await hel::copy(v, hel::on_host(p, n));                // ... from the host's memory, and to it
//   }
//
// T is trivially copyable. Sizes and places are counted in elements. The buffer owns the memory, is movable, and
// belongs to the host: it is made and destroyed outside of tasks, after the runtime was made, before that is destroyed,
// and outlives the tasks that have views of it. Threads: who reads what another writes is ordered by other means
// (awaiting, joining, a channel), as with any memory.
//
// host_view(): what the host reads and writes, outside of tasks. Tasks may not use that part of the buffer while the
// view lives, and see what was written once it is destroyed; with hel::read_only nothing is written back. (On a device
// the view is a copy.)
//
// copy(): the task goes on when the copy is complete. Parts of the same buffer must not overlap. With parts of
// different sizes the task fails with errc::out_of_range, nothing having been copied. A cancelled task still waits for
// its copy.
//
// part() and operator[] check their bounds unless NDEBUG is defined, and end the program. Errors: std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "hel/detail/host_call.hpp"
#include "hel/runtime.hpp"

namespace hel {

namespace detail {
HEL_HD inline void check_bounds([[maybe_unused]] bool within) noexcept {
#if !defined(NDEBUG)
  if (!within) core::trap("hel::buffer: out of range");
#endif
}
}  // namespace detail

// A part of a buffer, for tasks. A plain value.
template <class T>
class buffer_view {
  static_assert(std::is_trivially_copyable_v<T>, "hel::buffer: the elements must be trivially copyable");

 public:
  using element_type = T;
  buffer_view() noexcept = default;
  HEL_HD buffer_view(T* data, std::size_t size) noexcept : data_(data), size_(size) {}
  // Of elements that cannot be written.
  template <class U>
  requires(!std::is_const_v<T> && std::is_same_v<U, const T>) HEL_HD operator buffer_view<U>() const noexcept {
    return {data_, size_};
  }

  HEL_HD std::size_t size() const noexcept { return size_; }
  HEL_HD bool empty() const noexcept { return size_ == 0; }
  HEL_HD T* data() const noexcept { return data_; }
  HEL_HD T& operator[](std::size_t i) const noexcept {
    detail::check_bounds(i < size_);
    return data_[i];
  }
  HEL_HD T* begin() const noexcept { return data_; }
  HEL_HD T* end() const noexcept { return data_ + size_; }
  HEL_HD buffer_view part(std::size_t first, std::size_t n) const noexcept {
    detail::check_bounds(first <= size_ && n <= size_ - first);
    return {data_ + first, n};
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

// Memory of the host, which a task names but, on a device, cannot reach.
template <class T>
struct host_memory {
  T* data;
  std::size_t size;
  template <class U>
  requires(!std::is_const_v<T> && std::is_same_v<U, const T>) HEL_HD operator host_memory<U>() const noexcept {
    return {data, size};
  }
};
template <class T>
HEL_HD host_memory<T> on_host(T* data, std::size_t n) noexcept {
  return {data, n};
}

struct read_only_t {};
inline constexpr read_only_t read_only{};

// What the host sees of a buffer. Movable; used by one thread at a time.
template <class T>
class host_view {
 public:
  explicit host_view(buffer_view<T> v) noexcept : view_(v) {}
  host_view(host_view&& o) noexcept : view_(std::exchange(o.view_, {})) {}
  host_view& operator=(host_view&&) = delete;

  std::size_t size() const noexcept { return view_.size(); }
  T* data() const noexcept { return view_.data(); }
  T& operator[](std::size_t i) const noexcept { return view_[i]; }
  T* begin() const noexcept { return view_.begin(); }
  T* end() const noexcept { return view_.end(); }

 private:
  buffer_view<T> view_;
};

template <class T>
class buffer {
  static_assert(!std::is_const_v<T>);

 public:
  buffer() noexcept = default;
  // By runtime::make_buffer().
  buffer(exec::executor& e, std::size_t n) : home_(&e), size_(n) {
    if (n > static_cast<std::size_t>(-1) / sizeof(T)) throw std::bad_array_new_length();
    data_ = static_cast<T*>(e.allocate_shared(n * sizeof(T)));
  }
  buffer(buffer&& o) noexcept
      : home_(o.home_), data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  buffer& operator=(buffer&& o) noexcept {
    std::swap(home_, o.home_);
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~buffer() {
    if (data_) home_->free_shared(data_, size_ * sizeof(T));
  }

  std::size_t size() const noexcept { return size_; }
  buffer_view<T> view() noexcept { return {data_, size_}; }
  buffer_view<const T> view() const noexcept { return {data_, size_}; }

  hel::host_view<T> host_view() { return hel::host_view<T>(view()); }
  hel::host_view<T> host_view(std::size_t first, std::size_t n) { return hel::host_view<T>(view().part(first, n)); }
  hel::host_view<const T> host_view(read_only_t) const { return hel::host_view<const T>(view()); }
  hel::host_view<const T> host_view(read_only_t, std::size_t first, std::size_t n) const {
    return hel::host_view<const T>(view().part(first, n));
  }

 private:
  exec::executor* home_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

namespace detail {

// A large copy is made by a host thread: the worker has better things to do. Not registered, so that it is waited for.
struct copy_bytes {
  void operator()(void* to, const void* from, std::size_t bytes) const noexcept { std::memcpy(to, from, bytes); }
};
inline constexpr std::size_t bytes_copied_at_once = std::size_t{1} << 18;

template <bool Deliver>
class [[nodiscard("co_await it")]] copy_operation {
 public:
  HEL_HD copy_operation(void* to, std::size_t to_bytes, const void* from, std::size_t from_bytes) noexcept
      : to_(to), from_(from), bytes_(to_bytes), fits_(to_bytes == from_bytes) {}
  HEL_HD copy_operation(copy_operation && o) noexcept  // before it is awaited
      : to_(o.to_), from_(o.from_), bytes_(o.bytes_), fits_(o.fits_) {}
  HEL_HD ~copy_operation() {
#if !defined(__CUDA_ARCH__)
    if (call_) delete_call();
#endif
  }

  HEL_HD bool await_ready() const {
#if defined(__CUDA_ARCH__)
    core::trap("hel::copy needs the resident runtime, which does not copy yet");
#else
    if (!fits_) return Deliver;
    if (bytes_ > bytes_copied_at_once) return false;
    if (bytes_ > 0) std::memcpy(to_, from_, bytes_);
    return true;
#endif
  }
  template <class P>
  HEL_HD std::coroutine_handle<> await_suspend(std::coroutine_handle<P> waiting) {
#if defined(__CUDA_ARCH__)
    return waiting;
#else
    if (!fits_) {
      if constexpr (is_task_promise<P>)
        return fail_from(waiting, errc::out_of_range);
      else
        throw failure(errc::out_of_range);
    }
    call_ = ::new (allocate_block(sizeof(call)))
        call(copy_bytes{}, tuple<void*, const void*, std::size_t>{{{to_}, {from_}, {bytes_}}});
    return call_->template start<!Deliver>(waiting);
#endif
  }
  HEL_HD auto await_resume() const noexcept {
    if constexpr (Deliver) {
      using outcome = expected<void, error>;
      return fits_ ? outcome() : outcome(unexpected<error>(errc::out_of_range));
    }
  }
  HEL_HD auto deliver_errors()&& noexcept {
    return copy_operation<true>(to_, bytes_, from_, fits_ ? bytes_ : bytes_ + 1);
  }

 private:
  using call = host_call_state<copy_bytes, void*, const void*, std::size_t>;
  void delete_call() noexcept {
    call_->~call();
    free_block_of(call_, sizeof(call));
  }

  void* to_;
  const void* from_;
  std::size_t bytes_;
  bool fits_;
  call* call_ = nullptr;  // of a large copy
};

}  // namespace detail

template <class T>
HEL_HD auto copy(buffer_view<T> to, std::type_identity_t<buffer_view<const T>> from) noexcept {
  return detail::copy_operation<false>(to.data(), to.size() * sizeof(T), from.data(), from.size() * sizeof(T));
}
template <class T>
HEL_HD auto copy(buffer_view<T> to, std::type_identity_t<host_memory<const T>> from) noexcept {
  return detail::copy_operation<false>(to.data(), to.size() * sizeof(T), from.data, from.size * sizeof(T));
}
template <class T>
HEL_HD auto copy(host_memory<T> to, std::type_identity_t<buffer_view<const T>> from) noexcept {
  return detail::copy_operation<false>(to.data, to.size * sizeof(T), from.data(), from.size() * sizeof(T));
}

template <class T>
buffer<T> runtime::make_buffer(std::size_t n) {
  return buffer<T>(*executor_, n);
}

}  // namespace hel
