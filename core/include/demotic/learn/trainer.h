// Training on a bitext: a violation-fixing perceptron with latent derivations (Yu et al. 2013; Zhao
// et al. 2014), in minibatches (Zhao & Huang 2013). The sentences of a batch are searched with the
// same weights by several threads; their updates are added in the order of the sentences and
// applied once, so that the number of threads changes nothing but the time.
//
// Weights are dense ones here and sparse ones in the model's SparseTable, which the trainer changes
// between batches. Averages (Collins 2002) are kept lazily: with w the weights after T batches and
// u the sum of (t - 1) times the change of batch t, the average over all batches is w - u / T.
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
  bool sum = false;           // of a batch's updates, instead of their sum over the batch's size
  std::vector<double> rates;  // step size of each dense weight; 0: it does not move
  double sparse_rate = 1;
  int threads = 1;
};

// What happened to sentences.
struct TrainingCounts {
  int64_t sentences = 0;
  int64_t updates = 0;
  int64_t invalid = 0;          // the chosen gold derivation was above the bad one
  int64_t without = 0;          // no bin had both
  double violation = 0;         // of the updates, in all
  int64_t keys = 0;             // sparse features that the updates touched
  std::vector<double> squares;  // of the updates' dense features, summed
};

// What one sentence would teach.
struct SeenViolations {
  std::vector<BinPair> bins;
  SentenceUpdate update;
};

template <typename Kind>
class Trainer {
 public:
  using Model = typename Kind::Model;

  // `table` is the model's own, or null. The model has to outlive the trainer. Throws as
  // check_weights does, std::invalid_argument for options that do not fit.
  Trainer(const Model& model, std::shared_ptr<SparseTable> table,
          const typename Kind::Limits& search, TrainerOptions options,
          std::span<const double> weights);

  // Forest i belongs to sentence i; sentences after the last forest have none. Goes through `order`
  // batch by batch; stopping it leaves the state after a whole number of batches.
  TrainingCounts run(const SourceSentences& source, const GoldForests& gold,
                     std::span<const int64_t> order, const StopFlag& stop, Progress& progress);

  SeenViolations look(const SourceSentences& source, const GoldForests& gold, int64_t sentence,
                      const StopFlag& stop);

  std::span<const double> weights() const noexcept { return weights_; }
  std::vector<double> averaged() const;
  int64_t steps() const noexcept { return steps_; }
  // u of the averages, for checkpoints.
  std::span<const double> sums() const noexcept { return sums_; }
  void restore(std::span<const double> weights, std::span<const double> sums, int64_t steps);

 private:
  struct Worker {
    std::unique_ptr<typename Kind::Search> search;
    std::unique_ptr<Violations<Kind>> violations;
    int64_t weighed = -1;  // the step whose weights it has
  };

  SentenceUpdate learn(Worker& worker, const SourceSentences& source, const GoldForests& gold,
                       int64_t sentence, const StopFlag& stop);
  void apply(std::span<const SentenceUpdate> updates, TrainingCounts& counts);

  const Model& model_;
  const std::shared_ptr<SparseTable> table_;
  const typename Kind::Limits search_;
  const TrainerOptions options_;
  std::vector<double> weights_, sums_;
  int64_t steps_ = 0, version_ = 0;
  ThreadPool pool_;
  SharedChoices choices_;  // with the weights of the moment
  std::vector<Worker> workers_;

  // Scratch: of a batch, in the order of its sentences.
  std::vector<FeatureKey> keys_;
  std::vector<float> deltas_;
};

extern template class Trainer<PhraseTraining>;
extern template class Trainer<HieroTraining>;

}  // namespace demotic::learn
