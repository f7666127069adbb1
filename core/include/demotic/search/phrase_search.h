// Phrase-based beam search (Koehn et al. 2003): hypotheses compete in bins by the number of covered
// source words.
//
// Hypotheses of a bin with the same coverage and the same end of the last phrase form a group: a
// phrase extends all of them with the same distortion and future cost. A group and a phrase that
// may follow it are an expansion: the hypotheses of the group times the translation options of the
// phrase.
//
// Hypotheses with equal futures (coverage, last phrase as far as reordering depends on it, language
// model state, past of joint features, state of the operation sequence model) are recombined. If
// only a prefix of a sentence is translated, there is no </s>. Time is linear in the length of the
// sentence. Not thread-safe; use one instance per thread. The result is valid until the next call,
// as long as the source exists.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/search/bin_search.h"
#include "demotic/search/coverage.h"
#include "demotic/search/future_costs.h"
#include "demotic/search/joint_states.h"
#include "demotic/search/order_gate.h"
#include "demotic/search/phrase_translation_options.h"

namespace demotic::search {

struct PhraseHypothesis {
  float score = 0;       // weights . features so far
  float total = 0;       // plus the future cost; for complete hypotheses, plus </s>
  SearchEdge<1> edge;    // the empty hypothesis has no option
  uint32_t state = 0;    // see PhraseSearch::lm_state and past
  uint32_t forward = 0;  // class of the last phrase, see PhraseTranslationOptions::forward
  uint32_t group = 0;
  uint32_t recombined = kNone;  // last edge recombined with it, if recorded

  uint32_t parent() const noexcept { return edge.tails[0]; }
};

struct PhraseGroup {
  CoverageId coverage;
  int32_t end;    // end of the last phrase
  int32_t begin;  // begin of the last phrase if a swap with it is still possible, else -1
  float gaps;     // future cost of the uncovered spans, without the jumps to them
  uint32_t first = 0, count = 0;  // its hypotheses, best first
};

class PhraseSearch : public BinSearch<PhraseSearch, PhraseHypothesis, Bin, 2> {
 public:
  PhraseSearch(const PhraseModel& model, std::span<const double> weights,
               const PhraseSearchOptions& limits);

  // Changes the dense weights and reads the sparse ones again. Equivalent to a new search, but
  // keeps what does not depend on the weights. Throws as check_weights does.
  void reweigh(std::span<const double> weights);
  // See RuleRanker::share.
  void share(SharedChoices& choices) noexcept { options_.share(choices); }
  // `record`: keep recombined edges and pruned hypotheses. Falls back to monotone order if the
  // sentence is too long for unlimited reordering or if, without the gap test, no hypothesis could
  // be completed.
  void run(const SourceSentences& source, size_t sentence, bool record, const StopFlag& stop);

  // The bin of complete hypotheses.
  uint32_t goal_bin() const noexcept { return static_cast<uint32_t>(bins_.size()) - 1; }
  // Whether partial hypotheses are ranked with their future cost, or by score alone: then only the
  // penalties of unknown words are known in advance.
  bool has_future_cost() const noexcept { return limits_.future_cost; }
  // The score that pruning compares: with the future cost, or with </s> if complete.
  float total(uint32_t hypothesis) const noexcept { return hypotheses_[hypothesis].total; }
  float future(uint32_t hypothesis) const noexcept {
    return hypotheses_[hypothesis].total - hypotheses_[hypothesis].score;
  }
  // The goal in a record: its bin, and where its edges begin.
  int32_t goal_number() const noexcept { return static_cast<int32_t>(bins_.size()) - 1; }
  int32_t goal_begin() const noexcept { return length_; }
  // A key of a bin that is stable across searches of the sentence, and the number of source words
  // that its hypotheses cover.
  int32_t bin_key(uint32_t bin) const noexcept { return static_cast<int32_t>(bin); }
  int32_t covered(uint32_t bin) const noexcept { return static_cast<int32_t>(bin); }
  // Whether a tail is the empty hypothesis, where every derivation starts.
  static bool is_start(uint32_t tail) noexcept { return tail == 0; }
  bool whole() const noexcept { return whole_; }  // not only a prefix is translated, so </s> counts
  std::span<const PhraseGroup> groups() const noexcept { return groups_; }
  // Calls visit(begin, end) for each span that a hypothesis has not covered.
  template <typename Visit>
  void for_each_gap(uint32_t hypothesis, Visit&& visit) const {
    coverage_.for_each_gap(groups_[hypotheses_[hypothesis].group].coverage, visit);
  }
  const PhraseTranslationOptions& options() const noexcept { return options_; }
  const FutureCosts& future_costs() const noexcept { return future_; }
  const FutureJumps& future_jumps() const noexcept { return jumps_; }
  const UnknownPenalties& unknown_penalties() const noexcept { return unknown_; }
  PhraseLm& lm() noexcept { return options_.lm(); }
  SparseSums& sparse() noexcept { return options_.sparse(); }
  uint32_t lm_state(const PhraseHypothesis& hypothesis) const noexcept {
    return lm_state(hypothesis.state);
  }
  // What joint features depend on; only if there are any.
  const SparseFeatures::Past& past(const PhraseHypothesis& hypothesis) const noexcept {
    return joint_states_[inner_state(hypothesis.state)].past;
  }
  // The operation sequence model, if the model has one: its scorer and the state of a hypothesis.
  OperationScorer& operations() noexcept { return options_.operations(); }
  OperationState operation_state(const PhraseHypothesis& hypothesis) const noexcept {
    return ordered_states_[hypothesis.state].operations;
  }
  const CoverageTable& coverage() const noexcept { return coverage_; }

  // The jump from the last phrase of the group to [begin, end).
  Jump jump(const PhraseGroup& group, int32_t begin, int32_t end) const noexcept {
    return jump(coverage_.first_open(group.coverage), group.end, begin, end);
  }
  Jump jump(int32_t first_open, int32_t last_end, int32_t begin, int32_t end) const noexcept {
    return {first_open, last_end, begin, end, limits_.early_distortion};
  }
  // The orientations of [begin, end) after the last phrase of the group.
  Orientations orientations(const PhraseGroup& group, int32_t begin, int32_t end) const noexcept {
    return model_.orientations(group.begin, group.end, begin, end,
                               [&](int32_t i) { return coverage_.covers(group.coverage, i); });
  }

 private:
  using Base = BinSearch<PhraseSearch, PhraseHypothesis, Bin, 2>;
  friend Base;

  struct Expansion {
    uint32_t group, span;
    // What every cell needs of them, so that it loads one line of the cache.
    uint32_t first_hypothesis, hypotheses, first_option, options;
    float jump;    // weighted
    float gaps;    // future cost of the gaps of the resulting hypotheses
    float future;  // and of the jumps to them
    Orientations orientations;
    uint32_t target;  // their group, created when needed
  };
  struct Pending {
    std::vector<Expansion> expansions;
    BestFirst seeds;  // expansions, by the estimated key of their first cell
  };
  struct GroupKey {
    CoverageId coverage;
    int32_t end, begin;
    friend bool operator==(const GroupKey&, const GroupKey&) = default;
  };
  struct Signature {
    uint32_t group, state, forward;
    friend bool operator==(const Signature&, const Signature&) = default;
  };
  struct TripleHash {
    template <typename Key>
    uint64_t operator()(const Key& key) const noexcept {
      const auto [a, b, c] = std::bit_cast<std::array<uint32_t, 3>>(key);
      return mix64((uint64_t{a} << 32 | b) ^ uint64_t{c} * 0x9e3779b97f4a7c15u);
    }
  };

  void set_weights(std::span<const double> weights);
  void search(int32_t distortion_limit, const StopFlag& stop);
  void begin();
  void fill_bin();
  float gap_future(int32_t begin, int32_t end) const noexcept {
    return limits_.future_cost ? future_(begin, end) : unknown_(begin, end);
  }
  void expand(uint32_t group);
  void expand(uint32_t group, const PhraseSpan& span, int32_t gap_begin, int32_t gap_end);

  // For BinSearch. Axes: the group's hypotheses, the span's translation options.
  uint32_t axis_size(uint32_t expansion, size_t axis) const noexcept {
    const Expansion& one = pending_now_->expansions[expansion];
    return axis == 0 ? one.hypotheses : one.options;
  }
  uint32_t option_at(const Expansion& expansion, uint32_t rank) const noexcept {
    return options_.ranked(expansion.first_option, rank, expansion.orientations.backward);
  }
  void score(Cell& cell);
  PhraseHypothesis hypothesis_of(const Cell& cell);
  std::pair<uint32_t&, bool> equal_to(const Cell&, const PhraseHypothesis& made) {
    return signatures_.insert({made.group, made.state, made.forward});
  }
  void discard(const Cell&) noexcept {}
  static uint32_t group_of(const PhraseHypothesis& hypothesis) noexcept { return hypothesis.group; }
  void keep(const PhraseHypothesis& hypothesis, uint32_t, bool alive) noexcept {
    PhraseGroup& group = groups_[hypothesis.group];
    if (alive && group.count++ == 0) group.first = static_cast<uint32_t>(hypotheses_.size());
  }

  // Returns the score of what depends on the state: language models, joint features, operations.
  float extend(const Expansion& expansion, uint32_t state, uint32_t option, uint32_t& to) {
    if (ordered_) return extend_in_order(expansion, state, option, to);
    return extend_inner(state, option, to);
  }
  float extend_inner(uint32_t state, uint32_t option, uint32_t& to) {
    return joint_ ? extend_jointly(state, option, to)
                  : lm().extend(state, options_[option].words, to);
  }
  float extend_jointly(uint32_t state, uint32_t option, uint32_t& to);
  float extend_in_order(const Expansion& expansion, uint32_t state, uint32_t option, uint32_t& to);
  float end_score(uint32_t state);
  // The state without that of the operation sequence model.
  uint32_t inner_state(uint32_t state) const noexcept {
    return ordered_ ? ordered_states_[state].inner : state;
  }
  uint32_t lm_state(uint32_t state) const noexcept {
    const uint32_t inner = inner_state(state);
    return joint_ ? joint_states_[inner].lm : inner;
  }
  void note_last_words();
  SparseFeatures::Past relevant(const SparseFeatures::Past& past) const noexcept;
  uint32_t target_group(Expansion& expansion);

  const PhraseModel& model_;
  const PhraseSearchOptions limits_;
  const bool joint_;    // the model has joint features
  const bool ordered_;  // the model has an operation sequence model
  std::vector<double> weights_;
  float slack_ = 0;
  double sparse_weight_ = 0;
  PhraseTranslationOptions options_;
  FutureCosts future_;
  FutureJumps jumps_;
  UnknownPenalties unknown_;
  CoverageTable coverage_;
  OrderGate gate_;

  // The current sentence.
  bool whole_ = true;
  int32_t distortion_limit_ = 0;
  int32_t covered_ = 0;       // words covered in the current bin
  uint32_t first_group_ = 0;  // first group of that bin
  std::vector<PhraseGroup> groups_;
  JointStates joint_states_;
  OrderedStates ordered_states_;
  struct LastWords {
    uint32_t count = 0;
    std::array<WordId, 2> words{};
  };
  std::vector<LastWords> last_words_;  // by option; only with joint features
  std::vector<Pending> pending_;       // ring buffer: bins at most one longest phrase ahead

  // The bin being filled.
  bool complete_ = false;  // it is the final bin
  Pending* pending_now_ = nullptr;
  FlatMap<GroupKey, uint32_t, TripleHash> group_ids_;
  FlatMap<Signature, uint32_t, TripleHash> signatures_;
};

}  // namespace demotic::search
