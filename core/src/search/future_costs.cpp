#include "demotic/search/future_costs.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace demotic::search {

void FutureCosts::build(const PhraseTranslationOptions& options, int32_t length, int32_t window) {
  length_ = length;
  window_ = std::min(window, length);
  const size_t stride = window_ + size_t{1};
  const Best none{-std::numeric_limits<float>::infinity(), 0};
  suffixes_.assign(length + size_t{1}, none);
  suffixes_[length] = {};
  table_.assign(length * stride, none);
  for (int32_t begin = length; begin-- > 0;) {
    Best* row = table_.data() + begin * stride;
    row[0] = {};
    for (const PhraseSpan& span : options.starting_at(begin)) {
      const float estimate = options[span.future].dense;
      const int32_t phrase = span.end - begin;
      const float whole = estimate + suffixes_[span.end].score;
      if (whole > suffixes_[begin].score) suffixes_[begin] = {whole, phrase};
      const Best* rest = table_.data() + span.end * stride;
      for (int32_t words = phrase; words <= window_ && begin + words < length; ++words) {
        const float score = estimate + rest[words - phrase].score;
        if (score > row[words].score) row[words] = {score, phrase};
      }
    }
  }
}

void UnknownPenalties::build(const PhraseTranslationOptions& options, int32_t length,
                             double penalty) {
  penalty_ = penalty;
  before_.assign(length + size_t{1}, 0);
  for (const int32_t position : options.unknown()) before_[position + 1] = 1;
  std::partial_sum(before_.begin(), before_.end(), before_.begin());
}

}  // namespace demotic::search
