// What lowered code is made of: the frame header, storage for one object, the thunks that enter a body, and the guards
// that run the cleanup stack when an exception leaves. Included by every file that hel-lower writes; not for users.
//
// Names are versioned: lowered code says `::hel::abi::expects<N>` for the N it was made for.
#pragma once

#include <coroutine>
#include <cstddef>
#include <exception>
#include <initializer_list>
#include <new>
#include <type_traits>
#include <utility>

#include "hel/abi/format.hpp"
#include "hel/abi/frame_info.hpp"
#include "hel/annotate.hpp"

// Around generated code: the warnings that a user turns on are for the user's own lines.
#if defined(__GNUC__) && !defined(__clang__)
// A list over an array in the frame is not the dangling one that the second warning takes it for.
#  define HEL_LOWERED_IGNORE_GCC                                   \
    _Pragma("GCC diagnostic ignored \"-Wmaybe-uninitialized\"")    \
    _Pragma("GCC diagnostic ignored \"-Winit-list-lifetime\"")
#else
#  define HEL_LOWERED_IGNORE_GCC
#endif
#define HEL_LOWERED_BEGIN                                            \
  _Pragma("GCC diagnostic push")                                     \
  _Pragma("GCC diagnostic ignored \"-Wunused-local-typedefs\"")      \
  _Pragma("GCC diagnostic ignored \"-Wunused-variable\"")            \
  _Pragma("GCC diagnostic ignored \"-Wunused-but-set-variable\"")    \
  _Pragma("GCC diagnostic ignored \"-Winvalid-offsetof\"")           \
  _Pragma("GCC diagnostic ignored \"-Wshadow\"")                     \
  _Pragma("GCC diagnostic ignored \"-Wparentheses\"")                \
  HEL_LOWERED_IGNORE_GCC
#define HEL_LOWERED_END _Pragma("GCC diagnostic pop")

// In front of a body that returns the next frame. Inlined into the thunk that enters it, its locals could keep the
// compiler from leaving by a tail call, and a chain of transfers would grow the stack: so not where their addresses are
// taken (by the sanitizers always). Clang's thunk must tail-call and says so if it cannot.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#  define HEL_RESUME_APART __attribute__((noinline))
#else
#  define HEL_RESUME_APART
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define HEL_RESUME HEL_RESUME_APART
#else
#  define HEL_RESUME
#endif

// A small body is compiled once for each suspension index where the compiler optimises for speed: the frame's resume
// pointer says where to go on, and what cannot be reached from there is gone. Elsewhere one function with a switch.
#if defined(__has_feature)
#  if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#    define HEL_LOWERED_SANITIZED 1
#  endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#  define HEL_LOWERED_SANITIZED 1
#endif
#if defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__) && !defined(HEL_LOWERED_SANITIZED) && !defined(__CUDACC__) && \
    !defined(HEL_NO_STATE_ENTRIES)
#  define HEL_STATE_ENTRIES 1
#  define HEL_BODY __attribute__((always_inline)) inline
#  define HEL_ENTRY(index) (&::hel::abi::entry<hel_ops>::template at<index>)
#  define HEL_HEADER ::hel::abi::entry<hel_ops>::state_header
#  define HEL_RESUME_AT(index) hel_f->hel_resume = ::hel::abi::opaque(HEL_ENTRY(index))
#else
#  define HEL_BODY HEL_RESUME
#  define HEL_ENTRY(index) (&::hel::abi::entry<hel_ops>::resume)
#  define HEL_HEADER ::hel::abi::entry<hel_ops>::header
#  define HEL_RESUME_AT(index)
#endif

// What await_suspend returns is never null ([coroutine.handle.noop] is for "nothing").
#if defined(HEL_STATE_ENTRIES)
#  define HEL_NEXT(frame) \
    if (!(frame)) __builtin_unreachable()
#else
#  define HEL_NEXT(frame) (void)0
#endif

// Without coroutine support `operator co_await` is no name. Lowered files say `operator HEL_CO_AWAIT`, which is then the
// complement operator, called as a function: nothing but an awaitable's own operator is found by that.
#if defined(__cpp_impl_coroutine) && !defined(HEL_WITHOUT_COROUTINES) && !defined(__CUDACC__)
#  define HEL_CO_AWAIT co_await
#else
#  define HEL_CO_AWAIT ~
#endif

namespace hel::abi {
inline namespace v1 {

inline constexpr int version = 1;

template <int N>
struct expects {
  static_assert(N == version, "this file was lowered by a hel-lower for another version of the HEL runtime: lower it again");
};

// In the body of a coroutine template that its file never instantiates: hel-lower has nothing to lower there.
template <class...>
struct not_lowered {};

// What conditions on template arguments are written with. The type of a function object's operator(), where it has one:
template <class F, class Signature>
struct member_of;
template <class F, class R, class... Args>
struct member_of<F, R(Args...)> {
  using type = R (F::*)(Args...);
  using noexcept_type = R (F::*)(Args...) noexcept;
};
template <class F, class R, class... Args>
struct member_of<F, R(Args...) const> {
  using type = R (F::*)(Args...) const;
  using noexcept_type = R (F::*)(Args...) const noexcept;
};
template <class F, class Signature>
inline constexpr bool called_as = requires {
  requires std::is_same_v<decltype(&F::operator()), typename member_of<F, Signature>::type> ||
               std::is_same_v<decltype(&F::operator()), typename member_of<F, Signature>::noexcept_type>;
};
template <auto A, auto B>
inline constexpr bool same_value = false;
template <auto A>
inline constexpr bool same_value<A, A> = true;
template <template <class...> class Template>
struct template_tag {};

template <class T>
inline constexpr std::size_t size_of = 0;
template <class T>
  requires requires { sizeof(T); }
inline constexpr std::size_t size_of<T> = sizeof(T);
// The argument of a template of types, void for everything else.
template <std::size_t I, class... Args>
struct nth {
  using type = void;
};
template <class First, class... Rest>
struct nth<0, First, Rest...> {
  using type = First;
};
template <std::size_t I, class First, class... Rest>
  requires(I > 0)
struct nth<I, First, Rest...> : nth<I - 1, Rest...> {};
template <class T, std::size_t I>
struct argument_of {
  using type = void;
};
template <template <class...> class Template, class... Args, std::size_t I>
struct argument_of<Template<Args...>, I> : nth<I, Args...> {};
template <class T, std::size_t I>
using argument = typename argument_of<T, I>::type;

// A class or an enumeration is called so, whatever its scope and its arguments: for types declared after the template
// that asks. The compilers' spellings of a function's name agree in that much.
template <class HelNamed>
constexpr bool is_named(const char* name) {
  const char* at = __PRETTY_FUNCTION__;
  while (*at != '[') ++at;
  while (*at != '=') ++at;
  const char* begin = at += 2;
  for (int depth = 0; *at && *at != '<' && *at != ';' && *at != ']'; ++at) {
    if (*at == '(' || *at == '{') ++depth;
    if (*at == ')' || *at == '}') --depth;
    if (depth == 0 && (*at == ':' || *at == ' ')) begin = at + 1;
  }
  for (; begin != at; ++begin, ++name)
    if (*begin != *name) return false;
  return *name == 0;
}

// T, as a type that depends on a template if one of the others does.
template <class T, class...>
struct dependent {
  using type = T;
};

// The elements of packs, by number: a lowered body has a variable for each.
template <class...>
struct types {};
template <auto...>
struct values {};
template <std::size_t N>
struct number {};
template <class... Ts>
using count = number<sizeof...(Ts)>;
template <std::size_t K, class... Ts>
using element = typename nth<K, Ts...>::type;
template <std::size_t K, class First, class... Rest>
HEL_HD constexpr decltype(auto) pick(First& first, Rest&... rest) noexcept {
  if constexpr (K == 0)
    return (first);
  else
    return pick<K - 1>(rest...);
}

// begin(range), end(range) and get<I>(tuple), found by their arguments alone: where a local variable, say, has the name.
namespace by_arguments {
void begin() = delete;
void end() = delete;
template <std::size_t>
void get() = delete;
struct begin_of {
  template <class Range>
  HEL_HD constexpr decltype(auto) operator()(Range&& range) const { return begin(range); }
};
struct end_of {
  template <class Range>
  HEL_HD constexpr decltype(auto) operator()(Range&& range) const { return end(range); }
};
template <std::size_t I>
struct get_of {
  template <class Tuple>
  HEL_HD constexpr decltype(auto) operator()(Tuple&& tuple) const { return get<I>(static_cast<Tuple&&>(tuple)); }
};
}  // namespace by_arguments
template <class Range>
HEL_HD constexpr decltype(auto) adl_begin(Range& range) {
  return by_arguments::begin_of{}(range);
}
template <class Range>
HEL_HD constexpr decltype(auto) adl_end(Range& range) {
  return by_arguments::end_of{}(range);
}
template <std::size_t I, class Tuple>
HEL_HD constexpr decltype(auto) adl_get(Tuple&& tuple) {
  return by_arguments::get_of<I>{}(static_cast<Tuple&&>(tuple));
}

// Storage for one object. Objects are made with ::new at the address and destroyed by the body: nothing here does.
template <class T, std::size_t Align = alignof(T)>
struct slot {
  alignas(T) alignas(Align) unsigned char bytes[sizeof(T)];
  HEL_HD T& get() noexcept { return *reinterpret_cast<T*>(bytes); }
};

// An array as a class type, so that it can be list-initialised in place and destroyed as one object.
template <class T>
struct boxed {
  T value;
};

// Element number K of an array, counted through the arrays in it; of the value category of the whole.
template <class Array>
HEL_HD constexpr decltype(auto) flat(Array&& array, std::size_t k) noexcept {
  using inner = std::remove_reference_t<decltype(array[0])>;
  if constexpr (std::is_array_v<inner>) {
    constexpr std::size_t size = sizeof(inner) / sizeof(std::remove_all_extents_t<inner>);
    return flat(static_cast<Array&&>(array)[k / size], k % size);
  } else {
    return static_cast<Array&&>(array)[k];
  }
}
template <class T, class Array, std::size_t... K>
HEL_HD constexpr boxed<T> copy(Array&& array, std::index_sequence<K...>) {
  return {{flat(static_cast<Array&&>(array), K)...}};
}
// An array with the elements of another, copied or moved ([dcl.struct.bind]).
template <class T, class Array>
HEL_HD constexpr boxed<T> copy(Array&& array) {
  constexpr std::size_t size = sizeof(T) / sizeof(std::remove_all_extents_t<T>);
  return copy<T>(static_cast<Array&&>(array), std::make_index_sequence<size>{});
}

template <class T>
HEL_HD constexpr std::remove_reference_t<T>* address(T&& t) noexcept {
  return __builtin_addressof(t);
}

// For host objects in host frames, too: nvcc need not check which side the destructor is for.
#if defined(__CUDACC__)
#  pragma nv_exec_check_disable
#endif
template <class T>
HEL_HD void destroy(T& object) {
  object.~T();
}
#if defined(__CUDACC__)
#  pragma nv_exec_check_disable
#endif
template <class T, std::size_t N>
HEL_HD void destroy(T (&array)[N]) {
  destroy(reinterpret_cast<boxed<T[N]>&>(array));
}

// Parts of an aggregate that is built in place. A base class subobject, or the object itself, without its qualifiers:
template <class Base, class Whole>
HEL_HD constexpr Base& base(Whole& whole) noexcept {
  return const_cast<std::remove_cv_t<Whole>&>(whole);
}
// The N elements of an array from this one on.
template <std::size_t N, class T>
HEL_HD auto rest(T& first) noexcept -> T (&)[N] {
  return reinterpret_cast<T(&)[N]>(first);
}
// A member that is a reference: every compiler keeps it as a pointer. Size and offset are those that hel-lower saw.
template <std::size_t Size, std::size_t Offset, class Whole, class T>
HEL_HD void bind(Whole& whole, T&& to) noexcept {
  static_assert(sizeof(Whole) == Size, "this file was lowered for another layout of the aggregate");
  auto* pointer = address(to);
  __builtin_memcpy(reinterpret_cast<unsigned char*>(address(const_cast<std::remove_cv_t<Whole>&>(whole))) + Offset, &pointer, sizeof pointer);
}

// A std::initializer_list over an array that lives in a frame. Its constructor is the compiler's; every library has the
// address first, then the length.
template <class T, std::size_t N>
HEL_HD std::initializer_list<std::remove_const_t<T>> list(T (&array)[N]) noexcept {
  struct parts {
    const T* begin;
    std::size_t size;
  };
  using made = std::initializer_list<std::remove_const_t<T>>;
  static_assert(sizeof(made) == sizeof(parts) && std::is_trivially_copyable_v<made>);
  return __builtin_bit_cast(made, parts{array, N});
}

// A lvalue of type T for unevaluated operands.
template <class T>
T& lvalue() noexcept;

// Frames that ask for more alignment than operator new gives get it; compilers' own coroutines ignore it.
template <class Frame>
HEL_HD void* allocate() {
  if constexpr (alignof(Frame) > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
    return ::operator new(sizeof(Frame), std::align_val_t(alignof(Frame)));
  else
    return ::operator new(sizeof(Frame));
}
template <class Frame>
void* allocate_nothrow() noexcept {
  if constexpr (alignof(Frame) > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
    return ::operator new(sizeof(Frame), std::align_val_t(alignof(Frame)), std::nothrow);
  else
    return ::operator new(sizeof(Frame), std::nothrow);
}
template <class Frame>
HEL_HD void deallocate(void* frame) noexcept {
  if constexpr (alignof(Frame) > __STDCPP_DEFAULT_NEW_ALIGNMENT__)
    ::operator delete(frame, sizeof(Frame), std::align_val_t(alignof(Frame)));
  else
    ::operator delete(frame, sizeof(Frame));
}

// What a frame's two pointers are set to. Clang's own handles call them with LLVM's internal convention (fastcc), which
// is the same on the machines that HEL runs on; but an optimiser that sees the function behind the pointer takes the
// call for undefined and removes it. The empty asm keeps it from seeing.
HEL_HD inline auto opaque(void (*f)(void*)) noexcept -> void (*)(void*) {
#if defined(__clang__) && defined(__cpp_impl_coroutine) && !defined(__CUDACC__)
  asm("" : "+r"(f));
#endif
  return f;
}

struct frame_header {
  void (*resume)(void*);
  void (*destroy)(void*);
};

// Writes both pointers of a new frame: one copy of a constant, which the optimiser must not take apart (see opaque()).
template <class Frame>
inline void begin(Frame* f, const frame_header& functions) noexcept {
  const frame_header* h = &functions;
#if defined(__OPTIMIZE__) && !defined(__CUDACC__)
  asm("" : "+r"(h));
#endif
  __builtin_memcpy(static_cast<void*>(f), h, sizeof *h);
}

// The function that a frame's resume pointer names. The body returns the frame to go on with, or null; the thunk enters
// it by a tail call, so that a chain of transfers does not grow the stack. The attributes ask g++ for
// that at -O0 and under ThreadSanitizer too.
template <class Ops>
struct entry {
#if !defined(HEL_NO_FRAME_INFO)
  static inline const frame_registrar registrar{Ops::hel_info()};
#endif

#if defined(__clang__)
  // The no-op coroutine of libstdc++ has functions without a parameter.
  __attribute__((no_sanitize("function"))) static void resume(void* frame) {
    if (void* next = Ops::hel_resume(static_cast<typename Ops::hel_frame_type*>(frame)))
      [[clang::musttail]] return static_cast<frame_header*>(next)->resume(next);
  }
#else
  __attribute__((optimize("O2"), no_sanitize("thread"))) static void resume(void* frame) {
    if (void* next = Ops::hel_resume(static_cast<typename Ops::hel_frame_type*>(frame)))
      return static_cast<frame_header*>(next)->resume(next);
  }
#endif

  // The body with a constant index, see HEL_STATE_ENTRIES.
  template <unsigned At>
#if defined(__clang__)
  __attribute__((no_sanitize("function")))
#elif !defined(__CUDACC__)
  __attribute__((optimize("optimize-sibling-calls")))  // at -O1 and -Og, too
#endif
  static void at(void* frame) {
    if (void* next = Ops::hel_body(static_cast<typename Ops::hel_frame_type*>(frame), At))
#if defined(__clang__)
      [[clang::musttail]]
#endif
      return static_cast<frame_header*>(next)->resume(next);
  }

  static void destroy(void* frame) {
#if !defined(HEL_NO_FRAME_INFO)
    (void)&registrar;
#endif
    Ops::hel_destroy(static_cast<typename Ops::hel_frame_type*>(frame));
  }

  static constexpr frame_header header{&resume, &destroy};
  static constexpr frame_header state_header{&at<0>, &destroy};
};

// Runs the cleanup stack from the current node when an exception leaves the body. `node` is 0 when nothing is alive or
// the coroutine is suspended: then the frame is not touched, for it may be gone.
template <class Ops>
struct unwinder {
  typename Ops::hel_frame_type* frame;
  typename Ops::hel_locals_type* locals;
  unsigned node;
  __attribute__((always_inline)) unwinder(typename Ops::hel_frame_type* f, typename Ops::hel_locals_type* l) noexcept : frame(f), locals(l), node(0) {}
  unwinder(const unwinder&) = delete;
  __attribute__((always_inline)) ~unwinder() {
    if (node) Ops::hel_cleanup(frame, locals, node);
  }
};

// The same for a body with try blocks across suspensions: tells which of them stopped the exception, 0: none.
template <class Ops>
struct catching_unwinder {
  typename Ops::hel_frame_type* frame;
  typename Ops::hel_locals_type* locals;
  unsigned& caught;
  unsigned node = 0;
  __attribute__((always_inline)) catching_unwinder(typename Ops::hel_frame_type* f, typename Ops::hel_locals_type* l, unsigned& c) noexcept : frame(f), locals(l), caught(c) {}
  catching_unwinder(const catching_unwinder&) = delete;
  __attribute__((always_inline)) ~catching_unwinder() { caught = node ? Ops::hel_cleanup(frame, locals, node, true) : 0; }
};

// Undoes what the ramp did when an exception leaves it: `stage` counts the parameter copies, then the promise, then the
// initial awaiter.
template <class Ops>
struct ramp_guard {
  typename Ops::hel_frame_type* frame;
  unsigned stage = 0;
  explicit ramp_guard(void* f) noexcept : frame(static_cast<typename Ops::hel_frame_type*>(f)) {}
  ramp_guard(const ramp_guard&) = delete;
  ~ramp_guard() {
    if (frame) Ops::hel_teardown(frame, stage);
  }
};

// Starts the coroutine when the ramp of a coroutine with a non-movable result is left, the result being built.
template <class Ops>
struct starter {
  ramp_guard<Ops>& guard;
  int exceptions = std::uncaught_exceptions();
  ~starter() noexcept(false) {
    if (std::uncaught_exceptions() == exceptions) Ops::hel_start(guard);
  }
};

}  // namespace v1
}  // namespace hel::abi

#include "hel/abi/array_new.hpp"
