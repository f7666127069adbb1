// The language models' part in a chart search: what a rule's target side and its tails cost when
// they are put together, and the state of the whole.
//
// States are stored once and numbered, so that hypotheses carry a number and recombine by it;
// numbers are valid until `new_sentence`. The words of a target side before its first gap are
// scored once, when it is prepared. Look-ups (state, word) go through a small table of the last
// ones, which stays in the cache. One object a thread.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/lm/chart_state.h"
#include "demotic/search/search_model.h"

namespace demotic {

// A language model that remembers its last answers.
class LmMemo {
 public:
  explicit LmMemo(const LanguageModel& model) : model_(&model), entries_(size_t{1} << kBits) {}

  LmMatch match(LmState from, WordId word) noexcept {
    const uint64_t key = uint64_t{from.node} << 32 | static_cast<uint32_t>(word);
    Entry& entry = entries_[key * 0x9e3779b97f4a7c15u >> (64 - kBits)];
    if (entry.word != word || entry.from != from) entry = {from, word, model_->match(from, word)};
    return entry.match;
  }
  LmState begin_state() const noexcept { return model_->begin_state(); }
  int32_t length(LmState state) const noexcept { return model_->length(state); }
  LmState back_off(LmState state, float& log10) const noexcept {
    return model_->back_off(state, log10);
  }
  const LanguageModel& model() const noexcept { return *model_; }

 private:
  static constexpr uint32_t kBits = 13;
  struct Entry {
    LmState from;
    WordId word = -1;
    LmMatch match;
  };
  const LanguageModel* model_;
  std::vector<Entry> entries_;
};

// A target side prepared by ChartLm::prepare.
struct ChartPhrase {
  uint32_t first = 0;   // place of its first symbol
  uint32_t prefix = 0;  // place of what stands before its first gap
  uint32_t length = 0;  // symbols
};

class ChartLm {
 public:
  // `weights` has one number for each model.
  ChartLm(const SearchModel& model, std::span<const double> weights);

  // symbols[i * length ...] is the target side in the words of the i-th model; gaps are negative.
  ChartPhrase prepare(std::span<const Symbol> symbols, uint32_t length);
  struct Mark {
    size_t symbols, prefixes;
  };
  Mark prepared() const noexcept { return {symbols_.size(), prefixes_.size()}; }
  void forget(Mark kept);
  void new_sentence();
  // New weights, for all that is asked from now on.
  void reweigh(std::span<const double> weights) { weights_.assign(weights.begin(), weights.end()); }

  // Weighted score of the words of a target side, each stretch without anything before it.
  float alone(ChartPhrase phrase) const noexcept;
  // The same in two steps: by model, which does not change with the weights, and weighted.
  void copy_alone(ChartPhrase phrase, std::span<float> scores) const noexcept;
  float weighted(std::span<const float> scores) const noexcept;
  // Weighted score that the target side adds to its tails' own, and the state of the whole.
  // `starts`: it begins the sentence.
  float combine(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts, uint32_t& state);
  // Weighted score of making a piece the whole sentence. `started`: it begins with <s> already.
  float end(uint32_t state, bool started);

  // The same for the record: adds natural logarithms to values[model].
  void add_values(ChartPhrase phrase, std::span<const uint32_t> tails, bool starts,
                  std::span<double> values);
  void add_end_values(uint32_t state, bool started, std::span<double> values);
  // Those of a whole sentence, in double precision. `words` are the model's own, by model as in
  // `prepare`.
  void add_sentence_values(std::span<const WordId> words, size_t length, std::span<double> values);

 private:
  using Scorer = BasicChartScorer<LmMemo>;
  static constexpr int32_t kMax = SearchModel::kMaxLanguageModels;
  using Tuple = std::array<uint32_t, kMax>;
  struct TupleHash {
    uint64_t operator()(const Tuple& tuple) const noexcept;
  };
  struct Prefix {
    ChartState state;
    float score = 0;
    float rest = 0;       // of the later stretches of words, each alone
    uint32_t length = 0;  // symbols before the first gap
  };
  struct States {  // of one model
    std::vector<ChartState> states;
    FlatMap<uint64_t, uint32_t> ids;  // by hash; on a clash the next number
    uint32_t intern(const ChartState& state);
  };

  // The target side put together by one model.
  Scorer run(size_t model, ChartPhrase phrase, std::span<const uint32_t> tails, bool starts);
  Scorer run_end(size_t model, uint32_t state, bool started);
  const ChartState& state_of(size_t model, uint32_t state) const noexcept {
    return states_[model].states[memos_.size() == 1 ? state : tuples_[state][model]];
  }
  uint32_t intern(const Tuple& tuple);

  std::vector<LmMemo> memos_;  // by model
  std::vector<float> weights_;
  std::vector<Symbol> symbols_;
  std::vector<Prefix> prefixes_;
  std::vector<States> states_;  // by model
  std::vector<Tuple> tuples_;   // by state, unless there is one model
  FlatMap<Tuple, uint32_t, TupleHash> tuple_ids_;
};

}  // namespace demotic
