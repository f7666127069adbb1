// Places n-grams in one of two buckets, as in cuckoo hashing (Pagh & Rodler 2001), with four slots
// per bucket (Dietzfelbinger & Weidling 2007). First, n-grams are placed in their home bucket while
// there is room; the others go to their second bucket, where another may have to move. So at most
// one n-gram in seven is displaced, and a search visits at most two buckets.
#include <vector>

#include "demotic/base/portable.h"
#include "demotic/lm/ngram_table.h"

namespace demotic::lm {
namespace {

constexpr size_t kAhead = 16;     // prefetch distance in n-grams
constexpr int kLongestChain = 5;  // maximum number of n-grams that move to make room for one

class Placement {
 public:
  Placement(std::span<const uint32_t> contexts, std::span<const WordId> words,
            const NgramHash& hash, std::span<uint32_t> numbers, NgramLayout layout)
      : contexts_(contexts),
        words_(words),
        hash_(hash),
        multiplier_(hash.multiplier() << (64 - hash.key_bits)),
        numbers_(numbers),
        lanes_(layout.lanes()),
        lane_bits_(layout.lane_bits()),
        owners_(hash.buckets() << lane_bits_, kNoOwner) {}

  bool run() {
    std::vector<uint32_t> homeless;
    for (uint32_t i = 0; i < words_.size(); ++i) {
      if (i + kAhead < words_.size())
        prefetch_for_writing(&owners_[home_of(key_of(i + kAhead)) << lane_bits_]);
      if (!settle(i, home_of(key_of(i)), 0)) homeless.push_back(i);
    }
    for (const uint32_t i : homeless)
      if (!settle(i, other_of(key_of(i)), kLongestChain)) return false;
    return true;
  }

  void write(std::span<NgramBucket> buckets) const {
    for (size_t i = 0; i < words_.size(); ++i) {
      const uint64_t key = key_of(i), home = home_of(key), here = numbers_[i] >> lane_bits_;
      const uint32_t check = check_of(key);
      uint32_t& stored = buckets[here].cells[numbers_[i] & ((1u << lane_bits_) - 1)];
      stored |= NgramBucket::kUsed | check;
      if (here == home) continue;
      stored |= NgramBucket::kDisplaced;
      buckets[home].cells[check % NgramBucket::kDisplacedFlags] |= NgramBucket::kHasDisplaced;
    }
  }

 private:
  static constexpr uint32_t kNoOwner = 0xFFFFFFFF, kLeaving = 0xFFFFFFFE;

  // As in NgramTable: the key's low end is at bit 64 - key_bits.
  uint64_t key_of(size_t i) const noexcept {
    return (uint64_t{contexts_[i]} << hash_.word_bits | static_cast<uint32_t>(words_[i])) *
           multiplier_;
  }
  uint64_t home_of(uint64_t key) const noexcept { return multiply_high(key, hash_.homes); }
  uint32_t check_of(uint64_t key) const noexcept {
    return static_cast<uint32_t>(key >> (64 - hash_.key_bits)) & hash_.check_mask();
  }
  uint64_t other_of(uint64_t key) const noexcept {
    return home_of(key) + NgramHash::distance(check_of(key));
  }

  // Puts an n-gram into a bucket, moving up to `moves` others. False if that is not enough.
  bool settle(uint32_t ngram, uint64_t bucket, int moves) {
    const uint64_t begin = bucket << lane_bits_, end = begin + lanes_;
    for (uint64_t slot = begin; slot < end; ++slot)
      if (owners_[slot] == kNoOwner) return put(ngram, slot);
    for (int deep = 0; deep < moves; ++deep)  // the shortest chain first
      for (uint64_t slot = begin; slot < end; ++slot)
        if (evict(slot, bucket, deep)) return put(ngram, slot);
    return false;
  }

  // Moves the owner of a slot to its other bucket.
  bool evict(uint64_t slot, uint64_t bucket, int moves) {
    const uint32_t owner = owners_[slot];
    if (owner == kLeaving) return false;
    const uint64_t key = key_of(owner), home = home_of(key);
    owners_[slot] = kLeaving;  // a chain may return here
    const bool moved = settle(owner, home == bucket ? other_of(key) : home, moves);
    if (!moved) owners_[slot] = owner;
    return moved;
  }

  bool put(uint32_t ngram, uint64_t slot) {
    owners_[slot] = ngram;
    numbers_[ngram] = static_cast<uint32_t>(slot);
    return true;
  }

  std::span<const uint32_t> contexts_;
  std::span<const WordId> words_;
  const NgramHash hash_;
  const uint64_t multiplier_;
  std::span<uint32_t> numbers_;
  const uint32_t lanes_, lane_bits_;
  std::vector<uint32_t> owners_;  // by slot
};

}  // namespace

bool place_ngrams(std::span<const uint32_t> contexts, std::span<const WordId> words,
                  const NgramHash& hash, std::span<NgramBucket> buckets,
                  std::span<uint32_t> numbers, NgramLayout layout) {
  Placement placement(contexts, words, hash, numbers, layout);
  if (!placement.run()) return false;
  placement.write(buckets);
  return true;
}

}  // namespace demotic::lm
