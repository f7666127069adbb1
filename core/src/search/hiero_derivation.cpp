#include "demotic/search/hiero_derivation.h"

#include <algorithm>

namespace demotic::search {
namespace {

bool copies(RuleId rule) noexcept {
  return rule == HieroOption::kCopied || rule == HieroOption::kPassedThrough;
}
bool glues(RuleId rule) noexcept {
  return rule == HieroOption::kGlueFirst || rule == HieroOption::kGlueNext;
}

}  // namespace

void derivation_of(const HieroSearch& search, uint32_t top, std::vector<uint32_t>& nodes) {
  nodes.clear();
  std::vector<uint32_t> open{top};
  while (!open.empty()) {
    const uint32_t next = open.back();
    open.pop_back();
    if (next == kNone) continue;
    nodes.push_back(next);
    for (int i = kMaxGaps; i-- > 0;) open.push_back(search.hypotheses()[next].tails[i]);
  }
}

int32_t rule_of(const HieroSearch& search, uint32_t option) {
  const RuleId rule = search.options()[option].rule;
  if (copies(rule)) return SearchRecord::kCopied;
  return glues(rule) ? SearchRecord::kGlue : static_cast<int32_t>(rule);
}

void append_target(const HieroModel& model, const HieroSearch& search, uint32_t option, WordId word,
                   std::vector<Symbol>& symbols) {
  const RuleId rule = search.options()[option].rule;
  if (copies(rule)) {
    symbols.push_back(word);
  } else if (glues(rule)) {
    symbols.push_back(gap_symbol(0));
    if (rule == HieroOption::kGlueNext) symbols.push_back(gap_symbol(1));
  } else {
    for (const Symbol symbol : model.rules().target(rule)) symbols.push_back(symbol);
  }
}

std::vector<WordId> yield_of(const HieroModel& model, const HieroSearch& search, uint32_t top,
                             std::span<const WordId> source) {
  // What is still to be written, last first: words, and hypotheses as -(number + 1).
  std::vector<int64_t> open{-static_cast<int64_t>(top) - 1};
  std::vector<WordId> words;
  std::vector<Symbol> symbols;
  while (!open.empty()) {
    const int64_t next = open.back();
    open.pop_back();
    if (next >= 0) {
      words.push_back(static_cast<WordId>(next));
      continue;
    }
    const auto number = static_cast<uint32_t>(-next - 1);
    const HieroHypothesis& hypothesis = search.hypotheses()[number];
    symbols.clear();
    append_target(model, search, hypothesis.option, source[search.group_of(number).begin], symbols);
    for (auto symbol = symbols.rbegin(); symbol != symbols.rend(); ++symbol)
      open.push_back(is_gap(*symbol) ? -int64_t{hypothesis.tails[gap_index(*symbol)]} - 1
                                     : *symbol);
  }
  return words;
}

void add_step_keys(const HieroModel& model, const HieroSearch& search, const HieroGroup& group,
                   uint32_t option, std::vector<FeatureKey>& keys) {
  add_step_keys(model, search.options()[option].rule, search.context(), group.begin, group.end,
                keys);
}

void add_step_keys(const HieroModel& model, RuleId rule, const SentenceWords& sentence,
                   int32_t begin, int32_t end, std::vector<FeatureKey>& keys) {
  if (glues(rule)) return;
  add_local_keys(*model.sparse().features, copies(rule) ? kNoRule : rule, sentence, begin, end,
                 keys);
}

void add_rule_features(const HieroModel& model, RuleId rule, std::span<double> values) {
  const HieroFeatures& features = model.features();
  if (glues(rule)) {
    values[features.glue()] += rule == HieroOption::kGlueNext;
  } else if (copies(rule)) {
    values[features.pass_through()] += 1;
    values[features.phrase_penalty()] += model.copied_phrase();
    values[features.word_penalty()] -= 1;
    if (rule == HieroOption::kCopied) values[features.unknown_word()] += kUnknownWordValue;
  } else {
    const std::span<const float> scores = model.rules().scores(rule);
    for (size_t i = 0; i < scores.size(); ++i) values[i] += scores[i];
    values[features.phrase_penalty()] += 1;
    for (const Symbol symbol : model.rules().target(rule))
      values[features.word_penalty()] -= !is_gap(symbol);
  }
}

void add_local_features(const HieroModel& model, HieroSearch& search, const HieroGroup& group,
                        uint32_t option, std::span<double> values) {
  const HieroFeatures& features = model.features();
  const RuleId rule = search.options()[option].rule;
  if (features.has_sparse && !glues(rule))
    values[features.sparse()] += search.sparse().local(option, copies(rule) ? kNoRule : rule,
                                                       search.context(), group.begin, group.end);
  add_rule_features(model, rule, values);
}

namespace {

class Recorder {
 public:
  Recorder(const HieroModel& model, HieroSearch& search, std::span<const WordId> source)
      : model_(model), search_(search), source_(source), builder_(model.features().size()) {}

  SearchRecord forest(RecordKind kind) {
    const auto hypotheses = search_.hypotheses();
    const std::vector<uint8_t> reaches = find_reaching();
    nodes_.assign(hypotheses.size(), -1);
    for (size_t g = 0; g < search_.groups().size(); ++g) {
      const HieroGroup& group = search_.groups()[g];
      add_bin(group);
      for (uint32_t i = group.first; i < group.last; ++i) {
        if (kind == RecordKind::kForest && !reaches[i]) continue;
        add_edges(hypotheses[i], group);
        const float future = g == search_.root() ? end_score(i) : 0;
        nodes_[i] = builder_.end_node(static_cast<int32_t>(g), hypotheses[i].score, future,
                                      i < group.alive, reaches[i]);
      }
    }
    add_goal();
    builder_.record.fell_back = search_.fell_back();
    return std::move(builder_.record);
  }

 private:
  float end_score(uint32_t hypothesis) {
    return search_.lm().end(hypothesis, HieroSearch::started(search_.groups()[search_.root()]));
  }

  std::vector<uint8_t> find_reaching() const {
    const auto hypotheses = search_.hypotheses();
    std::vector<uint8_t> reaches(hypotheses.size(), 0);
    if (search_.root() == kNone) return reaches;
    const HieroGroup& root = search_.groups()[search_.root()];
    std::fill(reaches.begin() + root.first, reaches.begin() + root.alive, uint8_t{1});
    for (size_t i = hypotheses.size(); i-- > 0;) {
      if (!reaches[i]) continue;
      for_each_way(hypotheses[i], [&](uint32_t, const std::array<uint32_t, kMaxGaps>& tails) {
        for (const uint32_t tail : tails)
          if (tail != kNone) reaches[tail] = 1;
      });
    }
    return reaches;
  }

  // visit(option, tails): the best way first, then in the order in which they were found.
  template <typename Visit>
  void for_each_way(const HieroHypothesis& hypothesis, Visit&& visit) const {
    visit(hypothesis.option, hypothesis.tails);
    std::vector<uint32_t> others;
    for (uint32_t a = hypothesis.arc; a != kNone; a = search_.arcs()[a].next) others.push_back(a);
    for (auto a = others.rbegin(); a != others.rend(); ++a)
      visit(search_.arcs()[*a].option, search_.arcs()[*a].tails);
  }

  void add_bin(const HieroGroup& group) {
    builder_.record.bin_label.push_back(group.label);
    builder_.record.bin_begin.push_back(group.begin);
    builder_.record.bin_end.push_back(group.end);
  }

  void add_edges(const HieroHypothesis& hypothesis, const HieroGroup& group) {
    for_each_way(hypothesis, [&](uint32_t option, const std::array<uint32_t, kMaxGaps>& tails) {
      builder_.begin_edge(rule_of(search_, option), group.begin, group.end);
      append_target(model_, search_, option, source_[group.begin], builder_.target());
      add_local_features(model_, search_, group, option, builder_.values());
      for (const uint32_t tail : tails)
        if (tail != kNone) builder_.add_tail(nodes_[tail]);
      const HieroOption& used = search_.options()[option];
      search_.lm().add_values(used.target, tails, used.rule == HieroOption::kGlueFirst,
                              lm_values());
      builder_.end_edge();
    });
  }

  void add_goal() {
    const auto bins = static_cast<int32_t>(search_.groups().size());
    if (search_.root() == kNone) {  // an empty sentence
      builder_.begin_edge(SearchRecord::kGlue, 0, 0);
      search_.lm().add_sentence_values({}, 0, lm_values());
      builder_.end_edge();
      builder_.end_node(bins, 0, 0, true, true);
      return;
    }
    const HieroGroup& root = search_.groups()[search_.root()];
    for (uint32_t i = root.first; i < root.alive; ++i) {
      builder_.begin_edge(SearchRecord::kGlue, 0, search_.length());
      builder_.target().push_back(gap_symbol(0));
      builder_.add_tail(nodes_[i]);
      search_.lm().add_end_values(i, HieroSearch::started(root), lm_values());
      builder_.end_edge();
    }
    const uint32_t best = search_.best();
    builder_.end_node(bins, search_.hypotheses()[best].score + end_score(best), 0, true, true);
  }

  std::span<double> lm_values() {
    const HieroFeatures& features = model_.features();
    return builder_.values().subspan(features.language_model(0), features.language_models);
  }

  const HieroModel& model_;
  HieroSearch& search_;
  std::span<const WordId> source_;
  RecordBuilder builder_;
  std::vector<int32_t> nodes_;  // by hypothesis
};

}  // namespace

SearchRecord record_of(const HieroModel& model, HieroSearch& search, std::span<const WordId> source,
                       RecordKind kind) {
  return Recorder(model, search, source).forest(kind);
}

}  // namespace demotic::search
