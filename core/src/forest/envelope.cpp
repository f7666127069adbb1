#include "demotic/forest/envelope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "demotic/base/errors.h"
#include "demotic/forest/derivations.h"
#include "demotic/forest/semiring.h"

namespace demotic {
namespace {

// A line of an envelope and where its segment begins.
struct Line {
  double slope, intercept, left;
};

// Where `next`, the steeper of the two, overtakes `line`.
double crossing(const Line& line, const Line& next) {
  return (line.intercept - next.intercept) / (next.slope - line.slope);
}

class ForestEnvelope {
 public:
  ForestEnvelope(const HypergraphView& graph, std::span<const double> intercepts,
                 std::span<const double> slopes)
      : graph_(graph), intercepts_(intercepts), slopes_(slopes), first_(graph.nodes() + 1, 0) {}

  void add_node(int32_t node) {
    candidates_.clear();
    parts_.clear();
    for (const int32_t edge : graph_.incoming(node)) add_edge(edge);
    if (graph_.incoming(node).size() > 1)
      std::sort(candidates_.begin(), candidates_.end(), &ForestEnvelope::is_before);
    sweep(node);
  }

  Envelope of_root() const {
    Envelope result;
    for (int32_t i = first_[graph_.root()]; i < first_[graph_.nodes()]; ++i) {
      result.left.push_back(lines_[i].left);
      result.intercept.push_back(lines_[i].intercept);
      result.slope.push_back(lines_[i].slope);
      unfold(
          graph_, i, [&](int32_t line) { return origins_[line].edge; },
          [&](int32_t line, int32_t, int32_t j) { return tails_[origins_[line].tails + j]; },
          result.derivations.values);
      result.derivations.end_row();
    }
    return result;
  }

 private:
  struct Origin {
    int32_t edge, tails;  // where the lines of the tails stand in `tails_`
  };
  struct Candidate {
    Line line;
    int32_t edge, parts;  // where the lines of the tails stand in `parts_`
  };

  // By slope; of parallel lines the higher one, then the earlier one, is all that matters.
  static bool is_before(const Candidate& a, const Candidate& b) {
    if (a.line.slope != b.line.slope) return a.line.slope < b.line.slope;
    if (a.line.intercept != b.line.intercept) return a.line.intercept > b.line.intercept;
    return a.parts != b.parts ? a.parts < b.parts : a.edge < b.edge;
  }

  // The Minkowski sum of the tails' envelopes: from left to right, at every break point of a tail
  // its next line takes the place of the last.
  void add_edge(int32_t edge) {
    if (intercepts_[edge] == kNoScore) return;
    at_.clear();
    for (const int32_t tail : graph_.tails_of(edge)) {
      if (first_[tail] == first_[tail + 1]) return;
      at_.push_back(first_[tail]);
    }
    for (double left = kNoScore; left < kEnd; left = advance(edge)) add_candidate(edge, left);
    if (parts_.size() > kMost) refuse_size();
  }

  void add_candidate(int32_t edge, double left) {
    Line sum{slopes_[edge], intercepts_[edge], left};
    for (const int32_t line : at_) {
      sum.slope += lines_[line].slope;
      sum.intercept += lines_[line].intercept;
    }
    candidates_.push_back({sum, edge, static_cast<int32_t>(parts_.size())});
    parts_.insert(parts_.end(), at_.begin(), at_.end());
  }

  // To the next break point: all tails that have theirs there go on together.
  double advance(int32_t edge) {
    const std::span<const int32_t> tails = graph_.tails_of(edge);
    double next = kEnd;
    for (size_t i = 0; i < tails.size(); ++i) next = std::min(next, end_of(tails[i], at_[i]));
    if (next == kEnd) return kEnd;
    for (size_t i = 0; i < tails.size(); ++i)
      if (end_of(tails[i], at_[i]) == next) ++at_[i];
    return next;
  }

  double end_of(int32_t node, int32_t line) const {
    return line + 1 < first_[node + 1] ? lines_[line + 1].left : kEnd;
  }

  // Keeps what is on top somewhere. The lines of the node so far are an envelope; a steeper one
  // takes away those that it overtakes before they begin.
  void sweep(int32_t node) {
    kept_.clear();
    for (Candidate& next : candidates_) {
      next.line.left = kNoScore;
      if (!kept_.empty() && kept_.back().line.slope == next.line.slope) continue;
      while (!kept_.empty()) {
        next.line.left = crossing(kept_.back().line, next.line);
        if (next.line.left > kept_.back().line.left) break;
        kept_.pop_back();
        next.line.left = kNoScore;
      }
      kept_.push_back(next);
    }
    for (const Candidate& line : kept_) store(line);
    if (lines_.size() > kMost || tails_.size() > kMost) refuse_size();
    first_[node + 1] = static_cast<int32_t>(lines_.size());
  }

  void store(const Candidate& kept) {
    lines_.push_back(kept.line);
    origins_.push_back({kept.edge, static_cast<int32_t>(tails_.size())});
    const auto parts = parts_.begin() + kept.parts;
    tails_.insert(tails_.end(), parts, parts + graph_.arity(kept.edge));
  }

  [[noreturn]] static void refuse_size() {
    throw ModelError({.found = "an envelope too large for 32-bit numbers"});
  }

  static constexpr double kEnd = std::numeric_limits<double>::infinity();
  static constexpr size_t kMost = std::numeric_limits<int32_t>::max() / 2;

  HypergraphView graph_;
  std::span<const double> intercepts_, slopes_;
  std::vector<int32_t> first_;  // of a node: where its lines begin
  std::vector<Line> lines_;
  std::vector<Origin> origins_;
  std::vector<int32_t> tails_;
  std::vector<Candidate> candidates_, kept_;  // of the node that is worked on
  std::vector<int32_t> parts_, at_;
};

}  // namespace

Envelope envelope(const HypergraphView& graph, std::span<const double> intercepts,
                  std::span<const double> slopes, const StopFlag& stop) {
  if (!std::ranges::all_of(slopes, [](double slope) { return std::isfinite(slope); }))
    throw ModelError({.found = "a slope that is not finite", .expected = "finite slopes"});
  ForestEnvelope nodes(graph, intercepts, slopes);
  for (int32_t node = 0; node < graph.nodes(); ++node) {
    stop.check();
    nodes.add_node(node);
  }
  return nodes.of_root();
}

}  // namespace demotic
