#include "demotic/force/target_index.h"

#include <algorithm>
#include <bit>

namespace demotic::force {
namespace {

constexpr uint32_t kAhead = 8;  // target sides prefetched

}  // namespace

void TargetIndex::forget_if_full() {
  if (entries_.size() < kMaxKept) return;
  blocks_.clear();
  entries_.clear();
  bits_.clear();
}

TargetIndex::Block TargetIndex::of(RuleRange rules) {
  const auto [block, fresh] = blocks_.insert(rules.begin);
  if (!fresh) return block;
  // 16 to 32 bits per rule; each prefix of its target side sets one.
  const auto log = std::max<uint32_t>(6, std::bit_width(rules.size()) + 4);
  block = {static_cast<uint32_t>(entries_.size()), rules.size(),
           static_cast<uint32_t>(bits_.size()), log};
  bits_.resize(bits_.size() + (size_t{1} << log) / 64);
  const auto set = [&](uint64_t hash) {
    const uint64_t bit = filter_bit(block, hash);
    bits_[block.first_bits + bit / 64] |= uint64_t{1} << bit % 64;
  };
  for (RuleId rule = rules.begin; rule < rules.end; ++rule) {
    if (rule + kAhead < rules.end) store_.prefetch_target(rule + kAhead);
    uint64_t hash = kEmptyHash;
    set(hash);
    int32_t words = 0;
    for (const Symbol word : store_.target(rule)) {
      if (words++ == kHashedWords) break;
      set(hash = with_word(hash, word));
    }
    entries_.push_back({key_of(hash), rule});
  }
  std::sort(entries_.begin() + block.first, entries_.end(), [](const Entry& a, const Entry& b) {
    return a.key != b.key ? a.key < b.key : a.rule < b.rule;
  });
  return block;
}

}  // namespace demotic::force
