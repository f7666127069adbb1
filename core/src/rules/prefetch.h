// Prefetches what occurrences refer to. Sorted occurrences are scattered over the bitext: without
// prefetching, each memory access costs more than the work on it; with it, the latencies overlap.
// First the position of the pair is fetched, then the pair.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "demotic/base/portable.h"
#include "demotic/rules/occurrence.h"

namespace demotic::rules {

template <typename T>
void prefetch_range(std::span<const T> values) noexcept {
  constexpr size_t kLine = 64;
  const auto* byte = reinterpret_cast<const char*>(values.data());
  const auto* end = byte + values.size_bytes();
  for (; byte < end; byte += kLine) prefetch_line(byte);
  if (!values.empty()) prefetch_line(end - 1);
}

inline void prefetch_words(const PackedBitext& bitext, const RulePlace& o) noexcept {
  const PackedPair pair = bitext[o.sentence];
  prefetch_range(pair.source.subspan(o.source_begin, o.source_size));
  prefetch_range(pair.target.subspan(o.target_begin, o.target_size));
}

// Fetches all links of the sentence, because the first link of the occurrence has to be searched.
inline void prefetch_links(const PackedBitext& bitext, const RulePlace& o) noexcept {
  prefetch_range(bitext[o.sentence].links);
}

// Runs ahead of a loop over `count` occurrences: find(i), then fetch(i) some steps later.
template <typename Find, typename Fetch>
class PrefetchAhead {
 public:
  PrefetchAhead(size_t count, Find find, Fetch fetch)
      : count_(count), find_(std::move(find)), fetch_(std::move(fetch)) {}

  // The loop is at `place`, which only increases.
  void move_to(size_t place) {
    for (; found_ < std::min(place + 2 * kAhead, count_); ++found_) find_(found_);
    for (; fetched_ < std::min(place + kAhead, count_); ++fetched_) fetch_(fetched_);
  }

 private:
  static constexpr size_t kAhead = 16;  // few enough to stay in the smallest cache

  size_t count_, found_ = 0, fetched_ = 0;
  Find find_;
  Fetch fetch_;
};

}  // namespace demotic::rules
