// A hash map of trivially copyable keys and values in one flat array: open addressing, linear
// probing, power-of-two capacity, at most half full; on huge pages if it is large. Insertion may
// move entries, so references are valid until the next insertion. Single keys cannot be erased, so
// there are no tombstones; `clear` removes all entries at almost no cost. Not thread-safe for
// writing; concurrent reading is safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "demotic/base/hash.h"
#include "demotic/base/huge_pages.h"
#include "demotic/base/portable.h"

namespace demotic::base {

template <typename Key>
struct FlatHash {
  static_assert(std::is_integral_v<Key> || std::is_enum_v<Key>, "give a hash for this key");
  uint64_t operator()(Key key) const noexcept { return mix64(static_cast<uint64_t>(key)); }
};

template <typename Key, typename Value, typename Hash = FlatHash<Key>>
class FlatMap {
  static_assert(std::is_trivially_copyable_v<Key> && std::is_trivially_copyable_v<Value>);

 public:
  explicit FlatMap(size_t expected = 0) { rehash(capacity_for(expected)); }

  size_t size() const noexcept { return size_; }

  // Keeps the memory. A slot is used if it has the current mark, so only one call in 255 writes.
  void clear() noexcept {
    size_ = 0;
    if (++mark_ != 0) return;
    std::fill(used_.begin(), used_.end(), uint8_t{0});
    mark_ = 1;
  }

  Value* find(const Key& key) noexcept {
    return const_cast<Value*>(std::as_const(*this).find(key));
  }
  const Value* find(const Key& key) const noexcept {
    const size_t slot = locate(key);
    return used_[slot] == mark_ ? &entries_[slot].value : nullptr;
  }

  // Brings the slot of `key` into the cache, for a later `find`.
  void prefetch(const Key& key) const noexcept {
    const size_t slot = Hash{}(key) & (entries_.size() - 1);
    prefetch_line(&used_[slot]);
    prefetch_line(&entries_[slot]);
  }

  // The value of `key`, value-initialised if it is new, and whether it was inserted.
  std::pair<Value&, bool> insert(const Key& key) {
    if (2 * (size_ + 1) > entries_.size()) rehash(2 * entries_.size());
    const size_t slot = locate(key);
    const bool fresh = used_[slot] != mark_;
    if (fresh) {
      used_[slot] = mark_;
      entries_[slot] = {key, Value{}};
      ++size_;
    }
    return {entries_[slot].value, fresh};
  }
  Value& operator[](const Key& key) { return insert(key).first; }

  // Calls visit(key, value) in slot order: deterministic for the same insertions, but not sorted.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (size_t slot = 0; slot < entries_.size(); ++slot)
      if (used_[slot] == mark_) visit(entries_[slot].key, entries_[slot].value);
  }
  template <typename Visit>
  void for_each(Visit&& visit) {
    for (size_t slot = 0; slot < entries_.size(); ++slot)
      if (used_[slot] == mark_) visit(std::as_const(entries_[slot].key), entries_[slot].value);
  }

 private:
  struct Entry {
    Key key;
    Value value;
  };

  static size_t capacity_for(size_t expected) {
    size_t capacity = 16;
    while (capacity < 2 * (expected + 1)) capacity *= 2;
    return capacity;
  }

  // The slot of `key`, or the empty slot where it belongs. Terminates because half of them are
  // empty.
  size_t locate(const Key& key) const noexcept {
    const size_t mask = entries_.size() - 1;
    size_t slot = Hash{}(key)&mask;
    while (used_[slot] == mark_ && !(entries_[slot].key == key)) slot = (slot + 1) & mask;
    return slot;
  }

  void rehash(size_t capacity) {
    HugeVector<Entry> old_entries(capacity);
    HugeVector<uint8_t> old_used(capacity, 0);
    old_entries.swap(entries_);
    old_used.swap(used_);
    for (size_t i = 0; i < old_entries.size(); ++i) {
      if (old_used[i] != mark_) continue;
      const size_t slot = locate(old_entries[i].key);
      used_[slot] = mark_;
      entries_[slot] = old_entries[i];
    }
  }

  HugeVector<Entry> entries_;
  HugeVector<uint8_t> used_;  // equals mark_ where there is an entry
  uint8_t mark_ = 1;
  size_t size_ = 0;
};

}  // namespace demotic::base
