#include "demotic/search/hiero_translation_options.h"

#include <algorithm>
#include <array>

namespace demotic::search {
HieroTranslationOptions::HieroTranslationOptions(const HieroModel& model,
                                                 std::span<const double> weights,
                                                 const HieroSearchOptions& options)
    : model_(model), ranker_(model, weights, options.rule_limit) {
  forget();
}

void HieroTranslationOptions::forget() {
  places_.clear();
  blocks_.clear();
  kept_.clear();
  prepared_.clear();
  copies_ = 0;
  lm().forget();
  kept_.push_back(glue_option(kGlueFirst));
  kept_.push_back(glue_option(kGlueNext));
}

void HieroTranslationOptions::reweigh(std::span<const double> weights) {
  ranker_.reweigh(weights);
  places_.clear();
  blocks_.clear();
  kept_.erase(kept_.begin() + 2, kept_.end());
  for (HieroTranslationOption& glue : kept_) glue.score = glue.estimate = glue_score(glue.rule);
}

float HieroTranslationOptions::glue_score(RuleId kind) const {
  return static_cast<float>(model_.rule_score(kind, 0, ranker_.weights()));
}

HieroTranslationOption HieroTranslationOptions::glue_option(RuleId kind) {
  const uint32_t gaps = kind == kGlueFirst ? 1 : 2;
  symbols_.clear();
  for (int32_t i = 0; i < model_.features().language_models(); ++i)
    for (uint32_t gap = 0; gap < gaps; ++gap) symbols_.push_back(gap_symbol(gap));
  const float score = glue_score(kind);
  return {kind, score, score, lm().prepare(symbols_, gaps)};
}

void HieroTranslationOptions::new_sentence(const SourceSentences& source, size_t sentence) {
  // Copied words of the sentence before stand behind what is kept, or among it: they take room,
  // but nobody refers to them.
  if (kept_.size() > kMaxKept || prepared_.size() + copies_ > kMaxPrepared) forget();
  lm().new_sentence();
  sparse().new_sentence();
  context_ = source.context(sentence);
  pair_ = source.pair(sentence);
  has_own_ = sparse() || pair_ >= 0;
  if (!has_own_) return;
  own_.assign(kept_.begin(), kept_.begin() + 2);
  own_blocks_.clear();
  begin_ = end_ = -1;
}

std::span<const HieroBlock> HieroTranslationOptions::of(TrieNode node, int32_t begin, int32_t end) {
  const Place kept = kept_of(node);
  if (!has_own_) return std::span(blocks_).subspan(kept.first, kept.count);
  enter(begin, end);
  const auto [place, fresh] = own_places_.insert(node);
  if (fresh) {
    place.first = static_cast<uint32_t>(own_blocks_.size());
    for (uint32_t i = 0; i < kept.count; ++i) add_own(blocks_[kept.first + i], begin, end);
    place.count = static_cast<uint32_t>(own_blocks_.size()) - place.first;
  }
  return std::span(own_blocks_).subspan(place.first, place.count);
}

HieroTranslationOptions::Place HieroTranslationOptions::kept_of(TrieNode node) {
  const auto [place, fresh] = places_.insert(node);
  if (!fresh) return place;
  const RuleRange range = model_.rules().rules(node);
  place.first = static_cast<uint32_t>(blocks_.size());
  rules_.resize(range.size());
  for (uint32_t i = 0; i < range.size(); ++i) rules_[i] = range.begin + i;
  const auto lhs_of = [&](RuleId rule) { return model_.rules().lhs(rule); };
  if (!std::ranges::is_sorted(rules_, {}, lhs_of)) std::ranges::stable_sort(rules_, {}, lhs_of);
  for (size_t i = 0; i < rules_.size();) {
    const int32_t lhs = lhs_of(rules_[i]);
    size_t end = i;
    while (end < rules_.size() && lhs_of(rules_[end]) == lhs) ++end;
    add_block(std::span(rules_).subspan(i, end - i), lhs);
    i = end;
  }
  place.count = static_cast<uint32_t>(blocks_.size()) - place.first;
  return place;
}

// The best of the rules, whatever the sentence is.
void HieroTranslationOptions::add_block(std::span<const RuleId> rules, int32_t lhs) {
  const std::span<const RankedRule> best = ranker_.best(rules);
  blocks_.push_back({lhs, static_cast<uint32_t>(kept_.size()), static_cast<uint32_t>(best.size())});
  model_.rules().prefetch_target(best[0].rule);  // used if any of them is
  for (const RankedRule& chosen : best)
    kept_.push_back({chosen.rule, chosen.score, chosen.estimate, {}});
}

void HieroTranslationOptions::prepare(HieroTranslationOption& option) {
  const auto [target, fresh] = prepared_.insert(option.rule);
  if (fresh) {
    const auto [symbols, length] = ranker_.lm_target(option.rule);
    target = lm().prepare(symbols, length);
  }
  option.target = target;
}

// Source sides that match one span in several ways share their options.
void HieroTranslationOptions::enter(int32_t begin, int32_t end) {
  if (begin == begin_ && end == end_) return;
  begin_ = begin;
  end_ = end;
  own_places_.clear();
  if (sparse()) around_ = sparse().span(context_, begin, end);
}

void HieroTranslationOptions::add_own(const HieroBlock& block, int32_t begin, int32_t end) {
  const size_t first = own_.size();
  for (uint32_t i = block.first; i < block.first + block.count; ++i)
    if (pair_ < 0 || model_.rules().only_sentence(kept_[i].rule) != pair_) own_.push_back(kept_[i]);
  const std::span<HieroTranslationOption> made = std::span(own_).subspan(first);
  if (made.empty()) return;
  if (sparse()) ranker_.add_sentence_features(made, context_, begin, end, around_);
  own_blocks_.push_back(
      {block.lhs, static_cast<uint32_t>(first), static_cast<uint32_t>(made.size())});
}

HieroBlock HieroTranslationOptions::copied(const SourceSentences& source, int32_t position,
                                           bool known) {
  symbols_.clear();
  for (int32_t i = 0; i < model_.features().language_models(); ++i)
    symbols_.push_back(source.lm_word(model_, i, context_.words[position]));
  const RuleId kind = known ? kKnownCopied : kUnknownCopied;
  HieroTranslationOption option{kind, ranker_.copy_score(kind, 1, context_, position), 0,
                                lm().prepare(symbols_, 1)};
  option.estimate = option.score + lm().context_free(option.target);
  std::vector<HieroTranslationOption>& options = has_own_ ? own_ : kept_;
  options.push_back(option);
  ++copies_;
  return {model_.nonterminal(), static_cast<uint32_t>(options.size() - 1), 1};
}

}  // namespace demotic::search
