// Translation probabilities of both directions, and how they are made from expected counts.
//
// "Forward" explains each target word by a source word, p(target | source); "backward" the other
// way round. The empty word's probabilities stand apart, by explained word.
#pragma once

#include <vector>

#include "demotic/align/pair_table.h"
#include "demotic/align/sparse_prior.h"
#include "demotic/base/huge_pages.h"

namespace demotic::align {

struct BothWays {
  float forward;
  float backward;
};

// What a probability never falls below: words that never met in training, and protection against
// numbers too small to calculate with.
inline constexpr float kLeastProbability = 1e-9f;

struct Lexicon {
  std::vector<BothWays, HugePages<BothWays>>
      pairs;                         // by pair; one more at the end, for words that never met
  std::vector<float> forward_null;   // by target word
  std::vector<float> backward_null;  // by source word

  // Every word as likely as every other.
  static Lexicon uniform(const PairTable& table);
};

// In double precision: a float would stop growing long before 2^24 additions.
struct CountsBothWays {
  double forward = 0;
  double backward = 0;
};

struct ExpectedCounts {
  explicit ExpectedCounts(const PairTable& table)
      : pairs(table.size()),
        forward_null(table.target_words, 0),
        backward_null(table.source_words(), 0) {}

  std::vector<CountsBothWays, HugePages<CountsBothWays>> pairs;
  std::vector<double> forward_null, backward_null;

  void clear();
};

struct NormalizeOptions {
  double alpha = 0;  // parameter of the symmetric Dirichlet prior under variational Bayes; 0: none
  bool l0 = false;   // a prior for few translations a word, in place of the Dirichlet
  SparsePrior sparse;
};

// The M-step. Deterministic for any number of threads. Clears the counts.
void normalize(const PairTable& table, ExpectedCounts& counts, const NormalizeOptions& options,
               Lexicon& lexicon, ThreadPool& pool, const StopFlag& stop);

// exp(digamma(x)) for x > 0, to about seven digits, 0 where it is below 1e-12: what variational
// Bayes puts in the place of x.
double exp_digamma(double x);

}  // namespace demotic::align
