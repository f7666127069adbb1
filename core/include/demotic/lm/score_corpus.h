// Scores whole texts: several sentences are interleaved, one probe each, so that memory accesses
// overlap.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/lm/language_model.h"
#include "demotic/text/corpus.h"

namespace demotic::lm {

struct CorpusScores {
  std::vector<double> log10;     // by sentence, including </s> if requested
  std::vector<int64_t> unknown;  // by sentence: number of unknown words
  std::vector<float> tokens;  // log10 of each word, and of </s> after each sentence, if requested
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
