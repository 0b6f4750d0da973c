// What Ctrl-C does to a program with a runtime.
//
//   hel::runtime rt{hel::cpu{.handle_sigint = true}};
//   auto app = rt.launch(hel::cancellable, serve);
//   auto r = app.get_expected();                  // errc::cancelled after SIGINT
//   rt.stop();                                    // waits for the rest, stops the services
//   if (rt.interrupted()) hel::end_as_interrupted();
//
// A runtime takes over no signal by itself. With `handle_sigint`, the first SIGINT interrupts the runtime, as
// runtime::interrupt() does: applications that were launched as hel::cancellable are cancelled, others run to their
// end, and nothing more can be launched (hel::failure with errc::cancelled). The program is not ended: whoever waits
// goes on, and so main() comes to its end, with all destructors. The second SIGINT ends the process at once, whatever
// it does.
//
// The handler is the process's, for all runtimes that ask for it; when the last of them has gone, SIGINT is as before.
// A SIGINT that is ignored stays ignored (nohup). System calls go on after it (SA_RESTART).
#pragma once

namespace hel {

// Ends the process as SIGINT does, so that a shell or a script knows what has happened (status 130). Standard output is
// flushed; no destructor runs.
[[noreturn]] void end_as_interrupted();

namespace exec {

// While it lives, SIGINT is handled: `tell` is called with `context`, in a thread of its own.
class interrupt_listener {
 public:
  using tell_function = void (*)(void* context) noexcept;

  interrupt_listener(tell_function tell, void* context);
  ~interrupt_listener();
  interrupt_listener(const interrupt_listener&) = delete;
  interrupt_listener& operator=(const interrupt_listener&) = delete;
  void tell() const noexcept { tell_(context_); }

 private:
  const tell_function tell_;
  void* const context_;
};

}  // namespace exec
}  // namespace hel
