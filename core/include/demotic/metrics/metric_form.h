// The formulas that turn summed statistics into a corpus score; higher is better, in [0, 1] for
// BLEU. This is all that native learners know of a metric. Metrics without a native formula
// give a function that scores many sums at once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>

#include "demotic/namespaces.h"

namespace demotic::metrics {

enum class MetricKind {
  bleu,      // matches of 1 .. n words, totals of 1 .. n words, reference length
  ratio,     // edits, reference length: 1 - edits / length, as TER
  chrf,      // per order n-grams of the candidate, of the reference and of both: F score
  ter_bleu,  // the columns of `ratio`, then those of `bleu`: 1 - (TER - BLEU) / 2
  rows,      // whatever `score_rows` makes of them
};

// Fills scores[i] from row i of `sums`, whose rows lie one after the other; higher is better.
// Called by several threads at once.
using ScoreRows = std::function<void(std::span<const double> sums, std::span<double> scores)>;

struct MetricForm {
  MetricKind kind = MetricKind::bleu;
  double length_scale = 1;      // reference lengths are multiples of 1 / length_scale words
  double ter_length_scale = 1;  // the same for the TER columns of `ter_bleu`
  double beta = 2;              // of `chrf`: how many times recall counts more than precision
  double list_length = 1;       // reference words per list, where statistics do not hold them
  int32_t columns = 0;          // of `rows`
  const ScoreRows* score_rows = nullptr;  // of `rows`; borrowed
  std::span<const double> background;     // of `rows`: what gains in context start with; borrowed

  // Whether the last statistic is the reference length.
  constexpr bool has_length() const noexcept {
    return kind != MetricKind::chrf && kind != MetricKind::rows;
  }
};

inline constexpr int32_t kTerColumns = 2;  // edits, reference length

inline bool fits(const MetricForm& form, int32_t statistics) {
  switch (form.kind) {
    case MetricKind::bleu:
      return statistics >= 3 && statistics % 2 == 1;
    case MetricKind::ratio:
      return statistics == kTerColumns;
    case MetricKind::chrf:
      return statistics >= 3 && statistics % 3 == 0;
    case MetricKind::ter_bleu:
      return statistics >= kTerColumns + 3 && (statistics - kTerColumns) % 2 == 1;
    case MetricKind::rows:
      return statistics == form.columns;
  }
  return false;
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

inline double bleu_of_sums(std::span<const double> sums, double length_scale) {
  const size_t orders = sums.size() / 2;
  double matches = 1, totals = 1;
  for (size_t n = 0; n < orders; ++n) {
    if (!(sums[n] > 0) || !(sums[orders + n] > 0)) return 0;
    matches *= sums[n];
    totals *= sums[orders + n];
  }
  return bleu_of(matches / totals, static_cast<int32_t>(orders), sums[orders],
                 sums.back() / length_scale);
}

inline double ratio_of_sums(double edits, double length) {
  return length > 0 ? 1 - edits / length : 0.0;
}

// F of mean precision and mean recall over the orders that both sides have (Popovic 2015).
inline double chrf_of_sums(std::span<const double> sums, double beta) {
  double precision = 0, recall = 0;
  int32_t orders = 0;
  for (size_t i = 0; i + 2 < sums.size(); i += 3) {
    if (!(sums[i] > 0) || !(sums[i + 1] > 0)) continue;
    precision += sums[i + 2] / sums[i];
    recall += sums[i + 2] / sums[i + 1];
    ++orders;
  }
  if (orders == 0) return 0;
  precision /= orders;
  recall /= orders;
  const double factor = beta * beta, below = factor * precision + recall;
  return below > 0 ? (1 + factor) * precision * recall / below : 0.0;
}

inline double score_of(const MetricForm& form, std::span<const double> sums) {
  switch (form.kind) {
    case MetricKind::bleu:
      return bleu_of_sums(sums, form.length_scale);
    case MetricKind::ratio:
      return ratio_of_sums(sums[0], sums.back() / form.length_scale);
    case MetricKind::chrf:
      return chrf_of_sums(sums, form.beta);
    case MetricKind::ter_bleu:
      return (1 + ratio_of_sums(sums[0], sums[1] / form.ter_length_scale) +
              bleu_of_sums(sums.subspan(kTerColumns), form.length_scale)) /
             2;
    case MetricKind::rows:
      break;
  }
  double score = 0;
  (*form.score_rows)(sums, {&score, 1});
  return score;
}

// The scores of many sums, whose rows lie one after the other.
inline void score_all(const MetricForm& form, std::span<const double> sums,
                      std::span<double> scores) {
  if (form.kind == MetricKind::rows) return (*form.score_rows)(sums, scores);
  const size_t columns = scores.empty() ? 0 : sums.size() / scores.size();
  for (size_t i = 0; i < scores.size(); ++i)
    scores[i] = score_of(form, sums.subspan(i * columns, columns));
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
