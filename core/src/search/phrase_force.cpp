#include "demotic/search/phrase_force.h"

#include <algorithm>

namespace demotic {
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
  if (source[sentence].size() > kMaxLength || source.reference(sentence).size() > kMaxLength)
    return result;
  length_ = static_cast<int32_t>(source[sentence].size());
  reference_length_ = static_cast<int32_t>(source.reference(sentence).size());
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
  if (options_.beginnings == Beginnings::kNone) return result;
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
  coverage_.reset(length_, windowed ? distortion_limit_ : length_);
  states_.assign(1, {coverage_.empty(), 0, 0, 0, kNone});
  arcs_.clear();
  expanded_.clear();
  ids_.clear();
  layers_.assign(reference_length_ + size_t{1}, kNone);
  bins_.assign(length_ + size_t{1}, kNone);
  layers_[0] = 0;
  for (int32_t place = 0; place <= reference_length_; ++place)
    if (!expand_layer(place, stop)) return false;
  return true;
}

bool PhraseForce::expand_layer(int32_t place, const StopFlag& stop) {
  for (uint32_t state = layers_[place]; state != kNone;) {
    const uint32_t next = states_[state].next;
    states_[state].next = std::exchange(bins_[states_[state].covered], state);
    state = next;
  }
  for (uint32_t& bin : bins_) {
    // Phrases without target words lead to later bins of the layer.
    for (uint32_t state = bin; state != kNone; state = states_[state].next) {
      if (expanded_.size() % kPatience == 0) stop.check();
      expanded_.push_back(state);
      expand(state);
      if (static_cast<int64_t>(states_.size()) > max_nodes_) return false;
    }
    bin = kNone;
  }
  return true;
}

void PhraseForce::expand(uint32_t number) {
  const State state = states_[number];
  const int32_t first = coverage_.first_open(state.coverage);
  if (first == length_ || phrases_.last_place(first) < state.at) return;
  const int32_t low = std::max(first, state.end - distortion_limit_);
  const int32_t high = state.end + distortion_limit_;
  const int32_t reachable = options_.gap_test ? first + distortion_limit_ : length_;
  for (const GoldPhrase& phrase : phrases_.at(state.at)) {
    if (phrase.begin < low) continue;
    if (phrase.begin > high) break;
    if (phrase.begin != first && phrase.end > reachable) continue;
    if (coverage_.next_covered(state.coverage, phrase.begin) < phrase.end) continue;
    if (!loses_a_word(state, phrase)) reach(number, phrase);
  }
}

// Whether a word stays open that has no phrase at a later place; of beginnings, one before a word
// that is covered. Those of earlier places were looked for when the state itself was reached.
bool PhraseForce::loses_a_word(const State& state, const GoldPhrase& phrase) const noexcept {
  const int32_t end = aim_ == Aim::kBeginnings ? std::max<int32_t>(state.end, phrase.end) : length_;
  for (int32_t place = state.at; place < state.at + phrase.size; ++place)
    for (const uint16_t word : phrases_.lost_after(place))
      if (word < end && (word < phrase.begin || word >= phrase.end) &&
          !coverage_.covers(state.coverage, word))
        return true;
  return false;
}

void PhraseForce::reach(uint32_t from, const GoldPhrase& phrase) {
  const State& old = states_[from];
  const auto at = static_cast<uint16_t>(old.at + phrase.size);
  const auto covered = static_cast<uint16_t>(old.covered + phrase.end - phrase.begin);
  const bool all = covered == length_;
  if (aim_ != Aim::kBeginnings && !phrases_.may_cover(at, length_ - covered)) return;
  const CoverageId coverage = coverage_.with(old.coverage, phrase.begin, phrase.end);
  const uint16_t end = all || aim_ == Aim::kWhether ? static_cast<uint16_t>(length_) : phrase.end;
  const uint16_t place = old.at;
  const auto [state, fresh] = ids_.insert({coverage, end, at});
  if (fresh) {
    state = static_cast<uint32_t>(states_.size());
    uint32_t& list = at == place ? bins_[covered] : layers_[at];
    states_.push_back({coverage, end, at, covered, list});
    list = state;
  }
  arcs_.push_back({from, static_cast<uint32_t>(&phrase - phrases_.arranged().data()), state});
}

bool PhraseForce::found_whole() const noexcept {
  const State& last = states_[expanded_.back()];
  return last.covered == length_ && last.at == reference_length_;
}

// Those wanted, longest source side first.
std::vector<PhraseForce::Beginning> PhraseForce::beginnings() const {
  std::vector<Beginning> all;
  for (const State& state : states_)
    if (state.covered >= options_.min_source_words && state.at > 0 &&
        coverage_.first_open(state.coverage) == state.covered)
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
  for (const uint32_t state : expanded_) {
    if (!used_[state] || is_goal(states_[state])) continue;
    nodes_[state] = static_cast<uint32_t>(found.nodes.size());
    found.nodes.push_back({0, states_[state].covered, states_[state].end, 0, states_[state].at});
  }
  const auto last = static_cast<uint32_t>(found.nodes.size());
  found.nodes.push_back({0, static_cast<uint16_t>(goal.first), static_cast<uint16_t>(goal.first), 0,
                         static_cast<uint16_t>(goal.second)});
  for (const uint32_t state : expanded_)
    if (used_[state] && is_goal(states_[state])) nodes_[state] = last;
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
               coverage_.first_open(states_[i].coverage) == goal.first;
  for (auto arc = arcs_.rbegin(); arc != arcs_.rend(); ++arc) used_[arc->from] |= used_[arc->to];
}

}  // namespace demotic
