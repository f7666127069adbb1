// Structural distortion (Chiang, Marton & Resnik 2008, section 4): whether a gap is reordered in
// its rule, and how likely that is for the number of source words that it covers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "demotic/namespaces.h"

namespace demotic::rules {

inline constexpr int32_t kMaxGapSize = 10;  // larger gaps count as this size

// Whether a link crosses any other link of its rule. Both sides of a gap are linked, so the gap is
// reordered if its link is crossed.
template <typename AnyLink>
bool is_crossed(const AnyLink& link, std::span<const AnyLink> links) noexcept {
  return std::ranges::any_of(links, [&](const AnyLink& other) {
    return (other.source < link.source && other.target > link.target) ||
           (other.source > link.source && other.target < link.target);
  });
}

// How often gaps of extracted rules were reordered, by the number of source words under them.
struct DistortionCounts {
  using Row = std::array<int64_t, kMaxGapSize + 1>;  // size 0 is unused

  std::array<Row, 2> counts{};  // [reordered][size]
};

// log P(reordered | size) and log P(in order | size): relative frequencies. Half a count is added
// to each, so that all logarithms are finite. A size that was never seen has the probabilities of
// the next smaller one that was, or of the smallest one.
class GapReordering {
 public:
  explicit GapReordering(const DistortionCounts& counts = {});

  // `size` is at least 1 and at most kMaxGapSize.
  double log_probability(bool reordered, int32_t size) const noexcept {
    return logs_[reordered][size];
  }

 private:
  std::array<std::array<double, kMaxGapSize + 1>, 2> logs_{};
};

}  // namespace demotic::rules
