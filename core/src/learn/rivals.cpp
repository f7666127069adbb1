#include "demotic/learn/rivals.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "demotic/align/clones.h"

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

// values[i] = (values[i] / totals[i])^(1/4) * brevity[i]
DEMOTIC_CLONES
void fourth_roots(const double* totals, const double* brevity, int32_t count, double* values) {
  for (int32_t i = 0; i < count; ++i)
    values[i] = std::sqrt(std::sqrt(values[i] / totals[i])) * brevity[i];
}

// Products of counts first, one candidate after the other, then roots for many at once.
void bleu_gains(std::span<const double> sums, double length_scale, const CandidateLists& lists,
                int64_t list, double* out) {
  constexpr int32_t kBlock = 256;
  const auto orders = static_cast<int32_t>(sums.size() / 2);
  const int32_t* own = lists.statistics(lists.first(list));
  std::array<double, kBlock> totals, brevities;
  Brevity brevity;
  for (int32_t begin = 0; begin < lists.length(list); begin += kBlock) {
    const int32_t count = std::min(kBlock, lists.length(list) - begin);
    for (int32_t i = 0; i < count; ++i, own += sums.size()) {
      double matched = 1, total = 1;
      for (int32_t n = 0; n < orders; ++n) {
        matched *= sums[n] + own[n];
        total *= sums[orders + n] + own[orders + n];
      }
      out[begin + i] = matched;
      totals[i] = total;
      brevities[i] =
          brevity(sums[orders] + own[orders], (sums.back() + own[2 * orders]) / length_scale);
    }
    if (orders == 4) {
      fourth_roots(totals.data(), brevities.data(), count, out + begin);
    } else {
      for (int32_t i = 0; i < count; ++i)
        out[begin + i] = std::pow(out[begin + i] / totals[i], 1.0 / orders) * brevities[i];
    }
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
  if (form_.kind == MetricKind::bleu) {
    bleu_gains(sums_, form_.length_scale, lists, list, out);
  } else {
    for (int32_t i = 0; i < count; ++i) {
      const int32_t* own = lists.statistics(lists.first(list) + i);
      out[i] = 1 - (sums_[0] + own[0]) * form_.length_scale / (sums_[1] + own[1]);
    }
  }
  if (scale == GainScale::corpus) return;
  const auto last = static_cast<int32_t>(sums_.size()) - 1;
  const double own = lists.statistics(lists.first(list))[last];
  const double unit =
      scale == GainScale::sentence ? std::max(own, form_.length_scale) : form_.length_scale;
  for (int32_t i = 0; i < count; ++i)
    out[i] *= (sums_[last] + lists.statistics(lists.first(list) + i)[last]) / unit;
}

}  // namespace demotic
