// Statistics of metrics agree with slow definitions, and do not depend on threads or neighbours.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "demotic/base/rng.h"
#include "demotic/metrics/bleu.h"
#include "demotic/metrics/chrf.h"
#include "demotic/metrics/edit_grid.h"
#include "demotic/metrics/resample.h"
#include "demotic/metrics/ter.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

using Words = std::vector<WordId>;

const StopFlag kNever;

Lines lines(std::initializer_list<std::string_view> texts) {
  Lines made;
  for (const std::string_view text : texts) made.append(text);
  return made;
}

std::vector<std::string> tokens(std::string_view text, Segmentation kind) {
  Segmenter segment(kind);
  std::vector<std::string> made;
  for (const std::string_view token : segment(text)) made.emplace_back(token);
  return made;
}

Words drawn(Rng& rng, size_t most, uint64_t kinds) {
  Words words(rng.below(most + 1));
  for (WordId& word : words) word = static_cast<WordId>(rng.below(kinds));
  return words;
}

std::string text_of(const Words& words) {
  std::string text;
  for (const WordId word : words) text += std::string(1, static_cast<char>('a' + word)) + " ";
  return text;
}

std::map<Words, int32_t> ngrams(const Words& words, size_t n) {
  std::map<Words, int32_t> found;
  for (size_t i = 0; i + n <= words.size(); ++i)
    ++found[Words(words.begin() + i, words.begin() + i + n)];
  return found;
}

int32_t clipped(const Words& candidate, const std::vector<Words>& references, size_t n) {
  int32_t matches = 0;
  for (const auto& [ngram, count] : ngrams(candidate, n)) {
    int32_t limit = 0;
    for (const Words& reference : references) {
      const auto found = ngrams(reference, n);
      if (const auto at = found.find(ngram); at != found.end()) limit = std::max(limit, at->second);
    }
    matches += std::min(count, limit);
  }
  return matches;
}

// Without a band.
int32_t edit_distance(const Words& a, const Words& b) {
  std::vector<std::vector<int32_t>> cost(a.size() + 1, std::vector<int32_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = static_cast<int32_t>(i + j);
        continue;
      }
      cost[i][j] = std::min(
          {cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]), cost[i - 1][j] + 1, cost[i][j - 1] + 1});
    }
  return cost[a.size()][b.size()];
}

}  // namespace

TEST_CASE("text is tokenised by the named rules") {
  using Tokens = std::vector<std::string>;
  CHECK(tokens(" a  b\u00A0c\u3000d ", Segmentation::kNone) == (Tokens{"a", "b", "c", "d"}));
  CHECK(tokens("Hi, 3.5-4 &lt;b&gt;...", Segmentation::k13a) ==
        (Tokens{"Hi", ",", "3.5", "-", "4", "<", "b", ">", ".", ".", "."}));
  CHECK(tokens("\u732Bis 1,5. ", Segmentation::kChinese) == (Tokens{"\u732B", "is", "1,5."}));
  CHECK(tokens("a \u732B\xC3\xA9", Segmentation::kCharacters) ==
        (Tokens{"a", "\u732B", "\xC3\xA9"}));
  for (const auto kind : {Segmentation::kNone, Segmentation::k13a, Segmentation::kChinese,
                          Segmentation::kCharacters}) {
    CHECK(tokens("", kind).empty());
    CHECK(tokens(" \u2003\n", kind).empty());
    tokens("\xFF\xC3 \xE7\x8C", kind);  // not text, but harmless
  }
  CHECK_THROWS_AS(segmentation_named("moses"), std::invalid_argument);
}

TEST_CASE("BLEU statistics agree with the definition, for every rule of lengths") {
  Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    const Words candidate = drawn(rng, 12, 3);
    std::vector<Words> references(1 + rng.below(3));
    Lines texts;
    int32_t sum = 0, shortest = INT32_MAX;
    for (Words& reference : references) {
      reference = drawn(rng, 12, 3);
      texts.append(text_of(reference));
      sum += static_cast<int32_t>(reference.size());
      shortest = std::min(shortest, static_cast<int32_t>(reference.size()));
    }
    const auto number = static_cast<int64_t>(references.size());
    const ReferenceSet set(texts, {0, number}, Segmentation::kNone, kNever);
    const Lines given = lines({text_of(candidate)});
    const std::vector<int64_t> sentences{0};
    for (const auto rule : {ReferenceLength::kShortest, ReferenceLength::kAverage}) {
      const auto row = bleu_rows(set, rule, Candidates(set, given, sentences), 1, kNever);
      for (size_t n = 1; n <= 4; ++n) {
        CHECK_EQ(row[n - 1], clipped(candidate, references, n));
        CHECK_EQ(row[3 + n],
                 std::max<int64_t>(0, std::ssize(candidate) + 1 - static_cast<int64_t>(n)));
      }
      CHECK_EQ(row[8], rule == ReferenceLength::kShortest ? shortest : sum);
      CHECK_EQ(length_scale(set, rule), rule == ReferenceLength::kShortest ? 1 : number);
    }
  }
}

TEST_CASE("the closest length, the shorter of two") {
  const ReferenceSet set(lines({"a b c d e f", "a b", "a b c d"}), {0, 3}, Segmentation::kNone,
                         kNever);
  const Lines given = lines({"x", "x x x", "x x x x x", "x x x x x x x x", ""});
  const std::vector<int64_t> sentences(5, 0);
  const auto rows =
      bleu_rows(set, ReferenceLength::kClosest, Candidates(set, given, sentences), 1, kNever);
  const std::vector<int32_t> lengths{rows[8], rows[17], rows[26], rows[35], rows[44]};
  CHECK(lengths == (std::vector<int32_t>{2, 2, 4, 6, 2}));
}

TEST_CASE("averages over different numbers of references are integers") {
  const ReferenceSet set(lines({"a", "a b", "a b c", "a b c d", "a b"}), {0, 2, 5},
                         Segmentation::kNone, kNever);
  CHECK_EQ(set.length_scale(), 6);
  CHECK_EQ(set.scaled_length(0), 9);   // 1.5 * 6
  CHECK_EQ(set.scaled_length(1), 18);  // 3 * 6
}

TEST_CASE("neither threads nor neighbours change a row") {
  Rng rng(2);
  Lines references, candidates;
  std::vector<int64_t> first{0}, sentences;
  for (int64_t s = 0; s < 40; ++s) {
    references.append(text_of(drawn(rng, 20, 6)));
    first.push_back(s + 1);
  }
  for (int i = 0; i < 500; ++i) {
    candidates.append(text_of(drawn(rng, 20, 7)));
    sentences.push_back(static_cast<int64_t>(rng.below(40)));
  }
  const ReferenceSet set(references, first, Segmentation::kNone, kNever);
  const ChrfReferences chrf(references, first, {6, 2, 2}, kNever);
  const Candidates given(set, candidates, sentences);
  const auto bleu = bleu_rows(set, ReferenceLength::kClosest, given, 1, kNever);
  const auto ter = ter_rows(set, given, 1, kNever);
  const auto letters = chrf.rows(candidates, sentences, 1, kNever);
  for (const int threads : {2, 7}) {
    CHECK(bleu_rows(set, ReferenceLength::kClosest, given, threads, kNever) == bleu);
    CHECK(ter_rows(set, given, threads, kNever) == ter);
    CHECK(chrf.rows(candidates, sentences, threads, kNever) == letters);
  }
  StopFlag stop;
  stop.raise();
  CHECK_THROWS_AS(ter_rows(set, given, 2, stop), Interrupted);
}

TEST_CASE("the grid gives edit distances, also for changed hypotheses") {
  Rng rng(3);
  EditGrid grid;
  for (int round = 0; round < 2000; ++round) {
    const Words reference = drawn(rng, 14, 4);
    Words hypothesis = drawn(rng, 14, 4);
    grid.set(reference, hypothesis.size());
    CHECK_EQ(grid.solve(hypothesis), edit_distance(hypothesis, reference));
    const size_t begin = rng.below(hypothesis.size() + 1);
    const size_t end = begin + rng.below(hypothesis.size() + 1 - begin);
    for (size_t i = begin; i < end; ++i) hypothesis[i] = static_cast<WordId>(rng.below(4));
    const int32_t expected = edit_distance(hypothesis, reference);
    CHECK_EQ(grid.distance(hypothesis, begin, end, 1000), expected);
    CHECK(grid.distance(hypothesis, begin, end, expected - 1) >= expected);
  }
}

TEST_CASE("long lines only take memory for the band") {
  Rng rng(5);
  EditCounter count;
  Words a(30000), b(30000);
  for (WordId& word : a) word = static_cast<WordId>(rng.below(1000));
  std::ranges::copy(a, b.begin());
  b[17] = 2000;
  std::swap(b[20000], b[20001]);
  CHECK(count(a, b) <= 3);  // the square would take several GB
  CHECK_EQ(count(a, Words{a[0]}), 29999);
  CHECK_EQ(count(Words{a[0]}, a), 29999);
}

TEST_CASE("a shift is one edit, and edits are never more than without shifts") {
  EditCounter count;
  CHECK_EQ(count(Words{4, 5, 1, 2, 3}, Words{1, 2, 3, 4, 5}), 1);
  CHECK_EQ(count(Words{1, 2, 3}, Words{1, 2, 3}), 0);
  CHECK_EQ(count(Words{}, Words{1, 2}), 2);
  CHECK_EQ(count(Words{1, 2}, Words{}), 2);
  CHECK_EQ(count(Words{-1, -1}, Words{1}), 2);
  Rng rng(4);
  for (int round = 0; round < 500; ++round) {
    const Words a = drawn(rng, 20, 5), b = drawn(rng, 20, 5);
    const int32_t edits = count(a, b);
    CHECK(edits <= edit_distance(a, b));
    CHECK(edits >= std::abs(std::ssize(a) - std::ssize(b)));
  }
}

TEST_CASE("chrF counts characters without spaces, and words without their punctuation") {
  const ChrfReferences chrf(lines({"ab c.", "x"}), {0, 2}, {2, 1, 2}, kNever);
  const auto row = chrf.rows(lines({"ab (c"}), std::vector<int64_t>{0}, 1, kNever);
  CHECK(row == (std::vector<int32_t>{4, 4, 3, 3, 3, 1, 3, 3, 2}));
  // The second reference is better here, and has no pairs of characters.
  const auto other = chrf.rows(lines({"xx"}), std::vector<int64_t>{0}, 1, kNever);
  CHECK(other == (std::vector<int32_t>{2, 1, 1, 0, 0, 0, 1, 1, 0}));
  CHECK_EQ(chrf_score(other, 2), 100 * (5 * 0.25 * 0.5 / (4 * 0.25 + 0.5)));
  CHECK_THROWS_AS(ChrfReferences(lines({"a"}), {0, 1}, {0, 0, 2}, kNever), std::invalid_argument);
}

TEST_CASE("inconsistent arrays are refused") {
  const Lines texts = lines({"a", "b"});
  CHECK_THROWS_AS(ReferenceSet(texts, {0, 1}, Segmentation::kNone, kNever), std::invalid_argument);
  CHECK_THROWS_AS(ReferenceSet(texts, {0, 2, 2}, Segmentation::kNone, kNever),
                  std::invalid_argument);
  CHECK_THROWS_AS(ReferenceSet(texts, {}, Segmentation::kNone, kNever), std::invalid_argument);
  const ReferenceSet set(texts, {0, 1, 2}, Segmentation::kNone, kNever);
  const std::vector<int64_t> bad{0, 2}, one{0};
  CHECK_THROWS_AS(Candidates(set, texts, bad), std::out_of_range);
  CHECK_THROWS_AS(Candidates(set, texts, one), std::invalid_argument);
  const std::vector<int64_t> offsets{0, 3};
  const Words words{1, 2};
  CHECK_THROWS_AS(Candidates(set, CsrView<WordId>{offsets, words}, one), std::invalid_argument);
}

TEST_CASE("samples depend only on the seed") {
  std::vector<int64_t> values(60);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(i * i % 17);
  const StatisticsView view{values, 3, 2};
  CHECK_EQ(view.sentences(), 10);
  CHECK(bootstrap_sums(view, 50, 9, 1, kNever) == bootstrap_sums(view, 50, 9, 3, kNever));
  CHECK(shuffle_sums(view, 1, 50, 9, 1, kNever) == shuffle_sums(view, 1, 50, 9, 3, kNever));
  CHECK(bootstrap_sums(view, 50, 9, 1, kNever) != bootstrap_sums(view, 50, 8, 1, kNever));
  CHECK_THROWS_AS(bootstrap_sums({values, 7, 1}, 1, 1, 1, kNever), std::invalid_argument);
  CHECK_THROWS_AS(shuffle_sums(view, 3, 1, 1, 1, kNever), std::invalid_argument);
}
