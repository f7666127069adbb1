// Statistics of BLEU-4 (Papineni et al. 2002), one row of nine numbers a candidate:
//
//   0-3   n-grams that the references have, n = 1..4, clipped by the largest count in one of them
//   4-7   n-grams in all, n = 1..4
//   8     reference length times length_scale()
//
// Rows add; a score is a function of a sum. The reference length is that of the reference closest
// to the candidate (the shorter of two equally close ones: mteval, sacrebleu), of the shortest
// (Chiang et al. 2008) or the average. Averages are kept whole by length_scale(), which is 1 for
// the other two rules; scores divide by it.
//
// Cost of a row: at most four probes a word in a table of a few kB; no allocation.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "demotic/metrics/candidates.h"
#include "demotic/metrics/ngram_table.h"
#include "demotic/metrics/reference_set.h"

namespace demotic {

inline constexpr int32_t kBleuOrder = 4;
inline constexpr int32_t kBleuColumns = 2 * kBleuOrder + 1;

enum class ReferenceLength { kClosest, kShortest, kAverage };

// "closest", "shortest", "average"; throws std::invalid_argument for others.
ReferenceLength reference_length_named(std::string_view name);

// Immutable; shared between threads.
class BleuReferences {
 public:
  BleuReferences(std::shared_ptr<const ReferenceSet> references, ReferenceLength rule,
                 const StopFlag& stop);

  const ReferenceSet& references() const noexcept { return *references_; }
  int32_t length_scale() const noexcept;

  // `candidate` has ids of references(); `claimed` is scratch.
  void row(int64_t sentence, std::span<const WordId> candidate, std::vector<int32_t>& claimed,
           int32_t* out) const;

  // One row a candidate.
  std::vector<int32_t> rows(const Candidates& candidates, int threads, const StopFlag& stop) const;

 private:
  NgramView table(int64_t sentence) const noexcept;
  int32_t length(int64_t sentence, size_t candidate) const noexcept;
  void keep(const NgramView& table);

  std::shared_ptr<const ReferenceSet> references_;
  ReferenceLength rule_;
  Csr<NgramSlot> slots_;  // by sentence
  Csr<int32_t> limits_;   // by sentence
};

}  // namespace demotic
