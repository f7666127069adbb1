// Posteriors of one sentence pair in both directions: the step that training, alignment and
// inspection share.
#pragma once

#include <array>
#include <optional>

#include "demotic/align/aligner.h"
#include "demotic/align/diagonal.h"

namespace demotic::align {

// Parameters of link positions for both directions, ready for use.
struct Positions {
  AlignmentModel model;
  double null_probability;
  std::vector<DiagonalPrior> diagonal;  // two, if that is the model
  std::vector<JumpTable> jumps;         // two, if that is the model
};

// Those of one of the models that an aligner has parameters of, for sentences of at most `longest`
// words.
Positions positions_of(const Aligner& aligner, AlignmentModel model, int64_t longest);

struct PassStatistics {
  std::array<double, 2> log_likelihood{};
  std::array<DiagonalStatistics, 2> diagonal;
  std::array<JumpStatistics, 2> jumps;

  void add(const PassStatistics& other);
};

// Both directions of a sentence pair: [0] has one row per target word, [1] one row per source word.
using Grids = std::array<Grid, 2>;

size_t grid_floats(size_t source_length, size_t target_length);
// Lays out the grids in `floats`, which is large enough and zeroed.
Grids make_grids(std::span<const WordId> source, std::span<const WordId> target, float* floats);
// Fills in the translation probabilities; `cells` come from PairFinder.
void fill_grids(const Lexicon& lexicon, std::span<const WordId> source,
                std::span<const WordId> target, const PairIndex* cells, const Grids& grids);
// Turns translation probabilities into posteriors.
void find_posteriors(const Positions& positions, const Grids& grids, HmmScratch& scratch,
                     PassStatistics& statistics);
// Replaces each posterior by the product of both directions (Liang, Taskar and Klein 2006).
void make_agree(const Grids& grids);

}  // namespace demotic::align
