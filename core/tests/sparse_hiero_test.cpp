// Hiero search with sparse features, held-out rules and changed weights, against an exhaustive
// parse, a model without the rules, and a new search.
#include <algorithm>
#include <cmath>
#include <map>

#include "demotic/base/errors.h"
#include "demotic/search/batch.h"
#include "demotic/search/hiero_steps.h"
#include "sparse_contract.h"

namespace test = demotic::test;
using namespace demotic::all;
using namespace demotic::test;

namespace {

Symbol letter(Rng& rng) { return kReservedWords + static_cast<WordId>(rng.below(kWords - 1)); }

// A random source side with up to two gaps of two labels, and a target side that may swap them.
std::pair<std::vector<Symbol>, std::vector<Symbol>> sides(Rng& rng) {
  std::vector<Symbol> source, target;
  const auto gaps = static_cast<int32_t>(rng.below(3));
  if (gaps == 0 || rng.below(2)) source.push_back(letter(rng));
  for (int32_t i = 0; i < gaps; ++i) {
    source.push_back(gap_symbol(static_cast<int32_t>(rng.below(2))));
    if (rng.below(2)) source.push_back(letter(rng));
    target.push_back(gap_symbol(i));
    if (rng.below(2)) target.push_back(letter(rng));
  }
  if (gaps == 0) target.push_back(letter(rng));
  if (rng.below(2)) std::ranges::reverse(target);
  return {source, target};
}

// Two of three rules occur in only one of four sentences; those of sentence `without` are omitted.
RuleStore grammar(Rng& rng, const std::string& path, int32_t without) {
  struct Drawn {
    uint32_t target;
    int32_t only, lhs;
    std::vector<float> scores;
  };
  std::vector<WordId> all(kWords);
  for (WordId i = 0; i < kWords; ++i) all[i] = kReservedWords + i;
  RuleStoreWriter writer(path, {"score"}, {"X", "Y"}, all);
  std::map<std::vector<Symbol>, std::vector<Drawn>> drawn;
  for (int i = 0; i < 30; ++i) {
    const auto [source, target] = sides(rng);
    // A model drops one of the rules X -> Y and Y -> X to avoid cycles, so there is only Y -> X
    // here.
    const bool unary = source.size() == 1 && is_gap(source[0]);
    if (unary && gap_index(source[0]) != 0) continue;
    const int32_t lhs = unary ? 1 : static_cast<int32_t>(rng.below(2));
    const int32_t only = rng.below(3) ? static_cast<int32_t>(rng.below(4)) : -1;
    drawn[source].push_back(
        {writer.add_target(target, 1), only, lhs, {static_cast<float>(-rng.uniform())}});
  }
  const std::vector<RuleLink> links;
  for (const auto& [source, rules] : drawn) {
    bool begun = false;
    for (const Drawn& rule : rules) {
      if (rule.only >= 0 && rule.only == without) continue;
      if (!std::exchange(begun, true)) writer.begin_source(source, 2);
      writer.add_rule(
          {rule.target, links, rule.only < 0 ? 2 : 1, rule.only, rule.lhs, rule.scores});
    }
  }
  writer.commit();
  return RuleStore::open(path, true, kNever);
}

struct SparseModel {
  std::shared_ptr<SmallWeights> sparse = std::make_shared<SmallWeights>();
  HieroModel model;

  SparseModel(uint64_t seed, int models, const Scratch& folder, int32_t without = -1)
      : SparseModel(Rng(seed), models, folder / ("rules" + std::to_string(without)), without) {}

 private:
  SparseModel(Rng rng, int models, const std::string& path, int32_t without)
      : model(with(grammar(rng, path, without), rng, models)) {}

  HieroModel with(RuleStore store, Rng rng, int models) {
    std::vector<LanguageModel> lms;
    for (int i = 0; i < models; ++i) lms.push_back(bigrams(rng));
    HieroGrammar settings;
    settings.pass_through_all = rng.below(3) == 0;
    const Sparse part{std::make_shared<SmallFeatures>(store), sparse};
    return HieroModel(std::move(store), std::move(lms), words(), settings, part);
  }
};

// The best score of a sentence without language models, by definition: every rule on every span.
class Parse {
 public:
  Parse(const HieroModel& model, std::span<const double> weights, int32_t rule_limit,
        const SourceSentences& source, size_t sentence)
      : model_(model),
        weights_(weights),
        rule_limit_(rule_limit),
        context_(source.context(sentence)),
        pair_(source.pair(sentence)) {}

  double best() {
    const double joined = glued(true, length());
    return std::isinf(joined) ? glued(false, length()) : joined;
  }

 private:
  int32_t length() const { return static_cast<int32_t>(context_.words.size()); }

  double glued(bool nonterminal_only, int32_t end) {
    if (end == 0) return 0;
    double best = -INFINITY;
    for (int32_t middle = 0; middle < end; ++middle)
      for (int32_t label = 0; label < model_.labels(); ++label) {
        if (nonterminal_only && label != model_.nonterminal()) continue;
        const double glue = middle > 0 ? weights_[model_.features().number<Glue>()] : 0;
        best = std::max(best, glued(nonterminal_only, middle) + glue + of(label, middle, end));
      }
    return best;
  }

  double of(int32_t label, int32_t begin, int32_t end) {
    const auto [found, fresh] = known_.try_emplace({label, begin, end}, -INFINITY);
    if (!fresh) return found->second;
    double best = -INFINITY;
    match(kTrieRoot, begin, begin, end, label, 0, best);
    if (end == begin + 1 && label == model_.nonterminal()) {
      const bool has_rules =
          !rules_of(model_.rules().child(kTrieRoot, context_.words[begin]), -1).empty();
      if (!has_rules || model_.pass_through_all()) best = std::max(best, copied(begin, has_rules));
    }
    return known_[{label, begin, end}] = best;
  }

  // Matches source sides below `node` to the rest of [begin, end); `tails` sums the gaps' scores.
  void match(TrieNode node, int32_t begin, int32_t at, int32_t end, int32_t label, double tails,
             double& best) {
    if (at == end) {
      for (const RuleId rule : rules_of(node, label))
        best = std::max(best, tails + rule_score(rule) + around(rule, begin, end));
      return;
    }
    if (const TrieNode child = model_.rules().child(node, context_.words[at]))
      match(child, begin, at + 1, end, label, tails, best);
    for (int32_t gap = 0; gap < model_.labels(); ++gap) {
      const TrieNode child = model_.rules().child(node, gap_symbol(gap));
      if (child == 0) continue;
      for (int32_t middle = at + 1; middle <= end; ++middle) {
        // A unary rule X -> Y over the whole span: only from lower to higher ranks.
        const bool whole = at == begin && middle == end;
        if (whole && model_.rank(label) <= model_.rank(gap)) continue;
        const double filled = of(gap, at, middle) + gap_score(middle - at);
        match(child, begin, middle, end, label, tails + filled, best);
      }
    }
  }

  // The best rules of a source side with this label (-1: any), of those that are not held out.
  std::vector<RuleId> rules_of(TrieNode node, int32_t label) const {
    std::vector<RuleId> kept;
    if (node == kTrieRoot || !model_.rules().has_rules(node)) return kept;
    const RuleRange range = model_.rules().rules(node);
    for (int32_t lhs = 0; lhs < model_.labels(); ++lhs) {
      if (label >= 0 && lhs != label) continue;
      std::vector<RuleId> chosen;
      for (RuleId rule = range.begin; rule < range.end; ++rule)
        if (model_.rules().lhs(rule) == lhs &&
            (pair_ < 0 || model_.rules().only_sentence(rule) != pair_))
          chosen.push_back(rule);
      std::ranges::sort(chosen, std::greater(), [&](RuleId rule) { return rule_score(rule); });
      if (rule_limit_ > 0 && chosen.size() > size_t(rule_limit_)) chosen.resize(rule_limit_);
      kept.insert(kept.end(), chosen.begin(), chosen.end());
    }
    return kept;
  }

  double weighted(const std::vector<FeatureKey>& keys) const {
    double sum = 0;
    for (const FeatureKey key : keys) sum += model_.sparse().weights->weight(key);
    return weights_[model_.features().sparse()] * sum;
  }
  double rule_score(RuleId rule) const {
    double score = weights_[model_.features().number<PhrasePenalty>()];
    for (const Symbol symbol : model_.rules().target(rule))
      score -= is_gap(symbol) ? 0 : weights_[model_.features().number<WordPenalty>()];
    std::vector<FeatureKey> keys;
    model_.sparse().features->add_rule_keys(rule, keys);
    return score + weights_[0] * model_.rules().scores(rule)[0] + weighted(keys);
  }
  // The rules have no links, so their gaps are in order.
  double gap_score(int32_t size) const {
    std::vector<FeatureKey> keys;
    model_.sparse().features->add_gap_keys(false, std::min(size, kMaxGapSize), keys);
    return weighted(keys);
  }
  double around(RuleId rule, int32_t begin, int32_t end) const {
    std::vector<FeatureKey> keys;
    model_.sparse().features->add_span_keys(context_, begin, end, keys);
    if (rule != kNoRule) model_.sparse().features->add_mixed_keys(rule, context_, begin, end, keys);
    return weighted(keys);
  }
  double copied(int32_t position, bool has_rules) const {
    const DenseLayout& features = model_.features();
    return weights_[features.number<PassThrough>()] - weights_[features.number<WordPenalty>()] +
           (has_rules ? 0 : weights_[features.number<UnknownWord>()] * UnknownWord::kValue) +
           around(kNoRule, position, position + 1);
  }

  const HieroModel& model_;
  std::span<const double> weights_;
  const int32_t rule_limit_;
  const SentenceWords context_;
  const int32_t pair_;
  std::map<std::array<int32_t, 3>, double> known_;
};

}  // namespace

TEST_CASE("sparse Hiero: the best score is that of an exhaustive parse") {
  const Scratch folder;
  Rng rng(1);
  for (uint64_t round = 0; round < 200; ++round) {
    const SparseModel made(round, 0, folder);
    made.sparse->reseed(round);
    const std::vector<double> weights = random_weights(rng, made.model);
    HieroSearchOptions options;
    options.beam_size = options.pop_limit = 1'000'000;
    options.span_limit = 0;
    options.rule_limit = static_cast<int32_t>(rng.below(3));
    const auto length = static_cast<int32_t>(1 + rng.below(7));
    const auto used = static_cast<int32_t>(1 + rng.below(length));
    const SourceSentences source(made.model, {sentence(rng, length)},
                                 {{}, {used}, {static_cast<int32_t>(rng.below(5)) - 1}});
    const double expected = Parse(made.model, weights, options.rule_limit, source, 0).best();
    Progress progress;
    Searchers<HieroKind> searchers(made.model, weights, options);
    CHECK(near(translate(searchers, source, 1, kNever, progress).scores[0], expected));
    const auto records = record_searches<HieroKind>(made.model, options, {source, weights, 1},
                                                    {RecordKind::kBins}, kNever, progress);
    CHECK(near(records[0].node_score.back(), expected));
  }
}

TEST_CASE("sparse Hiero: the sparse value of a derivation is the sum over its keys") {
  check_sparse_values<HieroKind, SparseModel>();
}

TEST_CASE("leave-one-out Hiero: equals a grammar without the held-out rules, with any threads") {
  check_leave_one_out<HieroKind, SparseModel>();
}

TEST_CASE("new weights: a reweighted Hiero search equals a new search, bit by bit") {
  check_reweighing<HieroKind, SparseModel>();
}

TEST_CASE("sparse Hiero: joint features are refused") {
  const Scratch folder;
  Rng rng(5);
  RuleStore store = grammar(rng, folder / "rules", -1);
  const Sparse joint{std::make_shared<SmallFeatures>(store, 1), std::make_shared<SmallWeights>()};
  CHECK_THROWS_AS(HieroModel(std::move(store), {}, words(), {}, joint), ModelError);
}
