#include "demotic/search/batch.h"

#include <cmath>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/search/for_each_sentence.h"

namespace demotic::search {
namespace {

struct Translation {
  std::vector<WordId> words;
  std::vector<double> features;
  std::vector<Translations::DerivationStep> steps;
  bool fell_back;
};

// Beyond it the score of a sentence could overflow in single precision.
constexpr double kLargestWeight = 1e12;

template <typename Steps>
Translation best_of(const Steps& steps, const SourceSentences& source) {
  const auto& search = steps.search();
  Translation best{{}, std::vector<double>(steps.features()), {}, search.fell_back()};
  steps.add_derivation_features(search.best(), source, best.features);
  if (search.best() == kNone) return best;
  std::vector<uint32_t> nodes;
  derivation_of(search, search.best(), nodes);
  for (const uint32_t node : nodes) {
    const Step step = steps.step(search.hypotheses()[node].edge, node);
    best.steps.push_back({recorded_rule(step.rule), step.begin, step.end});
  }
  append_yield(steps, search.best(), best.words);
  return best;
}

}  // namespace

void check_weights(std::span<const double> weights, int32_t features) {
  if (weights.size() != static_cast<size_t>(features))
    throw std::invalid_argument("expected " + std::to_string(features) +
                                " weights (one per feature), got " +
                                std::to_string(weights.size()));
  for (const double weight : weights)
    if (!(std::abs(weight) <= kLargestWeight))
      throw ModelError({.found = "a weight of " + std::to_string(weight),
                        .expected = "weights between -1e12 and 1e12"});
}

template <typename Kind>
Translations translate(Searchers<Kind>& searchers, const SentenceRange& range, int threads,
                       const StopFlag& stop, Progress& progress) {
  const SourceSentences& source = range.source;
  Translations all;
  for_each_sentence(
      searchers, range, threads, false, stop, progress,
      [&](typename Kind::Search& search, int64_t) {
        return best_of(typename Kind::Steps(searchers.model(), search), source);
      },
      [&](int64_t item, Translation&& best) {
        double score = 0;
        for (size_t i = 0; i < best.features.size(); ++i)
          score += searchers.weights()[i] * best.features[i];
        all.scores.push_back(score);
        all.features.insert(all.features.end(), best.features.begin(), best.features.end());
        all.text.push_back(source.spelled(best.words));
        all.steps.values.insert(all.steps.values.end(), best.steps.begin(), best.steps.end());
        all.steps.end_row();
        if (best.fell_back) all.fell_back.push_back(item - range.begin);
      });
  return all;
}

template <typename Kind>
std::vector<SearchRecord> record_searches(const typename Kind::Model& model,
                                          const typename Kind::Limits& limits,
                                          const SearchBatch& batch, const RecordOptions& options,
                                          const StopFlag& stop, Progress& progress) {
  std::vector<SearchRecord> all;
  for_each_sentence<Kind>(
      model, limits, batch, true, stop, progress,
      [&](typename Kind::Search& search, int64_t) {
        const typename Kind::Steps steps(model, search);
        StepParts<typename Kind::Steps> parts(steps);
        SearchRecord record =
            record_of<Kind>(steps, options.kind, options.parts ? &parts : nullptr);
        for (size_t part = 0; part < parts.size(); ++part) {
          parts.add_keys(static_cast<int32_t>(part), record.part_keys.values, record.part_values);
          record.part_keys.end_row();
        }
        if constexpr (requires { add_monotone(steps, record); })
          if (options.monotone) add_monotone(steps, record);
        return record;
      },
      [&](int64_t, SearchRecord&& record) { all.push_back(std::move(record)); });
  return all;
}

template Translations translate(Searchers<PhraseKind>&, const SentenceRange&, int, const StopFlag&,
                                Progress&);
template Translations translate(Searchers<HieroKind>&, const SentenceRange&, int, const StopFlag&,
                                Progress&);
template std::vector<SearchRecord> record_searches<PhraseKind>(const PhraseModel&,
                                                               const PhraseSearchOptions&,
                                                               const SearchBatch&,
                                                               const RecordOptions&,
                                                               const StopFlag&, Progress&);
template std::vector<SearchRecord> record_searches<HieroKind>(const HieroModel&,
                                                              const HieroSearchOptions&,
                                                              const SearchBatch&,
                                                              const RecordOptions&, const StopFlag&,
                                                              Progress&);

}  // namespace demotic::search
