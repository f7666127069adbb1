// Places n-grams in one of two buckets, as in cuckoo hashing (Pagh & Rodler 2001), with four slots
// per bucket (Dietzfelbinger & Weidling 2007). First, n-grams are placed in their home bucket while
// there is room; then the others, in the order of their homes, go to their second bucket, where
// another may have to move. So at most one n-gram in seven is displaced, and a search visits at
// most two buckets.
//
// The second bucket follows the first closely, so each step concerns a few hundred buckets. With
// n-grams sorted by their homes, a window of the table is enough (ngram_sweep.h).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "demotic/base/portable.h"
#include "demotic/lm/ngram_table.h"

namespace demotic::lm {

// `Ngrams` has key(ngram), as of NgramTable, and placed(ngram, slot), which is called whenever an
// n-gram has got another slot.
template <typename Ngrams>
class NgramPlacement {
 public:
  static constexpr int kLongestChain = 5;  // maximum number of n-grams that move to make room
  // `displace` concerns no buckets that are farther from the n-gram's home.
  static constexpr uint64_t kReach = (1 + kLongestChain) * NgramHash::kMaxDistance;
  static constexpr uint32_t kNoOwner = 0xFFFFFFFF;

  // `window`: the number of consecutive buckets in use at a time; all of them, or a power of two.
  NgramPlacement(const NgramHash& hash, NgramLayout layout, uint64_t window, Ngrams ngrams)
      : hash_(hash),
        lanes_(layout.lanes()),
        lane_bits_(layout.lane_bits()),
        mask_(window < hash.buckets() ? (window << lane_bits_) - 1 : ~uint64_t{0}),
        owners_(window << lane_bits_, kNoOwner),
        ngrams_(std::move(ngrams)) {}

  // False if there is no room.
  bool put_home(uint32_t ngram) { return settle(ngram, hash_.home(ngrams_.key(ngram)), 0); }
  bool displace(uint32_t ngram) {
    return settle(ngram, hash_.other(ngrams_.key(ngram)), kLongestChain);
  }
  // The n-gram in a slot, or kNoOwner; the slot can be used for the next bucket of the window.
  uint32_t take(uint64_t slot) { return std::exchange(owner(slot), kNoOwner); }
  void prefetch(uint64_t key) { prefetch_for_writing(&owner(hash_.home(key) << lane_bits_)); }

 private:
  static constexpr uint32_t kLeaving = 0xFFFFFFFE;

  uint32_t& owner(uint64_t slot) noexcept { return owners_[slot & mask_]; }

  // Puts an n-gram into a bucket, moving up to `moves` others. False if that is not enough.
  bool settle(uint32_t ngram, uint64_t bucket, int moves) {
    const uint64_t begin = bucket << lane_bits_, end = begin + lanes_;
    for (uint64_t slot = begin; slot < end; ++slot)
      if (owner(slot) == kNoOwner) return put(ngram, slot);
    for (int deep = 0; deep < moves; ++deep)  // the shortest chain first
      for (uint64_t slot = begin; slot < end; ++slot)
        if (evict(slot, bucket, deep)) return put(ngram, slot);
    return false;
  }

  // Moves the owner of a slot to its other bucket.
  bool evict(uint64_t slot, uint64_t bucket, int moves) {
    const uint32_t ngram = owner(slot);
    if (ngram == kLeaving) return false;
    const uint64_t key = ngrams_.key(ngram), home = hash_.home(key);
    owner(slot) = kLeaving;  // a chain may return here
    const bool moved = settle(ngram, home == bucket ? hash_.other(key) : home, moves);
    if (!moved) owner(slot) = ngram;
    return moved;
  }

  bool put(uint32_t ngram, uint64_t slot) {
    owner(slot) = ngram;
    ngrams_.placed(ngram, static_cast<uint32_t>(slot));
    return true;
  }

  const NgramHash hash_;
  const uint32_t lanes_, lane_bits_;
  const uint64_t mask_;
  std::vector<uint32_t> owners_;  // by slot
  Ngrams ngrams_;
};

// Writes the key of an n-gram in lane `lane` of the bucket `here`.
inline void write_key(const NgramHash& hash, uint64_t key, NgramBucket& here, uint32_t lane,
                      NgramBucket& home) noexcept {
  const uint32_t check = hash.check(key);
  here.cells[lane] |= NgramBucket::kUsed | check;
  if (&here == &home) return;
  here.cells[lane] |= NgramBucket::kDisplaced;
  home.cells[check % NgramBucket::kDisplacedFlags] |= NgramBucket::kHasDisplaced;
}

// Finds slots for the distinct n-grams (context, word) and writes their keys: numbers[i] is the
// slot of the i-th. False if one has no place: try again with a larger table.
bool place_ngrams(std::span<const uint32_t> contexts, std::span<const WordId> words,
                  const NgramHash& hash, std::span<NgramBucket> buckets,
                  std::span<uint32_t> numbers, NgramLayout layout = {});

}  // namespace demotic::lm
