#include "demotic/force/hiero_forced_search.h"

#include <algorithm>
#include <numeric>

#include "demotic/search/hiero_translation_options.h"

namespace demotic::force {
namespace {

constexpr int64_t kMaxSpans = 1'000'000;  // as in HieroSearch
constexpr int64_t kMaxEdges = 32;         // per item that is allowed
constexpr size_t kMaxWords = UINT16_MAX;
constexpr int32_t kMaxUnlimited = 40;  // words of sentences that are parsed without the span limit

auto with_begin(std::span<const GoldNode> items, int32_t target_begin) {
  return std::ranges::equal_range(items, target_begin, {}, &GoldNode::target_begin);
}

}  // namespace

HieroForcedSearch::HieroForcedSearch(const HieroModel& model, const ForceOptions& options)
    : model_(model),
      options_(options),
      rules_(model.rules()),
      rule_words_(model),
      matcher_(model),
      by_rank_(model.labels()) {
  if (model.labels() > INT16_MAX)
    throw ModelError({.found = std::to_string(model.labels()) + " nonterminals",
                      .expected = "at most " + std::to_string(INT16_MAX) + " for forced decoding"});
}

bool HieroForcedSearch::begin(const SourceSentences& source, size_t sentence) {
  words_ = source[sentence];
  if (std::max(words_.size(), source.reference(sentence).size()) > kMaxWords) return false;
  length_ = static_cast<int32_t>(words_.size());
  rules_.begin(source.reference(sentence), source.pair(sentence));
  return true;
}

Cause HieroForcedSearch::word_cause() {
  for (const WordId word : words_)
    if (reference().first(word) < 0 && !has_own_rule(word) &&
        !rule_words_.in_source(word, reference().pair()))
      return Cause::kUnknownWord;
  for (const WordId word : reference().words())
    if (!rule_words_.in_target(word) && std::ranges::find(words_, word) == words_.end())
      return Cause::kUncoveredWord;
  return Cause::kNoCause;
}

bool HieroForcedSearch::has_own_rule(WordId word) const noexcept {
  const TrieNode node = model_.rules().child(kTrieRoot, word);
  return node != 0 && reference().any_usable(model_.rules().rules(node));
}

bool HieroForcedSearch::limited() const noexcept {
  return span_limit_ < length_ && length_ <= kMaxUnlimited;
}

bool HieroForcedSearch::parse(int32_t span_limit, const StopFlag& stop) {
  span_limit_ = span_limit > 0 ? std::min(span_limit, length_) : length_;
  if (int64_t{length_} * span_limit_ > kMaxSpans) return false;
  nodes_.clear();
  edges_.clear();
  labels_.clear();
  first_items_.assign(1, 0);
  cells_.assign(size_t(length_) * span_limit_, {});
  goal_groups_.assign(length_ + size_t{1}, kNone);
  for (int32_t begin = length_; begin-- > 0;) {
    matcher_.begin(begin);
    // Only the goal may cover more words than the limit, and it begins with the first.
    const int32_t last =
        begin == 0 && !model_.builtin_glue() ? length_ : std::min(length_, begin + span_limit_);
    for (int32_t end = begin + 1; end <= last; ++end) {
      stop.check();
      parse_span(begin, end);
      if (full()) return false;
    }
  }
  if (model_.builtin_glue()) glue(stop);
  return !full();
}

bool HieroForcedSearch::full() const noexcept {
  const int64_t edges = static_cast<int64_t>(edges_.size() + placed_);
  return static_cast<int64_t>(nodes_.size()) > options_.max_nodes ||
         edges / kMaxEdges > options_.max_nodes;
}

void HieroForcedSearch::parse_span(int32_t begin, int32_t end) {
  const bool within = end - begin <= span_limit_;
  const auto cell_of = [&](int32_t from) {
    return end - from <= span_limit_ ? cell(from, end) : ChartCell{};
  };
  placed_ = 0;
  for (const ChartMatch& match : matcher_.matches(end, words_[end - 1], cell_of, labels_)) {
    if (full()) break;
    for (const ForcedRule& rule : rules_.of(match.node))
      if (within || rule.lhs == model_.goal()) place(rule, match.tails, begin, end);
  }
  if (end - begin == 1) add_copies(begin);

  ChartCell made{static_cast<uint32_t>(labels_.size()), 0};
  for (int32_t rank = 0; rank < model_.labels(); ++rank) {
    if (by_rank_[rank].empty()) continue;
    const int32_t label = model_.label_order()[rank];
    const uint32_t group = close_group(label, begin, end, by_rank_[rank]);
    if (label == model_.goal() && begin == 0) goal_groups_[end] = group;
    ++made.count;
    if (within) add_unary(group);
  }
  placed_ = 0;
  if (within) cell(begin, end) = made;
  matcher_.add_first_gaps(end, made, labels_);
}

// As in HieroSearch: a word without a rule of its own, or any word.
void HieroForcedSearch::add_copies(int32_t at) {
  const WordId word = words_[at];
  const bool known = has_own_rule(word);
  if (known && !model_.pass_through_all()) return;
  const GoldEdge edge{known ? kKnownCopied : kUnknownCopied,
                      {kNone, kNone},
                      static_cast<uint16_t>(at),
                      static_cast<uint16_t>(at + 1)};
  auto& placed = by_rank_[model_.rank(model_.nonterminal())];
  for (int32_t to = reference().first(word); to >= 0; to = reference().next(to))
    placed.push_back({edge, static_cast<uint16_t>(to), static_cast<uint16_t>(to + 1)});
}

// Rules X -> Y over the same span; those whose head does not rank above its tail are left out.
void HieroForcedSearch::add_unary(uint32_t group) {
  const int32_t label = labels_[group];
  const TrieNode node = model_.rules().child(kTrieRoot, gap_symbol(label));
  if (node == 0) return;
  const GoldNode first = items(group)[0];
  for (const ForcedRule& rule : rules_.of(node))
    if (model_.rank(rule.lhs) > model_.rank(label))
      place(rule, {group, kNone}, first.source_begin, first.source_end);
}

void HieroForcedSearch::place(const ForcedRule& rule, const Groups& groups, int32_t begin,
                              int32_t end) {
  const int arity = (groups[0] != kNone) + (groups[1] != kNone);
  if (arity != rule.arity) return;  // a forged rule without one of its gaps
  std::vector<Placed>& placed = by_rank_[model_.rank(rule.lhs)];
  const size_t before = placed.size();
  GoldEdge edge{
      rule.rule, {kNone, kNone}, static_cast<uint16_t>(begin), static_cast<uint16_t>(end)};
  if (arity == 0) {
    for (const uint16_t at : rules_.positions(rule))
      placed.push_back({edge, at, static_cast<uint16_t>(at + rule.sizes[0])});
  } else {
    const uint8_t gap = rule.gaps[0];
    for (const GoldNode& item : items(groups[gap])) {
      edge.tails[gap] = number(item);
      const int32_t from = item.target_begin - rule.sizes[0];
      if (rules_.has(rule.words, rule.sizes[0], from))
        place_from(rule, groups, edge, 1, from, item.target_end);
    }
  }
  placed_ += placed.size() - before;
}

// Places the rest of a target side, which begins with the words after its first gaps, at a
// position.
void HieroForcedSearch::place_from(const ForcedRule& rule, const Groups& groups, GoldEdge& edge,
                                   int32_t gaps, int32_t begin, int32_t at) {
  const auto words = std::accumulate(rule.sizes.begin(), rule.sizes.begin() + gaps, rule.words);
  if (!rules_.has(words, rule.sizes[gaps], at)) return;
  at += rule.sizes[gaps];
  if (gaps == rule.arity) {
    by_rank_[model_.rank(rule.lhs)].push_back(
        {edge, static_cast<uint16_t>(begin), static_cast<uint16_t>(at)});
    return;
  }
  const uint8_t gap = rule.gaps[gaps];
  for (const GoldNode& item : with_begin(items(groups[gap]), at)) {
    edge.tails[gap] = number(item);
    place_from(rule, groups, edge, gaps + 1, begin, item.target_end);
  }
}

// S -> X and S -> S X, from left to right on both sides.
void HieroForcedSearch::glue(const StopFlag& stop) {
  for (int32_t end = 1; end <= length_ && !full(); ++end) {
    stop.check();
    glue_up_to(end);
    if (!glued_.empty()) goal_groups_[end] = close_group(-1, 0, end, glued_);
  }
}

void HieroForcedSearch::glue_up_to(int32_t end) {
  for (int32_t middle = std::max(0, end - span_limit_); middle < end; ++middle) {
    if (middle > 0 && goal_groups_[middle] == kNone) continue;
    const ChartCell pieces = cell(middle, end);
    for (uint32_t group = pieces.first; group < pieces.first + pieces.count; ++group) {
      if (labels_[group] != model_.nonterminal()) continue;
      GoldEdge edge{kGlueFirst, {kNone, kNone}, 0, static_cast<uint16_t>(end)};
      if (middle == 0) {
        for (const GoldNode& piece : with_begin(items(group), 0)) {
          edge.tails[0] = number(piece);
          glued_.push_back({edge, 0, piece.target_end});
        }
        continue;
      }
      edge.rule = kGlueNext;
      for (const GoldNode& start : items(goal_groups_[middle]))
        for (const GoldNode& piece : with_begin(items(group), start.target_end)) {
          edge.tails = {number(start), number(piece)};
          glued_.push_back({edge, 0, piece.target_end});
        }
    }
  }
}

uint32_t HieroForcedSearch::close_group(int32_t label, int32_t begin, int32_t end,
                                        std::vector<Placed>& placed) {
  order_.clear();
  for (const Placed& one : placed)
    order_.push_back(uint64_t{one.target_begin} << 48 | uint64_t{one.target_end} << 32 |
                     order_.size());
  std::sort(order_.begin(), order_.end());
  uint64_t before = UINT64_MAX;
  for (const uint64_t key : order_) {
    const Placed& one = placed[static_cast<uint32_t>(key)];
    if (key >> 32 != before) {
      before = key >> 32;
      nodes_.push_back({static_cast<int16_t>(label), static_cast<uint16_t>(begin),
                        static_cast<uint16_t>(end), one.target_begin, one.target_end});
    }
    edges_.push_back({one.edge, static_cast<uint32_t>(nodes_.size() - 1)});
  }
  placed.clear();
  labels_.push_back(label);
  first_items_.push_back(static_cast<uint32_t>(nodes_.size()));
  return static_cast<uint32_t>(labels_.size() - 1);
}

// The item that covers both sides, kNone if there is none.
uint32_t HieroForcedSearch::goal() const noexcept {
  const uint32_t group = goal_groups_[length_];
  if (group == kNone) return kNone;
  for (const GoldNode& item : with_begin(items(group), 0))
    if (item.target_end == reference().size()) return number(item);
  return kNone;
}

FoundForest HieroForcedSearch::forest() const {
  const uint32_t last = goal();
  FoundForest found = goal_forest(
      nodes_.size(), edges_.size(), nodes_[last], [&](uint32_t i) { return i == last; },
      [&](uint32_t i) -> const GoldNode& { return nodes_[i]; },
      [&](size_t i) -> const FoundEdge& { return edges_[i]; });
  found.source_length = length_;
  found.target_length = reference().size();
  found.whole = true;
  return found;
}

// Whether a word of either side is in no edge, be it part of a complete derivation or not.
bool HieroForcedSearch::has_uncovered_word() const {
  std::vector<uint8_t> source(words_.size()), target(reference().size());
  for (const FoundEdge& one : edges_) {
    cover(one, &GoldNode::source_begin, &GoldNode::source_end, source);
    cover(one, &GoldNode::target_begin, &GoldNode::target_end, target);
  }
  return std::ranges::count(source, 0) + std::ranges::count(target, 0) > 0;
}

// Marks the words of the edge's head that are not in its tails.
void HieroForcedSearch::cover(const FoundEdge& one, Bound begin, Bound end,
                              std::vector<uint8_t>& covered) const {
  const GoldNode& head = nodes_[one.head];
  for (int32_t at = head.*begin; at < head.*end; ++at)
    covered[at] |= std::ranges::none_of(one.edge.tails, [&](uint32_t tail) {
      return tail != kNone && nodes_[tail].*begin <= at && at < nodes_[tail].*end;
    });
}

}  // namespace demotic::force
