#include "demotic/search/phrase_batch.h"

#include <memory>
#include <stdexcept>

#include "demotic/base/thread_pool.h"

namespace demotic {
namespace {

struct Translation {
  std::string text;
  std::vector<double> features;
  std::vector<PhraseStep> steps;
  bool fell_back;
};

void check(const PhraseModel& model, const PhraseBatch& batch) {
  if (batch.weights.size() != static_cast<size_t>(model.features().size()))
    throw std::invalid_argument("another number of weights than of features");
}

// run(search, sentence) by the thread's own searcher, which is made when it first gets a sentence;
// results go to reduce(item, result) in order.
template <typename Run, typename Reduce>
void for_each_sentence(const PhraseModel& model, const PhraseBatch& batch, bool record,
                       const StopFlag& stop, Progress& progress, Run&& run, Reduce&& reduce) {
  check(model, batch);
  const auto count = static_cast<int64_t>(batch.source.size());
  progress.expect(count);
  ThreadPool pool(batch.threads);
  std::vector<std::unique_ptr<PhraseSearch>> searches(pool.threads());
  pool.map_reduce(
      count, stop,
      [&](int64_t item, int worker) {
        auto& search = searches[worker];
        if (!search) search = std::make_unique<PhraseSearch>(model, batch.weights, batch.options);
        search->run(batch.source, item, record, stop);
        return run(*search, batch.source[item]);
      },
      [&](int64_t item, auto&& result) {
        reduce(item, std::move(result));
        progress.advance();
      });
}

Translation best_of(const PhraseModel& model, PhraseSearch& search,
                    const SourceSentences& sentences, std::span<const WordId> source) {
  Translation best{{}, std::vector<double>(model.features().size()), {}, search.monotone()};
  std::vector<uint32_t> chain;
  std::vector<WordId> words;
  derivation_of(search, search.best(), chain);
  const auto hypotheses = search.hypotheses();
  for (const uint32_t i : chain) {
    best.steps.push_back(step_of(search, hypotheses[i].option));
    append_words(model, search, hypotheses[i].option, source, words);
    add_features(model, search, hypotheses[hypotheses[i].parent], hypotheses[i].option,
                 best.features);
  }
  add_end_features(model, search, hypotheses[search.best()], best.features);
  best.text = sentences.spelled(words);
  return best;
}

}  // namespace

PhraseTranslations translate(const PhraseModel& model, const PhraseBatch& batch,
                             const StopFlag& stop, Progress& progress) {
  PhraseTranslations all;
  for_each_sentence(
      model, batch, false, stop, progress,
      [&](PhraseSearch& search, std::span<const WordId> source) {
        return best_of(model, search, batch.source, source);
      },
      [&](int64_t item, Translation&& best) {
        double score = 0;
        for (size_t i = 0; i < best.features.size(); ++i)
          score += batch.weights[i] * best.features[i];
        all.scores.push_back(score);
        all.features.insert(all.features.end(), best.features.begin(), best.features.end());
        all.text.push_back(std::move(best.text));
        all.steps.values.insert(all.steps.values.end(), best.steps.begin(), best.steps.end());
        all.steps.end_row();
        if (best.fell_back) all.fell_back.push_back(item);
      });
  return all;
}

std::vector<SearchRecord> search(const PhraseModel& model, const PhraseBatch& batch,
                                 RecordKind kind, bool monotone, const StopFlag& stop,
                                 Progress& progress) {
  std::vector<SearchRecord> all;
  for_each_sentence(
      model, batch, true, stop, progress,
      [&](PhraseSearch& done, std::span<const WordId> source) {
        return record_of(model, done, source, kind, monotone);
      },
      [&](int64_t, SearchRecord&& record) { all.push_back(std::move(record)); });
  return all;
}

}  // namespace demotic
