#include "demotic/rules/gap_reordering.h"

#include <cmath>

namespace demotic::rules {
namespace {

// The size whose counts are used for each size: itself, or another one if it was never seen.
std::array<int32_t, kMaxGapSize + 1> seen_sizes(const DistortionCounts& of) {
  const auto seen = [&](int32_t size) { return of.counts[0][size] + of.counts[1][size] > 0; };
  int32_t last = 1;
  while (last < kMaxGapSize && !seen(last)) ++last;
  std::array<int32_t, kMaxGapSize + 1> sizes{};
  for (int32_t size = 1; size <= kMaxGapSize; ++size) {
    if (seen(size)) last = size;
    sizes[size] = last;
  }
  return sizes;
}

}  // namespace

GapReordering::GapReordering(const DistortionCounts& of) {
  const auto sizes = seen_sizes(of);
  for (int32_t size = 1; size <= kMaxGapSize; ++size) {
    const auto count = [&](bool reordered) {
      return static_cast<double>(of.counts[reordered][sizes[size]]) + 0.5;
    };
    const double total = count(false) + count(true);
    for (const bool reordered : {false, true})
      logs_[reordered][size] = std::log(count(reordered) / total);
  }
}

}  // namespace demotic::rules
