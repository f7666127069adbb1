// Statistics of BLEU-4 (Papineni et al. 2002), one row of nine numbers a candidate:
//
//   0-3   n-grams that the references have, n = 1..4, clipped by the largest count in one of them
//   4-7   n-grams in all, n = 1..4
//   8     reference length times length_scale
//
// Rows add; a score is a function of a sum. The reference length is that of the reference closest
// to the candidate (the shorter of two equally close ones: mteval, sacrebleu), of the shortest
// (Chiang et al. 2008) or the average. Averages are kept whole by length_scale, which is 1 for
// the other two rules; scores divide by it.
//
// The table of a sentence's n-grams is made when the sentence comes up and kept for the candidates
// that follow, so give candidates by sentence. Cost: four insertions a reference word, then at most
// four probes a word and candidate in a few kB; no allocation once the buffers have grown.
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

// What one thread needs; any number of them may share the references.
class BleuCounter {
 public:
  BleuCounter(const ReferenceSet& references, ReferenceLength rule) noexcept
      : references_(references), rule_(rule) {}

  // `candidate` has ids of the references; `row` has room for kBleuColumns.
  void operator()(int64_t sentence, std::span<const WordId> candidate, int32_t* row);

 private:
  void load(int64_t sentence);
  int32_t length(int64_t sentence, size_t candidate) const noexcept;

  const ReferenceSet& references_;
  ReferenceLength rule_;
  int64_t sentence_ = -1;  // whose table this is
  ReferenceNgrams table_;
  std::vector<int32_t> claimed_;
};

// What average lengths are multiplied by; 1 for the other rules.
int32_t length_scale(const ReferenceSet& references, ReferenceLength rule) noexcept;

// One row a candidate.
std::vector<int32_t> bleu_rows(const ReferenceSet& references, ReferenceLength rule,
                               const Candidates& candidates, int threads, const StopFlag& stop);

}  // namespace demotic::metrics
