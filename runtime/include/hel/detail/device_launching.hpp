// runtime::launch where the tasks run on a device: the coroutine is called here, its frame travels.
#pragma once

#include <functional>
#include <stdexcept>
#include <type_traits>

#include "hel/abi/device_launch.hpp"
#include "hel/resident/launch_message.hpp"
#include "hel/spawn.hpp"

namespace hel::exec {

// A launch on its way, answered once by a thread of the runtime's.
struct device_request {
  void (*answered)(device_request* self, const void* value, error failed) noexcept;  // code 0: there is a value
};

class device_launcher {
 public:
  // Takes the frame and owns the request until it is answered. Blocks while too many launches are under way. Throws
  // hel::device_error, or std::logic_error for a frame of another program: the request is the caller's then.
  virtual void submit(const abi::device_launch& launch, const resident::launch_message& result, device_request* r) = 0;

 protected:
  ~device_launcher() = default;
};

}  // namespace hel::exec

namespace hel::detail {

// The outcome on its way into a root that the host waits for.
template <class T>
struct launch_request : exec::device_request {
  root<T>* to;

  explicit launch_request(root<T>* r) noexcept : device_request{&launch_request::arrived}, to(r) {}
  static void arrived(device_request* self, [[maybe_unused]] const void* value, error failed) noexcept {
    auto* const request = static_cast<launch_request*>(self);
    root<T>* const r = request->to;
    delete request;
    if (failed.code != 0)
      r->out.set_failure(failed);
    else if constexpr (std::is_void_v<T>)
      r->out.set();
    else
      r->out.set(*static_cast<const T*>(value));
    count_root_finished(*r->home);
    const auto over = r->word.complete();
    if (over.detached) root<T>::release(r);
    wake_links(over.first).resume();
  }
};

// Calls f and submits the frame of the task. Throws std::logic_error for what no device can run; see
// docs/programming-model.md.
template <class F, class... Args>
auto* launch_on_device(exec::executor& home, exec::device_launcher& device, F&& f, Args&&... args) {
  using callable = std::decay_t<F>;
  using made = std::invoke_result_t<F, Args...>;
  static_assert(is_task<made>::value, "the callable must return hel::task<T>");
  static_assert(call_check<callable, Args&&...>::value,
                "a reference parameter of a launched task would be bound to a temporary, which ends before the task "
                "runs: take the parameter by value");
  using T = typename made::value_type;
  using launch = abi::device_launch;
  if constexpr (std::is_class_v<callable> && !std::is_empty_v<callable>) {
    launch::refuse(nullptr, "it is a callable with members, which stay on the host: pass them as parameters");
    return static_cast<root<T>*>(nullptr);
  } else if constexpr (!std::is_void_v<T> && !std::is_trivially_copyable_v<stored_t<T>>) {
    launch::refuse(nullptr, "its result is of a type that is not trivially copyable");
    return static_cast<root<T>*>(nullptr);
  } else if constexpr (std::is_reference_v<T>) {
    launch::refuse(nullptr, "its result is a reference");
    return static_cast<root<T>*>(nullptr);
  } else {
    launch l;
    {
      made task = std::invoke(std::forward<F>(f), std::forward<Args>(args)...);
      l.end_call();
      if (!l.built()) launch::refuse(nullptr, "it is no task for the device, or was not lowered with --target cuda");
      (void)task.release();  // its frame is l's
    }
    auto* const r = root<T>::make_empty(&home);
    auto* const request = new launch_request<T>(r);
    resident::launch_message result{};
    result.result_bytes = (sizeof(r->out) + 7) / 8 * 8;
    result.value_offset = static_cast<std::uint32_t>(static_cast<const char*>(r->out.value_address()) -
                                                     reinterpret_cast<const char*>(&r->out));
    if constexpr (!std::is_void_v<T>) result.value_bytes = sizeof(T);
    count_root_started(home);
    try {
      device.submit(l, result, request);
    } catch (...) {
      delete request;
      count_root_finished(home);
      root<T>::release(r);
      throw;
    }
    return r;
  }
}

}  // namespace hel::detail
