#include "demotic/search/hiero_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "demotic/search/searchers.h"

namespace demotic::search {
namespace {

// Beyond them the beam becomes narrower, some 400 MB, and spans become shorter.
constexpr int64_t kMaxHypotheses = 8'000'000, kMaxSpans = 1'000'000;

// How much better than the guess the first cell of a grid may be. Ten units of the language model
// are next to all that is ever wanted, and leave many grids of large bins without a look.
float slack_of(const HieroFeatures& features, std::span<const double> weights) {
  if (features.language_models == 0) return 0;
  return static_cast<float>(10 * std::fabs(weights[features.language_model(0)]));
}

}  // namespace

HieroSearch::HieroSearch(const HieroModel& model, std::span<const double> weights,
                         const HieroSearchOptions& options)
    : model_(model),
      limits_(options),
      slack_(slack_of(model.features(), weights)),
      options_(model, weights, limits_),
      matcher_(model),
      by_rank_(model.labels()) {}

void HieroSearch::reweigh(std::span<const double> weights) {
  check_weights(weights, model_.features().size());
  slack_ = slack_of(model_.features(), weights);
  options_.reweigh(weights);
}

void HieroSearch::run(const SourceSentences& source, size_t sentence, bool record,
                      const StopFlag& stop) {
  context_ = source.context(sentence);
  length_ = static_cast<int32_t>(context_.words.size());
  record_ = record;
  fell_back_ = false;
  hypotheses_.clear();
  arcs_.clear();
  groups_.clear();
  labels_.clear();
  options_.new_sentence(source, sentence);
  limit_effort();
  parse(source, stop);
  if (model_.builtin_glue())
    glue(joinable(), stop);
  else if (length_ > 0 && goal_groups_[length_] == kNone)
    glue(false, stop);
  finish();
}

const HieroGroup& HieroSearch::group_of(uint32_t hypothesis) const noexcept {
  return *(std::ranges::upper_bound(groups_, hypothesis, {}, &HieroGroup::first) - 1);
}

void HieroSearch::limit_effort() {
  span_limit_ = limits_.span_limit > 0 ? std::min(limits_.span_limit, length_) : length_;
  if (int64_t{length_} * span_limit_ > kMaxSpans) {
    span_limit_ = static_cast<int32_t>(std::max<int64_t>(1, kMaxSpans / length_));
    fell_back_ = true;
  }
  const int64_t spans = std::max<int64_t>(1, int64_t{length_} * span_limit_);
  const auto most = static_cast<int32_t>(std::clamp<int64_t>(kMaxHypotheses / spans, 1, INT32_MAX));
  beam_size_ = std::min(limits_.beam_size, most);
  pop_limit_ = std::min(limits_.pop_limit, 2 * std::min(most, INT32_MAX / 2));
  fell_back_ |= beam_size_ < limits_.beam_size && spans > 100'000;
}

void HieroSearch::parse(const SourceSentences& source, const StopFlag& stop) {
  cells_by_span_.assign(size_t(length_) * span_limit_, {});
  goal_groups_.assign(length_ + size_t{1}, kNone);
  for (int32_t begin = length_; begin-- > 0;) {
    stop.check();
    matcher_.begin(begin);
    // Only the goal may cover more words than the limit, and it begins with the first.
    const int32_t last =
        begin == 0 && !model_.builtin_glue() ? length_ : std::min(length_, begin + span_limit_);
    for (int32_t end = begin + 1; end <= last; ++end) parse_span(source, begin, end);
  }
}

void HieroSearch::parse_span(const SourceSentences& source, int32_t begin, int32_t end) {
  const bool within = end - begin <= span_limit_;
  const auto cell_of = [&](int32_t from) {
    return end - from <= span_limit_ ? cell(from, end) : ChartCell{};
  };
  bool known = false;
  const WordId last = context_.words[end - 1];
  for (const ChartMatch& match : matcher_.matches(end, last, cell_of, labels_)) {
    const std::span<const HieroBlock> blocks = options_.of(match.node, begin, end);
    known |= end - begin == 1 && !blocks.empty();
    for (const HieroBlock& block : blocks)
      if (within || block.lhs == model_.goal())
        by_rank_[model_.rank(block.lhs)].push_back({block, match.tails});
  }
  if (end - begin == 1) add_copies(source, begin, known);

  ChartCell made{static_cast<uint32_t>(groups_.size()), 0};
  for (int32_t rank = 0; rank < model_.labels(); ++rank) {
    std::vector<Expansion>& expansions = by_rank_[rank];
    if (expansions.empty()) continue;
    const int32_t label = model_.label_order()[rank];
    closing_ = label == model_.goal() && begin == 0 && end == length_;
    const uint32_t group = fill(label, begin, end, expansions);
    if (label == model_.goal() && begin == 0) goal_groups_[end] = group;
    ++made.count;
    if (within) add_unary(group);
  }
  closing_ = false;
  if (within) cell(begin, end) = made;
  matcher_.add_first_gaps(end, made, labels_);
}

void HieroSearch::add_copies(const SourceSentences& source, int32_t position, bool known) {
  if (known && !model_.pass_through_all()) return;
  by_rank_[model_.rank(model_.nonterminal())].push_back(
      {options_.copied(source, position, known), {kNone, kNone}});
}

// Rules X -> Y over the same span; heads have higher ranks than tails, or are left out.
void HieroSearch::add_unary(uint32_t group) {
  const int32_t label = labels_[group];
  const TrieNode node = model_.rules().child(kTrieRoot, gap_symbol(label));
  if (node == 0) return;
  for (const HieroBlock& block : options_.of(node, groups_[group].begin, groups_[group].end))
    if (model_.rank(block.lhs) > model_.rank(label))
      by_rank_[model_.rank(block.lhs)].push_back({block, {group, kNone}});
}

// Whether pieces of the nonterminal cover the sentence.
bool HieroSearch::joinable() {
  std::vector<uint8_t> reached(length_ + size_t{1}, 0);
  reached[0] = 1;
  for (int32_t end = 1; end <= length_; ++end)
    for (int32_t middle = std::max(0, end - span_limit_); middle < end && !reached[end]; ++middle) {
      const std::span<const int32_t> labels = labels_of(cell(middle, end));
      reached[end] = reached[middle] && std::ranges::count(labels, model_.nonterminal()) > 0;
    }
  return reached[length_] != 0;
}

// Every word is a piece by itself, copied or by a rule, so pieces of any label always suffice.
void HieroSearch::glue(bool nonterminal_only, const StopFlag& stop) {
  fell_back_ |= !nonterminal_only;
  const std::vector<uint32_t> parsed =
      std::exchange(goal_groups_, std::vector<uint32_t>(goal_groups_.size(), kNone));
  std::vector<Expansion> expansions;
  for (int32_t end = 1; end <= length_; ++end) {
    stop.check();
    // Longer beginnings are in no cell.
    if (end > span_limit_ && parsed[end] != kNone)
      expansions.push_back({options_.glue_first(), {parsed[end], kNone}});
    for (int32_t middle = std::max(0, end - span_limit_); middle < end; ++middle) {
      if (middle > 0 && goal_groups_[middle] == kNone) continue;
      const ChartCell pieces = cell(middle, end);
      for (uint32_t last = pieces.first; last < pieces.first + pieces.count; ++last) {
        if (nonterminal_only && labels_[last] != model_.nonterminal()) continue;
        if (middle == 0)
          expansions.push_back({options_.glue_first(), {last, kNone}});
        else
          expansions.push_back({options_.glue_next(), {goal_groups_[middle], last}});
      }
    }
    closing_ = end == length_;
    if (!expansions.empty()) goal_groups_[end] = fill(HieroGroup::kGlue, 0, end, expansions);
  }
  closing_ = false;
}

void HieroSearch::finish() {
  root_ = length_ == 0 ? kNone : goal_groups_[length_];
  best_ = kNone;
  if (root_ == kNone) return;
  const HieroGroup& group = groups_[root_];
  float best = -INFINITY;
  for (uint32_t i = group.first; i < group.alive; ++i) {
    const float total = hypotheses_[i].score + lm().end(i, started(group));
    if (best_ == kNone || total > best) best = total, best_ = i;
  }
}

uint32_t HieroSearch::fill(int32_t label, int32_t begin, int32_t end,
                           std::vector<Expansion>& expansions) {
  starting_ = label == HieroGroup::kGlue;
  bin_.clear();
  totals_.clear();
  candidates_.clear();
  by_state_.clear();
  lm().clear_candidates();
  limits_.cube_pruning ? fill_by_cubes(expansions) : fill_by_all(expansions);
  expansions.clear();
  HieroGroup group{label, begin, end, 0, 0, 0};
  keep_best(group);
  groups_.push_back(group);
  labels_.push_back(label);
  return static_cast<uint32_t>(groups_.size() - 1);
}

uint32_t HieroSearch::size(const Expansion& expansion, int axis) const noexcept {
  if (axis == 0) return expansion.options.count;
  const uint32_t tail = expansion.tails[axis - 1];
  return tail == kNone ? 1 : groups_[tail].count();
}

float HieroSearch::bound(const Expansion& expansion) const noexcept {
  float score = options_[expansion.options.first].estimate + slack_;
  for (const uint32_t tail : expansion.tails)
    if (tail != kNone) score += hypotheses_[groups_[tail].first].score;
  return score;
}

void HieroSearch::fill_by_all(const std::vector<Expansion>& expansions) {
  for (uint32_t i = 0; i < expansions.size(); ++i)
    for (uint32_t a = 0; a < size(expansions[i], 0); ++a)
      for (uint32_t b = 0; b < size(expansions[i], 1); ++b)
        for (uint32_t c = 0; c < size(expansions[i], 2); ++c) {
          Cell one{.expansion = i, .at = {a, b, c}};
          score(expansions, one);
          if (!add(expansions, one, static_cast<uint32_t>(bin_.size()))) lm().drop_candidate();
        }
}

// A cell is reached from one other only: one step along an axis, all later ones being at 0.
void HieroSearch::fill_by_cubes(const std::vector<Expansion>& expansions) {
  seeds_.clear();
  for (uint32_t i = 0; i < expansions.size(); ++i) seeds_.add(bound(expansions[i]), i);
  seeds_.arrange();
  cells_.clear();
  heap_.clear();
  for (int32_t pops = 0; pops < pop_limit_;) {
    if (!seeds_.empty() && seeds_.best_key() >= heap_.best_key()) {
      push(expansions, seeds_.pop(), {});
      continue;
    }
    if (heap_.empty()) break;
    const uint32_t number = heap_.pop();
    add(expansions, cells_[number], number);
    if (++pops < pop_limit_) push_neighbours(expansions, cells_[number]);
  }
}

void HieroSearch::push_neighbours(const std::vector<Expansion>& expansions, Cell popped) {
  for (uint32_t axis = kMaxGaps + 1; axis-- > 0;) {
    std::array<uint32_t, 1 + kMaxGaps> at;
    for (uint32_t i = 0; i < at.size(); ++i) at[i] = popped.at[i] + (i == axis);
    if (at[axis] < size(expansions[popped.expansion], axis)) push(expansions, popped.expansion, at);
    if (popped.at[axis] > 0) break;
  }
}

// Made where it stays: what is copied right after it was written in parts makes the machine wait.
void HieroSearch::push(const std::vector<Expansion>& expansions, uint32_t expansion,
                       std::array<uint32_t, 1 + kMaxGaps> at) {
  Cell& one = cells_.emplace_back();
  one.expansion = expansion;
  for (size_t i = 0; i < at.size(); ++i) one.at[i] = at[i];
  score(expansions, one);
  heap_.push(one.key, static_cast<uint32_t>(cells_.size() - 1));
}

// The state becomes the last candidate.
void HieroSearch::score(const std::vector<Expansion>& expansions, Cell& one) {
  const Expansion& expansion = expansions[one.expansion];
  const HieroOption& option = options_.prepared(expansion.options.first + one.at[0]);
  std::array<uint32_t, kMaxGaps> tails{};
  float score = option.score;
  for (int i = 0; i < kMaxGaps; ++i) {
    if (expansion.tails[i] == kNone) continue;
    tails[i] = groups_[expansion.tails[i]].first + one.at[1 + i];
    score += hypotheses_[tails[i]].score;
  }
  // S that is one piece begins the sentence; S that is more has a tail that does.
  score += lm().combine(option.target, tails, option.rule == HieroOption::kGlueFirst);
  one.score = one.key = score;
  if (closing_) one.key += lm().end_of_last(starting_);
}

// The hypothesis of the bin with the same state, and whether there was none.
std::pair<uint32_t, bool> HieroSearch::place_of(uint32_t candidate) {
  for (uint64_t key = lm().hash(candidate);; ++key) {
    const auto [place, fresh] = by_state_.insert(key);
    if (fresh) place = static_cast<uint32_t>(bin_.size());
    if (fresh || lm().same(candidates_[place], candidate)) return {place, fresh};
  }
}

// Whether the candidate is needed from now on.
bool HieroSearch::add(const std::vector<Expansion>& expansions, const Cell& one,
                      uint32_t candidate) {
  const Expansion& expansion = expansions[one.expansion];
  HieroHypothesis made{
      .score = one.score, .option = expansion.options.first + one.at[0], .tails = {kNone, kNone}};
  for (int i = 0; i < kMaxGaps; ++i)
    if (expansion.tails[i] != kNone)
      made.tails[i] = groups_[expansion.tails[i]].first + one.at[1 + i];
  const auto [place, fresh] = place_of(candidate);
  if (fresh) {
    bin_.push_back(made);
    totals_.push_back(one.key);
    candidates_.push_back(candidate);
    return true;
  }
  HieroHypothesis& old = bin_[place];
  const bool better = one.key > totals_[place];
  if (record_) {
    const HieroHypothesis& loser = better ? old : made;
    arcs_.push_back({loser.option, loser.tails, old.arc});
  }
  if (better) old = made, totals_[place] = one.key;
  if (record_) old.arc = static_cast<uint32_t>(arcs_.size() - 1);
  return false;
}

void HieroSearch::keep_best(HieroGroup& group) {
  const auto better = [&](uint32_t a, uint32_t b) {
    return totals_[a] != totals_[b] ? totals_[a] > totals_[b] : a < b;
  };
  order_.resize(bin_.size());
  for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  std::sort(order_.begin(), order_.end(), better);
  size_t alive = std::min(order_.size(), static_cast<size_t>(beam_size_));
  if (limits_.beam_threshold > 0)
    while (alive > 1 && totals_[order_[alive - 1]] < totals_[order_[0]] - limits_.beam_threshold)
      --alive;
  group.first = static_cast<uint32_t>(hypotheses_.size());
  for (size_t i = 0; i < (record_ ? order_.size() : alive); ++i) {
    hypotheses_.push_back(bin_[order_[i]]);
    lm().keep(candidates_[order_[i]]);
  }
  group.alive = group.first + static_cast<uint32_t>(alive);
  group.last = static_cast<uint32_t>(hypotheses_.size());
}

}  // namespace demotic::search
