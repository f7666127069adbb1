// The rules of frequent source phrases by hash of their target side. A comma has thousands of
// translations, of which a reference contains two or three: a look-up finds them without a scan.
//
// A source phrase is indexed on first use and kept for later sentences, in bounded memory (10 to 12
// bytes per rule); results do not depend on earlier sentences. Not thread-safe; use one instance
// per thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/base/hash.h"
#include "demotic/base/portable.h"
#include "demotic/rules/rule_store.h"

namespace demotic::force {

class TargetIndex {
 public:
  static constexpr uint32_t kFewRules = 16;   // up to here a scan is faster
  static constexpr int32_t kHashedWords = 8;  // longer target sides are hashed by these

  // Hash of a target side, word by word.
  static constexpr uint64_t kEmptyHash = 0x9e3779b97f4a7c15u;
  static constexpr uint64_t with_word(uint64_t hash, WordId word) noexcept {
    return mix64(hash ^ static_cast<uint32_t>(word));
  }

  explicit TargetIndex(const RuleStore& store) : store_(store) {}

  // Call it between sentences only: it invalidates blocks.
  void forget_if_full();

  struct Block {
    uint32_t first = 0, count = 0;          // entries
    uint32_t first_bits = 0, bits_log = 0;  // a filter: one bit per prefix
  };
  Block of(RuleRange rules);

  // False only if no target side begins with these words, so that longer n-grams need no look-up
  // either.
  bool may_begin(const Block& block, uint64_t hash) const noexcept {
    const uint64_t bit = filter_bit(block, hash);
    return bits_[block.first_bits + bit / 64] >> bit % 64 & 1;
  }
  // visit(rule) for all rules with this hash; some may have another target side.
  template <typename Visit>
  void visit(const Block& block, uint64_t hash, Visit&& visit) const {
    const uint32_t key = key_of(hash);
    const Entry* const first = entries_.data() + block.first;
    const Entry* const last = first + block.count;
    const Entry* at = first + guess(block, key);
    while (at != first && at[-1].key >= key) --at;
    while (at != last && at->key < key) ++at;
    for (; at != last && at->key == key; ++at) visit(at->rule);
  }
  // Prefetch what the two functions above read.
  void prefetch_filter(const Block& block, uint64_t hash) const noexcept {
    prefetch_line(&bits_[block.first_bits + filter_bit(block, hash) / 64]);
  }
  void prefetch_entries(const Block& block, uint64_t hash) const noexcept {
    prefetch_line(&entries_[block.first + guess(block, key_of(hash))]);
  }

 private:
  static constexpr size_t kMaxKept = size_t{1} << 22;  // rules

  struct Entry {
    uint32_t key;  // high half of the hash
    RuleId rule;
  };

  static uint64_t filter_bit(const Block& block, uint64_t hash) noexcept {
    return hash & ((uint64_t{1} << block.bits_log) - 1);
  }
  static uint32_t key_of(uint64_t hash) noexcept { return static_cast<uint32_t>(hash >> 32); }
  // Hashes are spread evenly, so the key tells roughly where its entry is.
  static uint64_t guess(const Block& block, uint32_t key) noexcept {
    return uint64_t{key} * block.count >> 32;
  }

  const RuleStore& store_;
  FlatMap<RuleId, Block> blocks_;  // by first rule
  std::vector<Entry> entries_;     // of a block, by key, then rule
  std::vector<uint64_t> bits_;
};

}  // namespace demotic::force
