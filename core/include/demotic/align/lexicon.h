// Translation probabilities of both directions, and their estimation from expected counts.
//
// "Forward" explains each target word by a source word, p(target | source); "backward" is the
// reverse. Probabilities of the empty word are stored separately, by explained word.
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

// The minimum of a probability: for words that never co-occurred in training, and against
// underflow.
inline constexpr float kMinProbability = 1e-9f;

struct Lexicon {
  // By pair; plus one at the end for words that never co-occurred.
  HugeVector<BothWays> pairs;
  std::vector<float> forward_null;   // by target word
  std::vector<float> backward_null;  // by source word

  // All words are equally likely.
  static Lexicon uniform(const PairTable& table);
};

// In double precision: a float would stop growing after 2^24 additions of 1.
struct CountsBothWays {
  double forward = 0;
  double backward = 0;
};

struct ExpectedCounts {
  explicit ExpectedCounts(const PairTable& table)
      : pairs(table.size()),
        forward_null(table.target_words, 0),
        backward_null(table.source_words(), 0) {}

  HugeVector<CountsBothWays> pairs;
  std::vector<double> forward_null, backward_null;

  void clear();
};

struct NormalizeOptions {
  double alpha = 0;  // parameter of the symmetric Dirichlet prior under variational Bayes; 0: none
  bool l0 = false;   // a prior for few translations per word, instead of the Dirichlet prior
  SparsePrior sparse;
};

// The M-step. Deterministic for any number of threads. Clears the counts.
void normalize(const PairTable& table, ExpectedCounts& counts, const NormalizeOptions& options,
               Lexicon& lexicon, ThreadPool& pool, const StopFlag& stop);

// exp(digamma(x)) for x > 0, to about seven digits, 0 where it is below 1e-12: variational Bayes
// uses it in place of x.
double exp_digamma(double x);

}  // namespace demotic::align
