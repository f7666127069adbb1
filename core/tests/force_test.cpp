// Forced search against an enumeration of all derivations, with empty target sides; files of gold
// forests.
#include <algorithm>
#include <fstream>
#include <set>

#include "demotic/base/errors.h"
#include "demotic/base/rng.h"
#include "demotic/force/force_corpus.h"
#include "demotic/force/phrase_force.h"
#include "demotic/rules/rule_store_writer.h"
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
PhraseModel model(Rng& rng, const std::string& path) {
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

  bool left(RuleId rule) const { return pair < 0 || phrases.rules().only_sentence(rule) != pair; }

  void go(const std::vector<bool>& covered, int32_t last, size_t at, Derivation& done) {
    const auto size = static_cast<int32_t>(source.size());
    const auto first = static_cast<int32_t>(std::ranges::find(covered, false) - covered.begin());
    if (first == size) {
      if (at == reference.size()) found.insert(done);
      return;
    }
    const int32_t limit = options.distortion_limit < 0 ? size : options.distortion_limit;
    std::vector<RuleMatch> matches;
    match_phrases(phrases.rules(), source, matches);
    std::vector<bool> alone(size);
    for (const RuleMatch& match : matches)
      for (RuleId rule = match.rules.begin; rule < match.rules.end; ++rule) {
        if (!left(rule)) continue;
        if (match.end == match.begin + 1) alone[match.begin] = true;
        std::vector<Symbol> target;
        phrases.rules().target(rule, target);
        apply(covered, last, at, done, {rule, match.begin, match.end, target, limit, first});
      }
    for (int32_t word = 0; word < size; ++word)
      if (!alone[word])
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

}  // namespace

TEST_CASE("forced search: all derivations, also with empty target sides") {
  const test::Scratch folder;
  int reached = 0;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Rng rng(seed);
    const PhraseModel phrases = model(rng, folder / "rules");
    ForceOptions options;
    options.distortion_limit = static_cast<int32_t>(rng.below(5)) - 1;
    options.gap_test = rng.below(2);
    const auto pair = static_cast<int32_t>(rng.below(4)) - 1;
    const SourceSentences source(phrases, {sentence(rng, rng.below(5))},
                                 {{sentence(rng, rng.below(4))}, {}, {pair}});
    const ForcedResult result = PhraseForce(phrases, options).run(source, 0, kNever);
    Enumeration every{phrases, options, source[0], source.reference(0), pair};
    Derivation none;
    every.go(std::vector<bool>(source[0].size()), 0, 0, none);
    CHECK_EQ(result.reached == Reached::kWhole, !every.found.empty());
    CHECK_EQ(result.forests.size(), size_t{!every.found.empty()});
    if (every.found.empty()) continue;
    ++reached;
    const FoundForest& forest = result.forests[0];
    std::set<Derivation> found;
    collect(forest, static_cast<uint32_t>(forest.nodes.size()) - 1, none, found);
    CHECK(found == every.found);
    CHECK_EQ(count_derivations(forest), static_cast<double>(found.size()));
  }
  CHECK(reached > 60 && reached < 290);
}

TEST_CASE("gold forests: read back as written; a file with any changed byte is refused") {
  const test::Scratch folder;
  Rng rng(7);
  const PhraseModel phrases = model(rng, folder / "rules");
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
      force_corpus<PhraseForce>(phrases, ForceOptions{}, source, &writer, 2, kNever, progress);
  writer.commit();
  const GoldForests forests = GoldForests::open(path, true, kNever);
  CHECK_EQ(forests.size(), size_t(std::ranges::count(pairs.reached, uint8_t(Reached::kWhole))));
  PhraseForce search(phrases, {});
  for (size_t i = 0; i < forests.size(); ++i) {
    const GoldForest forest = forests[i];
    const FoundForest again = search.run(source, forest.pair, kNever).forests.at(0);
    CHECK(forest.whole);
    CHECK(std::ranges::equal(forest.edge_offsets, again.edge_offsets));
    CHECK(std::ranges::equal(forest.edges, again.edges, [](const GoldEdge& a, const GoldEdge& b) {
      return a.rule == b.rule && a.tails == b.tails && a.begin == b.begin && a.end == b.end;
    }));
    CHECK(std::ranges::equal(forest.nodes, again.nodes, [](const GoldNode& a, const GoldNode& b) {
      return a.source_begin == b.source_begin && a.source_end == b.source_end &&
             a.target_end == b.target_end;
    }));
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
