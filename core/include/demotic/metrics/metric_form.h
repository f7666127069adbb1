// The formulas that turn summed statistics into a corpus score; higher is better, in [0, 1] for
// BLEU. This is all that native learners know of a metric.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>

#include "demotic/namespaces.h"

namespace demotic::metrics {

enum class MetricKind {
  bleu,   // matches of 1 .. n words, totals of 1 .. n words, reference length
  ratio,  // edits, reference length: 1 - edits / length, as TER
};

struct MetricForm {
  MetricKind kind = MetricKind::bleu;
  double length_scale = 1;  // reference lengths are multiples of 1 / length_scale words
};

inline bool fits(const MetricForm& form, int32_t statistics) {
  return form.kind == MetricKind::bleu ? statistics >= 3 && statistics % 2 == 1 : statistics == 2;
}

// BLEU from the geometric mean of precisions and the length ratio: brevity * (prod m / t)^(1/n). A
// match count of 0 gives 0. For up to 4 orders the root is computed by two square roots, which are
// fast and the same on every machine.
inline double bleu_of(double precisions, int32_t orders, double length, double reference) {
  if (!(precisions > 0)) return 0;
  const double mean =
      orders == 4 ? std::sqrt(std::sqrt(precisions)) : std::pow(precisions, 1.0 / orders);
  return length < reference ? mean * std::exp(1 - reference / length) : mean;
}

inline double score_of(const MetricForm& form, std::span<const double> sums) {
  const double reference = sums.back() / form.length_scale;
  if (form.kind == MetricKind::ratio) return reference > 0 ? 1 - sums[0] / reference : 0.0;
  const size_t orders = sums.size() / 2;
  double matches = 1, totals = 1;
  for (size_t n = 0; n < orders; ++n) {
    if (!(sums[n] > 0) || !(sums[orders + n] > 0)) return 0;
    matches *= sums[n];
    totals *= sums[orders + n];
  }
  return bleu_of(matches / totals, static_cast<int32_t>(orders), sums[orders], reference);
}

// False only if the score is below `wanted`, by a cheap bound: BLEU without the root and without
// the brevity penalty.
inline bool can_reach(const MetricForm& form, std::span<const double> sums, double wanted) {
  if (form.kind != MetricKind::bleu || sums.size() != 9 || !(wanted > 0)) return true;
  const double matches = sums[0] * sums[1] * sums[2] * sums[3];
  const double totals = sums[4] * sums[5] * sums[6] * sums[7];
  const double square = wanted * wanted;
  return matches >= totals * (square * square * (1 - 1e-9));
}

}  // namespace demotic::metrics
