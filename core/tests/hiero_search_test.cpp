// Chart search over random grammars: records are well formed and do not depend on the number of
// threads. tests/search/test_hiero_enumeration.py compares the results with an enumeration.
#include <algorithm>

#include "demotic/base/rng.h"
#include "demotic/rules/rule_table.h"
#include "demotic/search/batch.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

const StopFlag kNever;
constexpr int kLetters = 4;

std::string letter(Rng& rng) {
  return std::string(1, static_cast<char>('a' + rng.below(kLetters)));
}

// A line of a grammar with up to two gaps, which the target side may swap.
std::string rule(Rng& rng) {
  const char* labels[] = {"X", "Y"};
  const auto gaps = rng.below(3);
  std::vector<std::string> names;
  std::string source = rng.below(3) && gaps ? "" : letter(rng) + " ";
  for (uint64_t i = 0; i < gaps; ++i) {
    names.push_back(std::string("[") + labels[rng.below(2)] + "," + std::to_string(i + 1) + "]");
    source += names.back() + " " + (rng.below(2) ? letter(rng) + " " : "");
  }
  if (rng.below(2)) std::ranges::reverse(names);
  std::string target = rng.below(2) || gaps == 0 ? letter(rng) + " " : "";
  for (const std::string& name : names) target += name + " " + (rng.below(2) ? "t " : "");
  return std::string("[") + labels[rng.below(2)] + "] ||| " + source + "||| " + target + "||| p=-" +
         std::to_string(rng.below(9));
}

HieroModel model(Rng& rng, const std::string& path) {
  VocabularyBuilder words;
  RuleTable table(words);
  Lines lines;
  for (int i = 0; i < 25; ++i) lines.append(rule(rng));
  lines.append("[S] ||| [S,1] [X,2] ||| [S,1] [X,2] ||| p=-1");
  lines.append("[S] ||| [X,1] ||| [X,1] ||| p=-1");
  read_table(table, TableFormat::kScfg, "grammar", "score_", 0)->add(lines, kNever);
  Progress progress;
  table.write(path, Duplicates::kKeepLast, kNever, progress);
  HieroGrammar grammar;
  if (rng.below(2)) grammar.goal = "S";
  grammar.pass_through_all = rng.below(3) == 0;
  return HieroModel(RuleStore::open(path, true, kNever), {}, words.finish(), grammar);
}

std::vector<std::string> sentences(Rng& rng) {
  std::vector<std::string> texts{""};
  for (int i = 0; i < 6; ++i) {
    std::string text;
    for (uint64_t k = rng.below(14); k > 0; --k) text += (rng.below(8) ? letter(rng) : "?") + " ";
    texts.push_back(text);
  }
  return texts;
}

HieroSearchOptions limits(Rng& rng) {
  HieroSearchOptions options;
  options.beam_size = static_cast<int32_t>(1 + rng.below(20));
  options.pop_limit = static_cast<int32_t>(1 + rng.below(40));
  options.cube_pruning = rng.below(4) > 0;
  options.span_limit = static_cast<int32_t>(rng.below(8));
  options.rule_limit = static_cast<int32_t>(rng.below(4));
  return options;
}

void check_record(const SearchRecord& record) {
  const size_t nodes = record.node_bin.size();
  CHECK_EQ(record.edge_offsets.size(), nodes + 1);
  for (size_t node = 0; node < nodes; ++node) {
    CHECK(record.edge_offsets[node] < record.edge_offsets[node + 1]);
    for (int32_t e = record.edge_offsets[node]; e < record.edge_offsets[node + 1]; ++e)
      for (int32_t t = record.tail_offsets[e]; t < record.tail_offsets[e + 1]; ++t) {
        const int32_t tail = record.tails[t];
        CHECK(tail < static_cast<int32_t>(node));
        CHECK(record.node_alive[tail]);
        CHECK(record.node_reaches[tail] || !record.node_reaches[node]);
      }
  }
  CHECK(record.node_reaches.back());
}

}  // namespace

TEST_CASE("hiero search: records of random grammars are well formed, with any number of threads") {
  const test::Scratch folder;
  Rng rng(1);
  for (int round = 0; round < 150; ++round) {
    const HieroModel made = model(rng, folder / "rules");
    const HieroSearchOptions options = limits(rng);
    const SourceSentences source(made, sentences(rng));
    std::vector<double> weights(made.features().size());
    for (double& weight : weights) weight = rng.uniform() - 0.3;
    Progress progress;
    const auto records = record_searches<HieroKind>(made, options, {source, weights, 1},
                                                    {RecordKind::kBins}, kNever, progress);
    CHECK_EQ(records.size(), source.size());
    for (const SearchRecord& record : records) check_record(record);
    Searchers<HieroKind> searchers(made, weights, options);
    const Translations one = translate(searchers, source, 1, kNever, progress);
    const Translations three = translate(searchers, source, 3, kNever, progress);
    CHECK(one.text == three.text);
    CHECK(one.scores == three.scores);
    CHECK(one.fell_back == three.fell_back);
  }
}
