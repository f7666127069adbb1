// Estimation of interpolated modified Kneser-Ney models (Chen & Goodman 1998), as lmplz defines it
// (Heafield, Pouzyrevsky, Clark & Koehn 2013):
//
//   adjusted count a(g)  the raw count for the highest order and for n-grams that begin with <s>;
//                        else the number of different words seen to the left of g
//   discounts D1 D2 D3+  an order's own, from counts of adjusted counts
//   p(w | h) = (a(hw) - D(a(hw))) / sum_v a(hv) + b(h) p(w | h')     h' is h without its first word
//   b(h)     = (D1 n1(h) + D2 n2(h) + D3 n3+(h) + what pruning took) / sum_v a(hv)
//   p(w)     ends in 1 / V; V counts <unk>, </s> and the words, not <s>
//
// An n-gram is pruned if its raw count is at most the threshold of its order; the mass goes to the
// backoff. A sentence without words counts as <s> </s>, as in lmplz.
#pragma once

#include <array>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/lm/ngrams.h"
#include "demotic/text/corpus.h"

namespace demotic::lm {

struct KneserNeyOptions {
  int order = 4;
  std::vector<int64_t> prune{0};  // a threshold an order, the last one for all higher orders
  bool discount_fallback = true;  // else ModelError where the discounts cannot be estimated
};

struct KneserNeyReport {
  std::vector<std::array<double, 3>> discounts;  // an order
  std::vector<int> fallback_orders;              // where 0.5, 1, 1.5 had to do
};

struct KneserNeyModel {
  NgramModel ngrams;
  KneserNeyReport report;
};

// `vocabulary` is that of the corpus; words that do not occur are left out. Memory: 16 bytes a
// token and 32 an n-gram. Throws ModelError if the corpus is empty or holds unknown words, and
// std::invalid_argument for bad options.
KneserNeyModel estimate_kneser_ney(const Corpus& corpus, const Vocabulary& vocabulary,
                                   const KneserNeyOptions& options, const StopFlag& stop,
                                   Progress& progress);

}  // namespace demotic::lm
