// Selects the rules of a source side that search may use: the best ones by an estimate, their
// weighted features plus the context-free language model score. The selection depends only on the
// model and the weights, not on the sentence. Also adds the sparse features that depend on the
// words of the sentence. Not thread-safe; use one instance per thread.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <span>
#include <vector>

#include "demotic/search/ranked_rules.h"
#include "demotic/search/search_model.h"
#include "demotic/search/sparse_sums.h"

namespace demotic::search {

template <typename Lm>  // PhraseLm or ChartLm
class RuleRanker {
 public:
  // At most `limit` rules per source side; 0 for no limit.
  RuleRanker(const SearchModel& model, std::span<const double> weights, int32_t limit)
      : model_(model),
        weights_(weights.begin(), weights.end()),
        limit_(limit),
        lm_(model, model.lm_part(weights)),
        sparse_(model.sparse()) {}

  std::span<const double> weights() const noexcept { return weights_; }
  Lm& lm() noexcept { return lm_; }
  SparseSums& sparse() noexcept { return sparse_; }

  // Changes the dense weights and reads the sparse ones again.
  void reweigh(std::span<const double> weights) {
    weights_.assign(weights.begin(), weights.end());
    lm_.reweigh(model_.lm_part(weights));
    sparse_.keep_keys();
    sparse_.new_sentence();
  }
  // Shares choices with other threads that use the same weights and limit.
  void share(SharedChoices& choices) noexcept { shared_ = &choices; }

  // The best of `rules`, which must be all rules of a source side with one left-hand side; best
  // first. Valid until the next call.
  std::span<const RankedRule> best(std::span<const RuleId> rules) {
    const bool shared = shared_ && rules.size() >= SharedChoices::kMinRules;
    if (!shared || !shared_->find(rules[0], ranked_)) {
      rank(rules);
      keep_best_rules(ranked_, limit_);
      if (shared) shared_->put(rules[0], ranked_);
    }
    return ranked_;
  }
  // Appends the options of the best rules of a source side without those seen only in the training
  // pair `pair` (-1: with all). They are held out before the cut, so that the next best take their
  // places. `kept` are the options of `best`; rules() lists all rules of the source side, and
  // option_of(RankedRule) makes an option.
  template <typename Option, typename Rules, typename Make>
  void append_without(int32_t pair, std::span<const Option> kept, std::vector<Option>& options,
                      Rules&& rules, Make&& option_of) {
    if (pair < 0) {
      options.insert(options.end(), kept.begin(), kept.end());
      return;
    }
    const auto held_out = [&](const auto& one) {
      return model_.rules().only_sentence(one.rule) == pair;
    };
    const bool may_be_cut = limit_ > 0 && kept.size() == static_cast<size_t>(limit_);
    if (!may_be_cut || std::ranges::none_of(kept, held_out)) {
      std::ranges::remove_copy_if(kept, std::back_inserter(options), held_out);
      return;
    }
    rank(rules());
    std::erase_if(ranked_, held_out);
    keep_best_rules(ranked_, limit_);
    for (const RankedRule& chosen : ranked_) options.push_back(option_of(chosen));
  }

  // A rule's target side in the word ids of each language model, one after the other, and its
  // number of symbols. Valid until the next call.
  std::pair<std::span<const Symbol>, uint32_t> lm_target(RuleId rule) {
    model_.rules().target(rule, target_);
    symbols_.clear();
    for (int32_t i = 0; i < model_.features().language_models(); ++i)
      for (const Symbol symbol : target_)
        symbols_.push_back(is_gap(symbol) ? symbol : model_.lm_word(i, symbol));
    return {symbols_, static_cast<uint32_t>(target_.size())};
  }

  // The score of a copied word, or of a dropped one (target_words 0), without sparse features.
  float dense_copy_score(RuleId kind, int32_t target_words) const {
    return static_cast<float>(model_.rule_score(kind, target_words, weights_));
  }
  // The same with sparse features.
  float copy_score(RuleId kind, int32_t target_words, const SentenceWords& sentence,
                   int32_t position) {
    double score = model_.rule_score(kind, target_words, weights_);
    if (sparse_)
      score +=
          weights_[model_.features().sparse()] * sparse_.span(sentence, position, position + 1);
    return static_cast<float>(score);
  }

  // The score of an option given by the user, with and without sparse features, which it has only
  // of its span.
  std::pair<float, float> given_scores(RuleId rule, double log_probability,
                                       const SentenceWords& sentence, int32_t begin, int32_t end) {
    const double dense = model_.rule_score(rule, given_words(rule), weights_, log_probability);
    const double sparse =
        sparse_ ? weights_[model_.features().sparse()] * sparse_.span(sentence, begin, end) : 0;
    return {static_cast<float>(dense + sparse), static_cast<float>(dense)};
  }

  // Adds the sparse features that depend on the words of a span, which may change the order.
  // `around` is the sum of those that do not depend on the rule. An Option has score, estimate and
  // rule.
  template <typename Option>
  void add_sentence_features(std::span<Option> options, const SentenceWords& sentence,
                             int32_t begin, int32_t end, double around) {
    const double weight = weights_[model_.features().sparse()];
    rules_.clear();
    for (const Option& option : options) rules_.push_back(option.rule);
    const float* mixed = sparse_.mixed(rules_, sentence, begin, end).data();
    for (Option& option : options) {
      const auto more = static_cast<float>(weight * (around + *mixed++));
      option.score += more;
      option.estimate += more;
      check_estimate(option.rule, option.estimate);
    }
    std::sort(options.begin(), options.end(), kBetterRule);
  }

  // Adds the sparse features of both a rule and its span to the options that may have some
  // (`mixed`), which may change the order.
  template <typename Option>
  void add_mixed_features(std::span<Option> options, const SentenceWords& sentence, int32_t begin,
                          int32_t end) {
    rules_.clear();
    for (const Option& option : options)
      if (option.mixed) rules_.push_back(option.rule);
    if (rules_.empty()) return;
    const double weight = weights_[model_.features().sparse()];
    const float* mixed = sparse_.mixed(rules_, sentence, begin, end).data();
    for (Option& option : options) {
      if (!option.mixed) continue;
      const auto more = static_cast<float>(weight * double{*mixed++});
      option.score += more;
      option.estimate += more;
      check_estimate(option.rule, option.estimate);
    }
    std::sort(options.begin(), options.end(), kBetterRule);
  }

 private:
  // Prefetch distance for target sides, in rules.
  static constexpr size_t kAhead = 8;

  void rank(std::span<const RuleId> rules) {
    ranked_.clear();
    const std::span<const float> sparse = sparse_ ? sparse_.rules(rules) : std::span<const float>();
    const auto prefetch = [&](size_t i) {
      if (i < rules.size() && !model_.context_free().knows(rules[i]))
        model_.rules().prefetch_target(rules[i]);
    };
    for (size_t i = 0; i < kAhead; ++i) prefetch(i);  // most lists are not longer
    for (size_t i = 0; i < rules.size(); ++i) {
      prefetch(i + kAhead);
      ranked_.push_back(ranked(rules[i], sparse_ ? sparse[i] : 0));
    }
  }

  RankedRule ranked(RuleId rule, float sparse) {
    std::array<float, SearchModel::kMaxLanguageModels> lm_scores;
    int32_t words = model_.context_free().find(rule, lm_scores);
    if (words < 0) words = score_context_free(rule, lm_scores);
    double sum = model_.rule_score(rule, words, weights_);
    const float lm_score = lm_.weighted(lm_scores);
    const float dense = static_cast<float>(sum) + lm_score;
    if (sparse_) sum += weights_[model_.features().sparse()] * sparse;
    const auto score = static_cast<float>(sum);
    const float estimate = score + lm_score;
    check_estimate(rule, estimate);
    return {estimate, score, dense, rule};
  }

  // Returns the number of words of a rule, and their score under each language model.
  int32_t score_context_free(RuleId rule, std::span<float> scores) {
    const auto [symbols, length] = lm_target(rule);
    lm_.score_context_free(symbols, length, scores);
    const auto words =
        static_cast<uint32_t>(std::ranges::count_if(target_, [](Symbol s) { return !is_gap(s); }));
    model_.context_free().put(rule, words, scores);
    return static_cast<int32_t>(words);
  }

  const SearchModel& model_;
  std::vector<double> weights_;
  const int32_t limit_;
  Lm lm_;
  SparseSums sparse_;
  SharedChoices* shared_ = nullptr;
  std::vector<RankedRule> ranked_;
  std::vector<Symbol> target_, symbols_;
  std::vector<RuleId> rules_;
};

}  // namespace demotic::search
