// Builds blocks of a Function and keeps the one cleanup stack.
#pragma once

#include "lowering/ir/ir.hpp"

namespace hel::lowering::ir {

class Builder {
 public:
  explicit Builder(Function& f) : fn_(f) {}

  Function& function() { return fn_; }
  CleanupId top() const { return top_; }
  BlockId here() const { return block_; }
  bool reachable() const { return block_ != none; }

  BlockId new_block();
  // Continue in `b` with the given current cleanup.
  void enter(BlockId b, CleanupId top);
  // Jump to `b`, then continue there (the usual way to start a loop head or a join).
  void fall_into(BlockId b);

  SlotId new_slot(Slot s);
  std::uint32_t open_region();
  void close_region();
  std::uint32_t region() const { return region_; }

  void emit(Instr i);
  void push(Cleanup c);
  // Makes `depth` current, running everything above it.
  void pop_to(CleanupId depth);
  // Makes `depth` current without running anything.
  void drop_to(CleanupId depth);
  // Ends a full-expression that also made objects of the scope: destroys `temporaries` (topmost first), which lie above
  // `depth`, and leaves `kept` (in order of construction) on the stack, also when one of the destructors throws.
  void settle(CleanupId depth, const std::vector<CleanupId>& temporaries, const std::vector<Cleanup>& kept);

  // Runs what lies above `depth` on the way to `target`; the current position becomes unreachable.
  void leave(BlockId target, CleanupId depth, SourceLine where = {});
  // Goes on at the end of a block that has no terminator yet.
  void resume_at(BlockId b, CleanupId top);
  // The parts above `depth` are now one whole (which the caller pushes); `kept` (temporaries among them) stay.
  void merge(CleanupId depth, const std::vector<Cleanup>& kept);
  // The block that an opaque statement jumps to in order to leave to `target`.
  BlockId exit_block(BlockId target, CleanupId depth);

  void terminate(Terminator t);
  void branch(Text condition, BlockId yes, BlockId no, SourceLine where);

  SourceLine where;  // stamped on what is emitted

 private:
  Block& block() { return fn_.blocks[block_]; }
  void run_to(std::vector<Instr>& out, CleanupId from, CleanupId depth);

  Function& fn_;
  BlockId block_ = none;
  CleanupId top_ = none;
  std::uint32_t region_ = 0;
};

}  // namespace hel::lowering::ir
