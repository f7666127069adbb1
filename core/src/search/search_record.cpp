#include "demotic/search/search_record.h"

#include <algorithm>

namespace demotic::search {
namespace {

// Writes a record edge by edge and node by node.
class RecordBuilder {
 public:
  explicit RecordBuilder(int32_t features) : values_(features) {}

  // To add an edge to the next node: begin it, fill in target and values, add tails, end it.
  void begin_edge(int32_t rule, int32_t begin, int32_t end) {
    record.edge_rule.push_back(rule);
    record.edge_begin.push_back(begin);
    record.edge_end.push_back(end);
  }
  std::vector<Symbol>& target() noexcept { return record.edge_target.values; }
  std::span<double> values() noexcept { return values_; }  // by feature, initially 0
  void add_tail(int32_t node) { record.tails.push_back(node); }
  void end_edge() {
    record.tail_offsets.push_back(static_cast<int32_t>(record.tails.size()));
    record.edge_target.end_row();
    record.edge_parts.end_row();
    for (size_t i = 0; i < values_.size(); ++i) {
      if (values_[i] == 0) continue;
      record.feature_ids.values.push_back(static_cast<int32_t>(i));
      record.feature_values.push_back(values_[i]);
      values_[i] = 0;
    }
    record.feature_ids.end_row();
  }
  // Returns the index of the node.
  int32_t end_node(int32_t bin, float score, float future, bool alive, bool reaches) {
    record.edge_offsets.push_back(static_cast<int32_t>(record.edge_rule.size()));
    record.node_bin.push_back(bin);
    record.node_score.push_back(score);
    record.node_future.push_back(future);
    record.node_alive.push_back(alive);
    record.node_reaches.push_back(reaches);
    return static_cast<int32_t>(record.node_bin.size()) - 1;
  }

  SearchRecord record;

 private:
  std::vector<double> values_;
};

template <typename Kind>
class Recorder {
 public:
  using Steps = typename Kind::Steps;
  using Search = typename Kind::Search;

  Recorder(const Steps& steps, StepParts<Steps>* parts)
      : steps_(steps), search_(steps.search()), parts_(parts), builder_(steps.features()) {}

  SearchRecord read(RecordKind kind) {
    const auto hypotheses = search_.hypotheses();
    const auto bins = search_.bins();
    const std::vector<uint8_t> reaches = find_reaching();
    nodes_.assign(hypotheses.size(), -1);
    for (uint32_t b = 0; b < bins.size(); ++b) {
      if (Search::is_start(bins[b].first)) continue;
      add_bin(bins[b]);
      for (uint32_t i = bins[b].first; i < bins[b].last; ++i) {
        if (kind == RecordKind::kForest && !reaches[i]) continue;
        add_edges(i);
        nodes_[i] = builder_.end_node(static_cast<int32_t>(b), hypotheses[i].score,
                                      search_.future(i), i < bins[b].alive, reaches[i]);
      }
    }
    add_goal();
    builder_.record.fell_back = search_.fell_back();
    return std::move(builder_.record);
  }

 private:
  // Per hypothesis: whether a complete derivation uses it.
  std::vector<uint8_t> find_reaching() const {
    const auto hypotheses = search_.hypotheses();
    std::vector<uint8_t> reaches(hypotheses.size(), 0);
    if (search_.goal_bin() == kNone) return reaches;
    const Bin& goal = search_.bins()[search_.goal_bin()];
    std::fill(reaches.begin() + goal.first, reaches.begin() + goal.alive, uint8_t{1});
    for (size_t i = hypotheses.size(); i-- > 0;) {
      if (!reaches[i] || Search::is_start(static_cast<uint32_t>(i))) continue;
      search_.for_each_edge(hypotheses[i], [&](const auto& edge) {
        for (const uint32_t tail : edge.tails)
          if (!Search::is_start(tail)) reaches[tail] = 1;
      });
    }
    return reaches;
  }

  void add_bin(const Bin&) {}
  void add_bin(const HieroBin& bin) {
    builder_.record.bin_label.push_back(bin.label);
    builder_.record.bin_begin.push_back(bin.begin);
    builder_.record.bin_end.push_back(bin.end);
  }

  void add_edges(uint32_t head) {
    search_.for_each_edge(search_.hypotheses()[head], [&](const auto& edge) {
      const Step step = steps_.step(edge, head);
      builder_.begin_edge(recorded_rule(step.rule), step.begin, step.end);
      steps_.append_target(edge, head, builder_.target());
      steps_.add_features(edge, head, builder_.values());
      if (parts_) parts_->append(edge, head, builder_.record.edge_parts.values);
      for (const uint32_t tail : edge.tails)
        if (!Search::is_start(tail)) builder_.add_tail(nodes_[tail]);
      builder_.end_edge();
    });
  }

  void add_goal() {
    const uint32_t goal = search_.goal_bin();
    Bin bin;
    if (goal == kNone)
      add_goal_edge(kNone);  // an empty sentence
    else
      bin = search_.bins()[goal];
    for (uint32_t i = bin.first; i < bin.alive; ++i) add_goal_edge(i);
    const uint32_t best = search_.best();
    builder_.end_node(search_.goal_number(), best == kNone ? 0 : search_.total(best), 0, true,
                      true);
  }

  void add_goal_edge(uint32_t tail) {
    builder_.begin_edge(SearchRecord::kGlue, search_.goal_begin(), search_.length());
    if (!Search::is_start(tail)) {
      builder_.target().push_back(gap_symbol(0));
      builder_.add_tail(nodes_[tail]);
    }
    steps_.add_end_features(tail, builder_.values());
    builder_.end_edge();
  }

  const Steps& steps_;
  Search& search_;
  StepParts<Steps>* parts_;
  RecordBuilder builder_;
  std::vector<int32_t> nodes_;  // by hypothesis
};

}  // namespace

template <typename Kind>
SearchRecord record_of(const typename Kind::Steps& steps, RecordKind kind,
                       StepParts<typename Kind::Steps>* parts) {
  return Recorder<Kind>(steps, parts).read(kind);
}

template SearchRecord record_of<PhraseKind>(const PhraseSteps&, RecordKind,
                                            StepParts<PhraseSteps>*);
template SearchRecord record_of<HieroKind>(const HieroSteps&, RecordKind, StepParts<HieroSteps>*);

void add_monotone(const PhraseSteps& steps, SearchRecord& record) {
  const PhraseTranslationOptions& options = steps.search().options();
  const int32_t length = steps.search().length();
  FutureCosts best;
  best.build(options, length, length);
  for (int32_t begin = 0; begin <= length; ++begin)
    for (int32_t end = 0; end <= length; ++end) {
      best.for_each_phrase(options, begin, end, [&](uint32_t option) {
        steps.append_words(option, record.monotone.values);
      });
      record.monotone.end_row();
      record.monotone_score.push_back(begin < end ? best(begin, end) : 0);
    }
}

}  // namespace demotic::search
