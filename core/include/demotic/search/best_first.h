// A heap of numbered things by falling key: what waits to be looked at in cube pruning. Entries are
// small, so that the heap's moves are cheap; the things themselves stay where they are.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace demotic {

class BestFirst {
 public:
  void clear() noexcept { entries_.clear(); }
  bool empty() const noexcept { return entries_.empty(); }
  // Without order, until `arrange`.
  void add(float key, uint32_t number) { entries_.push_back({key, number}); }
  void arrange() { std::make_heap(entries_.begin(), entries_.end()); }

  float best_key() const noexcept { return entries_.empty() ? -INFINITY : entries_.front().key; }
  void push(float key, uint32_t number) {
    entries_.push_back({key, number});
    std::push_heap(entries_.begin(), entries_.end());
  }
  uint32_t pop() {
    std::pop_heap(entries_.begin(), entries_.end());
    const uint32_t number = entries_.back().number;
    entries_.pop_back();
    return number;
  }

 private:
  struct Entry {
    float key;
    uint32_t number;
    friend bool operator<(const Entry& a, const Entry& b) noexcept {
      return a.key != b.key ? a.key < b.key : a.number > b.number;
    }
  };
  std::vector<Entry> entries_;
};

}  // namespace demotic
