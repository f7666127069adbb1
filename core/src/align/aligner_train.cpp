#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "demotic/align/aligner.h"
#include "demotic/align/trainer.h"
#include "demotic/base/errors.h"

namespace demotic::align {
namespace {

// Adds a prior to expected counts of jumps, as if those jumps had been made in a sentence where
// all widths were available.
JumpStatistics with_prior(const JumpTable& table, JumpStatistics statistics,
                          const std::vector<double>& prior) {
  if (prior.empty()) return statistics;
  double total = 0, jumps = 0;
  for (const double weight : table.weights()) total += weight;
  for (const double count : prior) jumps += count;
  for (size_t width = 0; width < statistics.taken.size(); ++width) {
    statistics.taken[width] += prior[width];
    statistics.offered[width] += jumps / total;
  }
  return statistics;
}

void check(const AlignmentPriors& priors, int32_t max_jump) {
  const auto bad = [](double count) { return !(count >= 0) || !std::isfinite(count); };
  for (const AlignmentPriors::Pair& prior : priors.pairs)
    if (bad(prior.count)) throw std::invalid_argument("a prior is a finite count of at least 0");
  for (const std::vector<double>& jumps : priors.jumps) {
    if (!jumps.empty() && jumps.size() != 2 * static_cast<size_t>(max_jump) + 1)
      throw std::invalid_argument("one prior per width of jumps is needed");
    if (std::any_of(jumps.begin(), jumps.end(), bad))
      throw std::invalid_argument("a prior is a finite count of at least 0");
  }
}

// The number of cells that fit in the memory left over by the tables.
int64_t cells_within(const TrainOptions& options, const Bitext& bitext, const PairTable& table) {
  if (options.memory == 0) return options.max_cells;
  constexpr int64_t kOther = int64_t{32} << 20;  // chunks in progress
  const auto tokens =
      static_cast<int64_t>(bitext.source.words().size() + bitext.target.words().size());
  const auto per_pair =
      static_cast<int64_t>(sizeof(WordId) + sizeof(BothWays) + sizeof(CountsBothWays));
  const int64_t needed = static_cast<int64_t>(table.size()) * per_pair +
                         tokens * static_cast<int64_t>(sizeof(WordId)) + kOther;
  if (needed > options.memory) {
    throw ModelError({.found = std::to_string(table.size()) + " pairs of words that co-occur",
                      .expected = "a memory limit of at least " + std::to_string(needed) + " bytes",
                      .advice = "raise --memory, or train on a part with --sample"});
  }
  return std::min(options.max_cells,
                  (options.memory - needed) / static_cast<int64_t>(sizeof(PairIndex)));
}

std::vector<AlignmentModel> models_of(const TrainOptions& options) {
  const bool chained = options.model == AlignmentModel::kHmm;
  std::vector<AlignmentModel> models(chained ? options.initial_iterations : 0,
                                     options.initial_model);
  models.insert(models.end(), options.iterations, options.model);
  return models;
}

int32_t longest_of(const Bitext& bitext) {
  size_t longest = 1;
  for (size_t pair = 0; pair < bitext.size(); ++pair)
    longest = std::max({longest, bitext.source_of(pair).size(), bitext.target_of(pair).size()});
  return static_cast<int32_t>(longest);
}

}  // namespace

AlignerTrainer::AlignerTrainer(const Corpus& source, const Corpus& target, TrainOptions options,
                               AlignmentPriors priors, int threads, const StopFlag& stop)
    : options_(options),
      priors_(std::move(priors)),
      models_(models_of(options)),
      bitext_(source, target, options.max_length),
      pool_(threads),
      longest_(longest_of(bitext_)) {
  check(priors_, options.max_jump);
  IndexedPairs pairs = index_pairs(
      bitext_, [&](const PairTable& table) { return cells_within(options, bitext_, table); }, pool_,
      stop);
  index_ = std::move(pairs.index);
  aligner_ = {.model = options.model,
              .null_probability = options.null_probability,
              .max_length = options.max_length,
              .tension = {options.tension, options.tension},
              .jumps = std::vector(2, JumpTable(options.max_jump, options.jump_uniform)),
              .table = std::move(pairs.table),
              .lexicon = {},
              .passes = {},
              .used = static_cast<int64_t>(bitext_.size()),
              .empty = bitext_.empty,
              .too_long = bitext_.too_long};
  aligner_.lexicon = Lexicon::uniform(aligner_.table);
  expectation_.emplace(bitext_, aligner_.table, index_, options.agree, pool_);
  counts_.emplace(aligner_.table);
  count_sizes();
  find_priors();
}

void AlignerTrainer::count_sizes() {
  std::map<std::pair<int32_t, int32_t>, int64_t> sizes;
  for (size_t pair = 0; pair < bitext_.size(); ++pair)
    ++sizes[{static_cast<int32_t>(bitext_.target_of(pair).size()),
             static_cast<int32_t>(bitext_.source_of(pair).size())}];
  for (const auto& [size, count] : sizes) {
    sizes_[0].push_back({size.first, size.second, count});
    sizes_[1].push_back({size.second, size.first, count});
  }
}

void AlignerTrainer::find_priors() {
  if (priors_.pairs.empty()) return;
  const PairFinder finder(aligner_.table);
  for (const AlignmentPriors::Pair& prior : priors_.pairs) {
    PairIndex pair;
    finder.find({&prior.source, 1}, {&prior.target, 1}, &pair);
    if (pair < aligner_.table.size()) pseudo_counts_.emplace_back(pair, prior.count);
  }
}

void AlignerTrainer::run(const StopFlag& stop, Progress& progress) {
  progress.expect(passes() * pairs());
  while (!done()) {
    expect(stop, progress);
    maximize(stop);
  }
}

void AlignerTrainer::resume(Aligner parameters, int32_t passes) {
  const PairTable &table = aligner_.table, &other = parameters.table;
  if (other.rows.offsets != table.rows.offsets || other.rows.values != table.rows.values ||
      other.target_words != table.target_words)
    throw ModelError({.found = "parameters of " + std::to_string(other.size()) + " pairs of words",
                      .expected = "those of this text, which has " + std::to_string(table.size())});
  aligner_.tension = parameters.tension;
  aligner_.jumps = std::move(parameters.jumps);
  aligner_.lexicon = std::move(parameters.lexicon);
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  for (int32_t pass = 0; pass < passes; ++pass)
    aligner_.passes.push_back({models_[pass], {kUnknown, kUnknown}});
}

void AlignerTrainer::expect(const StopFlag& stop, Progress& progress) {
  statistics_ = expectation_->pass(positions_of(aligner_, model(), longest_), aligner_.lexicon,
                                   *counts_, stop, progress);
}

void AlignerTrainer::add(int64_t first, int64_t last, std::span<const char> posteriors,
                         const StopFlag& stop) {
  if (!positions_) positions_ = positions_of(aligner_, model(), longest_);
  expectation_->add(first, last, posteriors, *positions_, *counts_, statistics_, stop);
}

void AlignerTrainer::maximize(const StopFlag& stop) {
  for (const auto& [pair, count] : pseudo_counts_) {
    counts_->pairs[pair].forward += count;
    counts_->pairs[pair].backward += count;
  }
  const NormalizeOptions prior{
      .alpha = options_.alpha, .l0 = options_.l0, .sparse = {options_.l0_alpha, options_.l0_beta}};
  normalize(aligner_.table, *counts_, prior, aligner_.lexicon, pool_, stop);
  // In the first pass the translations are still uniform and carry no information about
  // positions.
  if (!aligner_.passes.empty()) improve_positions(stop);
  aligner_.passes.push_back({model(), statistics_.log_likelihood});
  statistics_ = {};
  positions_.reset();
}

void AlignerTrainer::improve_positions(const StopFlag& stop) {
  const AlignmentModel trained = model();
  pool_.for_each(2, stop, [&](int64_t way, int) {
    if (trained == AlignmentModel::kDiagonal && options_.optimize_tension)
      aligner_.tension[way] =
          improve_tension(aligner_.tension[way], statistics_.diagonal[way], sizes_[way]);
    if (trained == AlignmentModel::kHmm)
      aligner_.jumps[way] =
          improve(aligner_.jumps[way],
                  with_prior(aligner_.jumps[way], statistics_.jumps[way], priors_.jumps[way]));
  });
}

ExpectationWorker::ExpectationWorker(const Corpus& source, const Corpus& target,
                                     const TrainOptions& options)
    : agree_(options.agree), bitext_(source, target, options.max_length) {
  index_.begin.assign(bitext_.size(), -1);
}

void ExpectationWorker::use(Aligner aligner, AlignmentModel model) {
  expectation_.reset();  // it refers to the last parameters
  aligner_ = std::move(aligner);
  positions_ = positions_of(aligner_, model, longest_of(bitext_));
  expectation_.emplace(bitext_, aligner_.table, index_, agree_, pool_);
}

std::string ExpectationWorker::posteriors(int64_t first, int64_t last, const StopFlag& stop) {
  if (!expectation_) throw std::invalid_argument("posteriors need parameters");
  return expectation_->posteriors(first, last, *positions_, aligner_.lexicon, stop);
}

Aligner train_aligner(const Corpus& source, const Corpus& target, const TrainOptions& options,
                      const AlignmentPriors& priors, int threads, const StopFlag& stop,
                      Progress& progress) {
  AlignerTrainer trainer(source, target, options, priors, threads, stop);
  trainer.run(stop, progress);
  return trainer.finish();
}

}  // namespace demotic::align
