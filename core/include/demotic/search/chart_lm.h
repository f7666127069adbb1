// The language models' part in a chart search: what a rule's target side and its tails cost when
// they are put together, and the state of the whole.
//
// States of hypotheses are numbered in the order in which they are kept; before that a state is one
// of the candidates of a bin. The words of a target side before its first gap are scored once, when
// it is prepared. Look-ups (state, word) go through a small table of the last ones, which stays in
// the cache. One object a thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/lm/chart_state.h"
#include "demotic/search/lm_memo.h"
#include "demotic/search/packed_states.h"
#include "demotic/search/search_model.h"

namespace demotic::search {

// What a chart scorer asks of a language model.
class ChartMemo {
 public:
  explicit ChartMemo(const LanguageModel& model) : memo_(model) {}

  LmMatch match(LmState from, WordId word) noexcept {
    return memo_(from, word, [](const LanguageModel& model, LmState state, WordId next) {
      return model.match(state, next);
    });
  }
  LmState begin_state() const noexcept { return model().begin_state(); }
  int32_t length(LmState state) const noexcept { return model().length(state); }
  LmState back_off(LmState state, float& log10) const noexcept {
    return model().back_off(state, log10);
  }
  const LanguageModel& model() const noexcept { return memo_.model(); }

 private:
  LmMemo<LmMatch> memo_;
};

// The number of a target side prepared by ChartLm::prepare, or kNone.
struct ChartPhrase {
  uint32_t number = kNone;
};

class ChartLm {
 public:
  // `weights` has one number for each model.
  ChartLm(const SearchModel& model, std::span<const double> weights);

  // symbols[i * length ...] is the target side in the words of the i-th model; gaps are negative.
  ChartPhrase prepare(std::span<const Symbol> symbols, uint32_t length);
  // Forgets all target sides.
  void forget();
  // Forgets all states.
  void new_sentence();
  // New weights, for all that is asked from now on.
  void reweigh(std::span<const double> weights) { weights_.assign(weights.begin(), weights.end()); }

  // Weighted score of the words of a target side, each stretch without anything before it.
  float context_free(ChartPhrase phrase) const noexcept;
  // The same in two steps: by model, which does not change with the weights and needs no more than
  // the symbols, as `prepare` has them; and weighted.
  void score_context_free(std::span<const Symbol> symbols, uint32_t length,
                          std::span<float> scores) const noexcept;
  float weighted(std::span<const float> scores) const noexcept;
  // Weighted score that the target side adds to its tails' own; the state of the whole becomes the
  // last candidate. `starts`: it begins the sentence.
  float combine(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts);
  void clear_candidates() noexcept { candidates_.shrink(0); }
  void drop_candidate() noexcept { candidates_.shrink(candidates_.size() - 1); }
  uint32_t last_candidate() const noexcept { return static_cast<uint32_t>(candidates_.size() - 1); }
  // Equal candidates have equal futures.
  bool same(uint32_t a, uint32_t b) const noexcept { return candidates_.same(a, b); }
  uint64_t hash(uint32_t candidate) const noexcept { return candidates_.hash(candidate); }
  // A candidate becomes the next state.
  void keep(uint32_t candidate) { states_.add(candidates_, candidate); }
  // Weighted score of making a piece the whole sentence. `started`: it begins with <s> already.
  float end(uint32_t state, bool started) { return end_of(states_, state, started); }
  // The same of the last candidate.
  float end_of_last(bool started) { return end_of(candidates_, last_candidate(), started); }

  // The same for the record: adds natural logarithms to values[model].
  void add_values(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts,
                  std::span<double> values);
  void add_end_values(uint32_t state, bool started, std::span<double> values);
  // Those of a whole sentence, in double precision. `words` are the model's own, by model as in
  // `prepare`.
  void add_sentence_values(std::span<const WordId> words, size_t length, std::span<double> values);

 private:
  using State = PackedState<uint64_t>;
  using Piece = PackedState<const uint64_t>;
  using Scorer = BasicChartScorer<ChartMemo, State>;
  static constexpr int32_t kMax = SearchModel::kMaxLanguageModels;
  // A target side for one model.
  struct Side {
    float score = 0;      // of what stands before the first gap
    float rest = 0;       // of the later stretches of words, each alone
    uint32_t first = 0;   // symbol
    uint16_t length = 0;  // symbols
    uint16_t prefix = 0;  // those before the first gap
  };
  const Side& side(ChartPhrase phrase, size_t model) const noexcept {
    return sides_[phrase.number * memos_.size() + model];
  }

  // The score of the target side put together by one model; `to` is room for the state.
  float run(size_t model, ChartPhrase phrase, std::span<const uint32_t> tails, bool starts,
            uint64_t* to);
  float run_end(size_t model, const PackedStates& states, uint32_t state, bool started);
  float end_of(const PackedStates& states, uint32_t state, bool started);

  std::vector<ChartMemo> memos_;  // by model
  std::vector<float> weights_;
  std::vector<Symbol> symbols_;
  std::vector<Side> sides_;  // by target side and model
  PackedStates prefixes_;    // by target side: states of what stands before the first gap
  PackedStates states_, candidates_;
};

}  // namespace demotic::search
