// A map of bounded size: when it is full, it forgets entries that were not used since it was full
// the last time. Keys are hashes. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace demotic::features {

template <typename Value>
class RecentMap {
 public:
  // It holds from `capacity` to twice as many entries once it is full.
  explicit RecentMap(size_t capacity) : capacity_(capacity) {}

  // Null if the key is not known, or not any more. Valid until the next call.
  const Value* find(uint64_t key) {
    if (const auto known = young_.find(key); known != young_.end()) return &known->second;
    auto node = old_.extract(key);
    if (node.empty()) return nullptr;
    make_room();
    return &young_.insert(std::move(node)).position->second;
  }
  // The key must not be known.
  const Value& add(uint64_t key, Value value) {
    make_room();
    return young_.insert_or_assign(key, std::move(value)).first->second;
  }
  size_t size() const noexcept { return young_.size() + old_.size(); }

 private:
  void make_room() {
    if (young_.size() < capacity_) return;
    old_ = std::move(young_);
    young_ = {};
  }

  size_t capacity_;
  std::unordered_map<uint64_t, Value> young_, old_;
};

}  // namespace demotic::features
