// Search over many sentences with several threads; results in the order of the sentences, the same
// for any number of threads.
#pragma once

#include <string>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/search/hiero_search.h"
#include "demotic/search/phrase_search.h"
#include "demotic/search/search_record.h"
#include "demotic/search/searchers.h"

namespace demotic::search {

using PhraseSearchers = Searchers<PhraseSearch, PhraseModel, PhraseSearchOptions>;
using HieroSearchers = Searchers<HieroSearch, HieroModel, HieroSearchOptions>;

struct SearchBatch {
  const SourceSentences& source;
  std::span<const double> weights;
  int threads = 1;
};

// A rule used on [begin, end), or what SearchRecord has in its place. Steps of phrases stand in the
// order of the translation; those of Hiero head before tails, tails in the order of the source.
struct DerivationStep {
  int32_t rule, begin, end;
};

// The best translation of each sentence.
struct Translations {
  std::vector<std::string> text;         // words joined by spaces
  std::vector<double> scores, features;  // weights . features; a row of features a sentence
  Csr<DerivationStep> steps;
  std::vector<int64_t> fell_back;  // sentences that could not be searched as asked
};

Translations translate(PhraseSearchers& searchers, const SourceSentences& source, int threads,
                       const StopFlag& stop, Progress& progress);
Translations translate(HieroSearchers& searchers, const SourceSentences& source, int threads,
                       const StopFlag& stop, Progress& progress);

// `monotone`: with the best monotone translation of every span.
std::vector<SearchRecord> search(const PhraseModel& model, const PhraseSearchOptions& options,
                                 const SearchBatch& batch, RecordKind kind, bool monotone,
                                 const StopFlag& stop, Progress& progress);
std::vector<SearchRecord> search(const HieroModel& model, const HieroSearchOptions& options,
                                 const SearchBatch& batch, RecordKind kind, const StopFlag& stop,
                                 Progress& progress);

}  // namespace demotic::search
