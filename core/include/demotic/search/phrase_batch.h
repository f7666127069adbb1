// Phrase search over many sentences with several threads; results in the order of the sentences,
// the same for any number of threads.
#pragma once

#include <string>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/search/phrase_derivation.h"
#include "demotic/search/phrase_record.h"

namespace demotic {

struct PhraseBatch {
  const SourceSentences& source;
  std::span<const double> weights;
  PhraseSearchOptions options;
  int threads = 1;
};

// The best translation of each sentence.
struct PhraseTranslations {
  std::vector<std::string> text;         // words joined by spaces
  std::vector<double> scores, features;  // weights . features; a row of features a sentence
  Csr<PhraseStep> steps;
  std::vector<int64_t> fell_back;  // sentences where PhraseSearch::monotone
};

PhraseTranslations translate(const PhraseModel& model, const PhraseBatch& batch,
                             const StopFlag& stop, Progress& progress);

std::vector<SearchRecord> search(const PhraseModel& model, const PhraseBatch& batch,
                                 RecordKind kind, bool monotone, const StopFlag& stop,
                                 Progress& progress);

}  // namespace demotic
