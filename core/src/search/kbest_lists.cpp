#include "demotic/forest/distinct.h"
#include "demotic/forest/features.h"
#include "demotic/forest/yields.h"
#include "demotic/search/candidates.h"
#include "demotic/search/for_each_sentence.h"
#include "demotic/search/hiero_derivation.h"
#include "demotic/search/phrase_record.h"

namespace demotic::search {
namespace {

SearchedCandidates best_of(const SearchRecord& record, int64_t sentence,
                           std::span<const double> weights, const KBestOptions& kbest,
                           const StopFlag& stop, int32_t words) {
  const HypergraphView graph{record.edge_offsets, record.tail_offsets, record.tails};
  const FeatureRows rows{record.feature_ids.view(), record.feature_values};
  const std::vector<double> scores = row_scores(rows, weights);
  const TargetSides targets = record.edge_target.view();
  Derivations found = kbest.distinct ? distinct_kbest(graph, scores, targets, graph.root(), kbest.k,
                                                      kbest.max_examined, stop)
                                           .derivations
                                     : forest::kbest(graph, scores, graph.root(), kbest.k, stop);
  SearchedCandidates list;
  list.sentence.push_back(static_cast<int32_t>(sentence));
  list.bin.push_back(-1);
  list.covered.push_back(words);
  list.offsets.push_back(static_cast<int64_t>(found.scores.size()));
  list.words = yields(graph, found.edges.view(), targets);
  const FeatureTable sums = sum_rows(found.edges.view(), rows);
  list.features.assign(found.scores.size() * weights.size(), 0);
  for (size_t i = 0; i < found.scores.size(); ++i)
    for (int64_t j = sums.ids.offsets[i]; j < sums.ids.offsets[i + 1]; ++j)
      list.features[i * weights.size() + sums.ids.values[j]] = sums.values[j];
  list.scores = std::move(found.scores);
  return list;
}

template <typename Search, typename Model, typename Options, typename RecordOf>
SearchedCandidates lists_of(const Model& model, const Options& options, const SearchBatch& batch,
                            const KBestOptions& kbest, const StopFlag& stop, Progress& progress,
                            RecordOf&& record) {
  SearchedCandidates all;
  for_each_sentence<Search>(
      model, options, batch, true, stop, progress,
      [&](Search& done, int64_t sentence) {
        return best_of(record(done, sentence), sentence, batch.weights, kbest, stop, done.length());
      },
      [&](int64_t, SearchedCandidates&& list) { append(all, list); });
  return all;
}

}  // namespace

SearchedCandidates kbest_lists(const PhraseModel& model, const PhraseSearchOptions& options,
                               const SearchBatch& batch, const KBestOptions& kbest,
                               const StopFlag& stop, Progress& progress) {
  return lists_of<PhraseSearch>(
      model, options, batch, kbest, stop, progress, [&](PhraseSearch& done, int64_t sentence) {
        return record_of(model, done, batch.source[sentence], RecordKind::kForest, false);
      });
}

SearchedCandidates kbest_lists(const HieroModel& model, const HieroSearchOptions& options,
                               const SearchBatch& batch, const KBestOptions& kbest,
                               const StopFlag& stop, Progress& progress) {
  return lists_of<HieroSearch>(
      model, options, batch, kbest, stop, progress, [&](HieroSearch& done, int64_t sentence) {
        return record_of(model, done, batch.source[sentence], RecordKind::kForest);
      });
}

}  // namespace demotic::search
