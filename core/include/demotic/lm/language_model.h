// A back-off language model for queries: probabilities of words after a context, as KenLM gives
// them, from an immutable file that is mapped, not read.
//
// The model is an automaton. A state is a context that still matters: one that begins some n-gram
// or carries a backoff weight; longer memory is dropped at once, so hypotheses with equal futures
// have equal states. An arc (state, word) holds an n-gram's probability and the state after it;
// where an arc is missing, the state's backoff weight is added and its suffix is tried. A query
// costs about two memory accesses on text, whatever the order. Memory: 15 bytes an n-gram, 8 a
// state, 8 a word, and the words.
//
// Words here are the model's own ids; `map` gives them for the ids of another vocabulary.
// Scores are natural logarithms unless a name says log10. Safe to share between threads.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/lm/arc_table.h"
#include "demotic/lm/ngrams.h"
#include "demotic/text/vocabulary.h"

namespace demotic {

inline constexpr float kLn10 = 2.302585093f;

// The right context of a partial translation. Equal bytes mean equal futures.
struct LmState {
  uint32_t node = 0;  // the empty context
  friend bool operator==(LmState, LmState) = default;
};

// All that is known about one query.
struct LmMatch {
  float log10 = 0;  // of the probability, backoffs included
  LmState next;
  int32_t length = 0;         // words of the n-gram that was found
  bool extends_left = false;  // whether some n-gram extends the one found to the left
};

class LanguageModel {
 public:
  static LanguageModel build(const NgramModel& ngrams, const StopFlag& stop);
  // Maps `path`. `verify` checks checksums and every index inside; without it the file is trusted.
  static LanguageModel open(const std::string& path, bool verify, const StopFlag& stop);
  void save(const std::string& path) const;
  // Back to lists, sorted by words.
  NgramModel ngrams(const StopFlag& stop) const;

  int order() const noexcept { return static_cast<int>(counts_.size()); }
  std::span<const uint64_t> counts() const noexcept { return counts_; }  // n-grams an order
  const Vocabulary& vocabulary() const noexcept { return vocabulary_; }
  uint32_t states() const noexcept { return static_cast<uint32_t>(nodes_.size()); }
  size_t size_bytes() const noexcept;  // of the tables, without the words

  // The model's id of each word of another vocabulary, kUnknown where it has none.
  std::vector<WordId> map(const Vocabulary& other) const;

  LmState empty_state() const noexcept { return {}; }
  LmState begin_state() const noexcept { return {unigrams_[kSentenceBegin].next}; }
  // Words in the state's context.
  int32_t length(LmState state) const noexcept {
    int32_t length = 0;
    while (state.node >= first_node_[length + 1]) ++length;
    return length;
  }

  // ln p(word | from), and the state after it. `word` must be an id of this model.
  float score(LmState from, WordId word, LmState& to) const noexcept {
    return kLn10 * score_log10(from, word, to);
  }
  float score_log10(LmState from, WordId word, LmState& to) const noexcept;
  LmMatch match(LmState from, WordId word) const noexcept;

  // Fetches what a query will need, for callers that know early what they will ask.
  // The result is the arc's key for `arcs().find`.
  uint64_t prefetch(LmState from, WordId word) const noexcept {
    __builtin_prefetch(&nodes_[from.node]);
    return arcs_.prefetch(from.node, word);
  }
  void prefetch_unigram(WordId word) const noexcept { __builtin_prefetch(&unigrams_[word]); }
  // log10 weight of leaving the state for its next shorter one.
  float backoff_log10(LmState state) const noexcept { return nodes_[state.node].backoff; }
  LmState shorter(LmState state) const noexcept { return {nodes_[state.node].suffix}; }

  const ArcTable& arcs() const noexcept { return arcs_; }
  float unigram_log10(WordId word) const noexcept { return -std::fabs(unigrams_[word].prob); }
  LmState after_unigram(WordId word) const noexcept { return {unigrams_[word].next}; }

 private:
  struct Unigram {
    float prob;  // as in ArcBucket
    uint32_t next;
  };
  struct Node {
    float backoff;    // log10
    uint32_t suffix;  // the longest shorter context that is a state
  };
  struct Arrays;
  friend class LanguageModelBuilder;

  bool sound() const noexcept;

  Vocabulary vocabulary_;
  std::span<const uint64_t> counts_;
  std::span<const uint32_t> first_node_;  // of each length 0 .. order - 1; then the number of nodes
  std::span<const Unigram> unigrams_;
  std::span<const Node> nodes_;
  ArcTable arcs_;
  std::shared_ptr<const void> owner_;
};

inline float LanguageModel::score_log10(LmState from, WordId word, LmState& to) const noexcept {
  float backoff = 0;
  for (uint32_t node = from.node; node != 0; node = nodes_[node].suffix) {
    const FoundArc arc = arcs_.find(node, word);
    if (arc.bucket) {
      to.node = arc.bucket->next[arc.slot];
      return backoff - std::fabs(arc.bucket->prob[arc.slot]);
    }
    backoff += nodes_[node].backoff;
  }
  to.node = unigrams_[word].next;
  return backoff - std::fabs(unigrams_[word].prob);
}

inline LmMatch LanguageModel::match(LmState from, WordId word) const noexcept {
  float backoff = 0;
  for (LmState state = from; state.node != 0; state = shorter(state)) {
    const FoundArc arc = arcs_.find(state.node, word);
    if (arc.bucket) {
      const float prob = arc.bucket->prob[arc.slot];
      return {backoff - std::fabs(prob),
              {arc.bucket->next[arc.slot]},
              length(state) + 1,
              std::signbit(prob)};
    }
    backoff += nodes_[state.node].backoff;
  }
  const Unigram& unigram = unigrams_[word];
  return {backoff - std::fabs(unigram.prob), {unigram.next}, 1, std::signbit(unigram.prob)};
}

}  // namespace demotic
