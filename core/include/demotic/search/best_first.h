// A heap of numbered items by descending key, ties by ascending number: the queue of cube pruning.
// An entry packs key and number into one integer of the same order, so heap operations are cheap
// and the items themselves do not move. Keys must not be NaN.
//
// Four children per node halve the depth. An item that was taken leaves its place at the top open
// until the next one is pushed: the neighbours of a candidate are hardly worse than it, so they
// sink a level or two from there, where the last entry of the heap would sink to the bottom.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::search {

// Bits of a float that are ordered like the values; for negative ones the order of their own bits
// is reversed.
inline uint32_t ordered_bits(float value) noexcept {
  const auto bits = std::bit_cast<uint32_t>(value + 0.0f);  // turns -0 into 0
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

class BestFirst {
 public:
  void clear() noexcept {
    entries_.clear();
    open_ = false;
  }
  bool empty() const noexcept { return entries_.size() == size_t{open_}; }
  // Appends without restoring heap order; call `arrange` afterwards.
  void add(float key, uint32_t number) { entries_.push_back(entry(key, number)); }
  void arrange() {
    for (size_t i = entries_.size() / kChildren + 1; i-- > 0;)
      if (i < entries_.size()) sink(i, entries_[i]);
  }

  float best_key() {
    close();
    return entries_.empty() ? -INFINITY : key(entries_.front());
  }
  void push(float key, uint32_t number) {
    if (open_) {
      open_ = false;
      return sink(0, entry(key, number));
    }
    entries_.push_back(0);
    rise(entries_.size() - 1, entry(key, number));
  }
  uint32_t pop() {
    close();
    open_ = true;
    return ~static_cast<uint32_t>(entries_.front());
  }

 private:
  static constexpr size_t kChildren = 4;

  static uint64_t entry(float key, uint32_t number) noexcept {
    return uint64_t{ordered_bits(key)} << 32 | static_cast<uint32_t>(~number);
  }
  static float key(uint64_t entry) noexcept {
    const auto bits = static_cast<uint32_t>(entry >> 32);
    return std::bit_cast<float>(bits & 0x80000000u ? bits ^ 0x80000000u : ~bits);
  }

  // Fills the place at the top with the last entry.
  void close() {
    if (!open_) return;
    open_ = false;
    const uint64_t last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(0, last);
  }
  void rise(size_t at, uint64_t entry) noexcept {
    for (size_t parent; at > 0 && entries_[parent = (at - 1) / kChildren] < entry; at = parent)
      entries_[at] = entries_[parent];
    entries_[at] = entry;
  }
  void sink(size_t at, uint64_t entry) noexcept {
    for (size_t best; (best = best_child(at)) != 0 && entries_[best] > entry; at = best)
      entries_[at] = entries_[best];
    entries_[at] = entry;
  }
  // 0 if there is none. Without branches if there are all, because it is unpredictable which.
  size_t best_child(size_t at) const noexcept {
    const size_t first = kChildren * at + 1;
    const uint64_t* const e = entries_.data();
    if (first + kChildren <= entries_.size()) {
      const size_t left = first + (e[first + 1] > e[first]);
      const size_t right = first + 2 + (e[first + 3] > e[first + 2]);
      return e[right] > e[left] ? right : left;
    }
    if (first >= entries_.size()) return 0;
    return static_cast<size_t>(std::max_element(e + first, e + entries_.size()) - e);
  }

  std::vector<uint64_t> entries_;
  bool open_ = false;  // the first entry was taken
};

}  // namespace demotic::search
