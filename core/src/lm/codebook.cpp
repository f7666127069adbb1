#include "demotic/lm/codebook.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace demotic::lm {
namespace {

// Fills `means` in ascending order; the last value is repeated if there are few values.
void fill_bins(std::vector<float> values, std::span<float> means) {
  if (values.empty()) return;
  std::sort(values.begin(), values.end());
  std::vector<float> distinct;
  std::unique_copy(values.begin(), values.end(), std::back_inserter(distinct));
  if (distinct.size() <= means.size()) {
    std::fill(std::copy(distinct.begin(), distinct.end(), means.begin()), means.end(),
              distinct.back());
    return;
  }
  for (size_t bin = 0; bin < means.size(); ++bin) {
    const auto begin = values.begin() + values.size() * bin / means.size();
    const auto end = values.begin() + values.size() * (bin + 1) / means.size();
    means[bin] =
        static_cast<float>(std::accumulate(begin, end, 0.0) / static_cast<double>(end - begin));
  }
}

uint32_t nearest(std::span<const float> values, float value) noexcept {
  const auto above = std::lower_bound(values.begin(), values.end(), value);
  const auto index = static_cast<uint32_t>(above - values.begin());
  if (above == values.begin()) return 0;
  if (above == values.end()) return index - 1;
  return value - above[-1] <= *above - value ? index - 1 : index;
}

}  // namespace

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
