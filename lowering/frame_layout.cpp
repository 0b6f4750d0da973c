#include "lowering/frame_layout.hpp"

#include <algorithm>

namespace hel::lowering {
namespace {

using namespace ir;

std::uint64_t round_up(std::uint64_t n, std::uint64_t to) { return (n + to - 1) / to * to; }

std::uint64_t size_of(const Slot& s) { return s.form == Form::reference ? 8 : s.size; }

class Layout {
 public:
  Layout(const Function& f, const std::map<SlotId, std::string>& types) : fn_(f), types_(types) {
    slots_.resize(f.regions.size());
    children_.resize(f.regions.size());
    used_.resize(f.regions.size());
    for (std::size_t i = 0; i < f.slots.size(); ++i)
      if (f.slots[i].storage == Storage::frame) slots_[f.slots[i].region].push_back(static_cast<SlotId>(i));
    for (std::size_t r = f.regions.size(); r-- > 0;) {
      if (!slots_[r].empty()) used_[r] = true;
      if (r == 0) continue;
      if (used_[r]) {
        used_[f.regions[r].parent] = true;
        children_[f.regions[r].parent].insert(children_[f.regions[r].parent].begin(), static_cast<std::uint32_t>(r));
      }
    }
  }

  FrameLayout run(std::uint64_t header, std::uint64_t header_align) {
    out_.align = header_align;
    const std::uint64_t end = region(0, header, "", "    ");
    out_.size = round_up(end, out_.align);
    std::stable_sort(out_.slots.begin(), out_.slots.end(),
                     [](const LaidOut& a, const LaidOut& b) { return a.offset < b.offset; });
    return std::move(out_);
  }

 private:
  // A region with nothing of its own and one child is that child.
  std::uint32_t skip(std::uint32_t r) const {
    while (slots_[r].empty() && children_[r].size() == 1) r = children_[r][0];
    return r;
  }

  std::uint64_t alignment(std::uint32_t r) const {
    std::uint64_t a = 1;
    for (SlotId s : slots_[r]) a = std::max(a, slot_align(s));
    for (std::uint32_t c : children_[r]) a = std::max(a, alignment(c));
    return a;
  }

  std::uint64_t slot_size(SlotId s) const { return size_of(fn_.slots[s]); }
  std::uint64_t slot_align(SlotId s) const {
    return fn_.slots[s].form == Form::reference ? 8 : std::max<std::uint64_t>({1, fn_.slots[s].align, fn_.slots[s].alignas_});
  }

  void member(SlotId s, const std::string& indent) {
    const Slot& slot = fn_.slots[s];
    const std::string& type = types_.at(s);
    switch (slot.form) {
    case Form::object: out_.members += indent + type + " " + slot.name + ";\n"; break;
    case Form::scalar: out_.members += indent + type + " " + slot.name + ";\n"; break;
    case Form::reference: out_.members += indent + type + "* " + slot.name + ";\n"; break;
    }
  }

  // Emits the members of region r at `offset`; returns where they end.
  std::uint64_t region(std::uint32_t r, std::uint64_t offset, const std::string& prefix, const std::string& indent) {
    std::vector<SlotId> order = slots_[r];
    // Parameters keep their order; larger alignment first saves padding. Small things may fill the gap before.
    std::stable_sort(order.begin(), order.end(), [&](SlotId a, SlotId b) { return slot_align(a) > slot_align(b); });
    if (!order.empty() && offset % slot_align(order[0]) != 0)
      std::stable_sort(order.begin(), order.end(), [&](SlotId a, SlotId b) {
        return slot_align(a) < slot_align(b);  // ascending: the gap after the header is filled by the small ones
      });
    for (SlotId s : order) {
      offset = round_up(offset, slot_align(s));
      member(s, indent);
      out_.path[s] = prefix + fn_.slots[s].name;
      out_.slots.push_back({s, out_.path[s], offset});
      out_.align = std::max(out_.align, slot_align(s));
      offset += slot_size(s);
    }
    std::vector<std::uint32_t> inner;
    for (std::uint32_t c : children_[r]) inner.push_back(skip(c));
    if (inner.empty()) return offset;
    if (inner.size() == 1 && r != 0) return region(inner[0], offset, prefix, indent);
    if (inner.size() == 1) return region(inner[0], offset, prefix, indent);
    std::uint64_t align = 1;
    for (std::uint32_t c : inner) align = std::max(align, alignment(c));
    const std::uint64_t start = round_up(offset, align);
    const std::string u = "hel_u" + std::to_string(r);
    out_.members += indent + "union {\n";
    std::uint64_t end = start;
    for (std::uint32_t c : inner) {
      const std::string name = "hel_s" + std::to_string(c);
      out_.members += indent + "  struct {\n";
      end = std::max(end, round_up(region(c, start, prefix + u + "." + name + ".", indent + "    "), align));
      out_.members += indent + "  } " + name + ";\n";
    }
    out_.members += indent + "} " + u + ";\n";
    return end;
  }

  const Function& fn_;
  const std::map<SlotId, std::string>& types_;
  std::vector<std::vector<SlotId>> slots_;
  std::vector<std::vector<std::uint32_t>> children_;
  std::vector<bool> used_;
  FrameLayout out_;
};

}  // namespace

FrameLayout lay_out(const Function& f, std::uint64_t header, std::uint64_t header_align,
                    const std::map<SlotId, std::string>& type_names) {
  return Layout(f, type_names).run(header, header_align);
}

std::vector<Bytes> bytes(const Function& f, const FrameLayout& layout) {
  std::vector<Bytes> all;
  for (const LaidOut& l : layout.slots) all.push_back({l.slot, l.offset, l.offset + size_of(f.slots[l.slot])});
  return all;
}

}  // namespace hel::lowering
