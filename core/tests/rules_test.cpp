#include <algorithm>
#include <set>

#include "demotic/base/rng.h"
#include "demotic/rules/extract_rules.h"
#include "demotic/rules/orientation_counts.h"
#include "demotic/rules/rule_store.h"
#include "demotic/rules/rule_store_writer.h"
#include "scratch.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

struct Sample {
  Corpus source, target;
  Alignments links;
  AlignedBitext view() const { return {source, target, links}; }
};

// Random sentences of few words, so that rules repeat, with random links.
Sample sample(int sentences, uint64_t seed) {
  Rng rng(seed);
  Csr<WordId> source, target;
  Alignments links;
  for (int i = 0; i < sentences; ++i) {
    const auto n = static_cast<int32_t>(rng.below(12)), m = static_cast<int32_t>(rng.below(12));
    for (int k = 0; k < n; ++k)
      source.values.push_back(kReservedWords + static_cast<WordId>(rng.below(9)));
    for (int k = 0; k < m; ++k)
      target.values.push_back(kReservedWords + static_cast<WordId>(rng.below(9)));
    for (int32_t k = 0; k < n && m > 0; ++k)
      if (rng.below(4)) links.values.push_back({k, static_cast<int32_t>(rng.below(m))});
    source.end_row();
    target.end_row();
    links.end_row();
  }
  return {Corpus(std::move(source)), Corpus(std::move(target)), std::move(links)};
}

}  // namespace

TEST_CASE("extraction does not depend on threads or memory") {
  const test::Scratch folder;
  const Sample text = sample(600, 3);
  const StopFlag stop;
  const LexicalTable lexicon = LexicalTable::count(text.view(), stop);
  for (const RuleKind kind : {RuleKind::kPhrase, RuleKind::kHiero}) {
    for (const bool tight : {false, true}) {
      ExtractOptions options;
      options.kind = kind;
      options.tight = options.hiero.tight = tight;
      Progress progress;
      const auto one = folder / "one", two = folder / "two";
      const auto report = extract_rules(text.view(), lexicon, one, options, stop, progress);
      options.threads = 3;
      options.memory = 1;
      Progress again;
      extract_rules(text.view(), lexicon, two, options, stop, again);
      CHECK(test::read_file(one) == test::read_file(two));
      options.memory = int64_t{1} << 30;
      Progress once_more;
      extract_rules(text.view(), lexicon, two, options, stop, once_more);
      CHECK(test::read_file(one) == test::read_file(two));
      const RuleStore store = RuleStore::open(one, true, stop);
      CHECK_EQ(static_cast<int64_t>(store.size()), report.rules);
      CHECK(report.occurrences > report.rules);
      CHECK_EQ(progress.total(), 3 * 600);  // extraction, counting, scoring
      CHECK_EQ(progress.done(), progress.total());
    }
  }
}

TEST_CASE("a target side may have any hash") {
  constexpr WordId kFirst = 26543, kSecond = 116021;
  const uint64_t hash = with_symbol(with_symbol(kEmptySide, kFirst), kSecond);
  CHECK_EQ(target_key(rule_key(0, hash)), UINT32_MAX);  // the mark of removed rules
  Csr<WordId> source, target;
  Alignments links;
  source.values = {kReservedWords, kReservedWords + 1};
  target.values = {kFirst, kSecond};
  links.values = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  source.end_row();
  target.end_row();
  links.end_row();
  const Sample text{Corpus(std::move(source)), Corpus(std::move(target)), std::move(links)};
  const test::Scratch folder;
  const StopFlag stop;
  Progress progress;
  const auto report = extract_rules(text.view(), LexicalTable::count(text.view(), stop),
                                    folder / "rules", {}, stop, progress);
  CHECK_EQ(report.rules, 1);
  CHECK_EQ(report.removed, 0);
  CHECK_EQ(RuleStore::open(folder / "rules", true, stop).size(), uint32_t{1});
}

TEST_CASE("a packed bitext equals the bitext") {
  const Sample text = sample(50, 5);
  const PackedBitext packed(text.view(), StopFlag());
  CHECK_EQ(packed.size(), text.source.size());
  CHECK_EQ(static_cast<int64_t>(packed.parts()[0].numbers.size()),
           PackedBitext::most_numbers(text.view()));
  for (int64_t i = 0; i < packed.size(); ++i) {
    const PackedPair pair = packed[i];
    CHECK(std::ranges::equal(pair.source, text.source[i]));
    CHECK(std::ranges::equal(pair.target, text.target[i]));
    CHECK(std::ranges::equal(pair.links, text.links[i], {}, [](const PackedLink& link) {
      return Link{link.source(), link.target()};
    }));
  }
}

TEST_CASE("sentences that are too long are packed empty") {
  Csr<WordId> source, target;
  Alignments links;
  const auto add = [&](int32_t source_words, int32_t target_words) {
    source.values.insert(source.values.end(), source_words, kReservedWords);
    target.values.insert(target.values.end(), target_words, kReservedWords);
    links.values.push_back({source_words - 1, target_words - 1});
    source.end_row();
    target.end_row();
    links.end_row();
  };
  add(kMaxExtractLength, kMaxExtractLength);
  add(kMaxExtractLength + 1, 1);
  add(1, kMaxExtractLength + 1);
  add(2, 3);
  const Sample text{Corpus(std::move(source)), Corpus(std::move(target)), std::move(links)};
  const PackedBitext packed(text.view(), StopFlag());
  CHECK(packed[0].links[0] == PackedLink(kMaxExtractLength - 1, kMaxExtractLength - 1));
  CHECK(PackedLink(1, kMaxExtractLength - 1) < PackedLink(kMaxExtractLength - 1, 0));
  for (const int64_t i : {1, 2}) {
    CHECK(packed[i].source.empty() && packed[i].target.empty() && packed[i].links.empty());
  }
  CHECK_EQ(packed[3].target.size(), size_t{3});
  CHECK_EQ(packed[3].links[0].target(), 2);
}

TEST_CASE("counts of orientations come back, exactly up to the precision of a float") {
  for (const int32_t all : {1, 255, 70000, (1 << 24) - 1, 1 << 24, (1 << 30) + 12345, INT32_MAX}) {
    const std::array<int32_t, 4> counts = {all, 0, all / 3, all / 7};
    const OrientationCounts kept(counts, all);
    for (size_t i = 0; i < counts.size(); ++i) {
      const int32_t lost = counts[i] - kept.count(i, all);
      CHECK(lost >= 0 && lost <= all >> 23);
      if (all < 1 << 24) CHECK_EQ(lost, 0);
    }
  }
}

TEST_CASE("alignments of a rule are distinguished") {
  Csr<WordId> source, target;
  Alignments links;
  constexpr int32_t kSource = 3, kTarget = 4;
  for (uint32_t set = 0; set < 1u << (kSource * kTarget); ++set) {  // every alignment
    source.values.insert(source.values.end(), kSource, kReservedWords);
    target.values.insert(target.values.end(), kTarget, kReservedWords);
    for (int32_t i = 0; i < kSource * kTarget; ++i)
      if (set >> i & 1) links.values.push_back({i / kTarget, i % kTarget});
    source.end_row();
    target.end_row();
    links.end_row();
  }
  const Sample text{Corpus(std::move(source)), Corpus(std::move(target)), std::move(links)};
  const PackedBitext bitext(text.view(), StopFlag());
  std::set<uint64_t> hashes;
  Rule scratch;
  for (int32_t i = 0; i < text.source.size(); ++i) {
    Occurrence o{};
    o.sentence = i;
    o.source_size = kSource;
    o.target_size = kTarget;
    hashes.insert(hash_links(bitext, o, scratch));
  }
  CHECK_EQ(static_cast<int64_t>(hashes.size()), text.source.size());
}

TEST_CASE("phrases are matched at every position") {
  const test::Scratch folder;
  const std::string path = folder / "rules";
  const std::vector<Symbol> words = {7};
  RuleStoreWriter writer(path, {"score"}, {"X", "S"}, words);
  const uint32_t target = writer.add_target(words, 2);
  const std::vector<float> scores = {-1.5f};
  const std::vector<RuleLink> links = {{0, 0}};
  const auto add = [&](std::vector<Symbol> source) {
    writer.begin_source(source, 2);
    writer.add_rule({target, links, 1, 42, kLabelX, scores});
  };
  add({gap_symbol(kLabelX), 5});
  add({5});
  add({5, 6, 5});
  CHECK_THROWS_AS(add({5, 6}), std::invalid_argument);
  writer.commit();
  const RuleStore store = RuleStore::open(path, true, StopFlag());
  std::vector<RuleMatch> matches;
  const std::vector<WordId> sentence = {5, 6, 5, 9};
  store.match(sentence, matches);
  CHECK_EQ(matches.size(), size_t{3});
  CHECK_EQ(matches[1].begin, 0);
  CHECK_EQ(matches[1].end, 3);
  CHECK_EQ(store.only_sentence(matches[0].rules.begin), 42);
  CHECK_EQ(store.scores(matches[0].rules.begin)[0], -1.5f);
  CHECK_EQ(store.child(kTrieRoot, 99), TrieNode{0});
  CHECK(store.child(kTrieRoot, gap_symbol(kLabelX)) != 0);
}
