// What hel-step and the program it steps agree on; docs/stepping.md describes the messages.
#pragma once

namespace hel::exec {

// Raised with every change that an older hel-step or an older program would misread. Both sides say theirs and stop
// when they differ.
inline constexpr int step_protocol_version = 1;

// The environment variable that holds the number of the socket's file descriptor in the program.
inline constexpr const char* step_socket_variable = "HEL_STEPPER_FD";

}  // namespace hel::exec
