// Estimates interpolated modified Kneser-Ney models (Chen & Goodman 1998), as defined by lmplz
// (Heafield, Pouzyrevsky, Clark & Koehn 2013):
//
//   adjusted count a(g)  the raw count for the highest order and for n-grams that begin with <s>;
//                        else the number of distinct words seen to the left of g
//   discounts D1 D2 D3+  per order, from counts of adjusted counts
//   p(w | h) = (a(hw) - D(a(hw))) / sum_v a(hv) + b(h) p(w | h')     h' is h without its first word
//   b(h)     = (D1 n1(h) + D2 n2(h) + D3 n3+(h) + pruned mass) / sum_v a(hv)
//   p(w)     is interpolated with 1 / V; V counts <unk>, </s> and the words, not <s>
//
// An n-gram is pruned if its raw count is at most the threshold of its order; its mass goes to the
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
  std::vector<int64_t> prune{0};  // one threshold per order, the last one for all higher orders
  bool discount_fallback = true;  // else ModelError where the discounts cannot be estimated
};

struct KneserNeyReport {
  std::vector<std::array<double, 3>> discounts;  // by order
  std::vector<int> fallback_orders;              // orders with discounts 0.5, 1, 1.5
};

struct KneserNeyModel {
  NgramModel ngrams;
  KneserNeyReport report;
};

// `vocabulary` is that of the corpus; words that do not occur are omitted. Memory: 16 bytes per
// token and 32 per n-gram. Throws ModelError if the corpus is empty or contains unknown words, and
// std::invalid_argument for bad options.
KneserNeyModel estimate_kneser_ney(const Corpus& corpus, const Vocabulary& vocabulary,
                                   const KneserNeyOptions& options, const StopFlag& stop,
                                   Progress& progress);

}  // namespace demotic::lm
