#include "demotic/metrics/sentence_bleu.h"

#include <algorithm>
#include <cmath>

namespace demotic::metrics {

double bleu_plus_one(const std::array<double, kBleuOrder>& matches, double length,
                     double reference_length) noexcept {
  if (matches[0] <= 0) return 0;
  double precision = 1;
  for (int32_t n = 0; n < kBleuOrder; ++n) {
    const double total = std::max(0.0, length - n), more = n > 0 ? 1 : 0;
    precision *= (matches[n] + more) / (total + more);
  }
  const double ratio = reference_length / length;
  return std::sqrt(std::sqrt(precision)) * (ratio > 1 ? std::exp(1 - ratio) : 1);
}

void SentenceBleu::set_reference(std::span<const int32_t> reference) {
  table_.clear(reference.size(), kBleuOrder);
  table_.add(reference);
  reference_length_ = reference.size();
}

double SentenceBleu::operator()(std::span<const int32_t> candidate) {
  std::array<int32_t, kBleuOrder> counts{};
  count_matches(table_.view(), candidate, kBleuOrder, claimed_, counts.data());
  std::array<double, kBleuOrder> matches;
  std::ranges::copy(counts, matches.begin());
  return bleu_plus_one(matches, static_cast<double>(candidate.size()),
                       static_cast<double>(reference_length_));
}

}  // namespace demotic::metrics
