#include "demotic/search/hiero_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "demotic/search/searchers.h"

namespace demotic::search {
namespace {

// Beyond these limits, the beam (about 400 MB) or the span limit is reduced.
constexpr int64_t kMaxHypotheses = 8'000'000, kMaxSpans = 1'000'000;

// Large enough that hardly any expansion with a better cell is missed, small enough that large bins
// leave many of their expansions unscored.
constexpr double kHieroSeedSlack = 10;

}  // namespace

HieroSearch::HieroSearch(const HieroModel& model, std::span<const double> weights,
                         const HieroSearchOptions& limits)
    : model_(model),
      limits_(limits),
      has_gap_features_(model.has_gap_features()),
      options_(model, weights, limits),
      matcher_(model),
      by_rank_(model.labels()) {
  set_weights(weights);
}

void HieroSearch::reweigh(std::span<const double> weights) {
  check_weights(weights, model_.features().size());
  options_.reweigh(weights);
  set_weights(weights);
}

void HieroSearch::set_weights(std::span<const double> weights) {
  slack_ = seed_slack(model_.features(), weights, kHieroSeedSlack);
  if (has_gap_features_) gap_scores_.set(model_, weights);
}

void HieroSearch::run(const SourceSentences& source, size_t sentence, bool record,
                      const StopFlag& stop) {
  begin_sentence(source, sentence, record);
  clear_search();
  labels_.clear();
  options_.new_sentence(source, sentence);
  limit_effort();
  parse(source, stop);
  if (model_.builtin_glue())
    glue(joinable(), stop);
  else if (length_ > 0 && goal_bins_[length_] == kNone)
    glue(false, stop);
  finish();
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
  cell_limit_ = constraints_ ? std::max(span_limit_, constraints_->longest()) : span_limit_;
}

void HieroSearch::parse(const SourceSentences& source, const StopFlag& stop) {
  cells_by_span_.assign(size_t(length_) * cell_limit_, {});
  goal_bins_.assign(length_ + size_t{1}, kNone);
  for (int32_t begin = length_; begin-- > 0;) {
    stop.check();
    matcher_.begin(begin);
    // Only the goal may cover more words than the limit, and it begins with the first word.
    const int32_t last =
        begin == 0 && !model_.builtin_glue() ? length_ : std::min(length_, begin + cell_limit_);
    for (int32_t end = begin + 1; end <= last; ++end) parse_span(source, begin, end);
  }
}

void HieroSearch::parse_span(const SourceSentences& source, int32_t begin, int32_t end) {
  const bool has_cell = end - begin <= cell_limit_;
  const auto cell_of = [&](int32_t from) {
    return end - from <= cell_limit_ ? cell(from, end) : ChartCell{};
  };
  bool known = false;
  span_score_ = options_.span_score(begin, end);
  const WordId last = context_.words[end - 1];
  for (const ChartMatch& match : matcher_.matches(end, last, cell_of, labels_))
    known |= add_blocks(match.node, match.tails, {begin, end}) && end - begin == 1;
  if (end - begin == 1) add_copies(source, begin, known);
  if (constraints_) add_given(source, {begin, end});

  ChartCell made{static_cast<uint32_t>(bins_.size()), 0};
  for (int32_t rank = 0; rank < model_.labels(); ++rank) {
    std::vector<Expansion>& expansions = by_rank_[rank];
    if (expansions.empty()) continue;
    const int32_t label = model_.label_order()[rank];
    completing_ = label == model_.goal() && begin == 0 && end == length_;
    const uint32_t bin = fill_bin(label, begin, end, expansions);
    if (label == model_.goal() && begin == 0) goal_bins_[end] = bin;
    ++made.count;
    if (has_cell) add_unary(bin);
  }
  completing_ = false;
  if (has_cell) cell(begin, end) = made;
  matcher_.add_first_gaps(end, made, labels_);
}

// Adds an expansion per left-hand side of a source side that matches. Returns whether it has rules.
bool HieroSearch::add_blocks(TrieNode node, const std::array<uint32_t, kMaxGaps>& tails,
                             WordSpan span) {
  if (constraints_) {
    RuleWords words{span};
    for (int k = 0; k < kMaxGaps && tails[k] != kNone; ++k)
      words.gaps[k] = {bins_[tails[k]].begin, bins_[tails[k]].end};
    if (!constraints_->may_apply(words, checks_)) return false;
  }
  const bool within = span.size() <= span_limit_;
  bool any = false;
  for (HieroBlock block : options_.of(node, span.begin, span.end)) {
    const bool is_goal = block.lhs == model_.goal() && span.begin == 0;
    if (constraints_ && checks_.any()) {
      if (checks_.only_goal && !is_goal) continue;
      block = options_.filtered(block, [&](RuleId rule) { return fulfils(rule); });
      if (block.count == 0) continue;
    }
    any = true;
    if (within || is_goal) by_rank_[model_.rank(block.lhs)].push_back({block, tails});
  }
  return any;
}

bool HieroSearch::fulfils(RuleId rule) {
  model_.rules().target(rule, target_);
  return constraints_->fulfils(target_, model_.rules().reordered_gaps(rule) != 0, checks_);
}

// The options that the user gives for the span.
void HieroSearch::add_given(const SourceSentences& source, WordSpan span) {
  std::vector<Expansion>& expansions = by_rank_[model_.rank(model_.nonterminal())];
  const bool none = expansions.empty();
  for (const SentenceConstraints::OnSpan& one : constraints_->on_spans()) {
    if (one.span.begin != span.begin || one.span.end != span.end) continue;
    if (one.kind == ConstraintKind::kForbidden) continue;
    if (one.kind == ConstraintKind::kContaining && !none) continue;
    expansions.push_back({options_.given(source, *constraints_, one), {kNone, kNone}});
  }
}

void HieroSearch::add_copies(const SourceSentences& source, int32_t position, bool known) {
  if (known && !model_.pass_through_all()) return;
  if (constraints_ && !constraints_->may_copy(position)) return;
  by_rank_[model_.rank(model_.nonterminal())].push_back(
      {options_.copied(source, position, known), {kNone, kNone}});
}

// Unary rules X -> Y over the same span; heads have higher ranks than tails, or are ignored.
void HieroSearch::add_unary(uint32_t bin) {
  const int32_t label = labels_[bin];
  const TrieNode node = model_.rules().child(kTrieRoot, gap_symbol(label));
  if (node == 0) return;
  const WordSpan span{bins_[bin].begin, bins_[bin].end};
  if (constraints_) constraints_->may_apply({span, {span}}, checks_);
  for (const HieroBlock& block : options_.of(node, span.begin, span.end)) {
    if (constraints_ && checks_.only_goal && block.lhs != model_.goal()) continue;
    if (model_.rank(block.lhs) > model_.rank(label))
      by_rank_[model_.rank(block.lhs)].push_back({block, {bin, kNone}});
  }
}

// Whether constituents of the nonterminal cover the sentence.
bool HieroSearch::joinable() {
  std::vector<uint8_t> reached(length_ + size_t{1}, 0);
  reached[0] = 1;
  for (int32_t end = 1; end <= length_; ++end)
    for (int32_t middle = std::max(0, end - cell_limit_); middle < end && !reached[end]; ++middle) {
      const std::span<const int32_t> labels = labels_of(cell(middle, end));
      reached[end] = reached[middle] && std::ranges::count(labels, model_.nonterminal()) > 0;
    }
  return reached[length_] != 0;
}

// Each word is a constituent, copied or by a rule, so constituents of any label always suffice.
void HieroSearch::glue(bool nonterminal_only, const StopFlag& stop) {
  fell_back_ |= !nonterminal_only;
  span_score_ = 0;
  const std::vector<uint32_t> parsed =
      std::exchange(goal_bins_, std::vector<uint32_t>(goal_bins_.size(), kNone));
  std::vector<Expansion> expansions;
  for (int32_t end = 1; end <= length_; ++end) {
    stop.check();
    // Longer prefixes are not in any cell.
    if (end > cell_limit_ && parsed[end] != kNone)
      expansions.push_back({options_.glue_first(), {parsed[end], kNone}});
    for (int32_t middle = std::max(0, end - cell_limit_); middle < end; ++middle) {
      if (middle > 0 && goal_bins_[middle] == kNone) continue;
      const ChartCell pieces = cell(middle, end);
      for (uint32_t last = pieces.first; last < pieces.first + pieces.count; ++last) {
        if (nonterminal_only && labels_[last] != model_.nonterminal()) continue;
        if (middle == 0)
          expansions.push_back({options_.glue_first(), {last, kNone}});
        else
          expansions.push_back({options_.glue_next(), {goal_bins_[middle], last}});
      }
    }
    completing_ = end == length_;
    if (!expansions.empty()) goal_bins_[end] = fill_bin(HieroBin::kGlue, 0, end, expansions);
  }
  completing_ = false;
}

void HieroSearch::finish() {
  goal_bin_ = length_ == 0 ? kNone : goal_bins_[length_];
  if (goal_bin_ == kNone) return;
  const HieroBin& bin = bins_[goal_bin_];
  float best = -INFINITY;
  for (uint32_t i = bin.first; i < bin.alive; ++i) {
    const float total = hypotheses_[i].score + lm().end(i, started(bin));
    if (best_ == kNone || total > best) best = total, best_ = i;
  }
}

float HieroSearch::future(uint32_t hypothesis) {
  if (goal_bin_ == kNone) return 0;
  const HieroBin& bin = bins_[goal_bin_];
  const bool complete = hypothesis >= bin.first && hypothesis < bin.last;
  return complete ? lm().end(hypothesis, started(bin)) : 0;
}

uint32_t HieroSearch::fill_bin(int32_t label, int32_t begin, int32_t end,
                               std::vector<Expansion>& expansions) {
  starting_ = label == HieroBin::kGlue;
  by_state_.clear();
  lm().clear_candidates();
  expansions_ = &expansions;
  if (limits_.cube_pruning) {
    seeds_.clear();
    for (uint32_t i = 0; i < expansions.size(); ++i) seeds_.add(bound(expansions[i]), i);
    propose_by_cubes(seeds_, pop_limit_);
  } else {
    propose_all(static_cast<uint32_t>(expansions.size()));
  }
  expansions.clear();
  bins_.push_back({prune(beam_size_, limits_.beam_threshold), label, begin, end});
  labels_.push_back(label);
  return static_cast<uint32_t>(bins_.size() - 1);
}

float HieroSearch::bound(const Expansion& expansion) const noexcept {
  float score = options_[expansion.options.first].estimate + slack_ + span_score_;
  for (const uint32_t tail : expansion.tails)
    if (tail != kNone) score += hypotheses_[bins_[tail].first].score;
  if (has_gap_features_)
    for (const int32_t size : gap_sizes(expansion))
      if (size > 0) score += gap_scores_.best(size);
  return score;
}

GapSizes HieroSearch::gap_sizes(const Expansion& expansion) const noexcept {
  GapSizes sizes{};
  for (int k = 0; k < kMaxGaps; ++k)
    if (expansion.tails[k] != kNone) sizes[k] = covered(expansion.tails[k]);
  return sizes;
}

GapSizes HieroSearch::gap_sizes(const Edge& edge) const noexcept {
  GapSizes sizes{};
  for (int k = 0; has_gap_features_ && k < kMaxGaps && edge.tails[k] != kNone; ++k) {
    const HieroBin& bin = bin_of(edge.tails[k]);
    sizes[k] = bin.end - bin.begin;
  }
  return sizes;
}

float HieroSearch::gap_score(const HieroTranslationOption& option,
                             const GapSizes& sizes) const noexcept {
  if (!has_gap_features_ || sizes[0] == 0 || is_glue(option.rule)) return 0;
  const uint8_t reordered = options_.reordered_gaps(option);
  float score = 0;
  for (int k = 0; k < kMaxGaps && sizes[k] > 0; ++k)
    score += gap_scores_((reordered >> k & 1) != 0, sizes[k]);
  return score;
}

void HieroSearch::score(Cell& cell) {
  const Expansion& expansion = (*expansions_)[cell.expansion];
  const HieroTranslationOption& option = options_.prepared(expansion.options.first + cell.at[0]);
  std::array<uint32_t, kMaxGaps> tails{};
  float score = option.score + span_score_;
  for (int i = 0; i < kMaxGaps; ++i) {
    if (expansion.tails[i] == kNone) continue;
    tails[i] = bins_[expansion.tails[i]].first + cell.at[1 + i];
    score += hypotheses_[tails[i]].score;
  }
  if (has_gap_features_) score += gap_score(option, gap_sizes(expansion));
  // An S over one constituent begins the sentence; a longer S has a tail that does.
  score += lm().combine(option.target, tails, option.rule == kGlueFirst);
  cell.state = lm().last_candidate();
  cell.score = cell.key = score;
  if (completing_) cell.key += lm().end_of_last(starting_);
}

HieroHypothesis HieroSearch::hypothesis_of(const Cell& cell) const noexcept {
  const Expansion& expansion = (*expansions_)[cell.expansion];
  HieroHypothesis made{.score = cell.score, .edge = {expansion.options.first + cell.at[0]}};
  for (int i = 0; i < kMaxGaps; ++i)
    if (expansion.tails[i] != kNone)
      made.edge.tails[i] = bins_[expansion.tails[i]].first + cell.at[1 + i];
  return made;
}

std::pair<uint32_t&, bool> HieroSearch::equal_to(const Cell& cell, const HieroHypothesis&) {
  for (uint64_t key = lm().hash(cell.state);; ++key) {
    const auto [place, fresh] = by_state_.insert(key);
    if (fresh || lm().same(bin_[place].state, cell.state)) return {place, fresh};
  }
}

}  // namespace demotic::search
