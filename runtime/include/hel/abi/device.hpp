// What lowered code in a .cu is made of, beside lowered.hpp: device frames and the way to their bodies.
//
// A device frame starts with four bytes, {type id, suspension index}, then the promise. With -rdc=true, where files are
// compiled separately, the file's number stands between: the type id is unique in the file, and the program's registry
// (hel-lower --registry) has a switch over the files. There is no function pointer in
// it: a generated switch over type ids calls the bodies directly, so that ptxas knows registers and stack of each. The
// bodies are in types local to the users' functions; `device_define` makes such a type findable by number at the end
// of the file.
#pragma once

#include <cstdint>
#include <type_traits>

#include "hel/abi/device_launch.hpp"
#include "hel/abi/lowered.hpp"
#include "hel/core/trap.hpp"

// What the host builds for the device is what the device builds: this is the same in both compilations.
#if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
#  define HEL_DEVICE_FRAME_HEADER                                                                                      \
    unsigned short hel_number;                                                                                         \
    unsigned short hel_index;                                                                                          \
    unsigned hel_file;
#  define HEL_DEVICE_FRAME_BEGIN(frame, file, number)                                                                  \
    (frame)->hel_number = (number);                                                                                    \
    (frame)->hel_index = 0;                                                                                            \
    (frame)->hel_file = (file);
#else
#  define HEL_DEVICE_FRAME_HEADER                                                                                      \
    unsigned short hel_number;                                                                                         \
    unsigned short hel_index;
#  define HEL_DEVICE_FRAME_BEGIN(frame, file, number)                                                                  \
    (frame)->hel_number = (number);                                                                                    \
    (frame)->hel_index = 0;
#endif

#if defined(__CUDACC__)

// Friends that are declared in one template and defined in another: nvcc and g++ take this for a mistake.
#  pragma nv_diag_suppress 1301
#  if defined(__GNUC__) && !defined(__clang__)
#    pragma GCC diagnostic ignored "-Wnon-template-friend"
#  endif

namespace hel::abi {
inline namespace v1 {

struct device_frame_header {
  std::uint16_t type;   // which coroutine of the file, from 1
  std::uint16_t index;  // its suspension index
#  if defined(__CUDACC_RDC__) || defined(__CLANG_RDC__)
  std::uint32_t file;  // a hash of its unit's name; the registry has made sure that no two are equal
#  endif
};

// What the switch calls. Declared here, defined where the coroutine is: that of a template is instantiated after the
// switch has been read.
template <class Unit, unsigned Type>
struct device_type {
  friend __device__ void* device_resume(device_type, void* frame);
  friend __device__ void device_destroy(device_type, void* frame);
};

template <class Unit, unsigned Type, class Ops>
struct device_define {
  friend __device__ void* device_resume(device_type<Unit, Type>, void* frame) {
    return Ops::hel_device_resume(static_cast<typename Ops::hel_device_frame_type*>(frame));
  }
  friend __device__ void device_destroy(device_type<Unit, Type>, void* frame) {
    Ops::hel_device_destroy(static_cast<typename Ops::hel_device_frame_type*>(frame));
  }
};

// What the ramp returns where the allocation function has no memory. A promise type says what that is.
template <class Promise>
__device__ auto without_frame() noexcept -> decltype(static_cast<Promise*>(nullptr)->get_return_object()) {
  if constexpr (requires { Promise::get_return_object_without_frame(); })
    return Promise::get_return_object_without_frame();
  else
    core::trap("there is no memory for the frame of a coroutine");
}

}  // namespace v1
}  // namespace hel::abi

#endif
