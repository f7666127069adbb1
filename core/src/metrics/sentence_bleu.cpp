#include "demotic/metrics/sentence_bleu.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace demotic::metrics {
namespace {

constexpr int32_t kOrder = 4;

}  // namespace

void SentenceBleu::set_reference(std::span<const int32_t> reference) {
  table_.clear(reference.size(), kOrder);
  table_.add(reference);
  reference_length_ = reference.size();
}

double SentenceBleu::operator()(std::span<const int32_t> candidate) {
  std::array<int32_t, kOrder> matches{};
  count_matches(table_.view(), candidate, kOrder, claimed_, matches.data());
  if (matches[0] == 0) return 0;
  double precision = 1;
  for (int32_t n = 0; n < kOrder; ++n) {
    const double total = static_cast<double>(std::max<int64_t>(0, int64_t(candidate.size()) - n));
    const double more = n > 0 ? 1 : 0;
    precision *= (matches[n] + more) / (total + more);
  }
  const double ratio = static_cast<double>(reference_length_) / double(candidate.size());
  return std::sqrt(std::sqrt(precision)) * (ratio > 1 ? std::exp(1 - ratio) : 1);
}

}  // namespace demotic::metrics
