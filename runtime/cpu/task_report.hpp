// What recorded tasks are doing, in words: for hel-step, a watchdog, and hel::deadlock.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "hel/cpu/task_table.hpp"

namespace hel::exec {

// Names what tasks wait for; of each kind, objects are numbered in the order in which they are first named.
class object_names {
 public:
  std::string name(const char* kind, const void* object);
  // What a task waits for, as "waits for ..." may precede it; empty: nothing.
  std::string waits_for(const task_record& t);

 private:
  std::unordered_map<std::string, std::unordered_map<const void*, std::size_t>> seen_;
};

// A line for each task of that runtime, in order of creation: its name, what it does or waits for, and where. `workers`
// say which of them run, and on which worker.
std::string list_tasks(const void* runtime, const std::vector<const detail::worker_activity*>& workers = {});

// "f (app.cpp:12)", as far as it is known.
std::string name_and_place(const task_record& t);

}  // namespace hel::exec
