// Phrase search with sparse features, held-out rules, sentence prefixes and changed weights,
// against an enumeration of all derivations, a model without the rules, and a new search.
#include <algorithm>
#include <cmath>

#include "demotic/search/candidates.h"
#include "demotic/search/phrase_steps.h"
#include "sparse_contract.h"

namespace test = demotic::test;
using namespace demotic::all;
using namespace demotic::test;

namespace {

// A model with sparse features and weights. The same seed gives the same model, except for the
// rules of the sentence `without`.
struct SparseModel {
  std::shared_ptr<SmallWeights> sparse = std::make_shared<SmallWeights>();
  PhraseModel model;

  SparseModel(uint64_t seed, int joint, const Scratch& folder, int32_t without = -1)
      : SparseModel(Rng(seed), joint, folder / ("rules" + std::to_string(without)), without) {}

 private:
  SparseModel(Rng rng, int joint, const std::string& path, int32_t without)
      : model(with(rules(rng, path, without), rng, joint)) {}

  PhraseModel with(RuleStore store, Rng rng, int joint) {
    std::vector<LanguageModel> lms;
    for (uint64_t i = rng.below(3); i > 0; --i) lms.push_back(bigrams(rng));
    const Sparse part{std::make_shared<SmallFeatures>(store, joint), sparse};
    return PhraseModel(std::move(store), std::move(lms), words(), part);
  }
};

PhraseSearchOptions everything(Rng& rng) {
  PhraseSearchOptions options;
  options.beam_size = 1'000'000;
  options.cube_pruning = false;
  options.distortion_limit = static_cast<int32_t>(rng.below(4)) - 1;
  options.rule_limit = static_cast<int32_t>(rng.below(3));
  options.drop_unknown = rng.below(4) == 0;
  return options;
}

// The scores of all derivations of a sentence, each from scratch.
class Enumeration {
 public:
  Enumeration(const PhraseModel& model, std::span<const double> weights,
              const PhraseSearchOptions& options, const SourceSentences& source, size_t sentence)
      : model_(model),
        weights_(weights),
        options_(options),
        source_(source),
        context_(source.context(sentence)),
        whole_(source.whole(sentence)),
        used_(context_.words.size()) {
    find_phrases(source.pair(sentence));
    for (const LanguageModel& lm : model.language_models()) states_.push_back(lm.begin_state());
    extend(0, 0, kNoPast, states_);
    std::ranges::sort(scores, std::greater());
  }

  std::vector<double> scores;

 private:
  using States = std::vector<LmState>;
  struct Phrase {
    int32_t begin, end;
    RuleId rule;
    std::vector<WordId> words;
  };

  double sparse(auto&& add) const {
    std::vector<FeatureKey> keys;
    add(*model_.sparse().features, keys);
    double sum = 0;
    for (const FeatureKey key : keys) sum += model_.sparse().weights->weight(key);
    return weights_[model_.features().sparse()] * sum;
  }
  double said(const std::vector<WordId>& words, States& states) const {
    double sum = 0;
    for (const WordId word : words)
      for (size_t i = 0; i < states.size(); ++i)
        sum += weights_[model_.features().language_model(static_cast<int32_t>(i))] *
               model_.language_models()[i].score(
                   states[i], source_.lm_word(model_, static_cast<int32_t>(i), word), states[i]);
    return sum;
  }
  double rule_score(RuleId rule) const {
    const DenseLayout& features = model_.features();
    return weights_[0] * model_.rules().scores(rule)[0] +
           weights_[features.number<PhrasePenalty>()] -
           weights_[features.number<WordPenalty>()] *
               static_cast<double>(model_.rules().target(rule).size());
  }
  std::vector<WordId> target(RuleId rule) const {
    std::vector<WordId> words;
    for (const Symbol word : model_.rules().target(rule)) words.push_back(word);
    return words;
  }
  // The score that the rule limit uses; independent of the sentence.
  double estimate(RuleId rule) const {
    States states;
    for (const LanguageModel& lm : model_.language_models()) states.push_back(lm.empty_state());
    return rule_score(rule) + said(target(rule), states) +
           sparse([&](auto& features, auto& keys) { features.add_rule_keys(rule, keys); });
  }

  void find_phrases(int32_t pair) {
    std::vector<RuleMatch> matches;
    model_.rules().match(context_.words, matches);
    std::vector<bool> known(context_.words.size());
    for (const RuleMatch& match : matches) {
      std::vector<RuleId> chosen;
      for (RuleId rule = match.rules.begin; rule < match.rules.end; ++rule)
        if (pair < 0 || model_.rules().only_sentence(rule) != pair) chosen.push_back(rule);
      std::ranges::sort(chosen, std::greater(), [&](RuleId rule) { return estimate(rule); });
      if (options_.rule_limit > 0 && chosen.size() > size_t(options_.rule_limit))
        chosen.resize(options_.rule_limit);
      for (const RuleId rule : chosen) {
        phrases_.push_back({match.begin, match.end, rule, target(rule)});
        if (match.end == match.begin + 1) known[match.begin] = true;
      }
    }
    for (int32_t i = 0; i < static_cast<int32_t>(known.size()); ++i)
      if (!known[i])
        phrases_.push_back({i, i + 1, kNoRule,
                            options_.drop_unknown ? std::vector<WordId>{}
                                                  : std::vector<WordId>{context_.words[i]}});
  }

  double step(const Phrase& phrase, const SparseFeatures::Past& past) const {
    const DenseLayout& features = model_.features();
    const double local = sparse([&](auto& all, auto& keys) {
      all.add_span_keys(context_, phrase.begin, phrase.end, keys);
      if (phrase.rule == kNoRule) return;
      all.add_rule_keys(phrase.rule, keys);
      all.add_mixed_keys(phrase.rule, context_, phrase.begin, phrase.end, keys);
      all.add_joint_keys(past, phrase.rule, keys);
    });
    if (phrase.rule != kNoRule) return local + rule_score(phrase.rule);
    return local + weights_[features.number<UnknownWord>()] * UnknownWord::kValue -
           weights_[features.number<WordPenalty>()] * static_cast<double>(phrase.words.size());
  }

  bool allowed(const Phrase& phrase, int32_t last) const {
    for (int32_t i = phrase.begin; i < phrase.end; ++i)
      if (used_[i]) return false;
    const int32_t limit = options_.distortion_limit;
    if (limit < 0) return true;
    int32_t open = 0;
    while (open < phrase.begin && used_[open]) ++open;
    const bool reachable = open == phrase.begin || phrase.end - open <= limit;
    return std::abs(phrase.begin - last) <= limit && reachable;
  }

  void extend(int32_t last, double score, const SparseFeatures::Past& past, const States& states) {
    if (std::ranges::all_of(used_, std::identity())) {
      double end = 0;
      for (size_t i = 0; i < states.size() && whole_; ++i) {
        LmState after;
        end += weights_[model_.features().language_model(static_cast<int32_t>(i))] *
               model_.language_models()[i].score(states[i], kSentenceEnd, after);
      }
      scores.push_back(score + end);
      return;
    }
    for (const Phrase& phrase : phrases_) {
      if (!allowed(phrase, last)) continue;
      States next = states;
      const double more =
          step(phrase, past) + said(phrase.words, next) -
          weights_[model_.features().number<Distortion>()] * std::abs(phrase.begin - last);
      std::fill(used_.begin() + phrase.begin, used_.begin() + phrase.end, true);
      extend(phrase.end, score + more, past_after(past, phrase.rule, phrase.words), next);
      std::fill(used_.begin() + phrase.begin, used_.begin() + phrase.end, false);
    }
  }

  const PhraseModel& model_;
  std::span<const double> weights_;
  const PhraseSearchOptions& options_;
  const SourceSentences& source_;
  const SentenceWords context_;
  const bool whole_;
  std::vector<bool> used_;
  std::vector<Phrase> phrases_;
  States states_;
};

}  // namespace

TEST_CASE("sparse phrases: the derivations are those of an enumeration, for all options") {
  const Scratch folder;
  Rng rng(1);
  for (uint64_t round = 0; round < 200; ++round) {
    const SparseModel made(round, static_cast<int>(round % 4), folder);
    made.sparse->reseed(round);
    const std::vector<double> weights = random_weights(rng, made.model);
    const PhraseSearchOptions options = everything(rng);
    const auto length = static_cast<int32_t>(rng.below(7));
    const auto cut = static_cast<int32_t>(rng.below(length + 1));
    const SourceSentences source(made.model, {sentence(rng, length)},
                                 {{}, {rng.below(2) ? cut : length}, {int32_t(rng.below(5)) - 1}});
    const Enumeration oracle(made.model, weights, options, source, 0);
    Progress progress;
    const SearchedCandidates all =
        candidate_lists<PhraseKind>(made.model, options, {source, weights, 1},
                                    {.kbest = KBestOptions{1'000'000, false, 1'000'000}}, kNever,
                                    progress)
            .kbest;
    CHECK_EQ(all.scores.size(), oracle.scores.size());
    for (size_t i = 0; i < std::min(all.scores.size(), oracle.scores.size()); ++i)
      CHECK(near(all.scores[i], oracle.scores[i]));
    Searchers<PhraseKind> searchers(made.model, weights, options);
    const Translations best = translate(searchers, source, 1, kNever, progress);
    CHECK(near(best.scores[0], oracle.scores[0]));
    const auto records = record_searches<PhraseKind>(made.model, options, {source, weights, 1},
                                                     {RecordKind::kBins}, kNever, progress);
    CHECK(near(records[0].node_score.back(), oracle.scores[0]));
  }
}

TEST_CASE("sparse phrases: the sparse value of a derivation is the sum over its keys") {
  check_sparse_values<PhraseKind, SparseModel>();
}

TEST_CASE("leave-one-out phrases: equals a model without the held-out rules, with any threads") {
  check_leave_one_out<PhraseKind, SparseModel>();
}

TEST_CASE("prefixes: like a sentence that ends there, except for </s> and the word after it") {
  const Scratch folder;
  Rng rng(4);
  for (uint64_t round = 0; round < 20; ++round) {
    Rng same(round);
    RuleStore store = rules(same, folder / "rules");
    std::vector<LanguageModel> lms;
    lms.push_back(bigrams(same));
    const PhraseModel model(std::move(store), std::move(lms), words());
    std::vector<double> weights(model.features().size());
    for (double& weight : weights) weight = rng.uniform() - 0.3;
    const std::string first = sentence(rng, static_cast<int>(rng.below(6)));
    const auto length = static_cast<int32_t>(first.size() / 2);
    const SourceSentences cut(model, {first + sentence(rng, 1 + int(rng.below(4)))},
                              {{}, {length}, {}});
    const SourceSentences alone(model, {first});
    PhraseSearchOptions options = everything(rng);
    Progress progress;
    const KBestOptions all{1'000'000, false, 1'000'000};
    const auto open = candidate_lists<PhraseKind>(model, options, {cut, weights, 1}, {.kbest = all},
                                                  kNever, progress)
                          .kbest;
    const auto closed = candidate_lists<PhraseKind>(model, options, {alone, weights, 1},
                                                    {.kbest = all}, kNever, progress)
                            .kbest;
    CHECK_EQ(open.scores.size(), closed.scores.size());
    // Without </s> both lists have the same scores.
    std::vector<double> ended;
    for (size_t i = 0; i < open.scores.size(); ++i) {
      LmState state = model.language_models()[0].begin_state();
      for (const WordId word : open.words[i])
        model.language_models()[0].score(state, alone.lm_word(model, 0, word), state);
      ended.push_back(open.scores[i] +
                      weights[model.features().language_model(0)] *
                          model.language_models()[0].score(state, kSentenceEnd, state));
    }
    std::ranges::sort(ended, std::greater());
    for (size_t i = 0; i < std::min(ended.size(), closed.scores.size()); ++i)
      CHECK(near(ended[i], closed.scores[i]));
  }
}

TEST_CASE("new weights: a reweighted phrase search equals a new search, bit by bit") {
  check_reweighing<PhraseKind, SparseModel>();
}
