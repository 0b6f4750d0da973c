// The stepper's back end: what hel-step talks to inside the program (docs/stepping.md).
#pragma once

namespace hel::exec {

// Connects to hel-step when the environment names its socket (HEL_STEPPER_FD): turns single-step mode on and installs
// the observer that every runtime then reports to. Does nothing otherwise, and nothing the second time. Called before
// a runtime makes its executor.
void connect_stepper();

}  // namespace hel::exec
