#include "demotic/learn/background.h"

#include <algorithm>
#include <cmath>

#include "demotic/base/clones.h"

namespace demotic::learn {
namespace {

constexpr size_t kBleu = 9;  // statistics of BLEU with 4 orders
constexpr size_t kOrders = 4;

// The statistics of BLEU of distinct candidates by column, `height` numbers per column.
struct BleuColumns {
  const int32_t* values;
  int64_t height;

  DEMOTIC_INLINE const int32_t* matches(size_t n) const { return values + int64_t(n) * height; }
  DEMOTIC_INLINE const int32_t* totals(size_t n) const { return matches(kOrders + n); }
  DEMOTIC_INLINE const int32_t* lengths() const { return matches(kOrders); }
  DEMOTIC_INLINE const int32_t* references() const { return matches(kBleu - 1); }
};

// BLEU of the background plus each of `count` candidates, without the brevity penalty. Simple loops
// that the compiler vectorises; the operations are those of bleu_of, in their order.
DEMOTIC_CLONES
void precision_in_context(const double* sums, const BleuColumns& columns, int32_t count,
                          double* __restrict out) {
  for (int32_t i = 0; i < count; ++i) {
    double matches = 1, totals = 1;
    for (size_t n = 0; n < kOrders; ++n) {
      matches *= sums[n] + columns.matches(n)[i];
      totals *= sums[kOrders + n] + columns.totals(n)[i];
    }
    const double ratio = matches / totals;
    out[i] = ratio > 0 ? ratio : 0;
  }
  for (int32_t i = 0; i < count; ++i) out[i] = std::sqrt(std::sqrt(out[i]));
}

void bleu_in_context(const double* sums, double length_scale, const BleuColumns& columns,
                     int32_t count, double* out) {
  precision_in_context(sums, columns, count, out);
  for (int32_t i = 0; i < count; ++i) {
    const double length = sums[kOrders] + columns.lengths()[i];
    const double reference = (sums[kBleu - 1] + columns.references()[i]) / length_scale;
    if (length < reference && out[i] > 0) out[i] *= std::exp(1 - reference / length);
  }
}

DEMOTIC_CLONES
void take(const double* values, const int32_t* ids, int32_t count, double* out) {
  for (int32_t i = 0; i < count; ++i) out[i] = values[ids[i]];
}

}  // namespace

Background::Background(MetricForm form, int32_t statistics, double decay)
    : form_(form),
      decay_(decay),
      weight_decay_(decay),
      sums_(statistics, form.has_length() ? 1.0 : 0.0) {
  if (form.has_length()) sums_.back() = form.length_scale;
  std::ranges::copy(form.background, sums_.begin());
  if (form.kind == MetricKind::ter_bleu) sums_[kTerColumns - 1] = form.ter_length_scale;
}

void Background::add(const CandidateLists& lists, int64_t list, int32_t candidate) {
  const double weight = lists.weight(list);
  if (weight != weight_) {
    weight_ = weight;
    weight_decay_ = weight == 1 ? decay_ : std::pow(decay_, weight);
  }
  // By column, as they were read for the gains: the row may not be in the cache.
  const DistinctStatistics::Columns rows = lists.distinct_columns(list);
  const int32_t* own = rows.values + lists.statistics_ids(list)[candidate];
  for (size_t k = 0; k < sums_.size(); ++k, own += rows.count)
    sums_[k] = weight_decay_ * (sums_[k] + weight * *own);
  lists_ = weight_decay_ * (lists_ + weight);
}

// The factor between metric and gain. It has to be the same for all candidates of a list: reference
// lengths may differ, and a candidate matched to a longer reference would gain from that alone.
double Background::factor(const CandidateLists& lists, int64_t list, GainScale scale) const {
  if (scale == GainScale::corpus) return 1;
  if (!form_.has_length())
    return (lists_ + 1) * (scale == GainScale::sentence ? 1.0 : form_.list_length);
  const double own = lists.mean_of_last_statistic(list);
  const double unit =
      scale == GainScale::sentence ? std::max(own, form_.length_scale) : form_.length_scale;
  return (sums_.back() + own) / unit;
}

// Scores the background plus each distinct row of the list; the results go to distinct_gains_.
void Background::score_in_context(const CandidateLists& lists, int64_t list) {
  const DistinctStatistics::Columns rows = lists.distinct_columns(list);
  distinct_gains_.resize(rows.count);
  if (form_.kind == MetricKind::bleu && sums_.size() == kBleu)
    return bleu_in_context(sums_.data(), form_.length_scale, {rows.values, rows.count}, rows.count,
                           distinct_gains_.data());
  rows_.clear();
  for (int32_t i = 0; i < rows.count; ++i)
    for (size_t k = 0; k < sums_.size(); ++k)
      rows_.push_back(sums_[k] + rows.values[static_cast<int64_t>(k) * rows.count + i]);
  score_all(form_, rows_, distinct_gains_);
}

void Background::gains(const CandidateLists& lists, int64_t list, GainScale scale, double* out) {
  score_in_context(lists, list);
  const double times = factor(lists, list, scale);
  for (double& gain : distinct_gains_) gain *= times;
  take(distinct_gains_.data(), lists.statistics_ids(list), lists.length(list), out);
}

}  // namespace demotic::learn
