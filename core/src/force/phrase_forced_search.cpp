#include "demotic/force/phrase_forced_search.h"

#include <algorithm>
#include <functional>

namespace demotic::force {
namespace {

constexpr size_t kMaxLength = UINT16_MAX;

// Cap of the search without a distortion limit, which may be exponential and is made for many
// pairs.
constexpr int64_t kUnlimitedNodes = 10'000;

constexpr size_t kStopInterval = 4096;  // states between two checks of the stop flag

}  // namespace

bool PhraseForcedSearch::begin(const SourceSentences& source, size_t sentence) {
  const size_t length = source[sentence].size(), reference = source.reference(sentence).size();
  if (std::max(length, reference) > kMaxLength ||
      static_cast<int64_t>((length + 1) * (reference + 1)) > PhraseLookahead::kMaxCells)
    return false;
  length_ = static_cast<int32_t>(length);
  reference_length_ = static_cast<int32_t>(reference);
  phrases_.build(source, sentence);
  return true;
}

Cause PhraseForcedSearch::word_cause() const noexcept {
  if (phrases_.unknown_word()) return Cause::kUnknownWord;
  return has_uncovered_word() ? Cause::kUncoveredWord : Cause::kNoCause;
}

bool PhraseForcedSearch::run(const StopFlag& stop) {
  selected_ = phrases_.select_for_pair();
  return !selected_ || search(Aim::kPair, options_.distortion_limit, options_.max_nodes, stop);
}

bool PhraseForcedSearch::run_unlimited(const StopFlag& stop) {
  return search(Aim::kWhether, -1, std::min(kUnlimitedNodes, options_.max_nodes), stop);
}

bool PhraseForcedSearch::reachable() const noexcept {
  return selected_ && states_.back().covered == length_ && states_.back().at == reference_length_;
}

bool PhraseForcedSearch::run_prefixes(const StopFlag& stop) {
  phrases_.select_for_prefixes();
  return search(Aim::kPrefixes, options_.distortion_limit, options_.max_nodes, stop);
}

// False if there are too many states.
bool PhraseForcedSearch::search(Aim aim, int32_t distortion_limit, int64_t max_nodes,
                                const StopFlag& stop) {
  stop.check();
  aim_ = aim;
  max_nodes_ = max_nodes;
  distortion_limit_ = distortion_limit < 0 ? length_ : std::min(distortion_limit, length_);
  const bool windowed = distortion_limit == 0 || (distortion_limit > 0 && options_.gap_test);
  const int32_t reach = windowed ? distortion_limit_ : length_;
  lookahead_.build(phrases_, {length_, reference_length_, reach, aim == Aim::kPrefixes});
  states_.clear();
  arcs_.clear();
  layers_.assign(reference_length_ + size_t{1}, kNone);
  bins_.assign(length_ + size_t{1}, kNone);
  if (reach <= NarrowCoverage::kMaxReach) return expand_all(NarrowCoverage{}, stop);
  coverage_.reset(length_, reach);
  return expand_all(WideCoverage{coverage_}, stop);
}

template <typename Coverage>
bool PhraseForcedSearch::expand_all(const Coverage& coverage, const StopFlag& stop) {
  states_.push_back({.set = 0, .first = 0, .end = 0, .at = 0, .covered = 0});
  expand(0, coverage);
  for (int32_t position = 0; position <= reference_length_; ++position) {
    fill_bins(position);
    for (int32_t covered = 1; covered <= length_; ++covered) {
      // Phrases without target words lead to later bins of the layer.
      const auto begin = static_cast<uint32_t>(states_.size());
      recombine(position, covered);
      for (auto state = begin; state < states_.size(); ++state) {
        if (state % kStopInterval == 0) stop.check();
        expand(state, coverage);
      }
      if (static_cast<int64_t>(states_.size()) > max_nodes_) return false;
    }
  }
  return true;
}

// The list of a layer runs from its last arc to its first, that of a bin from first to last.
void PhraseForcedSearch::fill_bins(int32_t position) {
  for (uint32_t number = layers_[position]; number != kNone;) {
    Arc& arc = arcs_[number];
    const uint32_t next = arc.to;
    arc.to = std::exchange(bins_[covered_by(arc)], number);
    number = next;
  }
}

// Makes the states of a bin, in the order of the first arc into each.
void PhraseForcedSearch::recombine(int32_t position, int32_t covered) {
  ids_.clear();
  for (uint32_t number = std::exchange(bins_[covered], kNone); number != kNone;) {
    Arc& arc = arcs_[number];
    number = arc.to;
    const auto [state, fresh] = ids_.insert({arc.set, arc.end});
    if (fresh) {
      state = static_cast<uint32_t>(states_.size());
      states_.push_back({arc.set, arc.first, arc.end, static_cast<uint16_t>(position),
                         static_cast<uint16_t>(covered)});
    }
    arc.to = state;
  }
}

template <typename Coverage>
void PhraseForcedSearch::expand(uint32_t number, const Coverage& coverage) {
  const State state = states_[number];
  const Covered covered{state.set, state.first};
  const int32_t low = std::max<int32_t>(state.first, state.end - distortion_limit_);
  const int32_t high = state.end + distortion_limit_;
  const int32_t last_end = options_.gap_test ? state.first + distortion_limit_ : length_;
  for (const GoldPhrase& phrase : phrases_.at(state.at)) {
    if (phrase.begin < low) continue;
    if (phrase.begin > high) break;
    if (phrase.begin != state.first && phrase.end > last_end) continue;
    if (!coverage.open(covered, phrase.begin, phrase.end)) continue;
    const Covered next = coverage.with(covered, phrase.begin, phrase.end);
    if (!lookahead_.dead(next.first, state.at + phrase.size, coverage.window(next)))
      add_arc(number, phrase, next);
  }
}

void PhraseForcedSearch::add_arc(uint32_t from, const GoldPhrase& phrase, const Covered& covered) {
  const bool any_end = covered.first == length_ || aim_ == Aim::kWhether;
  arcs_.push_back({.set = covered.set,
                   .from = from,
                   .phrase = static_cast<uint32_t>(&phrase - phrases_.selected().data()),
                   .to = kNone,
                   .first = static_cast<uint16_t>(covered.first),
                   .end = any_end ? static_cast<uint16_t>(length_) : phrase.end});
  uint32_t& list = phrase.size == 0 && from > 0 ? bins_[covered_by(arcs_.back())]
                                                : layers_[phrase.at + phrase.size];
  arcs_.back().to = std::exchange(list, static_cast<uint32_t>(arcs_.size() - 1));
}

uint16_t PhraseForcedSearch::covered_by(const Arc& arc) const noexcept {
  const GoldPhrase& phrase = phrases_.selected()[arc.phrase];
  return static_cast<uint16_t>(states_[arc.from].covered + phrase.end - phrase.begin);
}

std::vector<FoundForest> PhraseForcedSearch::prefix_forests() const {
  std::vector<FoundForest> forests;
  for (const Prefix& prefix : prefixes()) forests.push_back(forest(prefix, false));
  return forests;
}

std::vector<PhraseForcedSearch::Prefix> PhraseForcedSearch::prefixes() const {
  std::vector<Prefix> all;
  for (const State& state : states_)
    if (state.covered >= options_.min_source_words && state.at > 0 && state.first == state.covered)
      all.push_back({state.covered, state.at});
  std::ranges::sort(all, std::greater{});
  std::vector<Prefix> chosen;
  for (const Prefix& one : all) {
    if (!chosen.empty() && one.second <= chosen.back().second) continue;
    chosen.push_back(one);
    if (options_.prefixes == Prefixes::kLongest) break;
  }
  return chosen;
}

// All states that cover exactly the goal's words become one node.
FoundForest PhraseForcedSearch::forest(Prefix goal, bool whole) const {
  const auto source = static_cast<uint16_t>(goal.first),
             target = static_cast<uint16_t>(goal.second);
  FoundForest found = goal_forest(
      states_.size(), arcs_.size(), {0, source, source, 0, target},
      [&](uint32_t i) {
        return states_[i].covered == source && states_[i].first == source &&
               states_[i].at == target;
      },
      [&](uint32_t i) -> GoldNode {
        return {0, states_[i].covered, states_[i].end, 0, states_[i].at};
      },
      [&](size_t i) -> FoundEdge {
        const GoldPhrase& phrase = phrases_.selected()[arcs_[i].phrase];
        return {{phrase.rule, {arcs_[i].from, kNone}, phrase.begin, phrase.end}, arcs_[i].to};
      });
  found.source_length = source;
  found.target_length = target;
  found.whole = whole;
  return found;
}

}  // namespace demotic::force
