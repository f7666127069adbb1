// A trained word aligner: translation tables of both directions and parameters of link positions.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "demotic/align/alignments.h"
#include "demotic/align/hmm.h"
#include "demotic/align/lexicon.h"
#include "demotic/align/symmetrize.h"
#include "demotic/base/progress.h"
#include "demotic/text/vocabulary.h"

namespace demotic::align {

enum class AlignmentModel : int32_t { kIbm1, kDiagonal, kHmm };

// The Python class AlignOptions explains these fields and holds their defaults.
struct TrainOptions {
  AlignmentModel model = AlignmentModel::kHmm;
  AlignmentModel initial_model = AlignmentModel::kIbm1;
  int32_t iterations = 5;
  int32_t initial_iterations = 4;
  double null_probability = 0.08;
  double alpha = 0;
  bool agree = false;
  bool l0 = false;
  double l0_alpha = 10;
  double l0_beta = 0.05;
  double tension = 4;
  bool optimize_tension = true;
  int32_t max_jump = 10;
  double jump_uniform = 0.02;
  int64_t max_length = 500;
  int64_t max_cells = int64_t{1} << 29;
  int64_t memory = 0;
};

// The result of one pass over the bitext; [0] forward, [1] backward. The likelihoods are those of
// the parameters before the pass.
struct PassReport {
  AlignmentModel model;
  std::array<double, 2> log_likelihood;
};

struct Aligner {
  AlignmentModel model = AlignmentModel::kHmm;
  double null_probability = 0;
  int64_t max_length = 0;
  std::array<double, 2> tension{};
  std::vector<JumpTable> jumps;  // two, one per direction
  PairTable table;
  Lexicon lexicon;
  std::vector<PassReport> passes;
  int64_t used = 0, empty = 0, too_long = 0;  // numbers of sentence pairs in training
};

void save_aligner(const Aligner& aligner, const Vocabulary& vocabulary, const std::string& path);

// An aligner with its vocabulary: the content of a file.
struct AlignerFile {
  Aligner aligner;
  Vocabulary vocabulary;  // of both sides

  // Throws as Container does, and FormatError if the arrays are inconsistent.
  static AlignerFile open(const std::string& path, bool verify, const StopFlag& stop);
  void save(const std::string& path) const { save_aligner(aligner, vocabulary, path); }
};

// What is known before training, as pseudo-counts that every M-step adds to the expected counts:
// the parameters of Dirichlet priors. Pairs that never co-occur in the text have no effect.
struct AlignmentPriors {
  struct Pair {
    WordId source, target;
    double count;
  };
  std::vector<Pair> pairs;
  std::array<std::vector<double>, 2> jumps;  // by width, from -limit to limit; or empty
};

// Expectation maximisation in both directions. The result does not depend on `threads`.
// Memory: 28 bytes per pair of words that co-occur, 4 per token and 4 per cell that is kept.
// Throws std::invalid_argument for sides of different sizes, ModelError if the tables exceed
// `options.memory`.
Aligner train_aligner(const Corpus& source, const Corpus& target, const TrainOptions& options,
                      const AlignmentPriors& priors, int threads, const StopFlag& stop,
                      Progress& progress);

struct DecodeOptions {
  Symmetrization symmetrization = Symmetrization::kGrowDiagFinalAnd;
  // 0: the Viterbi alignment of each direction; else all links with at least this posterior.
  double posterior_threshold = 0;
};

struct AlignResult {
  Alignments links;
  int64_t cut = 0;  // pairs longer than `max_length`, aligned in proportional pieces
};

// Unknown words are aligned only by their position.
AlignResult align_corpus(const Aligner& aligner, const Corpus& source, const Corpus& target,
                         const DecodeOptions& options, int threads, const StopFlag& stop,
                         Progress& progress);

// p(link) of one sentence pair in both directions: source words * target words, row by row.
struct LinkPosteriors {
  std::vector<float> forward, backward;
  std::array<double, 2> log_likelihood;
};
LinkPosteriors link_posteriors(const Aligner& aligner, std::span<const WordId> source,
                               std::span<const WordId> target);

}  // namespace demotic::align
