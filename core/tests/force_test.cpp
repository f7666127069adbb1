// Forced decoding: phrases against the enumeration of all derivations, with empty target sides;
// promises of both kinds; the file of forests. Hiero forests are compared with an enumeration in
// tests/force/test_enumeration.py.
#include <algorithm>
#include <fstream>
#include <set>
#include <type_traits>

#include "demotic/base/errors.h"
#include "demotic/base/rng.h"
#include "demotic/force/force_corpus.h"
#include "demotic/rules/rule_store_writer.h"
#include "demotic/rules/rule_table.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

const StopFlag kNever;
constexpr WordId kWords = 3;

Vocabulary words() {
  VocabularyBuilder builder;
  for (WordId i = 0; i < kWords; ++i) builder.add(std::string(1, static_cast<char>('a' + i)));
  return builder.finish();
}

// Phrases of one and two words, each with an empty target side and some others.
PhraseModel phrase_model(Rng& rng, const std::string& path) {
  std::vector<WordId> all(kWords);
  for (WordId i = 0; i < kWords; ++i) all[i] = kReservedWords + i;
  RuleStoreWriter writer(path, {"score"}, {"X", "S"}, all);
  std::vector<uint32_t> targets = {writer.add_target(std::vector<Symbol>{}, 1)};
  for (const WordId first : all) {
    targets.push_back(writer.add_target(std::vector<Symbol>{first}, 1));
    for (const WordId second : all)
      targets.push_back(writer.add_target(std::vector<Symbol>{first, second}, 1));
  }
  const std::vector<RuleLink> links;
  const std::vector<float> score = {0};
  const auto add = [&](const std::vector<Symbol>& source) {
    writer.begin_source(source, 1);
    for (size_t i = 0; i < targets.size(); ++i)
      if (i == 0 || rng.below(4) == 0)
        writer.add_rule({targets[i], links, 1, static_cast<int32_t>(rng.below(3)), kLabelX, score});
  };
  for (size_t i = 0; i + 1 < all.size(); ++i) {
    add({all[i]});
    for (const WordId next : all)
      if (rng.below(2)) add({all[i], next});
  }
  writer.commit();
  return PhraseModel(RuleStore::open(path, true, kNever), {}, words());
}

std::string sentence(Rng& rng, int length) {
  std::string text;
  for (int i = 0; i < length; ++i) text += std::string(1, 'a' + rng.below(kWords)) + " ";
  return text;
}

using Step = std::array<uint32_t, 3>;  // rule, begin, end
using Derivation = std::vector<Step>;

// All derivations, by the definition of the search space.
struct Enumeration {
  const PhraseModel& phrases;
  const ForceOptions& options;
  std::span<const WordId> source, reference;
  int32_t pair;
  std::set<Derivation> found{};

  bool usable(RuleId rule) const { return pair < 0 || phrases.rules().only_sentence(rule) != pair; }

  void go(const std::vector<bool>& covered, int32_t last, size_t at, Derivation& done) {
    const auto size = static_cast<int32_t>(source.size());
    const auto first = static_cast<int32_t>(std::ranges::find(covered, false) - covered.begin());
    if (first == size) {
      if (at == reference.size()) found.insert(done);
      return;
    }
    const int32_t limit = options.distortion_limit < 0 ? size : options.distortion_limit;
    std::vector<RuleMatch> matches;
    phrases.rules().match(source, matches);
    std::vector<bool> has_own_rule(size);
    for (const RuleMatch& match : matches)
      for (RuleId rule = match.rules.begin; rule < match.rules.end; ++rule) {
        if (!usable(rule)) continue;
        if (match.end == match.begin + 1) has_own_rule[match.begin] = true;
        std::vector<Symbol> target;
        phrases.rules().target(rule, target);
        apply(covered, last, at, done, {rule, match.begin, match.end, target, limit, first});
      }
    for (int32_t word = 0; word < size; ++word)
      if (!has_own_rule[word])
        apply(covered, last, at, done, {kNoRule, word, word + 1, {source[word]}, limit, first});
  }

  struct Use {
    RuleId rule;
    int32_t begin, end;
    std::vector<Symbol> target;
    int32_t limit, first;
  };
  void apply(std::vector<bool> covered, int32_t last, size_t at, Derivation& done, const Use& use) {
    if (std::abs(use.begin - last) > use.limit) return;
    if (options.gap_test && use.begin != use.first && use.end > use.first + use.limit) return;
    if (std::any_of(covered.begin() + use.begin, covered.begin() + use.end, std::identity{}))
      return;
    if (use.target.size() > reference.size() - at ||
        !std::equal(use.target.begin(), use.target.end(), reference.begin() + at))
      return;
    std::fill(covered.begin() + use.begin, covered.begin() + use.end, true);
    done.push_back({use.rule, uint32_t(use.begin), uint32_t(use.end)});
    go(covered, use.end, at + use.target.size(), done);
    done.pop_back();
  }
};

void collect(const FoundForest& forest, uint32_t node, Derivation& rest,
             std::set<Derivation>& found) {
  if (node == 0) {
    found.insert(Derivation(rest.rbegin(), rest.rend()));
    return;
  }
  for (uint32_t e = forest.edge_offsets[node]; e < forest.edge_offsets[node + 1]; ++e) {
    const GoldEdge& edge = forest.edges[e];
    CHECK(edge.tails[0] < node);
    rest.push_back({edge.rule, edge.begin, edge.end});
    collect(forest, edge.tails[0], rest, found);
    rest.pop_back();
  }
}

HieroModel hiero_model(const std::vector<std::string>& rules, const std::string& path,
                       const std::string& goal = "") {
  VocabularyBuilder vocabulary;
  RuleTable table(vocabulary);
  Lines lines;
  for (const std::string& rule : rules) lines.append(rule + " ||| p=-1");
  read_table(table, TableFormat::kScfg, "grammar", "score_", 0)->add(lines, kNever);
  Progress progress;
  table.write(path, Duplicates::kKeepLast, kNever, progress);
  HieroGrammar grammar;
  grammar.goal = goal;
  return HieroModel(RuleStore::open(path, true, kNever), {}, vocabulary.finish(), grammar);
}

std::string letters(Rng& rng, uint64_t most) {
  std::string text;
  for (uint64_t k = rng.below(most + 1); k > 0; --k) text += rng.below(2) ? "a " : "b ";
  return text;
}

// Many derivations: any two neighbours, in both orders.
HieroModel hiero_model(Rng& rng, const std::string& path) {
  std::vector<std::string> rules{"[X] ||| [X,1] [X,2] ||| [X,1] [X,2]",
                                 "[X] ||| [X,1] [X,2] ||| [X,2] [X,1]", "[S] ||| [X,1] ||| [X,1]",
                                 "[S] ||| [S,1] [X,2] ||| [S,1] [X,2]"};
  for (int i = 0; i < 8; ++i)
    rules.push_back("[X] ||| a " + letters(rng, 1) + "||| " + letters(rng, 2));
  rules.push_back("[X] ||| b [X,1] ||| [X,1] " + letters(rng, 1));
  return hiero_model(rules, path, rng.below(2) ? "S" : "");
}

// Random models of each kind.
template <typename Kind>
typename Kind::Model random_model(Rng& rng, const std::string& path) {
  if constexpr (std::is_same_v<Kind, PhraseForcing>)
    return phrase_model(rng, path);
  else
    return hiero_model(rng, path);
}

template <typename Kind>
ForcedResult forced(const typename Kind::Model& model, const std::string& source,
                    const std::string& target, const ForceOptions& options = {}) {
  ForcedDecoder<Kind> decoder(model, options);
  return decoder.run(SourceSentences(model, {source}, {.references = {target}}), 0, kNever);
}

template <typename A, typename B>  // FoundForest or GoldForest
bool same(const A& a, const B& b) {
  const auto nodes = [](const GoldNode& x, const GoldNode& y) {
    return x.label == y.label && x.source_begin == y.source_begin && x.source_end == y.source_end &&
           x.target_begin == y.target_begin && x.target_end == y.target_end;
  };
  const auto edges = [](const GoldEdge& x, const GoldEdge& y) {
    return x.rule == y.rule && x.tails == y.tails && x.begin == y.begin && x.end == y.end;
  };
  return std::ranges::equal(a.nodes, b.nodes, nodes) &&
         std::ranges::equal(a.edge_offsets, b.edge_offsets) &&
         std::ranges::equal(a.edges, b.edges, edges);
}

bool same(const ForcedResult& a, const ForcedResult& b) {
  return a.outcome == b.outcome && a.cause == b.cause &&
         std::ranges::equal(a.forests, b.forests,
                            [](const FoundForest& x, const FoundForest& y) { return same(x, y); });
}

// Every node leads to the goal and, but for the start of phrases, has edges.
void check_forest(const FoundForest& forest, bool has_start) {
  CHECK_EQ(forest.edge_offsets.size(), forest.nodes.size() + 1);
  CHECK_EQ(forest.edge_offsets.back(), forest.edges.size());
  std::vector<bool> used(forest.nodes.size());
  used.back() = true;
  for (size_t node = forest.nodes.size(); node-- > 0;) {
    CHECK(used[node]);
    const uint32_t begin = forest.edge_offsets[node], end = forest.edge_offsets[node + 1];
    CHECK_EQ(begin == end, has_start && node == 0);
    for (uint32_t e = begin; e < end; ++e)
      for (const uint32_t tail : forest.edges[e].tails) {
        if (tail == kNoTail) continue;
        CHECK(tail < node);
        used[tail] = true;
      }
  }
  const GoldNode& goal = forest.nodes.back();
  CHECK_EQ(int32_t{goal.source_end}, forest.source_length);
  CHECK_EQ(int32_t{goal.target_end}, forest.target_length);
  CHECK(goal.target_begin == 0 && forest.whole);
}

template <typename Kind>
void check_random_models() {
  const test::Scratch folder;
  Rng rng(1);
  int reachable = 0;
  for (int round = 0; round < 60; ++round) {
    const auto model = random_model<Kind>(rng, folder / "rules");
    std::vector<std::string> sources, targets;
    for (int i = 0; i < 8; ++i)
      sources.push_back(letters(rng, 9)), targets.push_back(letters(rng, 9));
    const SourceSentences source(model, sources, {.references = targets});
    ForceOptions options;
    options.span_limit = options.distortion_limit = static_cast<int32_t>(rng.below(8));
    ForcedDecoder<Kind> kept(model, options);
    for (size_t i = 0; i < source.size(); ++i) {
      const ForcedResult result = kept.run(source, i, kNever);
      CHECK(same(result, ForcedDecoder<Kind>(model, options).run(source, i, kNever)));
      if (result.forests.empty()) continue;
      check_forest(result.forests[0], std::is_same_v<Kind, PhraseForcing>);
      ++reachable;
    }
  }
  CHECK(reachable > 50);
}

template <typename Kind>
void check_cut_short(const typename Kind::Model& model) {
  const SourceSentences source(model, {"a a a a a a", "a a"},
                               {.references = {"b b b b b b", "b b"}});
  ForcedDecoder<Kind> small(model, {.max_nodes = 5}), large(model, {});
  CHECK(small.run(source, 0, kNever).outcome == Outcome::kUndecided);
  StopFlag stop;
  stop.raise();
  CHECK_THROWS_AS(large.run(source, 0, stop), Interrupted);
  const ForcedResult fresh = forced<Kind>(model, "a a", "b b");
  CHECK(fresh.outcome == Outcome::kReachable);
  CHECK(same(large.run(source, 1, kNever), fresh));
}

}  // namespace

TEST_CASE("forced decoding, phrases: all derivations, also with empty target sides") {
  const test::Scratch folder;
  int reachable = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const PhraseModel phrases = phrase_model(rng, folder / "rules");
    ForceOptions options;
    options.distortion_limit = static_cast<int32_t>(rng.below(5)) - 1;
    options.gap_test = rng.below(2);
    const auto pair = static_cast<int32_t>(rng.below(4)) - 1;
    const SourceSentences source(phrases, {sentence(rng, rng.below(5))},
                                 {{sentence(rng, rng.below(4))}, {}, {pair}});
    const ForcedResult result =
        ForcedDecoder<PhraseForcing>(phrases, options).run(source, 0, kNever);
    Enumeration every{phrases, options, source[0], source.reference(0), pair};
    Derivation none;
    every.go(std::vector<bool>(source[0].size()), 0, 0, none);
    CHECK_EQ(result.outcome == Outcome::kReachable, !every.found.empty());
    CHECK_EQ(result.forests.size(), size_t{!every.found.empty()});
    if (every.found.empty()) continue;
    ++reachable;
    const FoundForest& forest = result.forests[0];
    std::set<Derivation> found;
    collect(forest, static_cast<uint32_t>(forest.nodes.size()) - 1, none, found);
    CHECK(found == every.found);
    CHECK_EQ(count_derivations(forest), static_cast<double>(found.size()));
  }
  CHECK(reachable > 60 && reachable < 290);
}

TEST_CASE("forced decoding, Hiero: the example of Zhao et al., and causes") {
  const test::Scratch folder;
  const HieroModel model = hiero_model(
      {"[X] ||| bushi ||| Bush", "[X] ||| shalong ||| Sharon", "[X] ||| huitan ||| a meeting",
       "[X] ||| yu [X,1] juxing [X,2] ||| held [X,2] with [X,1]"},
      folder / "rules");
  const auto run = forced<HieroForcing>;
  const ForcedResult result =
      run(model, "bushi yu shalong juxing huitan", "Bush held a meeting with Sharon", {});
  CHECK(result.outcome == Outcome::kReachable);
  const FoundForest& forest = result.forests[0];
  check_forest(forest, false);
  CHECK_EQ(forest.nodes.size(), size_t{6});
  CHECK_EQ(forest.edges.size(), size_t{6});
  CHECK(forest.edges.back().rule == kGlueNext);
  const GoldNode& held = forest.nodes[forest.edges.back().tails[1]];
  CHECK(held.source_begin == 1 && held.source_end == 5);
  CHECK(held.target_begin == 1 && held.target_end == 6);
  CHECK(run(model, "bushi yu shalong", "Bush held a", {}).cause == Cause::kUncoveredWord);
  CHECK(run(model, "bushi bushi who", "Bush Bush", {}).cause == Cause::kUnknownWord);
  CHECK(run(model, "bushi bushi who", "Bush Bush who", {}).outcome == Outcome::kReachable);
  CHECK(run(model, "shalong bushi", "Bush Sharon", {}).cause == Cause::kOther);
  CHECK(run(model, "yu shalong juxing huitan", "held a meeting with Sharon", {.span_limit = 3})
            .cause == Cause::kLimit);
}

TEST_CASE("forced decoding: forests are well formed, whatever was decoded before") {
  check_random_models<PhraseForcing>();
  check_random_models<HieroForcing>();
}

TEST_CASE("forced decoding: a search that is cut short leaves nothing behind") {
  const test::Scratch folder;
  const HieroModel hiero =
      hiero_model({"[X] ||| a ||| b", "[X] ||| [X,1] [X,2] ||| [X,1] [X,2]"}, folder / "hiero");
  check_cut_short<HieroForcing>(hiero);
  check_cut_short<PhraseForcing>(
      PhraseModel(RuleStore::open(folder / "hiero", true, kNever), {}, hiero.vocabulary()));
}

TEST_CASE("gold forests: read back as written; a file with any changed byte is refused") {
  const test::Scratch folder;
  Rng rng(7);
  const PhraseModel phrases = phrase_model(rng, folder / "rules");
  std::vector<std::string> lines, references;
  for (int i = 0; i < 40; ++i) {
    lines.push_back(sentence(rng, 3));
    references.push_back(sentence(rng, 1 + rng.below(4)));
  }
  const SourceSentences source(phrases, lines, {references, {}, {}});
  const std::string path = folder / "gold";
  Progress progress;
  GoldForestsWriter writer(path, phrases.rules().size());
  const ForcedPairs pairs =
      force_corpus<PhraseForcing>(phrases, ForceOptions{}, source, &writer, 2, kNever, progress);
  writer.commit();
  const GoldForests forests = GoldForests::open(path, true, kNever);
  CHECK_EQ(forests.size(), size_t(std::ranges::count(pairs.outcome, uint8_t(Outcome::kReachable))));
  ForcedDecoder<PhraseForcing> decoder(phrases, {});
  for (size_t i = 0; i < forests.size(); ++i) {
    const GoldForest forest = forests[i];
    CHECK(forest.whole);
    CHECK(same(forest, decoder.run(source, forest.pair, kNever).forests.at(0)));
  }
  std::ifstream in(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  for (int round = 0; round < 300; ++round) {
    std::string changed = bytes;
    changed[rng.below(changed.size())] ^= static_cast<char>(1 + rng.below(255));
    std::ofstream(folder / "bad", std::ios::binary) << changed;
    CHECK_THROWS_AS(GoldForests::open(folder / "bad", true, kNever), Error);
  }
}

TEST_CASE("gold forests: pairs out of order are refused") {
  const test::Scratch folder;
  GoldForestsWriter writer(folder / "gold", 1);
  FoundForest forest;
  forest.nodes.resize(1);
  forest.edge_offsets = {0, 0};
  writer.add(2, forest);
  CHECK_THROWS_AS(writer.add(1, forest), std::invalid_argument);
}
