// Training on a bitext: a violation-fixing perceptron with latent derivations (Yu et al. 2013; Zhao
// et al. 2014), in minibatches (Zhao & Huang 2013). All sentences of a batch are searched with the
// same weights by several threads; their updates are added in sentence order and applied once, so
// the number of threads only affects the time.
//
// Dense weights are kept here, sparse weights in the model's SparseTable, which the trainer changes
// between batches. Averaging (Collins 2002) is lazy: with w the weights after T batches and u the
// sum of (t - 1) times the change of batch t, the average over all batches is w - u / T.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"
#include "demotic/features/sparse_table.h"
#include "demotic/learn/violations.h"

namespace demotic::learn {

struct TrainerOptions {
  ViolationOptions violations;
  int32_t batch = 24;
  bool sum = false;  // add up the updates of a batch instead of averaging over the batch size
  std::vector<double> rates;  // step size per dense weight; 0 freezes the weight
  double sparse_rate = 1;
  int threads = 1;
};

// Counts over the sentences of a run.
struct TrainingCounts {
  int64_t sentences = 0;
  int64_t updates = 0;
  int64_t invalid = 0;          // the chosen gold derivation scored higher than the bad one
  int64_t correct = 0;          // the 1-best was the reference: no update
  int64_t unpaired = 0;         // no bin had both a gold and a bad derivation
  double violation = 0;         // sum over the updates
  int64_t keys = 0;             // sparse features touched by the updates
  std::vector<double> squares;  // per dense feature: sum of its squared updates
};

// The bins of one sentence and the update they would lead to.
struct SentenceViolations {
  std::vector<BinPair> bins;
  SentenceUpdate update;
};

template <typename Kind>
class Trainer {
 public:
  using Model = typename Kind::Model;

  // `table` is the sparse table of the model, or null. The model must outlive the trainer. Throws
  // as check_weights does, and std::invalid_argument for inconsistent options.
  Trainer(const Model& model, std::shared_ptr<SparseTable> table,
          const typename Kind::Limits& search, TrainerOptions options,
          std::span<const double> weights);

  // Forest i belongs to sentence i; sentences beyond the last forest have none. Processes the
  // sentences of `order` in batches; when stopped, the state is that after the last whole batch.
  TrainingCounts run(const SourceSentences& source, const GoldForests& gold,
                     std::span<const int64_t> order, const StopFlag& stop, Progress& progress);

  // The updates of some sentences with the current weights, which do not change: `run` for a batch
  // that is divided among processes. `apply` changes them as `run` does after the batch.
  std::vector<SentenceUpdate> find(const SourceSentences& source, const GoldForests& gold,
                                   std::span<const int64_t> batch, const StopFlag& stop,
                                   Progress& progress);
  void apply(std::span<const SentenceUpdate> updates, TrainingCounts& counts);

  SentenceViolations inspect(const SourceSentences& source, const GoldForests& gold,
                             int64_t sentence, const StopFlag& stop);

  std::span<const double> weights() const noexcept { return weights_; }
  std::vector<double> averaged() const;
  int64_t steps() const noexcept { return steps_; }
  // The sum u of the averages, for checkpoints.
  std::span<const double> sums() const noexcept { return sums_; }
  void restore(std::span<const double> weights, std::span<const double> sums, int64_t steps);

 private:
  struct Worker {
    std::unique_ptr<typename Kind::Search> search;
    std::unique_ptr<Violations<Kind>> violations;
    int64_t version = -1;  // version of the weights in its search
  };

  SentenceUpdate learn(Worker& worker, const SourceSentences& source, const GoldForests& gold,
                       int64_t sentence, const StopFlag& stop);

  const Model& model_;
  const std::shared_ptr<SparseTable> table_;
  const typename Kind::Limits search_;
  const TrainerOptions options_;
  std::vector<double> weights_, sums_;
  int64_t steps_ = 0, version_ = 0;
  ThreadPool pool_;
  SharedChoices choices_;  // valid for the current weights
  std::vector<Worker> workers_;

  // Scratch: sparse updates of one batch, in sentence order.
  std::vector<FeatureKey> keys_;
  std::vector<float> deltas_;
};

extern template class Trainer<PhraseTraining>;
extern template class Trainer<HieroTraining>;

}  // namespace demotic::learn
