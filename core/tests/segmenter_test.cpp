// The unigram segmenter: learning on a text whose words are known, and edge cases of Viterbi.
#include "demotic/text/segmenter.h"

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "demotic/text/segmenter_learning.h"
#include "test.h"

namespace test = demotic::test;
using namespace demotic::all;

namespace {

// Units 0 and 1 always form a word; 2, 3 and 4 are single.
Corpus text(int64_t runs) {
  const std::vector<std::vector<WordId>> words{{0, 1}, {2}, {3}, {4}};
  Csr<WordId> sentences;
  uint64_t state = 1;
  for (int64_t run = 0; run < runs; ++run) {
    for (int i = 0; i < 6; ++i) {
      state = state * 6364136223846793005ULL + 1442695040888963407ULL;
      for (const WordId unit : words[state >> 62]) sentences.values.push_back(unit);
    }
    sentences.end_row();
  }
  return Corpus(std::move(sentences));
}

LearntWords learn(const Corpus& runs, int threads, const SegmenterOptions& options = {}) {
  StopFlag stop;
  Progress progress;
  return learn_segmenter(runs, 5, options, threads, stop, progress);
}

std::vector<int32_t> segment(const Segmenter& segmenter, std::vector<std::string_view> units) {
  return segmenter.segment(units);
}

}  // namespace

TEST_CASE("learns the word") {
  SegmenterOptions options;
  options.min_gain = 1;
  const LearntWords learnt = learn(text(2000), 1, options);
  CHECK_EQ(learnt.words.size(), 6u);  // five units and one word
  CHECK_EQ(learnt.words[5].size(), 2u);
  double total = 0;
  for (const double log_prob : learnt.log_probs) total += std::exp(log_prob);
  CHECK(std::abs(total - 1) < 1e-9);
}

TEST_CASE("the number of threads makes no difference") {
  const Corpus runs = text(3000);
  const LearntWords one = learn(runs, 1), four = learn(runs, 4);
  CHECK(one.words.values == four.words.values);
  CHECK(one.log_probs == four.log_probs);
}

TEST_CASE("refuses options out of range") {
  StopFlag stop;
  Progress progress;
  const Corpus runs = text(10);
  CHECK_THROWS_AS(learn_segmenter(runs, 4, {}, 1, stop, progress), std::out_of_range);
  SegmenterOptions options;
  options.max_units = 0;
  CHECK_THROWS_AS(learn_segmenter(runs, 5, options, 1, stop, progress), std::invalid_argument);
  stop.raise();
  CHECK_THROWS_AS(learn_segmenter(runs, 5, {}, 1, stop, progress), Interrupted);
}

TEST_CASE("joins units") {
  const std::vector<std::string> words{"ab", "abc", "a", "b", "c"};
  const Segmenter segmenter(words, std::vector<double>{-1, -5, -2, -2, -1});
  CHECK(segment(segmenter, {"a", "b", "c"}) == (std::vector<int32_t>{2, 1}));
  CHECK(segment(segmenter, {"x", "a", "b"}) == (std::vector<int32_t>{1, 2}));
  CHECK(segment(segmenter, {"\xFF", "a"}) == (std::vector<int32_t>{1, 1}));
  CHECK(segment(segmenter, {}).empty());
}

TEST_CASE("refuses malformed words") {
  const auto make = [](std::vector<std::string> words, std::vector<double> log_probs) {
    return Segmenter(words, log_probs);
  };
  CHECK_THROWS_AS(make({""}, {-1}), std::invalid_argument);
  CHECK_THROWS_AS(make({"\xFF"}, {-1}), std::invalid_argument);
  CHECK_THROWS_AS(make({"a"}, {1}), std::invalid_argument);
  CHECK_THROWS_AS(make({"a"}, {NAN}), std::invalid_argument);
  CHECK_THROWS_AS(make({"a"}, {}), std::invalid_argument);
}
