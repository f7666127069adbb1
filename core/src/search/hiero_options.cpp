#include "demotic/search/hiero_options.h"

#include <algorithm>
#include <array>

namespace demotic {

HieroOptions::HieroOptions(const HieroModel& model, std::span<const double> weights,
                           const HieroSearchOptions& options)
    : model_(model),
      weights_(weights.begin(), weights.end()),
      limits_(options),
      lm_(model,
          weights.subspan(model.features().language_model(0), model.features().language_models)) {
  forget();
}

void HieroOptions::forget() {
  places_.clear();
  blocks_.clear();
  kept_.clear();
  lm_.forget({0, 0});
  const std::array<Symbol, 2> both{gap_symbol(0), gap_symbol(1)};
  const double glue = weights_[model_.features().glue()];
  kept_.push_back(glue_option(HieroOption::kGlueFirst, std::span(both).first(1), 0));
  kept_.push_back(glue_option(HieroOption::kGlueNext, both, glue));
}

HieroOption HieroOptions::glue_option(RuleId kind, std::span<const Symbol> target, double score) {
  symbols_.clear();
  for (int32_t i = 0; i < model_.features().language_models; ++i)
    symbols_.insert(symbols_.end(), target.begin(), target.end());
  const auto weighted = static_cast<float>(score);
  return {kind, weighted, weighted, lm_.prepare(symbols_, static_cast<uint32_t>(target.size()))};
}

void HieroOptions::new_sentence() {
  // Copied words of the sentence before stand behind what is kept, or among it: they take room,
  // but nobody refers to them.
  if (kept_.size() > kMaxKept) forget();
  lm_.new_sentence();
}

std::span<const HieroBlock> HieroOptions::of(TrieNode node) {
  const auto [place, fresh] = places_.insert(node);
  if (fresh) {
    const RuleRange range = model_.rules().rules(node);
    place.first = static_cast<uint32_t>(blocks_.size());
    std::vector<RuleId> rules(range.size());
    for (uint32_t i = 0; i < range.size(); ++i) rules[i] = range.begin + i;
    std::ranges::stable_sort(rules, {}, [&](RuleId rule) { return model_.rules().lhs(rule); });
    for (size_t i = 0; i < rules.size();) {
      const int32_t lhs = model_.rules().lhs(rules[i]);
      size_t end = i;
      while (end < rules.size() && model_.rules().lhs(rules[end]) == lhs) ++end;
      add_block(std::span(rules).subspan(i, end - i), lhs);
      i = end;
    }
    place.count = static_cast<uint32_t>(blocks_.size()) - place.first;
  }
  return std::span(blocks_).subspan(place.first, place.count);
}

void HieroOptions::add_block(std::span<const RuleId> rules, int32_t lhs) {
  const size_t first = kept_.size();
  const ChartLm::Mark words = lm_.prepared();
  for (const RuleId rule : rules) {
    kept_.push_back(option_of(rule));
    lm_.forget(words);  // most are not chosen
  }
  const auto begin = kept_.begin() + static_cast<ptrdiff_t>(first);
  const auto better = [](const HieroOption& a, const HieroOption& b) {
    return a.estimate != b.estimate ? a.estimate > b.estimate : a.rule < b.rule;
  };
  if (limits_.rule_limit > 0 && rules.size() > static_cast<size_t>(limits_.rule_limit)) {
    std::nth_element(begin, begin + limits_.rule_limit, kept_.end(), better);
    kept_.resize(first + limits_.rule_limit);
  }
  std::sort(begin, kept_.end(), better);
  for (size_t i = first; i < kept_.size(); ++i) kept_[i].target = prepare(kept_[i].rule);
  blocks_.push_back(
      {lhs, static_cast<uint32_t>(first), static_cast<uint32_t>(kept_.size() - first)});
}

ChartPhrase HieroOptions::prepare(RuleId rule) {
  const TargetSide target = model_.rules().target(rule);
  symbols_.clear();
  for (int32_t i = 0; i < model_.features().language_models; ++i)
    for (const Symbol symbol : target)
      symbols_.push_back(is_gap(symbol) ? symbol : model_.lm_word(i, symbol));
  return lm_.prepare(symbols_, static_cast<uint32_t>(target.size()));
}

HieroOption HieroOptions::option_of(RuleId rule) {
  const HieroFeatures& features = model_.features();
  const std::span<const float> scores = model_.rules().scores(rule);
  const TargetSide target = model_.rules().target(rule);
  double score = weights_[features.phrase_penalty()];
  for (const Symbol symbol : target)
    if (!is_gap(symbol)) score -= weights_[features.word_penalty()];
  for (size_t i = 0; i < scores.size(); ++i) score += weights_[i] * scores[i];
  HieroOption option{rule, static_cast<float>(score), 0, prepare(rule)};
  option.estimate = option.score + lm_.alone(option.target);
  check_estimate(rule, option.estimate);
  return option;
}

HieroBlock HieroOptions::copied(const SourceSentences& source, WordId word, bool known) {
  const HieroFeatures& features = model_.features();
  double score = weights_[features.pass_through()] - weights_[features.word_penalty()];
  if (!known) score += weights_[features.unknown_word()] * kUnknownWordValue;
  symbols_.clear();
  for (int32_t i = 0; i < features.language_models; ++i)
    symbols_.push_back(source.lm_word(model_, i, word));
  HieroOption option{known ? HieroOption::kPassedThrough : HieroOption::kCopied,
                     static_cast<float>(score), 0, lm_.prepare(symbols_, 1)};
  option.estimate = option.score + lm_.alone(option.target);
  kept_.push_back(option);
  return {model_.nonterminal(), static_cast<uint32_t>(kept_.size() - 1), 1};
}

}  // namespace demotic
