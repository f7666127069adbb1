// N-grams with their probabilities as flat lists, one per order: produced by estimation and the
// ARPA reader, printed by the ARPA writer, and compiled into the query model. Plain data; log10 as
// in ARPA.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/text/vocabulary.h"

namespace demotic::lm {

// The highest n-gram order supported; chart states have room for one word less.
inline constexpr int kMaxLmOrder = 10;

// "Probability zero": <s> is never predicted.
inline constexpr float kNeverLog10 = -99.0f;

// The n-grams of one order. An n-gram is its context (all words but the last) and its last word.
// Every context and every suffix (all words but the first) is an n-gram of the order below.
struct NgramOrder {
  std::vector<uint32_t> context;  // index into the order below; empty for unigrams
  std::vector<uint32_t> suffix;   // the same
  std::vector<WordId> word;       // unigram i is word i
  std::vector<float> prob;        // log10
  std::vector<float> backoff;     // log10; empty for the highest order

  size_t size() const noexcept { return word.size(); }
};

struct NgramModel {
  Vocabulary vocabulary;
  std::vector<NgramOrder> orders;

  int order() const noexcept { return static_cast<int>(orders.size()); }
};

// Collects n-grams in any order of their words, but shorter ones first. If a suffix is missing, as
// in pruned models of other tools, it is added with the probability given by backing off, as KenLM
// does.
class NgramBuilder {
 public:
  // `expected`: estimated numbers of n-grams by order, if known.
  NgramBuilder(Vocabulary vocabulary, int order, std::span<const uint64_t> expected = {});

  enum class Outcome { kAdded, kDuplicate, kNoContext };
  // `words` holds at least two ids below the vocabulary's size.
  Outcome add(std::span<const WordId> words, float prob, float backoff);

  const Vocabulary& vocabulary() const noexcept { return model_.vocabulary; }
  NgramOrder& unigrams() noexcept { return model_.orders[0]; }
  NgramModel finish();

 private:
  static constexpr uint32_t kNone = 0xFFFFFFFF;
  using Index = FlatMap<uint64_t, uint32_t>;

  uint32_t child(int order, uint32_t context, WordId word) const noexcept;
  uint32_t child_after(int order, uint32_t last, uint32_t context, WordId word) const;
  uint32_t locate(std::span<const WordId> words);
  uint32_t suffix_of(int order, uint32_t context, WordId word);
  std::pair<uint32_t, bool> append(int order, uint32_t context, WordId word);

  NgramModel model_;
  std::vector<Index> index_;  // of order 2, 3, ...: (context, word) to n-gram
  // The last context looked up: its first `known_` words and the n-grams on the way to it.
  std::array<WordId, kMaxLmOrder> last_words_{};
  std::array<uint32_t, kMaxLmOrder> last_path_{};
  size_t known_ = 0;
};

// Receives n-grams: the numbers of them by order, then sections in order, each sorted by words.
class NgramOutput {
 public:
  virtual ~NgramOutput() = default;

  virtual void begin(const std::vector<uint64_t>& counts) = 0;
  virtual void section(int order) = 0;
  // log10; the highest order has no backoffs.
  virtual void ngram(std::span<const uint32_t> words, float prob, float backoff) = 0;
  virtual void finish() = 0;
  // The number of steps of progress that `finish` makes for a model of this order.
  virtual int steps(int /*order*/) const noexcept { return 0; }
};

}  // namespace demotic::lm
