// Counts all n-grams of a text up to an order, sorted by their words, without hashes or strings.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/text/corpus.h"
#include "demotic/text/vocabulary.h"

namespace demotic::lm {

// The n-grams of one order, sorted by context and then word; those that begin with <s> are first.
struct CountedOrder {
  std::vector<uint32_t> context, suffix;  // indices into the order below; empty for unigrams
  std::vector<WordId> word;
  std::vector<uint32_t> count;
  size_t begin_with_bos = 0;  // how many begin with <s>

  size_t size() const noexcept { return word.size(); }
};

struct NgramCounts {
  Vocabulary vocabulary;             // of the words that occur
  std::vector<CountedOrder> orders;  // unigrams: one per word of the vocabulary
};

// Order n is made from order n-1: the occurrences of an (n-1)-gram are contiguous, so one step to
// the right and a sort of each group by the word found there gives the n-grams. High orders consist
// of tiny groups, so the cost is a few memory accesses per occurrence.
NgramCounts count_ngrams(const Corpus& corpus, const Vocabulary& vocabulary, int order,
                         const StopFlag& stop, Progress& progress);

}  // namespace demotic::lm
