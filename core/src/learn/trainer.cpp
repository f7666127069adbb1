#include "demotic/learn/trainer.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "demotic/search/searchers.h"

namespace demotic::learn {

template <typename Kind>
Trainer<Kind>::Trainer(const Model& model, std::shared_ptr<SparseTable> table,
                       const typename Kind::Limits& search, TrainerOptions options,
                       std::span<const double> weights)
    : model_(model),
      table_(std::move(table)),
      search_(search),
      options_(std::move(options)),
      weights_(weights.begin(), weights.end()),
      sums_(weights.size(), 0),
      pool_(options_.threads),
      workers_(pool_.threads()) {
  check_weights(weights, model.features().size());
  if (options_.rates.size() != weights.size())
    throw std::invalid_argument("expected one step size per dense weight");
  if (options_.batch < 1) throw std::invalid_argument("the batch size must be at least 1");
  // The weights may multiply those of the table by values, but have its cache.
  const SparseWeights* own = model.sparse().weights.get();
  if ((table_ == nullptr) != (own == nullptr) || (own && own->cache() != table_->cache()))
    throw std::invalid_argument("the sparse table belongs to another model");
}

template <typename Kind>
SentenceUpdate Trainer<Kind>::learn(Worker& worker, const SourceSentences& source,
                                    const GoldForests& gold, int64_t sentence,
                                    const StopFlag& stop) {
  if (!worker.search) {
    worker.search = std::make_unique<typename Kind::Search>(model_, weights_, search_);
    worker.violations = std::make_unique<Violations<Kind>>(model_, options_.violations);
    if (workers_.size() > 1) worker.search->share(choices_);
  } else if (worker.version != version_) {
    worker.search->reweigh(weights_);
  }
  worker.version = version_;
  const bool derived = static_cast<size_t>(sentence) < gold.size();
  const bool record = Kind::kRecord || (!derived && options_.violations.kbest > 0);
  worker.search->run(source, sentence, record, stop);
  return worker.violations->find(*worker.search, source, sentence,
                                 derived ? gold[sentence] : GoldForest{}, weights_);
}

template <typename Kind>
SentenceViolations Trainer<Kind>::inspect(const SourceSentences& source, const GoldForests& gold,
                                          int64_t sentence, const StopFlag& stop) {
  SentenceViolations seen;
  seen.update = learn(workers_[0], source, gold, sentence, stop);
  const auto bins = workers_[0].violations->bins();
  seen.bins.assign(bins.begin(), bins.end());
  return seen;
}

template <typename Kind>
TrainingCounts Trainer<Kind>::run(const SourceSentences& source, const GoldForests& gold,
                                  std::span<const int64_t> order, const StopFlag& stop,
                                  Progress& progress) {
  if (source.size() < gold.size())
    throw std::invalid_argument("there are more gold forests than sentences");
  progress.expect(static_cast<int64_t>(order.size()));
  TrainingCounts counts;
  counts.squares.assign(weights_.size(), 0);
  for (size_t first = 0; first < order.size(); first += options_.batch) {
    const auto batch = order.subspan(first, std::min<size_t>(options_.batch, order.size() - first));
    apply(find(source, gold, batch, stop, progress), counts);
  }
  return counts;
}

template <typename Kind>
std::vector<SentenceUpdate> Trainer<Kind>::find(const SourceSentences& source,
                                                const GoldForests& gold,
                                                std::span<const int64_t> batch,
                                                const StopFlag& stop, Progress& progress) {
  std::vector<SentenceUpdate> updates(batch.size());
  // Longest first: a long sentence at the end would leave the other threads idle.
  std::vector<size_t> longest_first(batch.size());
  std::iota(longest_first.begin(), longest_first.end(), size_t{0});
  std::ranges::stable_sort(longest_first, std::greater{},
                           [&](size_t i) { return source[batch[i]].size(); });
  pool_.for_each(static_cast<int64_t>(batch.size()), stop, [&](int64_t item, int worker) {
    const size_t i = longest_first[item];
    updates[i] = learn(workers_[worker], source, gold, batch[i], stop);
    progress.advance();
  });
  return updates;
}

template <typename Kind>
void Trainer<Kind>::apply(std::span<const SentenceUpdate> updates, TrainingCounts& counts) {
  if (counts.squares.size() != weights_.size())
    throw std::invalid_argument("expected counts with one square per dense weight");
  const double part = options_.sum ? 1.0 : 1.0 / static_cast<double>(updates.size());
  std::vector<double> change(weights_.size(), 0);
  keys_.clear();
  deltas_.clear();
  for (const SentenceUpdate& update : updates) {
    ++counts.sentences;
    counts.correct += update.correct;
    counts.unpaired += !update.correct && update.chosen.bin < 0;
    counts.invalid += update.chosen.bin >= 0 && !update.chosen.valid;
    if (!update.chosen.updates) continue;
    ++counts.updates;
    counts.violation += update.chosen.violation;
    counts.keys += static_cast<int64_t>(update.sparse.size());
    for (size_t i = 0; i < change.size(); ++i) {
      change[i] += update.dense[i];
      counts.squares[i] += update.dense[i] * update.dense[i];
    }
    if (!table_) continue;
    const double step = part * options_.sparse_rate;
    for (const KeyDelta& one : update.sparse) {
      keys_.push_back(one.key);
      deltas_.push_back(static_cast<float>(step * one.delta));
    }
  }
  if (table_) table_->add(keys_, deltas_, steps_);
  for (size_t i = 0; i < change.size(); ++i) {
    const double delta = part * options_.rates[i] * change[i];
    weights_[i] += delta;
    sums_[i] += static_cast<double>(steps_) * delta;
  }
  ++steps_;
  ++version_;
  choices_.clear();
}

template <typename Kind>
std::vector<double> Trainer<Kind>::averaged() const {
  std::vector<double> result = weights_;
  if (steps_ > 0)
    for (size_t i = 0; i < result.size(); ++i) result[i] -= sums_[i] / static_cast<double>(steps_);
  return result;
}

template <typename Kind>
void Trainer<Kind>::restore(std::span<const double> weights, std::span<const double> sums,
                            int64_t steps) {
  if (weights.size() != weights_.size() || sums.size() != sums_.size())
    throw std::invalid_argument("the checkpoint does not have one value per dense weight");
  weights_.assign(weights.begin(), weights.end());
  sums_.assign(sums.begin(), sums.end());
  steps_ = steps;
  ++version_;
  choices_.clear();
}

template class Trainer<PhraseTraining>;
template class Trainer<HieroTraining>;

}  // namespace demotic::learn
