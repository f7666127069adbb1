#include "demotic/force/phrase_force.h"

#include <algorithm>

namespace demotic::force {
namespace {

constexpr size_t kMaxLength = UINT16_MAX;

// Of the search that only tells why a pair is not reached: with an unlimited distortion it may be
// exponential, and is made for many pairs.
constexpr int64_t kCauseNodes = 10'000;

constexpr size_t kPatience = 4096;  // states between two looks at the stop flag

}  // namespace

PhraseForce::PhraseForce(const PhraseModel& model, const ForceOptions& options)
    : options_(options), phrases_(model) {}

ForcedResult PhraseForce::run(const SourceSentences& source, size_t sentence,
                              const StopFlag& stop) {
  ForcedResult result;
  result.reached = Reached::kUndecided;
  const size_t length = source[sentence].size(), reference = source.reference(sentence).size();
  if (std::max(length, reference) > kMaxLength ||
      static_cast<int64_t>((length + 1) * (reference + 1)) > PhraseOutlook::kMaxCells)
    return result;
  length_ = static_cast<int32_t>(length);
  reference_length_ = static_cast<int32_t>(reference);
  phrases_.build(source, sentence);
  if (phrases_.covers_both() && phrases_.arrange_whole()) {
    if (!search(Aim::kWhole, options_.distortion_limit, options_.max_nodes, stop)) return result;
    if (found_whole()) {
      result.reached = Reached::kWhole;
      result.forests.push_back(forest({length_, reference_length_}, true));
      return result;
    }
  }
  result.cause = cause(stop);
  result.reached = Reached::kNot;
  if (options_.beginnings == Beginnings::kNoBeginnings) return result;
  phrases_.arrange_beginnings();
  if (!search(Aim::kBeginnings, options_.distortion_limit, options_.max_nodes, stop)) {
    result.reached = Reached::kUndecided;
    return result;
  }
  for (const Beginning& goal : beginnings()) result.forests.push_back(forest(goal, false));
  if (!result.forests.empty()) result.reached = Reached::kBeginning;
  return result;
}

// Of a pair that is not reached; what is arranged is changed.
Cause PhraseForce::cause(const StopFlag& stop) {
  if (phrases_.unknown_word()) return Cause::kUnknownWord;
  if (!phrases_.covers_both()) return Cause::kUncoveredWord;
  if (!options_.find_cause || options_.distortion_limit < 0 || !phrases_.arrange_whole())
    return Cause::kOther;
  if (!search(Aim::kWhether, -1, std::min(kCauseNodes, options_.max_nodes), stop))
    return Cause::kUndecided;
  return found_whole() ? Cause::kLimit : Cause::kOther;
}

// False if there are too many states.
bool PhraseForce::search(Aim aim, int32_t distortion_limit, int64_t max_nodes,
                         const StopFlag& stop) {
  aim_ = aim;
  max_nodes_ = max_nodes;
  distortion_limit_ = distortion_limit < 0 ? length_ : std::min(distortion_limit, length_);
  const bool windowed = distortion_limit == 0 || (distortion_limit > 0 && options_.gap_test);
  const int32_t reach = windowed ? distortion_limit_ : length_;
  outlook_.build(phrases_, {length_, reference_length_, reach, aim == Aim::kBeginnings});
  states_.clear();
  arcs_.clear();
  layers_.assign(reference_length_ + size_t{1}, kNone);
  bins_.assign(length_ + size_t{1}, kNone);
  if (reach <= NarrowCoverage::kMaxReach) return expand_all(NarrowCoverage{}, stop);
  coverage_.reset(length_, reach);
  return expand_all(WideCoverage{coverage_}, stop);
}

template <typename Coverage>
bool PhraseForce::expand_all(const Coverage& coverage, const StopFlag& stop) {
  states_.push_back({.set = 0, .first = 0, .end = 0, .at = 0, .covered = 0});
  expand(0, coverage);
  for (int32_t place = 0; place <= reference_length_; ++place) {
    fill_bins(place);
    for (int32_t covered = 1; covered <= length_; ++covered) {
      // Phrases without target words lead to later bins of the layer.
      const auto begin = static_cast<uint32_t>(states_.size());
      make_states(place, covered);
      for (auto state = begin; state < states_.size(); ++state) {
        if (state % kPatience == 0) stop.check();
        expand(state, coverage);
      }
      if (static_cast<int64_t>(states_.size()) > max_nodes_) return false;
    }
  }
  return true;
}

// Lists of layers are from the last to the first, those of bins the other way round.
void PhraseForce::fill_bins(int32_t place) {
  for (uint32_t number = layers_[place]; number != kNone;) {
    Arc& arc = arcs_[number];
    const uint32_t next = arc.to;
    arc.to = std::exchange(bins_[covered_by(arc)], number);
    number = next;
  }
}

// Of a bin, in the order in which they were reached.
void PhraseForce::make_states(int32_t place, int32_t covered) {
  ids_.clear();
  for (uint32_t number = std::exchange(bins_[covered], kNone); number != kNone;) {
    Arc& arc = arcs_[number];
    number = arc.to;
    const auto [state, fresh] = ids_.insert({arc.set, arc.end});
    if (fresh) {
      state = static_cast<uint32_t>(states_.size());
      states_.push_back({arc.set, arc.first, arc.end, static_cast<uint16_t>(place),
                         static_cast<uint16_t>(covered)});
    }
    arc.to = state;
  }
}

template <typename Coverage>
void PhraseForce::expand(uint32_t number, const Coverage& coverage) {
  const State state = states_[number];
  const Covered covered{state.set, state.first};
  const int32_t low = std::max<int32_t>(state.first, state.end - distortion_limit_);
  const int32_t high = state.end + distortion_limit_;
  const int32_t reachable = options_.gap_test ? state.first + distortion_limit_ : length_;
  for (const GoldPhrase& phrase : phrases_.at(state.at)) {
    if (phrase.begin < low) continue;
    if (phrase.begin > high) break;
    if (phrase.begin != state.first && phrase.end > reachable) continue;
    if (!coverage.open(covered, phrase.begin, phrase.end)) continue;
    const Covered next = coverage.with(covered, phrase.begin, phrase.end);
    if (!outlook_.dead(next.first, state.at + phrase.size, coverage.window(next)))
      reach(number, phrase, next);
  }
}

void PhraseForce::reach(uint32_t from, const GoldPhrase& phrase, const Covered& covered) {
  const bool any_end = covered.first == length_ || aim_ == Aim::kWhether;
  arcs_.push_back({.set = covered.set,
                   .from = from,
                   .phrase = static_cast<uint32_t>(&phrase - phrases_.arranged().data()),
                   .to = kNone,
                   .first = static_cast<uint16_t>(covered.first),
                   .end = any_end ? static_cast<uint16_t>(length_) : phrase.end});
  uint32_t& list = phrase.size == 0 && from > 0 ? bins_[covered_by(arcs_.back())]
                                                : layers_[phrase.at + phrase.size];
  arcs_.back().to = std::exchange(list, static_cast<uint32_t>(arcs_.size() - 1));
}

uint16_t PhraseForce::covered_by(const Arc& arc) const noexcept {
  const GoldPhrase& phrase = phrases_.arranged()[arc.phrase];
  return static_cast<uint16_t>(states_[arc.from].covered + phrase.end - phrase.begin);
}

bool PhraseForce::found_whole() const noexcept {
  return states_.back().covered == length_ && states_.back().at == reference_length_;
}

// Those wanted, longest source side first.
std::vector<PhraseForce::Beginning> PhraseForce::beginnings() const {
  std::vector<Beginning> all;
  for (const State& state : states_)
    if (state.covered >= options_.min_source_words && state.at > 0 && state.first == state.covered)
      all.push_back({state.covered, state.at});
  std::ranges::sort(all, std::greater{});
  std::vector<Beginning> chosen;
  for (const Beginning& one : all) {
    if (!chosen.empty() && one.second <= chosen.back().second) continue;
    chosen.push_back(one);
    if (options_.beginnings == Beginnings::kLongest) break;
  }
  return chosen;
}

// What leads to the states that cover just these words, which become one node.
FoundForest PhraseForce::forest(Beginning goal, bool whole) {
  mark_used(goal);
  FoundForest found;
  found.source_length = goal.first;
  found.target_length = goal.second;
  found.whole = whole;
  nodes_.resize(states_.size());
  const auto is_goal = [&](const State& state) {
    return state.covered == goal.first && state.at == goal.second;
  };
  for (size_t i = 0; i < states_.size(); ++i) {
    const State& state = states_[i];
    if (!used_[i] || is_goal(state)) continue;
    nodes_[i] = static_cast<uint32_t>(found.nodes.size());
    found.nodes.push_back({0, state.covered, state.end, 0, state.at});
  }
  const auto last = static_cast<uint32_t>(found.nodes.size());
  found.nodes.push_back({0, static_cast<uint16_t>(goal.first), static_cast<uint16_t>(goal.first), 0,
                         static_cast<uint16_t>(goal.second)});
  for (size_t i = 0; i < states_.size(); ++i)
    if (used_[i] && is_goal(states_[i])) nodes_[i] = last;
  // Edges by head, a head's in the order in which they were found.
  found.edge_offsets.assign(found.nodes.size() + 1, 0);
  for (const Arc& arc : arcs_)
    if (used_[arc.to]) ++found.edge_offsets[nodes_[arc.to]];
  uint32_t sum = 0;
  for (uint32_t& offset : found.edge_offsets) sum += std::exchange(offset, sum);
  found.edges.resize(sum);
  for (const Arc& arc : arcs_) {
    if (!used_[arc.to]) continue;
    const GoldPhrase& phrase = phrases_.arranged()[arc.phrase];
    found.edges[found.edge_offsets[nodes_[arc.to]]++] = {
        phrase.rule, {nodes_[arc.from], kNone}, phrase.begin, phrase.end};
  }
  std::shift_right(found.edge_offsets.begin(), found.edge_offsets.end(), 1);
  found.edge_offsets[0] = 0;
  return found;
}

void PhraseForce::mark_used(Beginning goal) {
  used_.assign(states_.size(), 0);
  for (size_t i = 0; i < states_.size(); ++i)
    used_[i] = states_[i].covered == goal.first && states_[i].at == goal.second &&
               states_[i].first == goal.first;
  for (auto arc = arcs_.rbegin(); arc != arcs_.rend(); ++arc) used_[arc->from] |= used_[arc->to];
}

}  // namespace demotic::force
