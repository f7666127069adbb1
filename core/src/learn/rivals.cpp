#include "demotic/learn/rivals.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace demotic {
namespace {

// Brevity penalties by length: a list has few different ones.
class Brevity {
 public:
  double operator()(double length, double reference) {
    Entry& entry = entries_[static_cast<uint64_t>(length) % entries_.size()];
    if (entry.length != length || entry.reference != reference)
      entry = {length, reference, length < reference ? std::exp(1 - reference / length) : 1.0};
    return entry.value;
  }

 private:
  struct Entry {
    double length = -1, reference = -1, value = 0;
  };
  std::array<Entry, 64> entries_;
};

void bleu_gains(std::span<const double> sums, const CandidateLists& lists, int64_t list,
                double* out) {
  const auto orders = static_cast<int32_t>(sums.size() / 2);
  Brevity brevity;
  for (int32_t i = 0; i < lists.length(list); ++i) {
    const int32_t* own = lists.statistics(lists.first(list) + i);
    double matches = 1, totals = 1;
    for (int32_t n = 0; n < orders; ++n) {
      matches *= sums[n] + own[n];
      totals *= sums[orders + n] + own[orders + n];
    }
    const double length = sums[orders] + own[orders];
    out[i] =
        bleu_of(matches / totals, orders, 1, 0) * brevity(length, sums.back() + own[2 * orders]);
  }
}

}  // namespace

Rivals choose(std::span<const double> scores, std::span<const double> gains) {
  Rivals found;
  double hope = scores[0] + gains[0], fear = scores[0] - gains[0];
  for (int32_t i = 1; i < static_cast<int32_t>(scores.size()); ++i) {
    if (scores[i] + gains[i] > hope) hope = scores[i] + gains[i], found.hope = i;
    if (scores[i] - gains[i] > fear) fear = scores[i] - gains[i], found.fear = i;
    if (scores[i] > scores[found.best]) found.best = i;
    if (scores[i] < scores[found.worst]) found.worst = i;
  }
  return found;
}

void Background::gains(const CandidateLists& lists, int64_t list, GainScale scale,
                       double* out) const {
  const int32_t count = lists.length(list);
  if (form_ == MetricForm::bleu) {
    bleu_gains(sums_, lists, list, out);
  } else {
    for (int32_t i = 0; i < count; ++i) {
      const int32_t* own = lists.statistics(lists.first(list) + i);
      out[i] = 1 - (sums_[0] + own[0]) / (sums_[1] + own[1]);
    }
  }
  if (scale == GainScale::corpus) return;
  const auto last = static_cast<int32_t>(sums_.size()) - 1;
  const double own = lists.statistics(lists.first(list))[last];
  const double unit = scale == GainScale::sentence ? std::max(own, 1.0) : 1.0;
  for (int32_t i = 0; i < count; ++i)
    out[i] *= (sums_[last] + lists.statistics(lists.first(list) + i)[last]) / unit;
}

}  // namespace demotic
