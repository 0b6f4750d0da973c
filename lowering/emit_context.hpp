// Shared by the parts of the emitter: how the things of a Function are spelled in each of the emitted functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lowering/emit.hpp"
#include "lowering/frame_layout.hpp"
#include "lowering/ir/ir.hpp"

namespace hel::lowering {

// Where a text is going to stand: names differ.
enum class Place { body, cleanup, ramp };

class EmitContext {
 public:
  EmitContext(const ir::Function& f, const EmitOptions& o, bool device);

  const ir::Function& fn;
  const EmitOptions& options;
  const bool device;
  FrameLayout layout;

  const char* frame_type() const { return device ? "hel_device_frame" : "hel_frame"; }
  const char* locals_type() const { return device ? "hel_device_locals" : "hel_locals"; }
  // Before a static function of hel_ops, and its name.
  std::string function(const char* result, const char* name) const;

  std::string slot(ir::SlotId s, Place where) const;
  std::string home(ir::SlotId s, Place where) const;     // its storage: a frame member or a local
  std::string storage(ir::SlotId s, Place where) const;  // the address for ::new
  std::string text(const ir::Text& t, Place where, const std::vector<ir::BlockId>* exits = nullptr) const;
  std::string type(ir::SlotId s) const { return text(fn.slots[s].type, Place::body); }
  std::string class_type(ir::SlotId s) const;  // with arrays boxed
  std::string slot_type(ir::SlotId s) const;   // the storage's type
  static std::string label(ir::BlockId b) { return "hel_b" + std::to_string(b); }

  std::string build(const ir::Instr& i, Place where) const;
  std::string destroy(const ir::Cleanup& c, Place where) const;

  // The nearest cleanup at or above `c` that does something, numbered from 1; 0: none.
  unsigned node(ir::CleanupId c) const;
  // The numbered cleanups, node n at n-1.
  const std::vector<ir::CleanupId>& nodes() const { return nodes_; }
  bool in_locals(ir::SlotId s) const { return in_locals_[s]; }
  // Whether the body is small enough to be compiled once for each suspension index, entered there by the resume pointer
  // itself; else one function with a switch. What the macros HEL_BODY, HEL_RESUME_AT and HEL_ENTRY stand for.
  bool entry_per_state() const { return entry_per_state_; }
  // The address of the function that starts the body.
  std::string entry() const { return entry_per_state_ ? "HEL_ENTRY(0)" : "&::hel::abi::entry<hel_ops>::resume"; }
  // The body may name the next frame to run, which is then entered by a tail call.
  bool transfers() const;
  // The body has objects of its own on the stack, whose addresses may be taken.
  bool keeps_locals() const;
  std::vector<bool> finish_blocks() const;

  const char* index_type() const;
  unsigned index_size() const;
  // The index of a coroutine whose unhandled_exception() threw: suspended at the end, without a final awaiter.
  std::uint32_t dead_index() const { return fn.suspensions; }

 private:
  bool small_enough_for_entries() const;

  std::vector<ir::CleanupId> nodes_;
  std::vector<unsigned> number_;
  std::vector<bool> in_locals_;
  bool entry_per_state_ = false;
};

std::string emit_body(const EmitContext& c);
std::string emit_cleanup(const EmitContext& c);
std::string emit_info(const EmitContext& c);
std::string emit_ramp(const EmitContext& c);
std::string emit_start(const EmitContext& c);
std::string emit_device_ramp(const EmitContext& c);
std::string emit_launch(const EmitContext& c);

}  // namespace hel::lowering
