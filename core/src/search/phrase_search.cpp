#include "demotic/search/phrase_search.h"

#include <algorithm>
#include <cmath>

#include "demotic/search/searchers.h"

namespace demotic::search {
namespace {

// Beyond it a table of all stretches of the sentence would not fit.
constexpr int32_t kMaxUnlimitedLength = 2000;

// A seed waits with a guess of its score: its phrase may follow well, which the language model's
// score of the phrase alone does not say. Two nats make up for it: with more, the translations of
// zh-en-tatoeba's test set have the same scores to four digits, and take a tenth longer.
float seed_slack(const PhraseModel& model, std::span<const double> weights) {
  double sum = 0;
  for (int32_t i = 0; i < model.features().language_models; ++i)
    sum += std::fabs(weights[model.features().language_model(i)]);
  return static_cast<float>(2 * sum);
}

}  // namespace

PhraseSearch::PhraseSearch(const PhraseModel& model, std::span<const double> weights,
                           const PhraseSearchOptions& options)
    : model_(model),
      limits_(options),
      joint_(model.sparse() && model.sparse().features->joint()),
      options_(model, weights, limits_) {
  set_weights(weights);
}

void PhraseSearch::reweigh(std::span<const double> weights) {
  check_weights(weights, model_.features().size());
  options_.reweigh(weights);
  set_weights(weights);
}

void PhraseSearch::set_weights(std::span<const double> weights) {
  const PhraseFeatures& features = model_.features();
  distortion_weight_ = static_cast<float>(weights[features.distortion()]);
  slack_ = seed_slack(model_, weights);
  sparse_weight_ = features.has_sparse ? weights[features.sparse()] : 0;
}

void PhraseSearch::run(const SourceSentences& source, size_t sentence, bool record,
                       const StopFlag& stop) {
  context_ = source.context(sentence);
  whole_ = source.whole(sentence);
  length_ = static_cast<int32_t>(context_.words.size());
  options_.build(source, sentence);
  if (joint_) note_last_words();
  const bool windowed = limits_.distortion_limit >= 0 && limits_.gap_test;
  monotone_ = !windowed && length_ > kMaxUnlimitedLength;
  search(monotone_ ? 0 : limits_.distortion_limit, record, stop);
  if (best_ != kNone) return;
  monotone_ = true;
  search(0, record, stop);
}

void PhraseSearch::search(int32_t distortion_limit, bool record, const StopFlag& stop) {
  distortion_limit_ = distortion_limit < 0 ? length_ : std::min(distortion_limit, length_);
  record_ = record;
  const bool windowed = distortion_limit == 0 || (distortion_limit > 0 && limits_.gap_test);
  const int32_t reach = windowed ? distortion_limit_ : length_;
  coverage_.reset(length_, reach);
  future_.build(options_, length_, reach);
  begin();
  for (int32_t covered = 1; covered <= length_; ++covered) {
    stop.check();
    for (uint32_t group = first_group_; group < groups_.size(); ++group)
      if (groups_[group].count > 0) expand(group);
    complete_ = covered == length_;
    covered_ = covered;
    Pending& pending = pending_[covered % pending_.size()];
    first_group_ = static_cast<uint32_t>(groups_.size());
    bin_.clear();
    group_ids_.clear();
    signatures_.clear();
    limits_.cube_pruning ? fill_by_cubes(pending) : fill_by_all(pending);
    pending.expansions.clear();
    pending.seeds.clear();
    keep_best();
  }
  const PhraseBin& last = bins_.back();
  best_ = kNone;
  for (uint32_t i = last.begin; i < last.alive; ++i)
    if (best_ == kNone || hypotheses_[i].total > hypotheses_[best_].total) best_ = i;
}

void PhraseSearch::begin() {
  hypotheses_.clear();
  arcs_.clear();
  bins_.clear();
  pending_.resize(options_.longest() + size_t{1});
  for (Pending& pending : pending_) pending.expansions.clear(), pending.seeds.clear();
  joint_states_.clear();
  const uint32_t state =
      joint_ ? joint_states_.intern({lm().begin(), relevant(kNoPast)}) : lm().begin();
  const float future = length_ == 0 ? end_score(state) : future_(0, length_);
  groups_.assign(1, {coverage_.empty(), 0, -1, future, 0, 1});
  first_group_ = 0;
  covered_ = 0;
  hypotheses_.push_back({.total = future, .state = state});
  bins_.push_back({0, 1, 1});
}

void PhraseSearch::fill_by_all(Pending& pending) {
  for (uint32_t i = 0; i < pending.expansions.size(); ++i) {
    const uint32_t rows = groups_[pending.expansions[i].group].count;
    const uint32_t columns = options_.spans()[pending.expansions[i].span].count;
    for (uint32_t row = 0; row < rows; ++row)
      for (uint32_t column = 0; column < columns; ++column) {
        Cell cell{.expansion = i, .row = row, .column = column};
        score(pending, cell);
        add(pending, cell);
      }
  }
}

// A cell is reached from one other only: the one on its left, or above it in the first column.
void PhraseSearch::fill_by_cubes(Pending& pending) {
  pending.seeds.arrange();
  cells_.clear();
  heap_.clear();
  for (int32_t pops = 0; pops < limits_.pop_limit;) {
    if (!pending.seeds.empty() && pending.seeds.best_key() >= heap_.best_key()) {
      push(pending, {.expansion = pending.seeds.pop(), .row = 0, .column = 0});
      continue;
    }
    if (heap_.empty()) break;
    Cell cell = cells_[heap_.pop()];
    add(pending, cell);
    ++pops;
    const Expansion& expansion = pending.expansions[cell.expansion];
    if (cell.column == 0 && cell.row + 1 < groups_[expansion.group].count)
      push(pending, {.expansion = cell.expansion, .row = cell.row + 1, .column = 0});
    if (++cell.column < options_.spans()[expansion.span].count) push(pending, cell);
  }
}

void PhraseSearch::push(Pending& pending, Cell cell) {
  score(pending, cell);
  heap_.push(cell.key, static_cast<uint32_t>(cells_.size()));
  cells_.push_back(cell);
}

void PhraseSearch::score(Pending& pending, Cell& cell) {
  const Expansion& expansion = pending.expansions[cell.expansion];
  const Hypothesis& parent = hypotheses_[groups_[expansion.group].first + cell.row];
  const uint32_t number = options_.spans()[expansion.span].first + cell.column;
  const PhraseOption& option = options_[number];
  cell.score = parent.score + options_.forward(parent.forward)[expansion.orientation] +
               option.score + option.backward[expansion.orientation] + expansion.distortion +
               (joint_ ? extend_jointly(parent.state, number, cell.state)
                       : lm().extend(parent.state, option.words, cell.state));
  if (cell.column + 1 < options_.spans()[expansion.span].count)
    lm().prefetch(lm_state(parent.state), (&option)[1].words);
  cell.key = cell.score + (complete_ ? end_score(cell.state) : expansion.future);
}

// The language models and joint features together.
float PhraseSearch::extend_jointly(uint32_t state, uint32_t option, uint32_t& to) {
  const JointState from = joint_states_[state];
  const RuleId rule = options_[option].rule;
  const LastWords& last = last_words_[option];
  JointState next{0, {}};
  float score = lm().extend(from.lm, options_[option].words, next.lm);
  if (rule != kNoRule)
    score += static_cast<float>(sparse_weight_ * sparse().joint(from.past, rule));
  // Nothing follows the last bin, so nothing has to be remembered there.
  next.past = complete_
                  ? kNoPast
                  : relevant(past_after(from.past, rule, std::span(last.words).last(last.count)));
  to = joint_states_.intern(next);
  return score;
}

SparseFeatures::Past PhraseSearch::relevant(const SparseFeatures::Past& past) const noexcept {
  return model_.sparse().features->relevant(past);
}

void PhraseSearch::note_last_words() {
  last_words_.assign(options_.size(), {});
  const auto add = [](LastWords& last, WordId word) {
    last.words = {last.words[1], word};
    last.count = std::min(last.count + 1, 2u);
  };
  for (uint32_t i = 0; i < options_.size(); ++i) {
    const PhraseOption& option = options_[i];
    if (option.rule != kNoRule)
      for (const Symbol word : model_.rules().target(option.rule)) add(last_words_[i], word);
    else if (option.words.length > 0)
      add(last_words_[i], context_.words[options_.spans()[option.span].begin]);
  }
}

void PhraseSearch::add(Pending& pending, const Cell& cell) {
  Expansion& expansion = pending.expansions[cell.expansion];
  const uint32_t option = options_.spans()[expansion.span].first + cell.column;
  const Hypothesis made{.score = cell.score,
                        .total = cell.key,
                        .parent = groups_[expansion.group].first + cell.row,
                        .option = option,
                        .state = cell.state,
                        .forward = complete_ ? 0 : options_[option].forward,
                        .group = target_group(expansion)};
  const auto [place, fresh] = signatures_.insert({made.group, made.state, made.forward});
  if (fresh) {
    place = static_cast<uint32_t>(bin_.size());
    bin_.push_back(made);
    return;
  }
  Hypothesis& old = bin_[place];
  const bool better = made.total > old.total;
  const uint32_t arc = old.arc;
  const Hypothesis& loser = better ? old : made;
  if (record_) arcs_.push_back({loser.parent, loser.option, arc});
  if (better) old = made;
  if (record_) old.arc = static_cast<uint32_t>(arcs_.size() - 1);
}

uint32_t PhraseSearch::target_group(Expansion& expansion) {
  if (expansion.target != kNone) return expansion.target;
  const PhraseSpan& span = options_.spans()[expansion.span];
  const CoverageId coverage =
      coverage_.with(groups_[expansion.group].coverage, span.begin, span.end);
  GroupKey key{coverage, -1, -1};
  if (!complete_) {
    key.end = span.end;
    const bool may_swap = span.begin > 0 && !coverage_.covers(coverage, span.begin - 1);
    if (may_swap && (model_.has_backward() || model_.has_forward())) key.begin = span.begin;
  }
  const auto [group, fresh] = group_ids_.insert(key);
  if (fresh) {
    group = static_cast<uint32_t>(groups_.size());
    groups_.push_back({coverage, key.end, key.begin, complete_ ? 0 : expansion.future});
  }
  return expansion.target = group;
}

void PhraseSearch::keep_best() {
  const auto better = [&](uint32_t a, uint32_t b) {
    return bin_[a].total != bin_[b].total ? bin_[a].total > bin_[b].total : a < b;
  };
  order_.resize(bin_.size());
  for (uint32_t i = 0; i < order_.size(); ++i) order_[i] = i;
  auto alive = order_.end();
  if (order_.size() > static_cast<size_t>(limits_.beam_size)) {
    alive = order_.begin() + limits_.beam_size;
    std::nth_element(order_.begin(), alive, order_.end(), better);
  }
  if (limits_.beam_threshold > 0 && alive != order_.begin()) {
    const float lowest =
        bin_[*std::min_element(order_.begin(), alive, better)].total - limits_.beam_threshold;
    alive =
        std::partition(order_.begin(), alive, [&](uint32_t i) { return bin_[i].total >= lowest; });
  }
  std::sort(order_.begin(), alive, [&](uint32_t a, uint32_t b) {
    return bin_[a].group != bin_[b].group ? bin_[a].group < bin_[b].group : better(a, b);
  });
  if (record_) std::sort(alive, order_.end());
  const auto begin = static_cast<uint32_t>(hypotheses_.size());
  for (auto it = order_.begin(); it != (record_ ? order_.end() : alive); ++it) {
    PhraseGroup& group = groups_[bin_[*it].group];
    if (it < alive && group.count++ == 0) group.first = static_cast<uint32_t>(hypotheses_.size());
    hypotheses_.push_back(bin_[*it]);
  }
  bins_.push_back({begin, begin + static_cast<uint32_t>(alive - order_.begin()),
                   static_cast<uint32_t>(hypotheses_.size())});
}

// All phrases that may follow a group's hypotheses.
void PhraseSearch::expand(uint32_t group) {
  const CoverageId coverage = groups_[group].coverage;
  const int32_t first = coverage_.first_open(coverage), last_end = groups_[group].end;
  const int32_t stop = std::min(length_, last_end + distortion_limit_ + 1);
  int32_t gap_end = first;  // of the gap that `begin` is in
  int32_t gap_begin = first;
  for (int32_t begin = first; begin < stop; ++begin) {
    if (begin >= gap_end) {
      if (coverage_.covers(coverage, begin)) continue;
      gap_begin = begin;
      gap_end = coverage_.next_covered(coverage, begin);
    }
    if (last_end - begin > distortion_limit_) continue;
    const int32_t reachable =
        begin == first || !limits_.gap_test ? length_ : first + distortion_limit_;
    for (const PhraseSpan& span : options_.starting_at(begin)) {
      if (span.end > gap_end || span.end > reachable) break;
      expand(group, span, gap_begin, gap_end);
    }
  }
}

void PhraseSearch::expand(uint32_t number, const PhraseSpan& span, int32_t gap_begin,
                          int32_t gap_end) {
  const PhraseGroup& group = groups_[number];
  const Orientation o = orientation(group, span.begin, span.end);
  const Hypothesis& lead = hypotheses_[group.first];
  const float distorted =
      distortion_weight_ * static_cast<float>(distortion(group, span.begin, span.end));
  const float future = group.future - future_(gap_begin, gap_end) + future_(gap_begin, span.begin) +
                       future_(span.end, gap_end);
  Pending& pending = pending_[(covered_ + span.end - span.begin) % pending_.size()];
  const float bound =
      lead.score + options_.forward(lead.forward)[o] + span.lead[o] + distorted + future;
  pending.seeds.add(bound + slack_, static_cast<uint32_t>(pending.expansions.size()));
  pending.expansions.push_back({number, static_cast<uint32_t>(&span - options_.spans().data()),
                                distorted, future, o, kNone});
}

int32_t PhraseSearch::distortion(int32_t first, int32_t last_end, int32_t begin,
                                 int32_t end) const noexcept {
  if (!limits_.early_distortion) return -std::abs(begin - last_end);
  // Moore & Quirk 2007: what a jump forward will cost on the way back is paid at once.
  if (begin == first) return 0;
  if (end < last_end) return -2 * (end - begin);
  return -2 * (end - std::max(last_end, first));
}

}  // namespace demotic::search
