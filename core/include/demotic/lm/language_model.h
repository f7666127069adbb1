// A back-off language model for queries: probabilities of words after a context, equal to KenLM's,
// from an immutable file that is mapped, not read.
//
// The model is an automaton. A state is a context that still matters: one that begins some n-gram
// or has a backoff weight; longer contexts are shortened at once, so hypotheses with equal futures
// have equal states. A state is the index of its n-gram in the tables, so that finding an n-gram
// loads everything that the next query needs in one cache line. If an n-gram is missing, the
// state's backoff weight is added and its suffix is tried, mostly without a search, because each
// state has a small filter of the words that follow it. Memory: about 19 bytes per n-gram, 12 if
// probabilities and backoffs are quantised to 8 bits, as by KenLM: equally filled bins per order,
// unigrams exact.
//
// Words are ids of the model's own vocabulary; `map` translates ids of another vocabulary. A
// class-based model has n-grams of word classes: its vocabulary are the classes, and `map` and
// `find` translate words to them, so that it is queried like any other. Scores are natural
// logarithms unless a name says log10. Safe to share between threads.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/portable.h"
#include "demotic/base/stop.h"
#include "demotic/lm/ngram_table.h"
#include "demotic/lm/ngrams.h"
#include "demotic/text/vocabulary.h"

namespace demotic::base {
class ContainerWriter;
}

namespace demotic::lm {

inline constexpr float kLn10 = 2.302585093f;

// The right context of a partial translation. Equal bytes mean equal futures.
struct LmState {
  uint32_t node = 0;  // the empty context
  friend bool operator==(LmState, LmState) = default;
};

// The full result of one query.
struct LmMatch {
  float log10 = 0;  // probability including backoffs
  LmState next;
  int32_t length = 0;         // words of the matched n-gram
  bool extends_left = false;  // whether some n-gram extends the match to the left
};

class LanguageModel {
 public:
  static LanguageModel build(const NgramModel& ngrams, const StopFlag& stop,
                             bool quantized = false);
  // Maps `path`. `verify` checks checksums and every index inside; otherwise the file is trusted.
  static LanguageModel open(const std::string& path, bool verify, const StopFlag& stop);
  void save(const std::string& path) const;
  // Converts back to lists, sorted by words.
  NgramModel ngrams(const StopFlag& stop) const;

  int order() const noexcept { return static_cast<int>(counts_.size()); }
  std::span<const uint64_t> counts() const noexcept { return counts_; }  // n-grams by order
  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  size_t size_bytes() const noexcept { return buckets_.size_bytes(); }  // without the vocabulary
  bool quantized() const noexcept { return !codebooks_.empty(); }

  // The same model, a model of classes, as one of words: classes[i] is the class of word i, an id
  // of vocabulary(), or kUnknown. Throws std::invalid_argument for other ids.
  LanguageModel with_classes(Vocabulary words, std::vector<WordId> classes) const;
  bool has_classes() const noexcept { return !classes_.empty(); }
  std::span<const WordId> classes() const noexcept { return classes_; }  // by word of words()
  // The words that the model knows: its vocabulary, or the words that have classes.
  const Vocabulary& words() const noexcept { return has_classes() ? words_ : vocabulary_; }

  // The model's id of a word of words(), by id or spelling; kUnknown if it has none.
  WordId id_of(WordId word) const noexcept { return has_classes() ? classes_[word] : word; }
  WordId find(std::string_view word) const noexcept { return id_of(words().find(word)); }
  // The model's id of each word of another vocabulary.
  std::vector<WordId> map(const Vocabulary& other) const;

  LmState empty_state() const noexcept { return {}; }
  LmState begin_state() const noexcept { return after(1, unigram(kSentenceBegin)); }
  // Number of words in the state's context.
  int32_t length(LmState state) const noexcept {
    return static_cast<int32_t>(state.node >> number_bits_);
  }
  bool has(LmState state) const noexcept;

  // ln p(word | from), and the state after it. `word` must be an id of this model.
  float score(LmState from, WordId word, LmState& to) const noexcept {
    return kLn10 * score_log10(from, word, to);
  }
  float score_log10(LmState from, WordId word, LmState& to) const noexcept {
    float backoff = 0;
    const auto [length, slot] = longest(from, word, backoff);
    to = after(length, slot);
    return backoff + prob(length, slot);
  }
  LmMatch match(LmState from, WordId word) const noexcept {
    float backoff = 0;
    const auto [length, slot] = longest(from, word, backoff);
    return {backoff + prob(length, slot), after(length, slot), length,
            tables_[length].extends_left(slot)};
  }

  // The next shorter state; adds the log10 backoff weight. Not for the empty state.
  LmState back_off(LmState state, float& log10) const noexcept {
    const NgramTable& table = tables_[length(state)];
    const NgramSlot slot = table.at(number(state));
    log10 += table.backoff(slot);
    return {table.suffix(slot)};
  }

  // The parts of a query, for callers with other work to do in between: prefetch, then look.
  void prefetch(LmState state) const noexcept { prefetch_line(place(state).bucket); }
  uint64_t prefetch(LmState state, WordId word) const noexcept {
    const NgramTable& table = tables_[length(state) + 1];
    const uint64_t key = table.key(number(state), word);
    table.prefetch(key);
    return key;
  }
  bool may_precede(LmState state, WordId word) const noexcept {
    return tables_[length(state)].may_precede(place(state), word);
  }
  NgramSlot find(LmState state, uint64_t key) const noexcept {
    return tables_[length(state) + 1].find(key);
  }
  NgramSlot unigram(WordId word) const noexcept {
    return tables_[1].at(static_cast<uint32_t>(word));
  }
  // log10 p of an n-gram of `length` words.
  float prob(int32_t length, NgramSlot slot) const noexcept { return tables_[length].prob(slot); }
  // The state after it.
  LmState after(int32_t length, NgramSlot slot) const noexcept {
    const bool own = slot.bucket->cells[slot.lane] & NgramBucket::kContext;
    const NgramTable& table = tables_[length];
    const uint32_t itself = static_cast<uint32_t>(length) << number_bits_ | table.number(slot);
    return {own ? itself : table.suffix(slot)};
  }

 private:
  struct Arrays;
  friend class LanguageModelBuilder;
  friend class DiskBuilder;

  void save_with(const std::string& path,
                 const std::function<void(ContainerWriter&)>& append_buckets) const;

  uint32_t number(LmState state) const noexcept { return state.node & ((1u << number_bits_) - 1); }
  LmState suffix(LmState state) const noexcept {
    const NgramTable& table = tables_[length(state)];
    return {table.suffix(table.at(number(state)))};
  }
  NgramSlot place(LmState state) const noexcept { return tables_[length(state)].at(number(state)); }
  // The longest n-gram that ends in the word, and its length; adds the backoff weights passed.
  std::pair<int32_t, NgramSlot> longest(LmState from, WordId word, float& backoff) const noexcept {
    for (LmState state = from; state.node != 0; state = back_off(state, backoff)) {
      if (!may_precede(state, word)) continue;
      const NgramTable& table = tables_[length(state) + 1];
      const uint64_t key = table.key(number(state), word);
      table.prefetch_other(key);
      const NgramSlot found = table.find(key);
      if (found.bucket) return {length(state) + 1, found};
    }
    return {1, unigram(word)};
  }
  // Maps the tables onto the buckets; false if they do not fit.
  bool lay_tables();
  bool sound() const noexcept;
  bool sound_classes() const noexcept;

  std::array<NgramTable, kMaxLmOrder + 1> tables_;  // by order, from 1
  uint32_t number_bits_ = 31;                       // of a state; its length is stored above them
  std::span<const uint64_t> counts_;
  std::span<const NgramHash> hashes_;     // of order 2, 3, ...
  std::span<const NgramBucket> buckets_;  // of all orders
  std::span<const Codebook> codebooks_;   // of order 2, 3, ...; empty if nothing is quantised
  Vocabulary vocabulary_;
  Vocabulary words_;                 // of a class-based model
  std::span<const WordId> classes_;  // by word; empty for a model of words
  std::shared_ptr<const void> owner_, class_owner_;
};

constexpr uint64_t unigram_buckets(WordId words) noexcept {
  return (static_cast<uint64_t>(words) + 3) / 4;
}

// The number of bits of a state's index in a model of this order.
constexpr uint32_t state_number_bits(int order) noexcept {
  return order < 2 ? 31 : 32 - static_cast<uint32_t>(std::bit_width(uint32_t(order) - 1));
}

}  // namespace demotic::lm
