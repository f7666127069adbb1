// Statistics of chrF (Popovic 2015) and chrF++ (Popovic 2017) as sacrebleu 2 defines them: for
// every character order and then every word order three numbers, n-grams of the candidate, n-grams
// of the reference, and matches (clipped). Characters are Unicode characters without white space;
// one ASCII punctuation mark is split off the end of a word, else off its start. If the reference
// is too short for an order, n-grams of the candidate are not counted either. Of several
// references, the one with the best F-score counts, the first of equal ones.
//
// Tables of n-grams are built when a sentence comes up and kept for following candidates of the
// same sentence, so pass candidates sorted by sentence. Cost: one probe per character and order.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/lines.h"
#include "demotic/base/stop.h"
#include "demotic/metrics/reference_ngrams.h"
#include "demotic/text/vocabulary.h"

namespace demotic::metrics {

struct ChrfOptions {
  int32_t char_order = 6;
  int32_t word_order = 0;  // 2 for chrF++
  int32_t beta = 2;        // recall counts beta times as much as precision
};

// F-score of one row, in [0, 100]: mean precision and recall over the orders that both sides have.
double chrf_score(std::span<const int32_t> row, int32_t beta) noexcept;

// Immutable; shared between threads.
class ChrfReferences {
 public:
  // Sentence i has references[first[i] .. first[i+1]). Throws std::invalid_argument.
  ChrfReferences(const Lines& references, std::vector<int64_t> first, const ChrfOptions& options,
                 const StopFlag& stop);

  int64_t size() const noexcept { return static_cast<int64_t>(first_.size()) - 1; }
  int32_t columns() const noexcept { return 3 * (options_.char_order + options_.word_order); }

  // One row per candidate. Throws std::invalid_argument, std::out_of_range.
  std::vector<int32_t> rows(const Lines& candidates, std::span<const int64_t> sentences,
                            int threads, const StopFlag& stop) const;

 private:
  class Worker;

  ChrfOptions options_;
  std::vector<int64_t> first_;
  Csr<int32_t> characters_;  // by reference
  Csr<WordId> words_;        // by reference
  Vocabulary vocabulary_;
};

}  // namespace demotic::metrics
