// Fills the buckets of a table from first to last with n-grams that are sorted by their homes, in
// constant memory. The table is the same as that of place_ngrams.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "demotic/lm/ngram_placement.h"

namespace demotic::lm {

struct SweptNgram {
  uint64_t key = 0;    // as of NgramTable
  uint32_t index = 0;  // in its list
  uint32_t marks = 0;  // in its cell: the filter of the words that follow it, and kContext
  NgramData data;
};
static_assert(sizeof(SweptNgram) == 32);

class NgramSweep {
 public:
  using Placed = std::function<void(const SweptNgram& ngram, uint32_t number)>;
  using Filled = std::function<void(const NgramBucket& bucket)>;

  // Calls placed(ngram, number) for each n-gram, and filled(bucket) for each bucket, in order.
  NgramSweep(const NgramHash& hash, NgramLayout layout, Placed placed, Filled filled)
      : hash_(hash),
        layout_(layout),
        placed_(std::move(placed)),
        filled_(std::move(filled)),
        placement_(hash, layout, kWindow, {this}) {}
  NgramSweep(const NgramSweep&) = delete;  // `placement_` refers to it
  NgramSweep& operator=(const NgramSweep&) = delete;

  // Homes must not descend; n-grams of one home come in the order of their list.
  void add(const SweptNgram& ngram);
  // False if an n-gram has no place: try again with a larger table.
  bool finish();

 private:
  struct Waiting {
    const NgramSweep* sweep;
    uint64_t key(uint32_t ngram) const noexcept { return sweep->at(ngram).key; }
    void placed(uint32_t, uint32_t) const noexcept {}  // it may still move
  };
  using Placement = NgramPlacement<Waiting>;
  // N-grams are displaced when those that they may meet have arrived, so that the buckets in use
  // are at most two reaches apart; buckets are complete a little later, since they also tell
  // whether n-grams of theirs were displaced.
  static constexpr uint64_t kWindow = 1024;
  static_assert(kWindow > 2 * Placement::kReach + NgramHash::kMaxDistance);

  const SweptNgram& at(uint32_t ngram) const noexcept { return ngrams_[ngram - first_]; }
  uint64_t home(uint32_t ngram) const noexcept { return hash_.home(at(ngram).key); }
  NgramBucket& bucket(uint64_t number) noexcept { return buckets_[number % kWindow]; }
  void advance(uint64_t home);
  void settle();
  void complete(uint64_t number);

  const NgramHash hash_;
  const NgramLayout layout_;
  Placed placed_;
  Filled filled_;
  std::deque<SweptNgram> ngrams_;  // whose slots are not final, from number first_
  uint32_t first_ = 0;
  std::deque<uint32_t> homeless_;
  Placement placement_;
  std::vector<NgramBucket> buckets_ = std::vector<NgramBucket>(kWindow);
  uint64_t settled_ = 0;  // number of buckets whose n-grams are final
  bool failed_ = false;
};

}  // namespace demotic::lm
