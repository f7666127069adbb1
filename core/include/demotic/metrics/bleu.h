// Statistics of BLEU-4 (Papineni et al. 2002), one row of nine numbers per candidate:
//
//   0-3   n-grams found in the references, n = 1..4, clipped by the largest count in one of them
//   4-7   all n-grams, n = 1..4
//   8     reference length times length_scale
//
// Rows can be added; a score is a function of a sum. The reference length is that of the reference
// closest to the candidate (the shorter of two equally close ones: mteval, sacrebleu), of the
// shortest (Chiang et al. 2008) or the average. length_scale makes averages integers; it is 1 for
// the other two rules, and scores divide by it.
//
// The table of a sentence's n-grams is built when the sentence comes up and kept for following
// candidates, so pass candidates sorted by sentence. Cost: four insertions per reference word, then
// at most four probes per word of a candidate in a few kB; no allocation once the buffers have
// grown.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "demotic/metrics/candidates.h"
#include "demotic/metrics/reference_ngrams.h"
#include "demotic/metrics/reference_set.h"

namespace demotic::metrics {

inline constexpr int32_t kBleuOrder = 4;
inline constexpr int32_t kBleuColumns = 2 * kBleuOrder + 1;

enum class ReferenceLength { kClosest, kShortest, kAverage };

// "closest", "shortest", "average"; throws std::invalid_argument for others.
ReferenceLength reference_length_named(std::string_view name);

// The state of one thread; any number of them may share the references.
class BleuCounter {
 public:
  BleuCounter(const ReferenceSet& references, ReferenceLength rule) noexcept
      : references_(references), rule_(rule) {}

  // `candidate` has word ids of the references; `row` has kBleuColumns elements.
  void operator()(int64_t sentence, std::span<const WordId> candidate, int32_t* row);

 private:
  void load(int64_t sentence);
  int32_t length(int64_t sentence, size_t candidate) const noexcept;

  const ReferenceSet& references_;
  ReferenceLength rule_;
  int64_t sentence_ = -1;  // the sentence of the current table
  ReferenceNgrams table_;
  std::vector<int32_t> claimed_;
};

// The factor of average lengths; 1 for the other rules.
int32_t length_scale(const ReferenceSet& references, ReferenceLength rule) noexcept;

// One row per candidate.
std::vector<int32_t> bleu_rows(const ReferenceSet& references, ReferenceLength rule,
                               const Candidates& candidates, int threads, const StopFlag& stop);

}  // namespace demotic::metrics
