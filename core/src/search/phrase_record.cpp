#include "demotic/search/phrase_record.h"

#include <algorithm>

#include "demotic/search/phrase_derivation.h"

namespace demotic::search {
namespace {

class Recorder {
 public:
  Recorder(const PhraseModel& model, PhraseSearch& search, std::span<const WordId> source)
      : model_(model), search_(search), source_(source), builder_(model.features().size()) {}

  SearchRecord forest(RecordKind kind) {
    const auto hypotheses = search_.hypotheses();
    const std::vector<uint8_t> reaches = find_reaching();
    nodes_.assign(hypotheses.size(), -1);
    const auto bins = search_.bins();
    for (size_t bin = 1; bin < bins.size(); ++bin)
      for (uint32_t i = bins[bin].begin; i < bins[bin].end; ++i) {
        if (kind == RecordKind::kForest && !reaches[i]) continue;
        add_edges(hypotheses[i]);
        nodes_[i] = builder_.end_node(static_cast<int32_t>(bin), hypotheses[i].score,
                                      hypotheses[i].total - hypotheses[i].score,
                                      i < bins[bin].alive, reaches[i]);
      }
    for (uint32_t i = bins.back().begin; i < bins.back().alive; ++i) add_goal_edge(i);
    builder_.end_node(static_cast<int32_t>(bins.size()) - 1, hypotheses[search_.best()].total, 0,
                      true, true);
    builder_.record.fell_back = search_.monotone();
    return std::move(builder_.record);
  }

 private:
  std::vector<uint8_t> find_reaching() const {
    const auto hypotheses = search_.hypotheses();
    std::vector<uint8_t> reaches(hypotheses.size(), 0);
    const PhraseBin& last = search_.bins().back();
    std::fill(reaches.begin() + last.begin, reaches.begin() + last.alive, uint8_t{1});
    for (size_t i = hypotheses.size(); i-- > 1;) {
      if (!reaches[i]) continue;
      for_each_way(hypotheses[i], [&](uint32_t parent, uint32_t) { reaches[parent] = 1; });
    }
    return reaches;
  }

  // visit(parent, option): the best way first, then in the order in which they were found.
  template <typename Visit>
  void for_each_way(const Hypothesis& hypothesis, Visit&& visit) const {
    visit(hypothesis.parent, hypothesis.option);
    std::vector<uint32_t> others;
    for (uint32_t a = hypothesis.arc; a != kNone; a = search_.arcs()[a].next) others.push_back(a);
    for (auto a = others.rbegin(); a != others.rend(); ++a)
      visit(search_.arcs()[*a].parent, search_.arcs()[*a].option);
  }

  void add_edges(const Hypothesis& hypothesis) {
    for_each_way(hypothesis, [&](uint32_t parent, uint32_t option) {
      const PhraseStep step = step_of(search_, option);
      const bool copied = step.rule == kNoRule;
      builder_.begin_edge(copied ? SearchRecord::kCopied : static_cast<int32_t>(step.rule),
                          step.begin, step.end);
      add_parent(parent);
      append_words(model_, search_, option, source_, builder_.target());
      add_features(model_, search_, search_.hypotheses()[parent], option, builder_.values());
      builder_.end_edge();
    });
  }

  void add_goal_edge(uint32_t last) {
    builder_.begin_edge(SearchRecord::kGlue, search_.length(), search_.length());
    add_parent(last);
    add_end_features(model_, search_, search_.hypotheses()[last], builder_.values());
    builder_.end_edge();
  }

  void add_parent(uint32_t parent) {
    if (parent == 0) return;
    builder_.target().push_back(gap_symbol(0));
    builder_.add_tail(nodes_[parent]);
  }

  const PhraseModel& model_;
  PhraseSearch& search_;
  std::span<const WordId> source_;
  RecordBuilder builder_;
  std::vector<int32_t> nodes_;  // by hypothesis
};

void add_monotone(const PhraseModel& model, const PhraseSearch& search,
                  std::span<const WordId> source, SearchRecord& record) {
  const auto length = static_cast<int32_t>(source.size());
  FutureCosts best;
  best.build(search.phrase_options(), length, length);
  for (int32_t begin = 0; begin <= length; ++begin)
    for (int32_t end = 0; end <= length; ++end) {
      for (int32_t from = begin; from < end;) {
        const int32_t to = from + best.first_phrase(from, end);
        for (const PhraseSpan& span : search.phrase_options().starting_at(from))
          if (span.end == to)
            append_words(model, search, span.first, source, record.monotone.values);
        from = to;
      }
      record.monotone.end_row();
      record.monotone_score.push_back(begin < end ? best(begin, end) : 0);
    }
}

}  // namespace

SearchRecord record_of(const PhraseModel& model, PhraseSearch& search,
                       std::span<const WordId> source, RecordKind kind, bool monotone) {
  SearchRecord record = Recorder(model, search, source).forest(kind);
  if (monotone) add_monotone(model, search, source, record);
  return record;
}

}  // namespace demotic::search
