#include "demotic/search/hiero_translation_options.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace demotic::search {
HieroTranslationOptions::HieroTranslationOptions(const HieroModel& model,
                                                 std::span<const double> weights,
                                                 const HieroSearchOptions& options)
    : model_(model), ranker_(model, weights, options.rule_limit) {
  forget();
}

void HieroTranslationOptions::forget() {
  ranges_.clear();
  blocks_.clear();
  cached_.clear();
  prepared_.clear();
  reordered_gaps_.clear();
  copies_ = 0;
  lm().forget();
  cached_.push_back(glue_option(kGlueFirst));
  cached_.push_back(glue_option(kGlueNext));
}

void HieroTranslationOptions::reweigh(std::span<const double> weights) {
  ranker_.reweigh(weights);
  ranges_.clear();
  blocks_.clear();
  cached_.erase(cached_.begin() + 2, cached_.end());
  for (HieroTranslationOption& glue : cached_) glue.score = glue.estimate = glue_score(glue.rule);
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
  if (cached_.size() > kMaxCached || prepared_.size() + copies_ > kMaxPrepared) forget();
  lm().new_sentence();
  sparse().new_sentence();
  context_ = source.context(sentence);
  pair_ = source.pair(sentence);
  sentence_options_.clear();
  sentence_blocks_.clear();
  begin_ = end_ = -1;
}

float HieroTranslationOptions::span_score(int32_t begin, int32_t end) {
  if (!sparse()) return 0;
  const double weight = ranker_.weights()[model_.features().sparse()];
  return static_cast<float>(weight * double{sparse().span(context_, begin, end)});
}

// Whether a rule is held out for the sentence.
bool HieroTranslationOptions::holds_out(const BlockRange& range) const {
  return pair_ >= 0 &&
         std::ranges::any_of(options_of(range), [&](const HieroTranslationOption& option) {
           return model_.rules().only_sentence(option.rule) == pair_;
         });
}

// The cached options of all blocks, which are adjacent.
std::span<const HieroTranslationOption> HieroTranslationOptions::options_of(
    const BlockRange& range) const {
  if (range.count == 0) return {};
  const HieroBlock &first = blocks_[range.first], &last = blocks_[range.first + range.count - 1];
  return std::span(cached_).subspan(first.first, last.first + last.count - first.first);
}

std::span<const HieroBlock> HieroTranslationOptions::of(TrieNode node, int32_t begin, int32_t end) {
  const BlockRange kept = cached_blocks(node);
  if (!kept.mixed && !holds_out(kept)) return std::span(blocks_).subspan(kept.first, kept.count);
  enter_span(begin, end);
  const auto [place, fresh] = sentence_ranges_.insert(node);
  if (fresh) {
    place.first = static_cast<uint32_t>(sentence_blocks_.size());
    for (uint32_t i = 0; i < kept.count; ++i)
      add_sentence_block(node, blocks_[kept.first + i], begin, end);
    place.count = static_cast<uint32_t>(sentence_blocks_.size()) - place.first;
  }
  return std::span(sentence_blocks_).subspan(place.first, place.count);
}

HieroTranslationOptions::BlockRange HieroTranslationOptions::cached_blocks(TrieNode node) {
  const auto [place, fresh] = ranges_.insert(node);
  if (!fresh) return place;
  list_rules(node);
  place.first = static_cast<uint32_t>(blocks_.size());
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
  place.mixed = std::ranges::any_of(options_of(place), &HieroTranslationOption::mixed);
  return place;
}

void HieroTranslationOptions::list_rules(TrieNode node) {
  const RuleRange range = model_.rules().rules(node);
  rules_.resize(range.size());
  std::iota(rules_.begin(), rules_.end(), range.begin);
}

HieroTranslationOption HieroTranslationOptions::option_of(const RankedRule& chosen) {
  const bool mixed = sparse() && sparse().features().has_mixed(chosen.rule);
  return {chosen.rule, chosen.score, chosen.estimate, {}, mixed};
}

// The best of the rules, independent of the sentence.
void HieroTranslationOptions::add_block(std::span<const RuleId> rules, int32_t lhs) {
  const std::span<const RankedRule> best = ranker_.best(rules);
  blocks_.push_back(
      {lhs, static_cast<uint32_t>(cached_.size()), static_cast<uint32_t>(best.size())});
  model_.rules().prefetch_target(best[0].rule);  // needed if any of the rules is used
  for (const RankedRule& chosen : best) cached_.push_back(option_of(chosen));
}

void HieroTranslationOptions::prepare(HieroTranslationOption& option) {
  const auto [target, fresh] = prepared_.insert(option.rule);
  if (fresh) {
    const auto [symbols, length] = ranker_.lm_target(option.rule);
    target = lm().prepare(symbols, length);
    if (model_.has_gap_features()) {
      reordered_gaps_.resize(target.number + size_t{1});  // copied words and glue have numbers too
      reordered_gaps_[target.number] = model_.rules().reordered_gaps(option.rule);
    }
  }
  option.target = target;
}

// Source sides that match one span in several ways share their options.
void HieroTranslationOptions::enter_span(int32_t begin, int32_t end) {
  if (begin == begin_ && end == end_) return;
  begin_ = begin;
  end_ = end;
  sentence_ranges_.clear();
}

// The best rules of a block without those held out for the sentence.
void HieroTranslationOptions::add_options(TrieNode node, const HieroBlock& block) {
  const auto with_label = [&]() -> std::span<const RuleId> {
    list_rules(node);
    std::erase_if(rules_, [&](RuleId rule) { return model_.rules().lhs(rule) != block.lhs; });
    return rules_;
  };
  ranker_.append_without(
      pair_, std::span<const HieroTranslationOption>(cached_).subspan(block.first, block.count),
      sentence_options_, with_label, [&](const RankedRule& chosen) { return option_of(chosen); });
}

void HieroTranslationOptions::add_sentence_block(TrieNode node, const HieroBlock& block,
                                                 int32_t begin, int32_t end) {
  const uint32_t first = next_own();
  add_options(node, block);
  const std::span<HieroTranslationOption> made =
      std::span(sentence_options_).subspan(first - kOfSentence);
  if (made.empty()) return;
  if (sparse()) ranker_.add_mixed_features(made, context_, begin, end);
  sentence_blocks_.push_back({block.lhs, first, static_cast<uint32_t>(made.size())});
}

HieroBlock HieroTranslationOptions::given(const SourceSentences& source,
                                          const SentenceConstraints& constraints,
                                          const SentenceConstraints::OnSpan& one) {
  const uint32_t first = next_own();
  for (uint32_t number = one.first; number < one.first + one.count; ++number) {
    const std::span<const WordId> words = constraints.target(number);
    symbols_.clear();
    for (int32_t i = 0; i < model_.features().language_models(); ++i)
      for (const WordId word : words) symbols_.push_back(source.lm_word(model_, i, word));
    HieroTranslationOption option{constraints.rule(number), 0, 0, {}};
    option.score = ranker_
                       .given_scores(option.rule, constraints.log_probability(number), context_,
                                     one.span.begin, one.span.end)
                       .second;
    option.target = lm().prepare(symbols_, static_cast<uint32_t>(words.size()));
    option.estimate = option.score + lm().context_free(option.target);
    sentence_options_.push_back(option);
    ++copies_;
  }
  std::sort(sentence_options_.begin() + (first - kOfSentence), sentence_options_.end(),
            kBetterRule);
  return {model_.nonterminal(), first, one.count};
}

HieroBlock HieroTranslationOptions::copied(const SourceSentences& source, int32_t position,
                                           bool known) {
  symbols_.clear();
  for (int32_t i = 0; i < model_.features().language_models(); ++i)
    symbols_.push_back(source.lm_word(model_, i, context_.words[position]));
  const RuleId kind = known ? kKnownCopied : kUnknownCopied;
  HieroTranslationOption option{kind, ranker_.dense_copy_score(kind, 1), 0,
                                lm().prepare(symbols_, 1)};
  option.estimate = option.score + lm().context_free(option.target);
  sentence_options_.push_back(option);
  ++copies_;
  return {model_.nonterminal(), next_own() - 1, 1};
}

}  // namespace demotic::search
