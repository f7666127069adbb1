// Candidate lists, the evidence of most learners: the k best derivations of every sentence, or the
// hypotheses that survived in each bin of every search (Liu & Huang 2014).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/search/batch.h"

namespace demotic::search {

struct SearchedCandidates {
  std::vector<int64_t> offsets{0};  // candidates of a list
  std::vector<int32_t> sentence;    // of a list
  // Of a list: phrases: source words covered; Hiero: a number for nonterminal and span, from 1; of
  // k-best lists -1.
  std::vector<int32_t> bin;
  std::vector<int32_t> covered;  // of a list: source words
  // Of the candidates.
  Csr<WordId> words;
  std::vector<double> features, scores;  // rows of all dense features; as the search ranked them
};

// The lists of another one after those that are there.
void append(SearchedCandidates& lists, const SearchedCandidates& more);

// Their words joined by spaces; `source` is what was searched.
std::vector<std::string> texts(const SearchedCandidates& candidates, const SourceSentences& source);
// Of their words: equal for equal words of one `source`.
std::vector<uint64_t> hashes(const SearchedCandidates& candidates);

struct KBestOptions {
  int64_t k = 100;
  bool distinct = true;              // different translations, the best derivation of each
  int64_t max_examined = 1'000'000;  // for distinct ones
};

struct BinOptions {
  // The words of a candidate end with the best monotone translations of its open spans, from left
  // to right: its potential (Liu & Huang 2014). Without: its own words only.
  bool potential = true;
  // Feature vectors include the future cost, so they score exactly what pruning compares.
  bool future_features = true;
};

// Of one search of each sentence: the k best derivations, one list per sentence; and, one list per
// bin, the hypotheses that survived in it, the goal's last. Either may be left out.
//
// Bins of Hiero are N[i:j]; the potential has the best pieces without reordering before i and from
// j on, and no features of them: what competes in a bin are the pieces only.
struct CandidateLists {
  SearchedCandidates kbest, bins;
};

template <typename Kind>
CandidateLists candidate_lists(const typename Kind::Model& model,
                               const typename Kind::Limits& limits, const SearchBatch& batch,
                               const std::optional<KBestOptions>& kbest,
                               const std::optional<BinOptions>& bins, const StopFlag& stop,
                               Progress& progress);

}  // namespace demotic::search
