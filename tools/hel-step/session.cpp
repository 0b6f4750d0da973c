#include "tools/hel-step/session.hpp"

#include <algorithm>
#include <cstring>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "runtime/cpu/stepper_protocol.hpp"
#include "tools/hel-step/text.hpp"

namespace hel::step {
namespace {

using nlohmann::json;

// Results before errors, in the order in which they happened, also when both go to one file.
void error(const std::string& text) {
  std::cout.flush();
  std::cerr << "error: " << text << '\n';
}

std::string text_of(const json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && it->is_string() ? printable(it->get_ref<const std::string&>()) : std::string();
}

long number_of(const json& object, const char* key) {
  auto it = object.find(key);
  return it != object.end() && it->is_number_integer() ? it->get<long>() : 0;
}

bool is_lowered(const json& object) { return object.contains("file"); }

std::string place_of(const json& object) {
  return is_lowered(object) ? text_of(object, "file") + ":" + std::to_string(number_of(object, "line")) : "-";
}

std::string task_of(const json& task) {
  std::string text = "task " + std::to_string(number_of(task, "id"));
  if (!is_lowered(task)) return text + ", not lowered by hel-lower";
  text += ", " + text_of(task, "function");
  if (text_of(task, "state") == "done") return text;
  return text + " at " + place_of(task) + " (" + text_of(task, "kind") + ")";
}

}  // namespace

struct session::command {
  const char* name;
  const char* arguments;
  const char* meaning;
  void (session::*execute)(std::string_view);
};

const session::command session::commands[] = {
    {"step", "[N]", "run until a task suspends or ends, N times", &session::step},
    {"continue", "", "run until a breakpoint or the end", &session::resume},
    {"break", "[FILE:LINE]",
     "stop after a task suspended at the first suspension point from LINE on; without a place: list",
     &session::set_breakpoint},
    {"delete", "N", "remove breakpoint N", &session::remove_breakpoint},
    {"tasks", "", "list the tasks: state, function, place, what each waits for", &session::tasks},
    {"locals", "[TASK]", "parameters and locals that hold a value, of the current task or of task TASK",
     &session::locals},
    {"where", "[TASK]", "the task, the task that awaits it, and so on", &session::where},
    {"help", "", "this list; each command may be shortened", &session::help},
    {"quit", "", "end the program and hel-step", nullptr},
};

const session::command* session::find(std::string_view word) {
  for (const command& c : commands)
    if (std::string_view(c.name).starts_with(word)) return &c;
  return nullptr;
}

bool session::start() {
  json hello;
  std::string line;
  if (!program_.receive(line)) {
    const int code = program_.wait();
    if (program_.ended_by())
      error(name_ + " was ended by signal " + std::to_string(program_.ended_by()) + " before its first task");
    else
      error(name_ + " ended with exit code " + std::to_string(code) +
            " and never started HEL's deterministic executor: is it linked with hel::runtime, and does it leave the "
            "executor to HEL_EXECUTOR?");
    return false;
  }
  hello = json::parse(line, nullptr, false);
  if (!hello.is_object() || number_of(hello, "protocol") != exec::step_protocol_version) {
    error(name_ + " speaks version " + std::to_string(hello.is_object() ? number_of(hello, "protocol") : 0) +
          " of the stepping protocol, this hel-step version " + std::to_string(exec::step_protocol_version) +
          ": link it with this HEL again");
    program_.kill();
    return false;
  }
  if (number_of(hello, "coroutines") == 0) {
    error(name_ +
          " has no tables of coroutines: it was not lowered with hel-lower, so there is nothing to step through");
    program_.kill();
    return false;
  }
  std::cout << name_ << ": " << number_of(hello, "coroutines") << " lowered coroutines\n";
  run("start");
  return true;
}

bool session::execute(std::string_view line) {
  std::string_view word = take_word(line);
  if (word.empty() || word.starts_with('#')) return true;
  const command* c = find(word);
  if (!c) {
    error("unknown command '" + printable(word) + "' (help lists them)");
    return true;
  }
  if (!c->execute) return false;
  if (!*c->arguments && !line.empty())
    error(std::string(c->name) + " takes no argument");
  else
    (this->*c->execute)(line);
  std::cout.flush();
  return true;
}

bool session::stopped() {
  if (!program_.running()) error("the program has ended");
  return program_.running();
}

bool session::reply_of(json& reply) {
  std::string line;
  if (!program_.receive(line)) {
    report_end();
    return false;
  }
  reply = json::parse(line, nullptr, false);
  if (!reply.is_object()) {
    error("the program sent something that is not a message: " + printable(line));
    return false;
  }
  if (auto it = reply.find("error"); it != reply.end()) {
    error(text_of(reply, "error"));
    return false;
  }
  return true;
}

bool session::ask(const std::string& request, json& reply) {
  if (!stopped()) return false;
  if (!program_.send(request)) {
    report_end();
    return false;
  }
  return reply_of(reply);
}

void session::report_end() {
  const int code = program_.wait();
  if (int signal = program_.ended_by())
    std::cout << "Program ended by signal " << signal << " (" << strsignal(signal) << ")\n";
  else
    std::cout << "Program ended with exit code " << code << "\n";
}

void session::report_stop(const json& reply) {
  const std::string reason = text_of(reply, "stopped");
  if (reason == "deadlock") {
    std::cout << "Deadlock: tasks are left and none of them can run\n";
    return;
  }
  const auto task = reply.find("task");
  if (task == reply.end()) {
    error("the program stopped (" + reason + ") without saying where");
    return;
  }
  if (reason == "start")
    std::cout << "Stopped before the first task: ";
  else if (reason == "breakpoint")
    std::cout << "Breakpoint " << number_of(reply, "breakpoint") << ": ";
  else if (reason == "interrupt")
    std::cout << "Interrupted: ";
  else
    std::cout << (text_of(*task, "state") == "done" ? "Ended: " : "Suspended: ");
  std::cout << task_of(*task) << "\n";
}

void session::run(const std::string& request) {
  std::cout.flush();  // what the program prints comes after it
  json reply;
  if (ask(request, reply)) report_stop(reply);
}

void session::step(std::string_view arguments) {
  unsigned long count = 1;
  if (!arguments.empty() && (!parse_number(arguments, count) || count == 0)) {
    error("step: '" + printable(arguments) + "' is not a positive number");
    return;
  }
  run("step " + std::to_string(count));
}

void session::resume(std::string_view) { run("continue"); }

void session::set_breakpoint(std::string_view arguments) {
  json reply;
  if (arguments.empty()) {
    if (!ask("breakpoints", reply)) return;
    if (reply["breakpoints"].empty()) std::cout << "no breakpoints\n";
  } else {
    const std::size_t colon = arguments.rfind(':');
    unsigned long line = 0;
    if (colon == std::string_view::npos || colon == 0 || !parse_number(arguments.substr(colon + 1), line) ||
        line == 0) {
      error("break: '" + printable(arguments) + "' is not FILE:LINE");
      return;
    }
    if (!ask("break " + std::to_string(line) + " " + std::string(arguments.substr(0, colon)), reply)) return;
  }
  for (const json& b : reply["breakpoints"]) {
    std::cout << "Breakpoint " << number_of(b, "breakpoint") << " at " << place_of(b) << " in "
              << text_of(b, "function") << " (" << text_of(b, "kind") << ")";
    if (long asked = number_of(b, "asked_line"); asked != number_of(b, "line"))
      std::cout << ", the first suspension point from line " << asked << " on";
    std::cout << "\n";
  }
}

void session::remove_breakpoint(std::string_view arguments) {
  unsigned long id = 0;
  if (!parse_number(arguments, id)) {
    error("delete: give the number of a breakpoint (break lists them)");
    return;
  }
  json reply;
  ask("delete " + std::to_string(id), reply);
}

void session::tasks(std::string_view) {
  json reply;
  if (!ask("tasks", reply)) return;
  const long current = number_of(reply, "current");
  std::vector<std::vector<std::string>> rows{{"", "id", "state", "function", "at", "waits for"}};
  for (const json& t : reply["tasks"]) {
    const std::string function = text_of(t, "function");
    const std::string waits = text_of(t, "waits_for");
    rows.push_back({number_of(t, "id") == current ? "*" : " ", std::to_string(number_of(t, "id")), text_of(t, "state"),
                    function.empty() ? "?" : function, place_of(t), waits.empty() ? "-" : waits});
  }
  if (rows.size() == 1) {
    std::cout << "no tasks\n";
    return;
  }
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : rows) {
    std::string text;
    for (std::size_t i = 0; i < row.size(); ++i) {
      text += row[i];
      if (i + 1 < row.size()) text += std::string(widths[i] - row[i].size() + (i == 0 ? 1 : 2), ' ');
    }
    std::cout << text << "\n";
  }
}

void session::locals(std::string_view arguments) {
  unsigned long id = 0;
  if (!arguments.empty() && !parse_number(arguments, id)) {
    error("locals: '" + printable(arguments) + "' is not the number of a task");
    return;
  }
  json reply;
  if (!ask(arguments.empty() ? "locals" : "locals " + std::to_string(id), reply)) return;
  if (reply["locals"].empty()) std::cout << "no locals\n";
  for (const json& local : reply["locals"])
    std::cout << text_of(local, "name") << " = " << text_of(local, "value") << "\n";
}

void session::where(std::string_view arguments) {
  unsigned long id = 0;
  if (!arguments.empty() && !parse_number(arguments, id)) {
    error("where: '" + printable(arguments) + "' is not the number of a task");
    return;
  }
  json reply;
  if (!ask(arguments.empty() ? "where" : "where " + std::to_string(id), reply)) return;
  long depth = 0;
  for (const json& t : reply["stack"]) std::cout << "#" << depth++ << " " << task_of(t) << "\n";
}

void session::help(std::string_view) {
  for (const command& c : commands) {
    std::string usage = std::string(c.name) + " " + c.arguments;
    usage.resize(std::max<std::size_t>(usage.size(), 18), ' ');
    std::cout << "  " << usage << " " << c.meaning << "\n";
  }
}

}  // namespace hel::step
