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

namespace {

// The distance feature of a jump over so many words.
double distance_value(int32_t words) noexcept {
  return Distortion::value(
      {.first_open = 0, .last_end = 0, .begin = words, .end = words, .early = false});
}

}  // namespace

void FutureJumps::build(const PhraseModel& model, const PhraseTranslationOptions& options,
                        std::span<const double> weights, bool early) {
  early_ = early;
  word_ = 0;
  if (!early)
    word_ = static_cast<float>(weights[model.features().number<Distortion>()] * distance_value(1));
  each_ = 0;
  for (const PhraseSpan& span : options.spans()) {
    const auto& backward = options[span.future].backward;
    const auto& forward = options.forward(options[span.future].forward);
    each_ += backward[kDiscontinuous] - backward[kMonotone];
    each_ += forward[kDiscontinuous] - forward[kMonotone];
  }
  if (!options.spans().empty()) each_ /= static_cast<float>(options.spans().size());
}

void FutureJumps::add_features(const PhraseModel& model, const PhraseTranslationOptions& options,
                               const Jumps& jumps, std::span<double> values) const {
  if (jumps.count == 0) return;
  if (!early_) values[model.features().number<Distortion>()] += distance_value(jumps.distance);
  const double share = jumps.count / static_cast<double>(options.spans().size());
  for (const PhraseSpan& span : options.spans()) {
    const RuleId rule = options[span.future].rule;
    const auto add = [&](Orientation orientation, double factor) {
      model.for_each_reordering_feature(
          rule, rule, {orientation, orientation},
          [&](int32_t feature, double value) { values[feature] += factor * value; });
    };
    add(kDiscontinuous, share);
    add(kMonotone, -share);
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
