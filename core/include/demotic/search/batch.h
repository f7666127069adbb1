// Searches batches of sentences with several threads. Results are in sentence order and do not
// depend on the number of threads.
#pragma once

#include <string>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/search/kinds.h"
#include "demotic/search/search_record.h"
#include "demotic/search/searchers.h"

namespace demotic::search {

struct SearchBatch {
  SentenceRange range;
  std::span<const double> weights;
  int threads = 1;
};

// The best translation of each sentence of a range.
struct Translations {
  // `rule` is encoded as in SearchRecord::edge_rule. Steps are in the order of `derivation_of`.
  struct DerivationStep {
    int32_t rule, begin, end;
  };

  std::vector<std::string> text;         // words joined by spaces
  std::vector<double> scores, features;  // weights . features; one row of features per sentence
  Csr<DerivationStep> steps;
  std::vector<int64_t> fell_back;  // sentences decoded with reduced limits, from 0
};

template <typename Kind>
Translations translate(Searchers<Kind>& searchers, const SentenceRange& range, int threads,
                       const StopFlag& stop, Progress& progress);

struct RecordOptions {
  RecordKind kind = RecordKind::kForest;
  bool monotone = false;  // the best monotone translation of every span; phrases only
  bool parts = false;     // the sparse features of every edge; only for models that have some
};

template <typename Kind>
std::vector<SearchRecord> record_searches(const typename Kind::Model& model,
                                          const typename Kind::Limits& limits,
                                          const SearchBatch& batch, const RecordOptions& options,
                                          const StopFlag& stop, Progress& progress);

}  // namespace demotic::search
