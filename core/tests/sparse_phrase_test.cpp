// Phrase search with sparse features, held-out rules, sentence prefixes and changed weights,
// against an enumeration of all derivations, a model without the rules, and a new search.
#include <algorithm>
#include <cmath>

#include "demotic/search/candidates.h"
#include "demotic/search/phrase_steps.h"
#include "scratch.h"
#include "small_models.h"
#include "small_sparse.h"
#include "test.h"

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

std::vector<double> random_weights(Rng& rng, const PhraseModel& model) {
  std::vector<double> weights(model.features().size());
  for (double& weight : weights) weight = rng.uniform() - 0.3;
  weights[model.features().sparse()] = 0.5 + rng.uniform();
  return weights;
}

PhraseSearchOptions everything(Rng& rng) {
  PhraseSearchOptions options;
  options.beam_size = 1'000'000;
  options.cube_pruning = false;
  options.distortion_limit = static_cast<int32_t>(rng.below(4)) - 1;
  options.rule_limit = static_cast<int32_t>(rng.below(3));
  options.drop_unknown = rng.below(4) == 0;
  return options;
}

PhraseSearchOptions narrow(Rng& rng) {
  PhraseSearchOptions options;
  options.beam_size = static_cast<int32_t>(1 + rng.below(8));
  options.pop_limit = static_cast<int32_t>(1 + rng.below(20));
  options.rule_limit = 0;
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
    match_phrases(model_.rules(), context_.words, matches);
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

bool near(double a, double b) { return std::abs(a - b) <= 2e-4 * std::max(1.0, std::abs(b)); }

// All numbers of a search, to be compared bit by bit.
std::vector<float> numbers(const PhraseSearch& search) {
  std::vector<float> all{static_cast<float>(search.best())};
  for (const PhraseHypothesis& one : search.hypotheses())
    all.insert(all.end(), {one.score, one.total, static_cast<float>(one.parent()),
                           static_cast<float>(one.edge.option)});
  return all;
}

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
  const Scratch folder;
  Rng rng(2);
  for (uint64_t round = 0; round < 40; ++round) {
    const SparseModel made(round, static_cast<int>(round % 4), folder);
    const std::vector<double> weights = random_weights(rng, made.model);
    PhraseSearch search(made.model, weights, narrow(rng));
    const SourceSentences source(made.model, {sentence(rng, 12)});
    search.run(source, 0, false, kNever);
    std::vector<uint32_t> chain;
    derivation_of(search, search.best(), chain);
    std::vector<FeatureKey> keys;
    std::vector<double> values(weights.size());
    for (const uint32_t i : chain) {
      const PhraseSteps steps(made.model, search);
      steps.add_keys(search.hypotheses()[i].edge, i, keys);
      steps.add_features(search.hypotheses()[i].edge, i, values);
    }
    CHECK(near(made.sparse->sum(keys), values[made.model.features().sparse()]));
  }
}

TEST_CASE("leave-one-out phrases: equals a model without the held-out rules, with any threads") {
  const Scratch folder;
  Rng rng(3);
  for (uint64_t round = 0; round < 40; ++round) {
    const auto pair = static_cast<int32_t>(rng.below(4));
    const auto joint = static_cast<int>(round % 4);
    const SparseModel whole(round, joint, folder), reduced(round, joint, folder, pair);
    const std::vector<double> weights = random_weights(rng, whole.model);
    const PhraseSearchOptions options = narrow(rng);
    std::vector<std::string> lines;
    for (int i = 0; i < 8; ++i) lines.push_back(sentence(rng, static_cast<int>(rng.below(15))));
    const TrainingPairs same{{}, {}, std::vector<int32_t>(lines.size(), pair)};
    Progress progress;
    Searchers<PhraseKind> some(whole.model, weights, options), few(reduced.model, weights, options);
    const SourceSentences source(whole.model, lines, same), plain(reduced.model, lines);
    // Sentences without held-out rules in between must not matter.
    translate(some, SourceSentences(whole.model, lines), 1, kNever, progress);
    const Translations left = translate(some, source, 1, kNever, progress);
    const Translations expected = translate(few, plain, 1, kNever, progress);
    const Translations three = translate(some, source, 3, kNever, progress);
    CHECK(left.text == expected.text);
    CHECK(left.scores == expected.scores);
    CHECK(left.scores == three.scores && left.text == three.text);
  }
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
  const Scratch folder;
  Rng rng(5);
  for (uint64_t round = 0; round < 30; ++round) {
    const SparseModel made(round, static_cast<int>(round % 4), folder);
    const PhraseSearchOptions options = narrow(rng);
    std::vector<std::string> lines;
    std::vector<int32_t> pairs;
    for (int i = 0; i < 6; ++i) {
      lines.push_back(sentence(rng, static_cast<int>(rng.below(12))) + (i % 2 ? "?" : ""));
      pairs.push_back(static_cast<int32_t>(rng.below(5)) - 1);
    }
    const SourceSentences source(made.model, lines, {{}, {}, pairs});
    PhraseSearch kept(made.model, random_weights(rng, made.model), options);
    for (int epoch = 0; epoch < 3; ++epoch) {
      const std::vector<double> weights = random_weights(rng, made.model);
      made.sparse->reseed(rng.next());
      kept.reweigh(weights);
      PhraseSearch fresh(made.model, weights, options);
      for (size_t i = 0; i < lines.size(); ++i) {
        kept.run(source, i, true, kNever);
        fresh.run(source, i, true, kNever);
        CHECK(numbers(kept) == numbers(fresh));
      }
    }
    CHECK_THROWS_AS(kept.reweigh(std::vector<double>(2)), std::invalid_argument);
  }
}
