#include <algorithm>
#include <cmath>
#include <map>

#include "demotic/align/aligner.h"
#include "demotic/align/expectation.h"
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

// Trains one aligner, which holds the parameters.
class Trainer {
 public:
  Trainer(Aligner& aligner, const Bitext& bitext, const IndexedPairs& pairs,
          const TrainOptions& options, const AlignmentPriors& priors, ThreadPool& pool)
      : aligner_(aligner),
        options_(options),
        priors_(priors),
        pairs_(pairs),
        pool_(pool),
        expectation_(bitext, pairs, options.agree, pool),
        counts_(pairs.table) {
    std::map<std::pair<int32_t, int32_t>, int64_t> sizes;
    for (size_t pair = 0; pair < bitext.size(); ++pair)
      ++sizes[{static_cast<int32_t>(bitext.target_of(pair).size()),
               static_cast<int32_t>(bitext.source_of(pair).size())}];
    for (const auto& [size, count] : sizes) {
      sizes_[0].push_back({size.first, size.second, count});
      sizes_[1].push_back({size.second, size.first, count});
      longest_ = std::max({longest_, size.first, size.second});
    }
    find_priors();
  }

  void run(AlignmentModel model, int32_t iterations, const StopFlag& stop, Progress& progress) {
    for (int32_t iteration = 0; iteration < iterations; ++iteration) {
      const PassStatistics statistics =
          expectation_.pass(positions(model), aligner_.lexicon, counts_, stop, progress);
      aligner_.passes.push_back({model, statistics.log_likelihood});
      const NormalizeOptions prior{.alpha = options_.alpha,
                                   .l0 = options_.l0,
                                   .sparse = {options_.l0_alpha, options_.l0_beta}};
      for (const auto& [pair, count] : pseudo_counts_) {
        counts_.pairs[pair].forward += count;
        counts_.pairs[pair].backward += count;
      }
      normalize(pairs_.table, counts_, prior, aligner_.lexicon, pool_, stop);
      // In the first pass the translations are still uniform and carry no information about
      // positions.
      if (aligner_.passes.size() > 1) improve_positions(model, statistics, stop);
    }
  }

 private:
  Positions positions(AlignmentModel model) const {
    Positions result{model, options_.null_probability, {}, {}};
    for (int way = 0; way < 2; ++way) {
      if (model == AlignmentModel::kDiagonal)
        result.diagonal.emplace_back(aligner_.tension[way], options_.null_probability, longest_);
      if (model == AlignmentModel::kHmm) result.jumps.push_back(aligner_.jumps[way]);
    }
    return result;
  }

  void improve_positions(AlignmentModel model, const PassStatistics& statistics,
                         const StopFlag& stop) {
    pool_.for_each(2, stop, [&](int64_t way, int) {
      if (model == AlignmentModel::kDiagonal && options_.optimize_tension)
        aligner_.tension[way] =
            improve_tension(aligner_.tension[way], statistics.diagonal[way], sizes_[way]);
      if (model == AlignmentModel::kHmm)
        aligner_.jumps[way] =
            improve(aligner_.jumps[way],
                    with_prior(aligner_.jumps[way], statistics.jumps[way], priors_.jumps[way]));
    });
  }

  void find_priors() {
    if (priors_.pairs.empty()) return;
    const PairFinder finder(pairs_.table);
    for (const AlignmentPriors::Pair& prior : priors_.pairs) {
      PairIndex pair;
      finder.find({&prior.source, 1}, {&prior.target, 1}, &pair);
      if (pair < pairs_.table.size()) pseudo_counts_.emplace_back(pair, prior.count);
    }
  }

  Aligner& aligner_;
  const TrainOptions& options_;
  const AlignmentPriors& priors_;
  std::vector<std::pair<PairIndex, double>> pseudo_counts_;
  const IndexedPairs& pairs_;
  ThreadPool& pool_;
  Expectation expectation_;
  ExpectedCounts counts_;
  std::array<std::vector<SizeCount>, 2> sizes_;
  int32_t longest_ = 1;
};

}  // namespace

Aligner train_aligner(const Corpus& source, const Corpus& target, const TrainOptions& options,
                      const AlignmentPriors& priors, int threads, const StopFlag& stop,
                      Progress& progress) {
  check(priors, options.max_jump);
  const Bitext bitext(source, target, options.max_length);
  const bool chained = options.model == AlignmentModel::kHmm;
  const int32_t passes = options.iterations + (chained ? options.initial_iterations : 0);
  progress.expect(passes * static_cast<int64_t>(bitext.size()));
  ThreadPool pool(threads);
  IndexedPairs pairs = index_pairs(
      bitext, [&](const PairTable& table) { return cells_within(options, bitext, table); }, pool,
      stop);
  Aligner aligner{.model = options.model,
                  .null_probability = options.null_probability,
                  .max_length = options.max_length,
                  .tension = {options.tension, options.tension},
                  .jumps = std::vector(2, JumpTable(options.max_jump, options.jump_uniform)),
                  .table = {},
                  .lexicon = Lexicon::uniform(pairs.table),
                  .passes = {},
                  .used = static_cast<int64_t>(bitext.size()),
                  .empty = bitext.empty,
                  .too_long = bitext.too_long};
  {
    Trainer trainer(aligner, bitext, pairs, options, priors, pool);
    if (chained) trainer.run(options.initial_model, options.initial_iterations, stop, progress);
    trainer.run(options.model, options.iterations, stop, progress);
  }
  aligner.table = std::move(pairs.table);
  return aligner;
}

}  // namespace demotic::align
