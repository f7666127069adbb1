#include "demotic/align/sentence.h"

#include <algorithm>

#include "demotic/base/lanes.h"

namespace demotic::align {

Positions positions_of(const Aligner& aligner, AlignmentModel model, int64_t longest) {
  Positions result{model, aligner.null_probability, {}, {}};
  for (int way = 0; way < 2 && model == AlignmentModel::kDiagonal; ++way)
    result.diagonal.emplace_back(aligner.tension[way], aligner.null_probability,
                                 static_cast<int32_t>(longest));
  if (model == AlignmentModel::kHmm) result.jumps = aligner.jumps;
  return result;
}

void PassStatistics::add(const PassStatistics& other) {
  for (int way = 0; way < 2; ++way) {
    log_likelihood[way] += other.log_likelihood[way];
    diagonal[way].distance += other.diagonal[way].distance;
    diagonal[way].links += other.diagonal[way].links;
    jumps[way].add(other.jumps[way]);
  }
}

size_t grid_floats(size_t source_length, size_t target_length) {
  const auto source = static_cast<int32_t>(source_length);
  const auto target = static_cast<int32_t>(target_length);
  return target_length * padded(source) + source_length * padded(target) + padded(source) +
         padded(target);
}

Grids make_grids(std::span<const WordId> source, std::span<const WordId> target, float* floats) {
  const auto sources = static_cast<int32_t>(source.size());
  const auto targets = static_cast<int32_t>(target.size());
  Grid forward{targets, sources, padded(sources), floats, nullptr};
  floats += int64_t{targets} * forward.stride;
  Grid backward{sources, targets, padded(targets), floats, nullptr};
  floats += int64_t{sources} * backward.stride;
  forward.empty = floats;
  backward.empty = floats + padded(targets);
  return {forward, backward};
}

void fill_grids(const Lexicon& lexicon, std::span<const WordId> source,
                std::span<const WordId> target, const PairIndex* cells, const Grids& grids) {
  const auto& [forward, backward] = grids;
  const BothWays* pairs = lexicon.pairs.data();
  for (int32_t i = 0; i < backward.rows; ++i) {
    const PairIndex* row = cells + int64_t{i} * forward.rows;
    float* out = backward.row(i);
    for (int32_t j = 0; j < forward.rows; ++j) {
      const BothWays pair = pairs[row[j]];
      forward.row(j)[i] = pair.forward;
      out[j] = pair.backward;
    }
  }
  const auto null = [](const std::vector<float>& table, WordId word) {
    return static_cast<size_t>(word) < table.size() ? table[word] : kMinProbability;
  };
  for (size_t j = 0; j < target.size(); ++j)
    forward.empty[j] = null(lexicon.forward_null, target[j]);
  for (size_t i = 0; i < source.size(); ++i)
    backward.empty[i] = null(lexicon.backward_null, source[i]);
}

void find_posteriors(const Positions& positions, const Grids& grids, HmmScratch& scratch,
                     PassStatistics& statistics) {
  const double null = positions.null_probability;
  for (int way = 0; way < 2; ++way) {
    double& log_likelihood = statistics.log_likelihood[way];
    switch (positions.model) {
      case AlignmentModel::kIbm1:
        log_likelihood += model1_posteriors(grids[way], null);
        break;
      case AlignmentModel::kDiagonal:
        log_likelihood += positions.diagonal[way].posteriors(grids[way], statistics.diagonal[way]);
        break;
      case AlignmentModel::kHmm:
        log_likelihood +=
            hmm_posteriors(grids[way], positions.jumps[way], null, scratch, statistics.jumps[way]);
        break;
    }
  }
}

void make_agree(const Grids& grids) {
  const auto& [forward, backward] = grids;
  for (int32_t i = 0; i < backward.rows; ++i)
    for (int32_t j = 0; j < forward.rows; ++j)
      forward.row(j)[i] = backward.row(i)[j] *= forward.row(j)[i];
}

}  // namespace demotic::align
