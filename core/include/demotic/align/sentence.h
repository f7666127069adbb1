// What the models say about one sentence pair, in both directions: the step that training,
// alignment and inspection share.
#pragma once

#include <array>
#include <optional>

#include "demotic/align/aligner.h"
#include "demotic/align/diagonal.h"

namespace demotic::align {

// Where links go, for both directions, ready for use.
struct Positions {
  AlignmentModel model;
  double null_probability;
  std::vector<DiagonalPrior> diagonal;  // two, if that is the model
  std::vector<JumpTable> jumps;         // two, if that is the model
};

struct PassStatistics {
  std::array<double, 2> log_likelihood{};
  std::array<DiagonalStatistics, 2> diagonal;
  std::array<JumpStatistics, 2> jumps;

  void add(const PassStatistics& other);
};

// Both directions of a sentence pair: [0] has a row a target word, [1] a row a source word.
using Grids = std::array<Grid, 2>;

size_t grid_floats(size_t source_length, size_t target_length);
// Lays the grids out in `floats`, which has room for them and is zeroed.
Grids make_grids(std::span<const WordId> source, std::span<const WordId> target, float* floats);
// Fills in the translation probabilities; `cells` as PairFinder gives them.
void fill_grids(const Lexicon& lexicon, std::span<const WordId> source,
                std::span<const WordId> target, const PairIndex* cells, const Grids& grids);
// Translation probabilities become posteriors.
void find_posteriors(const Positions& positions, const Grids& grids, HmmScratch& scratch,
                     PassStatistics& statistics);
// Each link's posterior becomes the product of both directions' (Liang, Taskar and Klein 2006).
void make_agree(const Grids& grids);

}  // namespace demotic::align
