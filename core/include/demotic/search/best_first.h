// A heap of numbered items by descending key, ties by ascending number: the queue of cube pruning.
// An entry packs key and number into one integer of the same order, so heap operations are cheap
// and the items themselves do not move. Keys must not be NaN.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::search {

class BestFirst {
 public:
  void clear() noexcept { entries_.clear(); }
  bool empty() const noexcept { return entries_.empty(); }
  // Appends without restoring heap order; call `arrange` afterwards.
  void add(float key, uint32_t number) { entries_.push_back(entry(key, number)); }
  void arrange() { std::make_heap(entries_.begin(), entries_.end()); }

  float best_key() const noexcept { return entries_.empty() ? -INFINITY : key(entries_.front()); }
  void push(float key, uint32_t number) {
    entries_.push_back(entry(key, number));
    std::push_heap(entries_.begin(), entries_.end());
  }
  uint32_t pop() {
    std::pop_heap(entries_.begin(), entries_.end());
    const uint32_t number = ~static_cast<uint32_t>(entries_.back());
    entries_.pop_back();
    return number;
  }

 private:
  // The bits of floats order like their values; for negative ones the order is reversed.
  static constexpr uint32_t kSign = 0x80000000u;
  static uint64_t entry(float key, uint32_t number) noexcept {
    const auto bits = std::bit_cast<uint32_t>(key + 0.0f);  // turns -0 into 0
    return uint64_t{bits & kSign ? ~bits : bits | kSign} << 32 | static_cast<uint32_t>(~number);
  }
  static float key(uint64_t entry) noexcept {
    const auto bits = static_cast<uint32_t>(entry >> 32);
    return std::bit_cast<float>(bits & kSign ? bits ^ kSign : ~bits);
  }

  std::vector<uint64_t> entries_;
};

}  // namespace demotic::search
