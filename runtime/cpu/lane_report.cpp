// What is said of lanes that do not come to the same point.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "hel/abi/frame_info.hpp"
#include "lane_group.hpp"

namespace hel::detail {
namespace {

const char* name_of(lane_operation o) noexcept {
  switch (o) {
  case lane_operation::warp_sync: return "warp_sync";
  case lane_operation::shuffle: return "shuffle";
  case lane_operation::ballot: return "ballot";
  case lane_operation::block_sync: return "block_sync";
  case lane_operation::block_count: return "block_sync_count";
  case lane_operation::block_and: return "block_sync_and";
  case lane_operation::block_or: return "block_sync_or";
  }
  return "";
}

const std::source_location* place_of(const lane_slot& l) noexcept {
  switch (l.state) {
  case lane_state::at_barrier: return &l.where;
  case lane_state::suspended: return &l.suspension->where;
  default: return nullptr;
  }
}

// Where the lane stands, in words.
std::string standing(const lane_slot& l) {
  const std::source_location* where = place_of(l);
  if (!where) return "finished";
  const char* what = l.state == lane_state::at_barrier ? name_of(l.operation) : "co_await";
  return std::string(what) + " at " + where->file_name() + ":" + std::to_string(where->line());
}

// Of the task that the lanes run: lowered coroutines know it, else it is the function in which a lane stands.
std::string task_name(const lane_group& g) {
  const char* name = nullptr;
  for (unsigned i = 0; i < g.size(); ++i) {
    const lane_slot& l = g.lane(i);
    const std::source_location* where = place_of(l);
    if (!where) continue;
    if (const abi::frame_info* info = abi::find_frame_info(g.slot_of(l).frame)) return info->function;
    if (!name) name = where->function_name();
  }
  return name ? name : "";
}

// The numbers that are added in ascending order, as "0-15,17".
class ranges {
 public:
  void add(unsigned n) {
    if (any_ && n == last_ + 1) {
      last_ = n;
      return;
    }
    end();
    any_ = true;
    first_ = last_ = n;
  }
  std::string text() {
    end();
    any_ = false;
    return text_;
  }

 private:
  void end() {
    if (!any_) return;
    if (!text_.empty()) text_ += ',';
    text_ += std::to_string(first_);
    if (last_ != first_) text_ += '-' + std::to_string(last_);
  }
  std::string text_;
  unsigned first_ = 0, last_ = 0;
  bool any_ = false;
};

}  // namespace

void report_divergence(const lane_group& g) {
  const book_keeping books;
  const std::string lanes = std::to_string(g.size()) + " lanes";
  std::string text = "hel: the lanes of a group task did not come to the same point: " + task_name(g) + ", a " +
                     (g.level() == group_level::block ? "block of " : "warp of ") + lanes + "\n";
  std::map<std::string, ranges> groups;
  std::vector<const std::string*> order;  // as the lanes come
  for (unsigned i = 0; i < g.size(); ++i) {
    const auto [at, fresh] = groups.try_emplace(standing(g.lane(i)));
    if (fresh) order.push_back(&at->first);
    at->second.add(i);
  }
  for (const std::string* s : order) text += "  " + *s + ": lanes " + groups[*s].text() + "\n";
  std::fputs(text.c_str(), stderr);
}

}  // namespace hel::detail
