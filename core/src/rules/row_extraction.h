// Extracts the rules of rows of a bitext with several threads.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "demotic/base/thread_pool.h"
#include "demotic/rules/extract_rules.h"
#include "phrase_occurrences.h"

namespace demotic::rules {

class RowExtraction {
 public:
  using Visit = std::function<void(std::span<const Occurrence>)>;

  // All arguments must outlive it.
  RowExtraction(const PackedBitext& bitext, const ExtractOptions& options, ThreadPool& pool);

  // Calls visit(occurrences) for batches of the rows from `begin` to `end`, in the order of the
  // rows, one batch at a time. Counts the gaps of Hiero rules meanwhile.
  void run(int64_t begin, int64_t end, const StopFlag& stop, Progress& progress,
           const Visit& visit);

  const DistortionCounts& distortion() const noexcept { return distortion_; }

 private:
  // Extracts the rules of one sentence at a time; one instance per thread.
  struct Extractor {
    PhraseOccurrences phrases;
    HieroExtractor hiero;
  };

  void extract(int64_t row, Extractor& extractor, std::vector<Occurrence>& found) const;

  const PackedBitext& bitext_;
  RuleKind kind_;
  int64_t sampled_;  // sentences in which gaps are counted
  ThreadPool& pool_;
  std::vector<Extractor> extractors_;  // by thread
  DistortionCounts distortion_;
};

}  // namespace demotic::rules
