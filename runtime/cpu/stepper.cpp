#include "runtime/cpu/stepper.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <vector>

#include "hel/cpu/step_observer.hpp"
#include "hel/cpu/task_table.hpp"
#include "hel/detail/context.hpp"
#include "runtime/cpu/step_channel.hpp"
#include "runtime/cpu/stepper_protocol.hpp"
#include "runtime/cpu/stepper_tables.hpp"
#include "runtime/cpu/task_report.hpp"

namespace hel::exec {
namespace {

std::string_view take_word(std::string_view& text) {
  const std::size_t end = text.find(' ');
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return word;
}

std::uint64_t number(std::string_view word) {
  std::uint64_t value = 0;
  std::from_chars(word.data(), word.data() + word.size(), value);
  return value;
}

std::string error_message(const std::string& text) { return "{\"error\":" + json_string(text) + "}"; }

struct breakpoint {
  std::uint64_t id;
  std::uint32_t asked_line;
  std::vector<suspension_point> points;
};

// Stops the program between two resumptions and serves the requests of hel-step meanwhile. Callbacks from several
// runtimes are serialised; a stop holds them all up at their next callback.
class stepper final : public step_observer {
 public:
  explicit stepper(int descriptor) : channel_(descriptor) {
    channel_.send("{\"protocol\":" + std::to_string(step_protocol_version) +
                  ",\"coroutines\":" + std::to_string(table_count()) + "}");
    std::string go;  // "start": hel-step has looked at the versions and has said what it had to say
    channel_.receive(go);
  }

  void before_resume(std::coroutine_handle<> frame) override {
    const std::lock_guard lock(mutex_);
    const std::optional<task_record> t = find_task(frame);
    running_ = t ? t->id : 0;  // 0: an action of the runtime
    if (!t) return;
    resumed_point_ = current_point(frame.address());
    if (!started_) {
      started_ = true;
      stop("start", &*t);
    }
    // A coroutine that has not begun never suspends at its start: it is stopped before it goes on from there.
    const breakpoint* b = breakpoint_at(resumed_point_);
    if (b && std::string_view(resumed_point_.state->kind) == "initial_suspend") stop("breakpoint", &*t, b);
  }

  void after_resume(std::coroutine_handle<> frame) override {
    const std::lock_guard lock(mutex_);
    if (running_ == 0) return;
    std::optional<task_record> t = find_task(frame);
    if (t && t->id != running_) t.reset();  // the task has ended, another has its place
    ended_.clear();
    if (!t) ended_ = describe_ended();
    ended_frame_ = frame.address();
    const breakpoint* b = t && !t->done ? breakpoint_at(current_point(frame.address())) : nullptr;
    if (steps_left_ != run_on) --steps_left_;
    const task_record* at = t ? &*t : nullptr;
    if (b)
      stop("breakpoint", at, b);
    else if (steps_left_ == 0)
      stop("step", at);
    else if (asked_to_stop())
      stop("interrupt", at);
  }

  void idle() override {
    const std::lock_guard lock(mutex_);
    ended_.clear();
    stop("deadlock", nullptr);
  }

 private:
  static constexpr std::uint64_t run_on = ~std::uint64_t{0};

  const breakpoint* breakpoint_at(const suspension_point& p) const {
    if (!p.state) return nullptr;
    for (const breakpoint& b : breakpoints_)
      for (const suspension_point& at : b.points)
        if (at == p) return &b;
    return nullptr;
  }

  bool asked_to_stop() {
    std::string line;
    return channel_.receive_now(line) && line == "stop";
  }

  // --- a stop: `t` is the task that it is about, null when that has ended
  void stop(const char* reason, const task_record* t, const breakpoint* b = nullptr) {
    std::fflush(nullptr);  // what the program has printed so far comes before the answer
    std::cout.flush();
    current_ = t ? t->id : 0;
    std::string message = std::string("{\"stopped\":\"") + reason + "\"";
    if (b) message += ",\"breakpoint\":" + std::to_string(b->id);
    if (t)
      message += ",\"task\":" + describe_task(*t);
    else if (!ended_.empty())
      message += ",\"task\":" + ended_;
    channel_.send(message + "}");

    std::string line;
    while (channel_.receive(line)) {
      std::string_view arguments = line;
      const std::string_view request = take_word(arguments);
      if (request == "stop") continue;
      if (request == "continue" || request == "step") {
        steps_left_ = request == "step" ? std::max<std::uint64_t>(number(arguments), 1) : run_on;
        return;
      }
      channel_.send(answer(request, arguments));
    }
    steps_left_ = run_on;  // hel-step has gone: the program runs on alone
    breakpoints_.clear();
  }

  std::string answer(std::string_view request, std::string_view arguments) {
    if (request == "break") return set_breakpoint(arguments);
    if (request == "breakpoints") return list_breakpoints(0);
    if (request == "delete") return remove_breakpoint(number(arguments));
    if (request == "tasks") return list_tasks();
    if (request == "locals") return locals(arguments);
    if (request == "where") return stack(arguments);
    return error_message("unknown request " + std::string(request));
  }

  std::string set_breakpoint(std::string_view arguments) {
    const auto line = static_cast<std::uint32_t>(number(take_word(arguments)));
    binding bound = bind(arguments, line);
    if (bound.points.empty()) return error_message(bound.error);
    breakpoints_.push_back({next_breakpoint_++, line, std::move(bound.points)});
    return list_breakpoints(breakpoints_.back().id);
  }

  std::string list_breakpoints(std::uint64_t only) const {
    std::string out;
    for (const breakpoint& b : breakpoints_) {
      if (only && b.id != only) continue;
      for (const suspension_point& p : b.points)
        out += (out.empty() ? "" : ",") + std::string("{\"breakpoint\":") + std::to_string(b.id) +
               ",\"asked_line\":" + std::to_string(b.asked_line) + "," + describe(p) + "}";
    }
    return "{\"breakpoints\":[" + out + "]}";
  }

  std::string remove_breakpoint(std::uint64_t id) {
    if (std::erase_if(breakpoints_, [&](const breakpoint& b) { return b.id == id; }) == 0)
      return error_message("no breakpoint " + std::to_string(id));
    return "{\"deleted\":" + std::to_string(id) + "}";
  }

  std::string list_tasks() {
    std::string out;
    for (const task_record& t : tasks()) out += (out.empty() ? "" : ",") + describe_task(t);
    return "{\"current\":" + std::to_string(current_) + ",\"tasks\":[" + out + "]}";
  }

  // The task that `word` names, or the current one. None: `error` has the answer.
  std::optional<task_record> named(std::string_view word, std::string& error) const {
    const std::uint64_t id = word.empty() ? current_ : number(word);
    for (const task_record& t : tasks())
      if (t.id == id) return t;
    error = error_message(word.empty() ? "there is no current task: name one (tasks lists them)"
                                       : "no task " + std::string(word));
    return std::nullopt;
  }

  std::string locals(std::string_view word) const {
    std::string error;
    const std::optional<task_record> t = named(word, error);
    if (!t) return error;
    const suspension_point point = current_point(t->frame.address());
    const std::string name = "task " + std::to_string(t->id);
    if (!point.function) return error_message(name + " was not lowered by hel-lower: nothing is known of its locals");
    if (t->done) return error_message(name + " has ended");
    return "{\"task\":" + std::to_string(t->id) + ",\"locals\":" + describe_locals(t->frame.address(), point) + "}";
  }

  std::string stack(std::string_view word) {
    std::string out;
    const void* innermost = ended_frame_;
    if (word.empty() && current_ == 0 &&
        !ended_.empty()) {  // the task that has just ended; who awaited it is not resumed yet
      out = ended_;
    } else {
      std::string error;
      const std::optional<task_record> t = named(word, error);
      if (!t) return error;
      out = describe_task(*t);
      innermost = t->frame.address();
    }
    const std::vector<task_record> all = tasks();
    const auto awaits = [&](const task_record& other) {
      return (other.waits == wait_kind::call || other.waits == wait_kind::join) && other.on == innermost;
    };
    // Tasks that join each other in a circle would go on for ever.
    for (std::size_t depth = 0; depth < all.size(); ++depth) {
      const auto it = std::find_if(all.begin(), all.end(), awaits);
      if (it == all.end()) break;
      innermost = it->frame.address();
      out += "," + describe_task(*it);
    }
    return "{\"stack\":[" + out + "]}";
  }

  std::string describe_task(const task_record& t) {
    const char* state = t.done ? "done" : t.waits == wait_kind::none ? "ready" : "waiting";
    return task_text(t.id, state, names_.waits_for(t), current_point(t.frame.address()));
  }

  // The task whose last resumption ended it, from what was known before it.
  std::string describe_ended() const { return task_text(running_, "done", "", {resumed_point_.function, nullptr}); }

  static std::string task_text(std::uint64_t id, const char* state, const std::string& waits,
                               const suspension_point& p) {
    std::string out = "{\"id\":" + std::to_string(id) + ",\"state\":\"" + state + "\"";
    if (!waits.empty()) out += ",\"waits_for\":" + json_string(waits);
    if (const std::string place = describe(p); !place.empty()) out += "," + place;
    return out + "}";
  }

  std::mutex mutex_;
  step_channel channel_;
  object_names names_;
  std::vector<breakpoint> breakpoints_;
  std::uint64_t next_breakpoint_ = 1;
  std::uint64_t steps_left_ = run_on;
  std::uint64_t running_ = 0, current_ = 0;  // ids, 0 for none
  suspension_point resumed_point_;           // of the running task, before it ran
  std::string ended_;                        // describes the task that the last resumption ended
  const void* ended_frame_ = nullptr;        // where its frame was
  bool started_ = false;
};

// The socket that the environment names, or -1.
int socket_from_environment() {
  const char* value = std::getenv(step_socket_variable);
  if (!value) return -1;
  const std::string_view text = value;
  int descriptor = -1, type = 0;
  socklen_t size = sizeof type;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), descriptor);
  if (failed == std::errc() && end == text.data() + text.size() &&
      ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM) {
    ::unsetenv(step_socket_variable);  // not for the programs that this one starts
    return descriptor;
  }
  std::fprintf(stderr, "hel: %s=%s is no stream socket; running without hel-step\n", step_socket_variable, value);
  return -1;
}

}  // namespace

void connect_stepper() {
  // Never destroyed: workers of runtimes with static storage may report until the end.
  static stepper* const connected = [] {
    const int descriptor = socket_from_environment();
    return descriptor < 0 ? nullptr : new stepper(descriptor);
  }();
  if (!connected || detail::single_step) return;
  detail::tasks_recorded = detail::single_step = true;
  installed_observer = connected;
}

}  // namespace hel::exec
