// Candidate lists for learners: the k-best derivations of each sentence, or the surviving
// hypotheses of each bin of its search (Liu & Huang 2014).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/search/batch.h"

namespace demotic::search {

struct SearchedCandidates {
  std::vector<int64_t> offsets{0};  // candidates [offsets[l], offsets[l + 1]) form list l
  std::vector<int32_t> sentence;    // per list
  // Per list. Phrases: number of covered source words; Hiero: a number for nonterminal and span,
  // from 1; -1 for k-best lists.
  std::vector<int32_t> bin;
  std::vector<int32_t> covered;  // per list: number of covered source words
  // Per candidate.
  Csr<WordId> words;
  std::vector<double> features;  // one row of all dense features each
  std::vector<double> scores;    // as ranked by the search
  // If requested: the parts (see StepParts) of each candidate, ascending, and the keys of each
  // part. A part that a derivation uses twice is listed twice. `part_values`: one value per key,
  // or none if all are 1.
  Csr<int32_t> parts;
  Csr<FeatureKey> part_keys;
  std::vector<double> part_values;
};

// Appends the lists of `more`.
void append(SearchedCandidates& lists, const SearchedCandidates& more);

// The words of each candidate joined by spaces; `source` holds the searched sentences.
std::vector<std::string> texts(const SearchedCandidates& candidates, const SourceSentences& source);
// One hash per candidate: equal words of one `source` have equal hashes.
std::vector<uint64_t> hashes(const SearchedCandidates& candidates);

struct KBestOptions {
  int64_t k = 100;
  bool distinct = true;              // distinct yields, the best derivation of each
  int64_t max_examined = 1'000'000;  // limit for distinct yields
};

struct BinOptions {
  // Complete each candidate with the best monotone translations of its uncovered spans, from left
  // to right: its potential (Liu & Huang 2014). Otherwise a candidate has only its own words.
  bool potential = true;
  // Feature vectors include the future cost, so they score exactly what pruning compares.
  bool future_features = true;
};

// Results of one search per sentence: the k-best derivations, one list per sentence; and the
// surviving hypotheses, one list per bin, the goal last. Either may be omitted.
//
// Hiero bins are N[i:j]. The potential adds the words of the best monotone constituents before i
// and from j on, but not their features: only the hypotheses over [i, j) compete in the bin.
struct CandidateLists {
  SearchedCandidates kbest, bins;
};
struct ListOptions {
  std::optional<KBestOptions> kbest;
  std::optional<BinOptions> bins;
  // List the sparse features of candidates; only for models that have some.
  bool parts = false;
};

template <typename Kind>
CandidateLists candidate_lists(const typename Kind::Model& model,
                               const typename Kind::Limits& limits, const SearchBatch& batch,
                               const ListOptions& options, const StopFlag& stop,
                               Progress& progress);

}  // namespace demotic::search
