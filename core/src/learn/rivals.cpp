#include "demotic/learn/rivals.h"

#include <algorithm>
#include <cmath>

namespace demotic::learn {
namespace {

// BLEU or TER of the background plus one candidate.
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

Rivals choose_rivals(std::span<const double> scores, std::span<const double> gains) {
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

// The factor between metric and gain. It has to be the same for all candidates of a list: reference
// lengths may differ, and a candidate matched to a longer reference would gain from that alone.
double Background::factor(const CandidateLists& lists, int64_t list, GainScale scale) const {
  if (scale == GainScale::corpus) return 1;
  if (!form_.has_length())
    return (lists_ + 1) * (scale == GainScale::sentence ? 1.0 : form_.list_length);
  const std::span<const int64_t> firsts = lists.distinct_firsts(list);
  double own = 0;
  for (const int64_t first : firsts) own += lists.statistics(first)[sums_.size() - 1];
  own /= static_cast<double>(firsts.size());
  const double unit =
      scale == GainScale::sentence ? std::max(own, form_.length_scale) : form_.length_scale;
  return (sums_.back() + own) / unit;
}

// Scores the background plus each of the candidates; the results go to distinct_gains_.
void Background::score_in_context(const CandidateLists& lists,
                                  std::span<const int64_t> candidates) {
  distinct_gains_.resize(candidates.size());
  if (form_.kind == MetricKind::bleu || form_.kind == MetricKind::ratio) {
    InContext metric(form_, sums_);
    for (size_t i = 0; i < candidates.size(); ++i)
      distinct_gains_[i] = metric(lists.statistics(candidates[i]));
    return;
  }
  rows_.clear();
  for (const int64_t candidate : candidates)
    for (size_t k = 0; k < sums_.size(); ++k)
      rows_.push_back(sums_[k] + lists.statistics(candidate)[k]);
  score_all(form_, rows_, distinct_gains_);
}

void Background::gains(const CandidateLists& lists, int64_t list, GainScale scale, double* out) {
  score_in_context(lists, lists.distinct_firsts(list));
  const double times = factor(lists, list, scale);
  for (double& gain : distinct_gains_) gain *= times;
  const int32_t* ids = lists.statistics_ids(list);
  for (int32_t i = 0; i < lists.length(list); ++i) out[i] = distinct_gains_[ids[i]];
}

}  // namespace demotic::learn
