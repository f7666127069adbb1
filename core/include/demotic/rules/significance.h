// Significance of rules by Fisher's exact test on how often their sides occur in the same sentence
// pairs (Johnson, Martin, Foster & Kuhn 2007). Rules whose sides meet about as often as by chance
// are removed: most of a phrase table, and mostly noise of the alignment.
//
// The p-value is the probability that sides in `source` and `target` of `pairs` sentence pairs meet
// in `both` or more of them if they are distributed at random. A side occurs in a sentence if all
// of its parts between gaps do; parts of more than kLongestPart words count as the parts of
// kLongestPart words that they contain. The test ignores word links.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/stop.h"
#include "demotic/rules/aligned_bitext.h"
#include "demotic/rules/occurrence.h"

namespace demotic::rules {

struct CoOccurrence {
  int32_t source = 0, target = 0, both = 0;  // sentence pairs
};

// Minus the natural logarithm of the p-value; `both` is at least 1.
class FisherTest {
 public:
  explicit FisherTest(int64_t pairs);
  double significance(const CoOccurrence& counts) const noexcept;
  // The significance of sides that occur only together.
  double highest(int32_t both) const noexcept { return significance({both, both, both}); }
  int64_t pairs() const noexcept { return pairs_; }

 private:
  int64_t pairs_;
  std::vector<double> log_factorials_;
};

// For every span of up to kLongestPart words, the sentences with the same words. In memory, which
// ExtractOptions::memory does not limit: 28 bytes per word of the text (4 for each length), up to
// 28 more for the lists (4 for each length with which the span at that word occurs elsewhere), and
// 24 while it is built, by sorting the spans of each length.
class SentenceIndex {
 public:
  static constexpr int32_t kLongestPart = 7;

  SentenceIndex(const Corpus& text, const StopFlag& stop);

  // The sentences with `words` words from `position` of sentence `sentence` on, in order; empty if
  // no other sentence has them.
  std::span<const int32_t> sentences(int64_t sentence, int32_t position,
                                     int32_t words) const noexcept {
    const int32_t list = lists_at_[words - 1][begins_[sentence] + position];
    return list < 0 ? std::span<const int32_t>() : lists_[list];
  }

 private:
  void add_words(const Corpus& text);
  bool add_spans(const Corpus& text, int32_t words);
  struct Place {
    uint64_t span;
    int32_t sentence;
    int64_t position;
  };
  void add_lists(std::vector<Place>& places, std::vector<int32_t>& list_at);

  std::span<const int64_t> begins_;             // of sentences, in the text
  std::vector<std::vector<int32_t>> lists_at_;  // by number of words, then by position
  Csr<int32_t> lists_;
};

// In how many sentence pairs the sides of a rule occur. Not thread-safe; use one instance per
// thread. They share the indices.
class RuleCoOccurrence {
 public:
  RuleCoOccurrence(int64_t pairs, const SentenceIndex& source, const SentenceIndex& target)
      : pairs_(static_cast<int32_t>(pairs)), source_(&source), target_(&target) {}

  // The rule at `place` of sentence pair `pair`. Returns in how many pairs both sides occur.
  int32_t read(int64_t pair, const RulePlace& place);
  // Of that rule, each side; what exceeds `limit` is not counted, so that frequent sides take no
  // longer. Each may be called once.
  int32_t source(int32_t limit) { return source_shared_ ? common(source_lists_, limit) : 1; }
  int32_t target(int32_t limit) { return target_shared_ ? common(target_lists_, limit) : 1; }

 private:
  using Lists = std::vector<std::span<const int32_t>>;

  int32_t common(Lists& lists, int32_t limit) const;

  int32_t pairs_;
  const SentenceIndex *source_, *target_;
  Lists source_lists_, target_lists_, both_lists_;
  bool source_shared_ = false, target_shared_ = false;  // with other sentence pairs
};

// Whether rules are significant enough. Not thread-safe; use one instance per thread.
class SignificanceFilter {
 public:
  // All arguments must outlive it. `threshold` is the significance that is kept.
  SignificanceFilter(const FisherTest& test, double threshold, RuleCoOccurrence counter);

  // Most rules meet in one pair, and are decided without counting their sides.
  bool keeps(int64_t pair, const RulePlace& place);

 private:
  const FisherTest* test_;
  double threshold_;
  RuleCoOccurrence counter_;
  int32_t once_limit_;  // occurrences that a side may have if the sides meet in one pair
};

}  // namespace demotic::rules
