// hel::tuple: what hel::when_all returns. std::tuple's functions are not callable on the device without extra flags of
// the compiler, so this one has what is needed: get<I>, structured bindings, equality of nothing.
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "hel/annotate.hpp"

namespace hel {

namespace detail {
template <std::size_t I, class T>
struct tuple_leaf {
  T value;
};
template <class Indices, class... Ts>
struct tuple_base;
template <std::size_t... I, class... Ts>
struct tuple_base<std::index_sequence<I...>, Ts...> : tuple_leaf<I, Ts>... {};
template <>
struct tuple_base<std::index_sequence<>> {};

template <std::size_t I, class T>
HEL_HD constexpr T& leaf(tuple_leaf<I, T>& l) noexcept {
  return l.value;
}
template <std::size_t I, class T>
HEL_HD constexpr const T& leaf(const tuple_leaf<I, T>& l) noexcept {
  return l.value;
}
}  // namespace detail

// An aggregate: tuple<A, B>{{a}, {b}}.
template <class... Ts>
struct tuple : detail::tuple_base<std::index_sequence_for<Ts...>, Ts...> {};

template <std::size_t I, class... Ts>
HEL_HD constexpr auto& get(tuple<Ts...>& t) noexcept {
  return detail::leaf<I>(t);
}
template <std::size_t I, class... Ts>
HEL_HD constexpr const auto& get(const tuple<Ts...>& t) noexcept {
  return detail::leaf<I>(t);
}
template <std::size_t I, class... Ts>
HEL_HD constexpr auto&& get(tuple<Ts...>&& t) noexcept {
  return std::move(detail::leaf<I>(t));
}

}  // namespace hel

template <class... Ts>
struct std::tuple_size<hel::tuple<Ts...>> : std::integral_constant<std::size_t, sizeof...(Ts)> {};
template <std::size_t I, class... Ts>
struct std::tuple_element<I, hel::tuple<Ts...>> : std::tuple_element<I, std::tuple<Ts...>> {};
