// Brings what occurrences refer to into the cache of the thread that is going to read it. Sorted
// occurrences lie all over the bitext: fetched when its turn comes, each costs more than the work
// on it; fetched some steps before, the waits overlap. Offsets are needed to know where the rest
// is.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "demotic/rules/occurrence.h"

namespace demotic {

template <typename T>
void prefetch_range(std::span<const T> values) noexcept {
  constexpr size_t kLine = 64;
  const auto* byte = reinterpret_cast<const char*>(values.data());
  const auto* end = byte + values.size_bytes();
  for (; byte < end; byte += kLine) __builtin_prefetch(byte);
  if (!values.empty()) __builtin_prefetch(end - 1);
}

inline void prefetch_offsets(const AlignedBitext& bitext, const Occurrence& o) noexcept {
  __builtin_prefetch(&bitext.source.offsets()[o.sentence]);
  __builtin_prefetch(&bitext.target.offsets()[o.sentence]);
  __builtin_prefetch(&bitext.links.offsets[o.sentence]);
}

inline void prefetch_words(const AlignedBitext& bitext, const Occurrence& o) noexcept {
  prefetch_range(bitext.source[o.sentence].subspan(o.source_begin, o.source_size));
  prefetch_range(bitext.target[o.sentence].subspan(o.target_begin, o.target_size));
}

// All links of the sentence: where those of the occurrence begin has to be searched.
inline void prefetch_links(const AlignedBitext& bitext, const Occurrence& o) noexcept {
  prefetch_range(bitext.links[o.sentence]);
}

// Walks ahead of a loop over `count` occurrences: offsets(i), then fetch(i) some steps later.
template <typename Offsets, typename Fetch>
class PrefetchAhead {
 public:
  PrefetchAhead(size_t count, Offsets offsets, Fetch fetch)
      : count_(count), offsets_(std::move(offsets)), fetch_(std::move(fetch)) {}

  // The loop is at `place`, which only rises.
  void move_to(size_t place) {
    for (; offsets_done_ < std::min(place + 2 * kAhead, count_); ++offsets_done_)
      offsets_(offsets_done_);
    for (; fetched_ < std::min(place + kAhead, count_); ++fetched_) fetch_(fetched_);
  }

 private:
  static constexpr size_t kAhead = 16;  // few enough to stay in the smallest cache

  size_t count_, offsets_done_ = 0, fetched_ = 0;
  Offsets offsets_;
  Fetch fetch_;
};

}  // namespace demotic
