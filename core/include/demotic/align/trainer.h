// Expectation maximisation of a word aligner, step by step, so that other processes can compute
// posteriors:
//
//     AlignerTrainer trainer(source, target, options, priors, threads, stop);
//     while (!trainer.done()) {
//       trainer.expect(stop, progress);     // or trainer.add(...) of all chunks, in order
//       trainer.maximize(stop);
//     }
//     Aligner aligner = trainer.finish();
//
// `ExpectationWorker` is the other process.
#pragma once

#include <optional>
#include <utility>

#include "demotic/align/expectation.h"

namespace demotic::align {

class AlignerTrainer {
 public:
  // The texts must outlive it. Throws as `train_aligner`.
  AlignerTrainer(const Corpus& source, const Corpus& target, TrainOptions options,
                 AlignmentPriors priors, int threads, const StopFlag& stop);
  AlignerTrainer(const AlignerTrainer&) = delete;
  AlignerTrainer& operator=(const AlignerTrainer&) = delete;

  int32_t passes() const noexcept { return static_cast<int32_t>(models_.size()); }
  bool done() const noexcept { return aligner_.passes.size() == models_.size(); }
  // The model of the next pass.
  AlignmentModel model() const noexcept { return models_[aligner_.passes.size()]; }
  int64_t pairs() const noexcept { return aligner_.used; }
  int64_t chunks() const noexcept { return expectation_->chunks(); }
  // With the parameters so far.
  const Aligner& aligner() const noexcept { return aligner_; }

  // Continues a training of which so many passes have ended with these parameters. Call before the
  // first pass. Throws ModelError if the parameters are those of another text.
  void resume(Aligner parameters, int32_t passes);

  // The E-step in this process.
  void expect(const StopFlag& stop, Progress& progress);
  // The posteriors of the chunks from `first` to `last`, which are the next ones.
  void add(int64_t first, int64_t last, std::span<const char> posteriors, const StopFlag& stop);
  // The M-step, which ends a pass.
  void maximize(const StopFlag& stop);
  // All passes in this process.
  void run(const StopFlag& stop, Progress& progress);
  // Call once, when it is done.
  Aligner finish() { return std::move(aligner_); }

 private:
  void count_sizes();
  void find_priors();
  void improve_positions(const StopFlag& stop);

  TrainOptions options_;
  AlignmentPriors priors_;
  std::vector<AlignmentModel> models_;  // of all passes
  Bitext bitext_;
  ThreadPool pool_;
  Aligner aligner_;
  CellIndex index_;
  std::optional<Expectation> expectation_;
  std::optional<ExpectedCounts> counts_;
  std::optional<Positions> positions_;  // of the pass that has begun with `add`
  PassStatistics statistics_;
  std::vector<std::pair<PairIndex, double>> pseudo_counts_;
  std::array<std::vector<SizeCount>, 2> sizes_;
  int32_t longest_ = 1;
};

// Computes posteriors for a trainer in another process, with one thread.
class ExpectationWorker {
 public:
  // The texts must outlive it; `options` are those of the trainer.
  ExpectationWorker(const Corpus& source, const Corpus& target, const TrainOptions& options);
  ExpectationWorker(const ExpectationWorker&) = delete;
  ExpectationWorker& operator=(const ExpectationWorker&) = delete;

  // The parameters of the trainer and the model of its next pass.
  void use(Aligner aligner, AlignmentModel model);
  // Throws std::out_of_range for other chunks than the trainer has.
  std::string posteriors(int64_t first, int64_t last, const StopFlag& stop);

 private:
  bool agree_;
  Bitext bitext_;
  ThreadPool pool_{1};
  CellIndex index_;  // of no pair, since it would be of no use for the next parameters
  Aligner aligner_;
  std::optional<Positions> positions_;
  std::optional<Expectation> expectation_;
};

}  // namespace demotic::align
