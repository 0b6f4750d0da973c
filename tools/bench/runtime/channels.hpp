// What all that pass items from one to another agree on.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hel_bench {

constexpr std::size_t channel_capacity = 1024;
constexpr std::uint64_t channel_ends = 4;  // senders and receivers, each, in many to many
constexpr std::uint64_t calls_in_flight = 64;

}  // namespace hel_bench
