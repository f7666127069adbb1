#include "demotic/lm/codebook.h"

#include <algorithm>
#include <iterator>

namespace demotic::lm {
namespace {

void fill_bins(std::vector<float> values, std::span<float> means) {
  std::sort(values.begin(), values.end());
  BinMeans bins(values.size(), means);
  for (const float value : values) bins.add(value);
  bins.finish();
}

uint32_t nearest(std::span<const float> values, float value) noexcept {
  const auto above = std::lower_bound(values.begin(), values.end(), value);
  const auto index = static_cast<uint32_t>(above - values.begin());
  if (above == values.begin()) return 0;
  if (above == values.end()) return index - 1;
  return value - above[-1] <= *above - value ? index - 1 : index;
}

}  // namespace

void BinMeans::add(float value) {
  if (distinct_.size() <= means_.size() && (distinct_.empty() || distinct_.back() != value))
    distinct_.push_back(value);
  sum_ += value;
  ++in_bin_;
  if (++added_ < end_of(bin_)) return;
  means_[bin_++] = static_cast<float>(sum_ / static_cast<double>(in_bin_));
  sum_ = 0;
  in_bin_ = 0;
}

void BinMeans::finish() {
  if (distinct_.empty() || distinct_.size() > means_.size()) return;
  std::fill(std::copy(distinct_.begin(), distinct_.end(), means_.begin()), means_.end(),
            distinct_.back());
}

uint32_t Codebook::prob_code(float value) const noexcept { return nearest(prob, value); }

uint32_t Codebook::backoff_code(float value) const noexcept {
  return value == 0 ? 0 : 1 + nearest(std::span(backoff).subspan(1), value);
}

Codebook codebook_of(const NgramOrder& list) {
  Codebook result;
  fill_bins(list.prob, result.prob);
  std::vector<float> backoffs;
  std::copy_if(list.backoff.begin(), list.backoff.end(), std::back_inserter(backoffs),
               [](float value) { return value != 0; });
  fill_bins(std::move(backoffs), std::span(result.backoff).subspan(1));
  return result;
}

}  // namespace demotic::lm
