// A hash map from 64-bit keys to 32-bit values other than 0 that one writer at a time fills while
// any number of threads read, without locks: a reader finds an entry or does not yet find it. What
// the writer wrote elsewhere before it inserted a value is visible to whoever finds the value.
//
// Open addressing, linear probing, at most half full, 16 bytes per slot. A table that has become
// too small stays until the map is destroyed, because a reader may be in it: they take as much
// memory again as the present one.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "demotic/base/hash.h"

namespace demotic::base {

class PublishedMap {
 public:
  PublishedMap() { publish(kFirstSlots); }
  PublishedMap(const PublishedMap&) = delete;
  PublishedMap& operator=(const PublishedMap&) = delete;

  // 0 if there is none.
  uint32_t find(uint64_t key) const noexcept {
    const Table& table = *latest_.load(std::memory_order_acquire);
    for (size_t i = mix64(key) & table.mask;; i = (i + 1) & table.mask) {
      const Slot& slot = table.slots[i];
      const uint32_t value = slot.value.load(std::memory_order_acquire);
      if (value == 0 || slot.key.load(std::memory_order_relaxed) == key) return value;
    }
  }

  // The key is new, and the value is not 0.
  void insert(uint64_t key, uint32_t value) {
    if (2 * ++size_ > tables_.back()->mask) publish(2 * (tables_.back()->mask + 1));
    put(*tables_.back(), key, value);
  }

  size_t size() const noexcept { return size_; }  // for the writer

 private:
  static constexpr size_t kFirstSlots = 1024;

  struct Slot {
    std::atomic<uint64_t> key{0};
    std::atomic<uint32_t> value{0};
  };
  struct Table {
    explicit Table(size_t size) : mask(size - 1), slots(new Slot[size]) {}
    const size_t mask;
    const std::unique_ptr<Slot[]> slots;
  };

  static void put(Table& table, uint64_t key, uint32_t value) noexcept {
    size_t i = mix64(key) & table.mask;
    while (table.slots[i].value.load(std::memory_order_relaxed) != 0) i = (i + 1) & table.mask;
    table.slots[i].key.store(key, std::memory_order_relaxed);
    table.slots[i].value.store(value, std::memory_order_release);
  }

  void publish(size_t size) {
    auto larger = std::make_unique<Table>(size);
    if (!tables_.empty()) {
      const Table& old = *tables_.back();
      for (size_t i = 0; i <= old.mask; ++i)
        if (const uint32_t value = old.slots[i].value.load(std::memory_order_relaxed))
          put(*larger, old.slots[i].key.load(std::memory_order_relaxed), value);
    }
    tables_.push_back(std::move(larger));
    latest_.store(tables_.back().get(), std::memory_order_release);
  }

  size_t size_ = 0;
  std::vector<std::unique_ptr<Table>> tables_;
  std::atomic<const Table*> latest_{nullptr};
};

}  // namespace demotic::base
