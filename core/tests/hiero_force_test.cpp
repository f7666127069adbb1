// Forced Hiero search: small cases by hand; forests of random grammars are well formed and do not
// depend on earlier sentences. tests/search/test_hiero_force.py compares their contents with an
// enumeration.
#include "demotic/force/hiero_force.h"

#include <algorithm>

#include "demotic/base/rng.h"
#include "demotic/rules/rule_table.h"
#include "demotic/search/hiero_translation_options.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

const StopFlag kNever;

HieroModel model(const std::vector<std::string>& rules, const std::string& path,
                 const std::string& goal = "") {
  VocabularyBuilder words;
  RuleTable table(words);
  Lines lines;
  for (const std::string& rule : rules) lines.append(rule + " ||| p=-1");
  read_table(table, TableFormat::kScfg, "grammar", "score_", 0)->add(lines, kNever);
  Progress progress;
  table.write(path, Duplicates::kKeepLast, kNever, progress);
  HieroGrammar grammar;
  grammar.goal = goal;
  return HieroModel(RuleStore::open(path, true, kNever), {}, words.finish(), grammar);
}

ForcedResult forced(const HieroModel& made, const std::string& source, const std::string& target,
                    const ForceOptions& options = {}) {
  HieroForce force(made, options);
  return force.run(SourceSentences(made, {source}, {.references = {target}}), 0, kNever);
}

bool same(const FoundForest& a, const FoundForest& b) {
  const auto nodes = [](const GoldNode& x, const GoldNode& y) {
    return x.label == y.label && x.source_begin == y.source_begin && x.source_end == y.source_end &&
           x.target_begin == y.target_begin && x.target_end == y.target_end;
  };
  const auto edges = [](const GoldEdge& x, const GoldEdge& y) {
    return x.rule == y.rule && x.tails == y.tails && x.begin == y.begin && x.end == y.end;
  };
  return std::ranges::equal(a.nodes, b.nodes, nodes) && a.edge_offsets == b.edge_offsets &&
         std::ranges::equal(a.edges, b.edges, edges);
}

void check_forest(const FoundForest& forest) {
  CHECK_EQ(forest.edge_offsets.size(), forest.nodes.size() + 1);
  CHECK_EQ(forest.edge_offsets.back(), forest.edges.size());
  std::vector<bool> used(forest.nodes.size());
  used.back() = true;
  for (size_t node = forest.nodes.size(); node-- > 0;) {
    CHECK(used[node]);
    CHECK(forest.edge_offsets[node] < forest.edge_offsets[node + 1]);
    for (uint32_t e = forest.edge_offsets[node]; e < forest.edge_offsets[node + 1]; ++e)
      for (const uint32_t tail : forest.edges[e].tails) {
        if (tail == kNone) continue;
        CHECK(tail < node);
        used[tail] = true;
      }
  }
  const GoldNode& goal = forest.nodes.back();
  CHECK_EQ(int32_t{goal.source_end}, forest.source_length);
  CHECK_EQ(int32_t{goal.target_end}, forest.target_length);
  CHECK(goal.source_begin == 0 && goal.target_begin == 0 && forest.whole);
}

std::string letters(Rng& rng, uint64_t most, uint64_t kinds) {
  std::string text;
  for (uint64_t k = rng.below(most + 1); k > 0; --k)
    text += std::string(1, static_cast<char>('a' + rng.below(kinds))) + " ";
  return text;
}

// Many derivations: all words and pairs, in both orders.
std::vector<std::string> dense_grammar(Rng& rng) {
  std::vector<std::string> rules{"[X] ||| [X,1] [X,2] ||| [X,1] [X,2]",
                                 "[X] ||| [X,1] [X,2] ||| [X,2] [X,1]", "[S] ||| [X,1] ||| [X,1]",
                                 "[S] ||| [S,1] [X,2] ||| [S,1] [X,2]"};
  for (int i = 0; i < 8; ++i)
    rules.push_back("[X] ||| a " + letters(rng, 1, 2) + "||| " + letters(rng, 2, 2));
  rules.push_back("[X] ||| b [X,1] ||| [X,1] " + letters(rng, 1, 2));
  return rules;
}

}  // namespace

TEST_CASE(
    "hiero force: the example of Zhao et al. 2014, with the reference that fits its indices") {
  const test::Scratch folder;
  const HieroModel made =
      model({"[X] ||| bushi ||| Bush", "[X] ||| shalong ||| Sharon", "[X] ||| huitan ||| a meeting",
             "[X] ||| yu [X,1] juxing [X,2] ||| held [X,2] with [X,1]"},
            folder / "rules");
  const ForcedResult result =
      forced(made, "bushi yu shalong juxing huitan", "Bush held a meeting with Sharon");
  CHECK(result.reached == Reached::kWhole);
  const FoundForest& forest = result.forests[0];
  check_forest(forest);
  CHECK_EQ(forest.nodes.size(), size_t{6});
  CHECK_EQ(forest.edges.size(), size_t{6});
  CHECK(forest.edges.back().rule == kGlueNext);
  const GoldNode& held = forest.nodes[forest.edges.back().tails[1]];
  CHECK(held.source_begin == 1 && held.source_end == 5);
  CHECK(held.target_begin == 1 && held.target_end == 6);
  CHECK(forced(made, "bushi yu shalong", "Bush held a").cause == Cause::kUncoveredWord);
  CHECK(forced(made, "bushi bushi who", "Bush Bush").cause == Cause::kUnknownWord);
  CHECK(forced(made, "bushi bushi who", "Bush Bush who").reached == Reached::kWhole);
  CHECK(forced(made, "shalong bushi", "Bush Sharon").cause == Cause::kOther);
  CHECK(forced(made, "yu shalong juxing huitan", "held a meeting with Sharon", {.span_limit = 3})
            .cause == Cause::kLimit);
}

TEST_CASE("hiero force: forests of random grammars are well formed and independent of each other") {
  const test::Scratch folder;
  Rng rng(1);
  int reached = 0;
  for (int round = 0; round < 60; ++round) {
    const HieroModel made = model(dense_grammar(rng), folder / "rules", round % 2 ? "S" : "");
    std::vector<std::string> sources, targets;
    for (int i = 0; i < 8; ++i)
      sources.push_back(letters(rng, 9, 2)), targets.push_back(letters(rng, 9, 2));
    const SourceSentences source(made, sources, {.references = targets});
    ForceOptions options;
    options.span_limit = static_cast<int32_t>(rng.below(8));
    HieroForce kept(made, options);
    for (size_t i = 0; i < source.size(); ++i) {
      HieroForce fresh(made, options);
      const ForcedResult one = kept.run(source, i, kNever), two = fresh.run(source, i, kNever);
      CHECK(one.reached == two.reached && one.cause == two.cause);
      CHECK_EQ(one.forests.size(), two.forests.size());
      if (one.forests.empty()) continue;
      check_forest(one.forests[0]);
      CHECK(same(one.forests[0], two.forests[0]));
      ++reached;
    }
  }
  CHECK(reached > 50);
}

TEST_CASE("hiero force: an aborted search does not affect the next one") {
  const test::Scratch folder;
  Rng rng(2);
  const HieroModel made = model(dense_grammar(rng), folder / "rules");
  const SourceSentences source(made, {"a a a a a a", "a a"}, {.references = {"a a a a", "a a"}});
  HieroForce small(made, {.max_nodes = 5}), large(made, {});
  CHECK(small.run(source, 0, kNever).reached == Reached::kUndecided);
  StopFlag stop;
  stop.raise();
  CHECK_THROWS_AS(large.run(source, 0, stop), Interrupted);
  const ForcedResult after = large.run(source, 1, kNever), alone = forced(made, "a a", "a a");
  CHECK(after.reached == alone.reached);
  CHECK_EQ(after.forests.size(), alone.forests.size());
  for (size_t i = 0; i < after.forests.size(); ++i) CHECK(same(after.forests[i], alone.forests[i]));
}
