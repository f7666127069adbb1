// Scoring of whole texts: sentences are taken in turns, one probe each, while the memory that the
// others will need is on its way.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/lm/language_model.h"
#include "demotic/text/corpus.h"

namespace demotic::lm {

struct CorpusScores {
  std::vector<double> log10;     // a sentence, </s> included if asked for
  std::vector<int64_t> unknown;  // words a sentence that the model does not know
  std::vector<float> tokens;  // log10 of each word, and of </s> after each sentence; if asked for
};

struct CorpusScoring {
  bool begin = true;  // start after <s>, else with the empty context
  bool end = true;    // count </s>
  bool tokens = false;
  int threads = 1;
};

// `words` maps the corpus' ids to the model's (LanguageModel::map). Results do not depend on the
// number of threads. Throws std::out_of_range for ids beyond `words` or the model.
CorpusScores score_corpus(const LanguageModel& model, const Corpus& corpus,
                          std::span<const WordId> words, const CorpusScoring& how,
                          const StopFlag& stop, Progress& progress);

}  // namespace demotic::lm
