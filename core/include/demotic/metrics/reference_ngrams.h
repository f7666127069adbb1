// The n-grams of one sentence's references and how often a candidate may match each (the largest
// count in any one reference: clipping of Papineni et al. 2002). An n-gram is a path from a root,
// and each step is found exactly by (node, symbol): hash collisions do not matter.
//
// A candidate is counted by one walk from every position, which ends at the first symbol that no
// reference has there. Cost: at most `order` probes per position; no allocation.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::metrics {

struct ReferenceSlot {
  int32_t parent = 0;
  int32_t symbol = 0;
  int32_t node = 0;  // 0, the root, marks an empty slot
};

struct ReferenceNgramsView {
  std::span<const ReferenceSlot> slots;  // their number is a power of two, at most half used
  std::span<const int32_t> limits;       // by node

  // The node after `symbol`, or 0.
  int32_t find(int32_t parent, int32_t symbol) const noexcept {
    return slots[locate(slots, parent, symbol)].node;
  }

  static size_t locate(std::span<const ReferenceSlot> slots, int32_t parent,
                       int32_t symbol) noexcept {
    // Multiplicative hashing: the high bits depend on all bits of both. The product of the symbol
    // does not depend on the parent, which the previous step has just found.
    const uint64_t hash = static_cast<uint32_t>(parent) * 0x9e3779b97f4a7c15u +
                          static_cast<uint32_t>(symbol) * 0xc2b2ae3d27d4eb4fu;
    const size_t mask = slots.size() - 1;
    size_t slot = hash >> (std::countl_zero(mask) & 63);
    while (slots[slot].node != 0 && (slots[slot].parent != parent || slots[slot].symbol != symbol))
      slot = (slot + 1) & mask;
    return slot;
  }

  static size_t slots_for(size_t nodes) noexcept {
    size_t slots = 4;
    while (slots < 2 * nodes) slots *= 2;
    return slots;
  }
};

// Filled from references; keeps its memory when cleared.
class ReferenceNgrams {
 public:
  // Reserves memory for references with `symbols` symbols in total.
  void clear(size_t symbols, int32_t order) {
    order_ = order;
    slots_.assign(ReferenceNgramsView::slots_for(symbols * order + 1), ReferenceSlot{});
    limits_.assign(1, 0);
    counts_.assign(1, 0);
  }

  void add(std::span<const int32_t> reference) {
    std::ranges::fill(counts_, 0);
    for (size_t begin = 0; begin < reference.size(); ++begin) {
      const size_t end = std::min(reference.size(), begin + order_);
      int32_t node = 0;
      for (size_t i = begin; i < end; ++i) {
        node = step(node, reference[i]);
        limits_[node] = std::max(limits_[node], ++counts_[node]);
      }
    }
  }

  ReferenceNgramsView view() const noexcept { return {slots_, limits_}; }

 private:
  int32_t step(int32_t node, int32_t symbol) {
    ReferenceSlot& slot = slots_[ReferenceNgramsView::locate(slots_, node, symbol)];
    if (slot.node == 0) {
      slot = {node, symbol, static_cast<int32_t>(limits_.size())};
      limits_.push_back(0);
      counts_.push_back(0);
    }
    return slot.node;
  }

  int32_t order_ = 0;
  std::vector<ReferenceSlot> slots_;
  std::vector<int32_t> limits_, counts_;
};

// Adds to matches[n - 1] the clipped number of n-grams of `text` found in the references. `claimed`
// is scratch space.
inline void count_matches(const ReferenceNgramsView& table, std::span<const int32_t> text,
                          int32_t order, std::vector<int32_t>& claimed, int32_t* matches) {
  claimed.assign(table.limits.size(), 0);
  for (size_t begin = 0; begin < text.size(); ++begin) {
    const size_t end = std::min(text.size(), begin + order);
    int32_t node = 0;
    for (size_t i = begin; i < end; ++i) {
      node = table.find(node, text[i]);
      if (node == 0) break;
      if (++claimed[node] <= table.limits[node]) ++matches[i - begin];
    }
  }
}

}  // namespace demotic::metrics
