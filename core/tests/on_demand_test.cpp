// Rules on demand equal the table, also while several threads ask for them.
#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <thread>

#include "demotic/base/growing_array.h"
#include "demotic/base/published_map.h"
#include "demotic/base/rng.h"
#include "demotic/rules/bitext_index.h"
#include "demotic/rules/extract_rules.h"
#include "demotic/rules/rule_store.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

struct Sample {
  Corpus source, target;
  std::vector<Alignments> links;

  AlignedBitext view() const {
    std::vector<const Alignments*> sets;
    for (const Alignments& one : links) sets.push_back(&one);
    return {source, target, sets};
  }
};

Sample sample(int sentences, int sets, uint64_t seed) {
  Rng rng(seed);
  Csr<WordId> source, target;
  std::vector<Alignments> links(sets);
  for (int i = 0; i < sentences; ++i) {
    const auto n = static_cast<int32_t>(rng.below(14)), m = static_cast<int32_t>(rng.below(14));
    for (int k = 0; k < n; ++k)
      source.values.push_back(kReservedWords + static_cast<WordId>(rng.below(9)));
    for (int k = 0; k < m; ++k)
      target.values.push_back(kReservedWords + static_cast<WordId>(rng.below(9)));
    for (Alignments& one : links) {
      for (int32_t k = 0; k < n && m > 0; ++k)
        if (rng.below(4)) one.values.push_back({k, static_cast<int32_t>(rng.below(m))});
      one.end_row();
    }
    source.end_row();
    target.end_row();
  }
  return {Corpus(std::move(source)), Corpus(std::move(target)), std::move(links)};
}

// The rules of a sentence as numbers that do not depend on the store.
std::vector<float> scores_of(const RuleStore& store, std::span<const WordId> words) {
  std::vector<RuleMatch> matches;
  store.match(words, matches);
  std::vector<float> found;
  for (const RuleMatch& match : matches)
    for (RuleId rule = match.rules.begin; rule < match.rules.end; ++rule) {
      for (const Symbol symbol : store.target(rule)) found.push_back(static_cast<float>(symbol));
      const auto scores = store.scores(rule);
      found.insert(found.end(), scores.begin(), scores.end());
      for (const RuleLink link : store.links(rule))
        found.push_back(link.source * 100.f + link.target);
      found.push_back(store.count(rule));
      found.push_back(store.target_count(rule));
      found.push_back(static_cast<float>(store.only_sentence(rule)));
    }
  return found;
}

}  // namespace

TEST_CASE("rules on demand equal the table, whatever the threads") {
  const test::Scratch folder;
  const StopFlag stop;
  const Sample text = sample(300, 2, 3);
  const AlignedBitext bitext = text.view();
  ExtractOptions options;
  options.orientation = OrientationModel::kHierarchical;
  Progress progress, other;
  const LexicalTable lexicon = LexicalTable::count(bitext, stop);
  extract_rules(bitext, lexicon, folder / "table", options, stop, progress);
  write_bitext_index(bitext, folder / "index", options, {.sample = 0}, stop, other);
  const RuleStore table = RuleStore::open(folder / "table", true, stop);
  const RuleStore ours = RuleStore::open(folder / "index", true, stop);
  CHECK(ours.on_demand() && !table.on_demand());
  CHECK_EQ(ours.pairs(), bitext.size());
  CHECK_EQ(ours.size(), RuleId{0});
  std::vector<uint8_t> equal(bitext.size());
  const auto ask = [&](int first) {  // every third sentence, while other threads ask for others
    for (int64_t i = first; i < bitext.size(); i += 3) {
      const RuleStore shared = ours;
      shared.prepare(std::array{text.source[i]}, 0, 2, stop);
      equal[i] = scores_of(shared, text.source[i]) == scores_of(table, text.source[i]);
    }
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k) threads.emplace_back(ask, k);
  for (std::thread& thread : threads) thread.join();
  CHECK(std::ranges::all_of(equal, [](uint8_t same) { return same != 0; }));
  CHECK_EQ(ours.size(), table.size());
}

// Every rule with its count: source and target side, by trying all that is extracted.
std::map<std::vector<Symbol>, std::map<std::vector<Symbol>, double>> all_rules(
    const PackedBitext& bitext, const HieroExtractOptions& options) {
  std::map<std::vector<Symbol>, std::map<std::vector<Symbol>, double>> found;
  HieroExtractor extractor(options);
  std::vector<Occurrence> occurrences;
  for (int32_t row = 0; row < bitext.size(); ++row) extractor.extract(bitext, row, occurrences);
  Rule rule;
  for (const Occurrence& occurrence : occurrences) {
    spell(bitext, occurrence, rule);
    found[rule.source][rule.target] += occurrence.count;
  }
  return found;
}

TEST_CASE("Hiero rules on demand are all that can be extracted, whatever the threads") {
  const test::Scratch folder;
  const StopFlag stop;
  const Sample text = sample(40, 2, 5);
  const AlignedBitext bitext = text.view();
  ExtractOptions options;
  options.kind = RuleKind::kHiero;
  Progress progress;
  write_bitext_index(bitext, folder / "index", options, {.sample = 0}, stop, progress);
  const RuleStore ours = RuleStore::open(folder / "index", true, stop);
  const auto ask = [&](int first) {  // every third sentence, while other threads ask for others
    for (int64_t i = first; i < bitext.size(); i += 3)
      ours.prepare(std::array{text.source[i]}, 0, 2, stop);
  };
  std::vector<std::thread> threads;
  for (int k = 0; k < 3; ++k) threads.emplace_back(ask, k);
  for (std::thread& thread : threads) thread.join();
  RuleId expected = 0;
  for (const auto& [source, targets] : all_rules(PackedBitext(bitext, stop), options.hiero)) {
    TrieNode node = kTrieRoot;
    for (const Symbol symbol : source) node = ours.child(node, symbol);
    CHECK(node != kTrieRoot);
    const RuleRange range = ours.rules(node);
    CHECK_EQ(range.size(), targets.size());
    expected += range.size();
    for (RuleId rule = range.begin; rule < range.end; ++rule) {
      std::vector<Symbol> target;
      ours.target(rule, target);
      const auto counted = targets.find(target);
      CHECK(counted != targets.end() && ours.count(rule) == static_cast<float>(counted->second));
    }
  }
  CHECK_EQ(ours.size(), expected);  // no others
}

TEST_CASE("a published map is read while it grows") {
  PublishedMap map;
  constexpr uint32_t kMost = 50'000;
  std::atomic<uint32_t> known{0};
  bool right = true;
  std::thread reader([&] {
    while (known < kMost) {
      const uint32_t last = known;
      for (uint32_t key = 1; key <= last; key += 97)
        right = right && map.find(uint64_t{key} << 20) == key;
      right = right && map.find(7) == 0;
    }
  });
  for (uint32_t key = 1; key <= kMost; ++key) {
    map.insert(uint64_t{key} << 20, key);
    known = key;
  }
  reader.join();
  CHECK(right);
  CHECK_EQ(map.size(), size_t{kMost});
}

TEST_CASE("a growing array keeps its place") {
  GrowingArray<int32_t> numbers(size_t{1} << 30);
  const int32_t* const place = numbers.data();
  for (int32_t i = 0; i < 100'000; ++i) numbers.append(i);
  numbers.append(std::vector<int32_t>{7, 8});
  CHECK_EQ(numbers.data(), place);
  CHECK_EQ(numbers.size(), size_t{100'002});
  CHECK_EQ(numbers[54'321], 54'321);
  CHECK_EQ(numbers[100'001], 8);
}
