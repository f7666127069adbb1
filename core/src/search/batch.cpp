#include "demotic/search/batch.h"

#include <cmath>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/search/for_each_sentence.h"
#include "demotic/search/hiero_derivation.h"
#include "demotic/search/hiero_search.h"
#include "demotic/search/phrase_derivation.h"
#include "demotic/search/phrase_record.h"
#include "demotic/search/phrase_search.h"

namespace demotic::search {
namespace {

struct Translation {
  std::vector<WordId> words;
  std::vector<double> features;
  std::vector<DerivationStep> steps;
  bool fell_back;
};

// Beyond it the score of a sentence in single precision may not be a number.
constexpr double kLargestWeight = 1e12;

template <typename Pool, typename BestOf>
Translations translate_with(Pool& searchers, const SourceSentences& source, int threads,
                            const StopFlag& stop, Progress& progress, BestOf&& best_of) {
  Translations all;
  for_each_sentence(
      searchers, source, threads, false, stop, progress, best_of,
      [&](int64_t item, Translation&& best) {
        double score = 0;
        for (size_t i = 0; i < best.features.size(); ++i)
          score += searchers.weights()[i] * best.features[i];
        all.scores.push_back(score);
        all.features.insert(all.features.end(), best.features.begin(), best.features.end());
        all.text.push_back(source.spelled(best.words));
        all.steps.values.insert(all.steps.values.end(), best.steps.begin(), best.steps.end());
        all.steps.end_row();
        if (best.fell_back) all.fell_back.push_back(item);
      });
  return all;
}

Translation best_of(const PhraseModel& model, PhraseSearch& search,
                    std::span<const WordId> source) {
  Translation best{{}, std::vector<double>(model.features().size()), {}, search.monotone()};
  std::vector<uint32_t> chain;
  derivation_of(search, search.best(), chain);
  const auto hypotheses = search.hypotheses();
  for (const uint32_t i : chain) {
    const uint32_t option = hypotheses[i].option;
    const PhraseStep step = step_of(search, option);
    best.steps.push_back({static_cast<int32_t>(step.rule), step.begin, step.end});
    append_words(model, search, option, source, best.words);
    add_features(model, search, hypotheses[hypotheses[i].parent], option, best.features);
  }
  add_end_features(model, search, hypotheses[search.best()], best.features);
  return best;
}

Translation best_of(const HieroModel& model, const SourceSentences& sentences, HieroSearch& search,
                    std::span<const WordId> source) {
  const HieroFeatures& features = model.features();
  Translation best{{}, std::vector<double>(features.size()), {}, search.fell_back()};
  if (search.best() != kNone) {
    std::vector<uint32_t> nodes;
    derivation_of(search, search.best(), nodes);
    for (const uint32_t node : nodes) {
      const uint32_t option = search.hypotheses()[node].option;
      const HieroGroup& group = search.group_of(node);
      best.steps.push_back({rule_of(search, option), group.begin, group.end});
      add_local_features(model, search, group, option, best.features);
    }
    best.words = yield_of(model, search, search.best(), source);
  }
  std::vector<WordId> lm_words;
  for (int32_t i = 0; i < features.language_models; ++i)
    for (const WordId word : best.words) lm_words.push_back(sentences.lm_word(model, i, word));
  search.lm().add_sentence_values(
      lm_words, best.words.size(),
      std::span(best.features).subspan(features.language_model(0), features.language_models));
  return best;
}

}  // namespace

void check_weights(std::span<const double> weights, int32_t features) {
  if (weights.size() != static_cast<size_t>(features))
    throw std::invalid_argument("another number of weights than of features");
  for (const double weight : weights)
    if (!(std::abs(weight) <= kLargestWeight))
      throw ModelError({.found = "a weight of " + std::to_string(weight),
                        .expected = "weights between -1e12 and 1e12"});
}

Translations translate(PhraseSearchers& searchers, const SourceSentences& source, int threads,
                       const StopFlag& stop, Progress& progress) {
  return translate_with(searchers, source, threads, stop, progress,
                        [&](PhraseSearch& search, int64_t sentence) {
                          return best_of(searchers.model(), search, source[sentence]);
                        });
}

Translations translate(HieroSearchers& searchers, const SourceSentences& source, int threads,
                       const StopFlag& stop, Progress& progress) {
  return translate_with(searchers, source, threads, stop, progress,
                        [&](HieroSearch& search, int64_t sentence) {
                          return best_of(searchers.model(), source, search, source[sentence]);
                        });
}

std::vector<SearchRecord> search(const PhraseModel& model, const PhraseSearchOptions& options,
                                 const SearchBatch& batch, RecordKind kind, bool monotone,
                                 const StopFlag& stop, Progress& progress) {
  std::vector<SearchRecord> all;
  for_each_sentence<PhraseSearch>(
      model, options, batch, true, stop, progress,
      [&](PhraseSearch& done, int64_t sentence) {
        return record_of(model, done, batch.source[sentence], kind, monotone);
      },
      [&](int64_t, SearchRecord&& record) { all.push_back(std::move(record)); });
  return all;
}

std::vector<SearchRecord> search(const HieroModel& model, const HieroSearchOptions& options,
                                 const SearchBatch& batch, RecordKind kind, const StopFlag& stop,
                                 Progress& progress) {
  std::vector<SearchRecord> all;
  for_each_sentence<HieroSearch>(
      model, options, batch, true, stop, progress,
      [&](HieroSearch& done, int64_t sentence) {
        return record_of(model, done, batch.source[sentence], kind);
      },
      [&](int64_t, SearchRecord&& record) { all.push_back(std::move(record)); });
  return all;
}

}  // namespace demotic::search
