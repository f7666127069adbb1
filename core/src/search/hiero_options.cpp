#include "demotic/search/hiero_options.h"

#include <algorithm>
#include <array>

namespace demotic::search {
namespace {

// How far ahead of the rule that is looked at target sides are fetched.
constexpr size_t kAhead = 8;

std::span<const double> lm_weights(const HieroModel& model, std::span<const double> weights) {
  return weights.subspan(model.features().language_model(0), model.features().language_models);
}

}  // namespace

HieroOptions::HieroOptions(const HieroModel& model, std::span<const double> weights,
                           const HieroSearchOptions& options)
    : model_(model),
      weights_(weights.begin(), weights.end()),
      limits_(options),
      lm_(model, lm_weights(model, weights)),
      sparse_(model.sparse()) {
  forget();
}

void HieroOptions::forget() {
  places_.clear();
  blocks_.clear();
  kept_.clear();
  prepared_.clear();
  copies_ = 0;
  lm_.forget();
  const std::array<Symbol, 2> both{gap_symbol(0), gap_symbol(1)};
  const double glue = weights_[model_.features().glue()];
  kept_.push_back(glue_option(HieroOption::kGlueFirst, std::span(both).first(1), 0));
  kept_.push_back(glue_option(HieroOption::kGlueNext, both, glue));
}

void HieroOptions::reweigh(std::span<const double> weights) {
  weights_.assign(weights.begin(), weights.end());
  lm_.reweigh(lm_weights(model_, weights));
  sparse_.keep_keys();
  sparse_.new_sentence();
  places_.clear();
  blocks_.clear();
  kept_.erase(kept_.begin() + 2, kept_.end());
  kept_[1].score = kept_[1].estimate = static_cast<float>(weights[model_.features().glue()]);
}

HieroOption HieroOptions::glue_option(RuleId kind, std::span<const Symbol> target, double score) {
  symbols_.clear();
  for (int32_t i = 0; i < model_.features().language_models; ++i)
    symbols_.insert(symbols_.end(), target.begin(), target.end());
  const auto weighted = static_cast<float>(score);
  return {kind, weighted, weighted, lm_.prepare(symbols_, static_cast<uint32_t>(target.size()))};
}

void HieroOptions::new_sentence(const SourceSentences& source, size_t sentence) {
  // Copied words of the sentence before stand behind what is kept, or among it: they take room,
  // but nobody refers to them.
  if (kept_.size() > kMaxKept || prepared_.size() + copies_ > kMaxPrepared) forget();
  lm_.new_sentence();
  sparse_.new_sentence();
  context_ = source.context(sentence);
  pair_ = source.pair(sentence);
  has_own_ = sparse_ || pair_ >= 0;
  if (!has_own_) return;
  own_.assign(kept_.begin(), kept_.begin() + 2);
  own_blocks_.clear();
  begin_ = end_ = -1;
}

std::span<const HieroBlock> HieroOptions::of(TrieNode node, int32_t begin, int32_t end) {
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

HieroOptions::Place HieroOptions::kept_of(TrieNode node) {
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
void HieroOptions::add_block(std::span<const RuleId> rules, int32_t lhs) {
  const bool shared = others_ && rules.size() >= SharedChoices::kFewest;
  if (!shared || !others_->find(rules[0], ranked_)) {
    rank(rules);
    if (shared) others_->put(rules[0], ranked_);
  }
  blocks_.push_back(
      {lhs, static_cast<uint32_t>(kept_.size()), static_cast<uint32_t>(ranked_.size())});
  model_.rules().prefetch_target(ranked_[0].rule);  // whatever is used, that is
  for (const RankedRule& chosen : ranked_)
    kept_.push_back({chosen.rule, chosen.score, chosen.estimate, {}});
}

void HieroOptions::rank(std::span<const RuleId> rules) {
  ranked_.clear();
  const std::span<const float> sparse = sparse_ ? sparse_.rules(rules) : std::span<const float>();
  for (size_t i = 0; i < rules.size(); ++i) {
    if (i + kAhead < rules.size() && !model_.alone().knows(rules[i + kAhead]))
      model_.rules().prefetch_target(rules[i + kAhead]);
    ranked_.push_back(ranked(rules[i], sparse_ ? sparse[i] : 0));
  }
  keep_best_rules(ranked_, limits_.rule_limit);
}

RankedRule HieroOptions::ranked(RuleId rule, float sparse) {
  const HieroFeatures& features = model_.features();
  const std::span<const float> scores = model_.rules().scores(rule);
  std::array<float, SearchModel::kMaxLanguageModels> alone;
  int32_t words = model_.alone().find(rule, alone);
  if (words < 0) words = score_alone(rule, alone);
  double sum = weights_[features.phrase_penalty()];
  for (int32_t i = 0; i < words; ++i) sum -= weights_[features.word_penalty()];
  for (size_t i = 0; i < scores.size(); ++i) sum += weights_[i] * scores[i];
  if (sparse_) sum += weights_[features.sparse()] * sparse;
  const auto score = static_cast<float>(sum);
  const float estimate = score + lm_.weighted(alone);
  check_estimate(rule, estimate);
  return {estimate, score, rule};
}

int32_t HieroOptions::score_alone(RuleId rule, std::span<float> scores) {
  const uint32_t length = read_target(rule);
  lm_.score_alone(symbols_, length, scores);
  uint32_t words = 0;
  for (uint32_t i = 0; i < length; ++i) words += !is_gap(target_[i]);
  model_.alone().put(rule, words, scores);
  return static_cast<int32_t>(words);
}

void HieroOptions::prepare(HieroOption& option) {
  const auto [target, fresh] = prepared_.insert(option.rule);
  if (fresh) {
    const uint32_t length = read_target(option.rule);
    target = lm_.prepare(symbols_, length);
  }
  option.target = target;
}

// The target side in the words of each language model; its length.
uint32_t HieroOptions::read_target(RuleId rule) {
  model_.rules().target(rule, target_);
  symbols_.clear();
  for (int32_t i = 0; i < model_.features().language_models; ++i)
    for (const Symbol symbol : target_)
      symbols_.push_back(is_gap(symbol) ? symbol : model_.lm_word(i, symbol));
  return static_cast<uint32_t>(target_.size());
}

// Source sides that match one span in several ways share their options.
void HieroOptions::enter(int32_t begin, int32_t end) {
  if (begin == begin_ && end == end_) return;
  begin_ = begin;
  end_ = end;
  own_places_.clear();
  if (sparse_) around_ = sparse_.span(context_, begin, end);
}

void HieroOptions::add_own(const HieroBlock& block, int32_t begin, int32_t end) {
  const size_t first = own_.size();
  for (uint32_t i = block.first; i < block.first + block.count; ++i)
    if (pair_ < 0 || model_.rules().only_sentence(kept_[i].rule) != pair_) own_.push_back(kept_[i]);
  const std::span<HieroOption> made = std::span(own_).subspan(first);
  if (made.empty()) return;
  if (sparse_) add_sparse(begin, end, made);
  own_blocks_.push_back(
      {block.lhs, static_cast<uint32_t>(first), static_cast<uint32_t>(made.size())});
}

// What sparse features say of the sentence's words, which may change the order.
void HieroOptions::add_sparse(int32_t begin, int32_t end, std::span<HieroOption> options) {
  const double weight = weights_[model_.features().sparse()];
  rules_.clear();
  for (const HieroOption& option : options) rules_.push_back(option.rule);
  const float* joined = sparse_.mixed(rules_, context_, begin, end).data();
  for (HieroOption& option : options) {
    const auto more = static_cast<float>(weight * (around_ + *joined++));
    option.score += more;
    option.estimate += more;
    check_estimate(option.rule, option.estimate);
  }
  std::sort(options.begin(), options.end(), kBetterRule);
}

HieroBlock HieroOptions::copied(const SourceSentences& source, int32_t position, bool known) {
  const HieroFeatures& features = model_.features();
  double score = weights_[features.pass_through()] - weights_[features.word_penalty()] +
                 weights_[features.phrase_penalty()] * model_.copied_phrase();
  if (!known) score += weights_[features.unknown_word()] * kUnknownWordValue;
  if (sparse_)
    score += weights_[features.sparse()] * sparse_.span(context_, position, position + 1);
  symbols_.clear();
  for (int32_t i = 0; i < features.language_models; ++i)
    symbols_.push_back(source.lm_word(model_, i, context_.words[position]));
  HieroOption option{known ? HieroOption::kPassedThrough : HieroOption::kCopied,
                     static_cast<float>(score), 0, lm_.prepare(symbols_, 1)};
  option.estimate = option.score + lm_.alone(option.target);
  std::vector<HieroOption>& options = has_own_ ? own_ : kept_;
  options.push_back(option);
  ++copies_;
  return {model_.nonterminal(), static_cast<uint32_t>(options.size() - 1), 1};
}

}  // namespace demotic::search
