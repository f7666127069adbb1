#include "demotic/learn/rivals.h"

#include <algorithm>
#include <cmath>

namespace demotic::learn {
namespace {

// The metric of the background with one candidate.
class InContext {
 public:
  InContext(const MetricForm& form, std::span<const double> sums) : form_(form), sums_(sums) {}

  double operator()(const int32_t* own) {
    const double reference = (sums_.back() + own[sums_.size() - 1]) / form_.length_scale;
    if (form_.kind == MetricKind::ratio) return 1 - (sums_[0] + own[0]) / reference;
    const size_t orders = sums_.size() / 2;
    double matches = 1, totals = 1;
    for (size_t n = 0; n < orders; ++n) {
      matches *= sums_[n] + own[n];
      totals *= sums_[orders + n] + own[orders + n];
    }
    return bleu_of(matches / totals, static_cast<int32_t>(orders), sums_[orders] + own[orders],
                   reference);
  }

 private:
  const MetricForm& form_;
  std::span<const double> sums_;
};

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

// What the metric is multiplied by. It must be the same for all candidates of a list: with several
// references their lengths differ, and a candidate near a longer one would gain by that alone.
double Background::factor(const CandidateLists& lists, int64_t list, GainScale scale) const {
  if (scale == GainScale::corpus) return 1;
  const std::span<const int64_t> firsts = lists.kind_firsts(list);
  double own = 0;
  for (const int64_t first : firsts) own += lists.statistics(first)[sums_.size() - 1];
  own /= static_cast<double>(firsts.size());
  const double unit =
      scale == GainScale::sentence ? std::max(own, form_.length_scale) : form_.length_scale;
  return (sums_.back() + own) / unit;
}

void Background::gains(const CandidateLists& lists, int64_t list, GainScale scale, double* out) {
  const std::span<const int64_t> firsts = lists.kind_firsts(list);
  const double times = factor(lists, list, scale);
  InContext metric(form_, sums_);
  of_kinds_.resize(firsts.size());
  for (size_t kind = 0; kind < firsts.size(); ++kind)
    of_kinds_[kind] = metric(lists.statistics(firsts[kind])) * times;
  const int32_t* kinds = lists.kinds(list);
  for (int32_t i = 0; i < lists.length(list); ++i) out[i] = of_kinds_[kinds[i]];
}

}  // namespace demotic::learn
