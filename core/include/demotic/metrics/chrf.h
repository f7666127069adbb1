// Statistics of chrF (Popovic 2015) and chrF++ (Popovic 2017) as sacrebleu 2 defines them: for
// every character order and then every word order three numbers, n-grams of the candidate, n-grams
// of the reference, n-grams of both (clipped). Characters are Unicode's without white space; words
// have one ASCII punctuation mark at their end, else at their beginning, cut off. An order that the
// reference is too short for counts no n-grams of the candidate either. Of several references that
// one counts which gives the best F-score, the first of equals.
//
// Tables of n-grams are made when a sentence comes up and kept for the candidates of the same
// sentence that follow, so give candidates by sentence. Cost: a probe a character and order.
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
  int32_t beta = 2;        // how many times recall counts more than precision
};

// F of one row, in [0, 100]: mean precision and recall over the orders that both sides have.
double chrf_score(std::span<const int32_t> row, int32_t beta) noexcept;

// Immutable; shared between threads.
class ChrfReferences {
 public:
  // Sentence i has references[first[i] .. first[i+1]). Throws std::invalid_argument.
  ChrfReferences(const Lines& references, std::vector<int64_t> first, const ChrfOptions& options,
                 const StopFlag& stop);

  int64_t size() const noexcept { return static_cast<int64_t>(first_.size()) - 1; }
  int32_t columns() const noexcept { return 3 * (options_.char_order + options_.word_order); }

  // One row a candidate. Throws std::invalid_argument, std::out_of_range.
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
