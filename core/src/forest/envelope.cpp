#include "demotic/forest/envelope.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "demotic/base/errors.h"
#include "demotic/forest/derivations.h"
#include "demotic/forest/semiring.h"

namespace demotic::forest {
namespace {

// A line of an envelope and the start of its segment.
struct Line {
  double slope, intercept, left;
};

// The x at which `next`, the steeper of the two, overtakes `line`.
double crossing(const Line& line, const Line& next) {
  return (line.intercept - next.intercept) / (next.slope - line.slope);
}

}  // namespace

class EnvelopeFinder::Lines {
 public:
  void begin(const HypergraphView& graph, std::span<const double> intercepts,
             std::span<const double> slopes) {
    graph_ = graph;
    intercepts_ = intercepts;
    slopes_ = slopes;
    first_.assign(graph.nodes() + 1, 0);
    lines_.clear();
    origins_.clear();
    tails_.clear();
  }

  void add_node(int32_t node) {
    candidates_.clear();
    parts_.clear();
    runs_.assign(1, 0);
    for (const int32_t edge : graph_.incoming(node)) add_edge(edge);
    merge_runs();
    sweep(node);
  }

  const Envelope& root_envelope() {
    result_.left.clear();
    result_.intercept.clear();
    result_.slope.clear();
    result_.derivations.values.clear();
    result_.derivations.offsets.assign(1, 0);
    for (int32_t i = first_[graph_.root()]; i < first_[graph_.nodes()]; ++i) {
      result_.left.push_back(lines_[i].left);
      result_.intercept.push_back(lines_[i].intercept);
      result_.slope.push_back(lines_[i].slope);
      unfold(
          graph_, i, [&](int32_t line) { return origins_[line].edge; },
          [&](int32_t line, int32_t, int32_t j) { return tails_[origins_[line].tails + j]; },
          result_.derivations.values);
      result_.derivations.end_row();
    }
    return result_;
  }

 private:
  struct Origin {
    int32_t edge, tails;  // offset of the tails' lines in `tails_`
  };
  struct Candidate {
    double slope, intercept;
    int32_t edge, parts;  // offset of the tails' lines in `parts_`
  };

  // By slope; of parallel lines the higher one, then the earlier one, comes first. Branch-free,
  // since the result is unpredictable.
  static bool is_before(const Candidate& a, const Candidate& b) {
    return (a.slope < b.slope) | ((a.slope == b.slope) & (a.intercept > b.intercept));
  }

  // The Minkowski sum of the tails' envelopes: from left to right, at every break point of a tail
  // its next line replaces the previous one.
  void add_edge(int32_t edge) {
    if (intercepts_[edge] == kNoScore) return;
    const std::span<const int32_t> tails = graph_.tails_of(edge);
    for (const int32_t tail : tails)
      if (first_[tail] == first_[tail + 1]) return;
    if (tails.size() == 1) {
      shift_lines(edge, tails[0]);
    } else {
      at_.clear();
      for (const int32_t tail : tails) at_.push_back(first_[tail]);
      do add_candidate(edge);
      while (advance(edge));
    }
    if (parts_.size() > kMaxLines) refuse_size();
    runs_.push_back(candidates_.size());
  }

  // The same for one tail, as in all edges of phrase search.
  void shift_lines(int32_t edge, int32_t tail) {
    const double slope = slopes_[edge], intercept = intercepts_[edge];
    for (int32_t line = first_[tail]; line < first_[tail + 1]; ++line) {
      candidates_.push_back({slope + lines_[line].slope, intercept + lines_[line].intercept, edge,
                             static_cast<int32_t>(parts_.size())});
      parts_.push_back(line);
    }
  }

  void add_candidate(int32_t edge) {
    Candidate sum{slopes_[edge], intercepts_[edge], edge, static_cast<int32_t>(parts_.size())};
    for (const int32_t line : at_) {
      sum.slope += lines_[line].slope;
      sum.intercept += lines_[line].intercept;
    }
    candidates_.push_back(sum);
    parts_.insert(parts_.end(), at_.begin(), at_.end());
  }

  // Moves to the next break point, if there is one; all tails with that break point advance
  // together.
  bool advance(int32_t edge) {
    const std::span<const int32_t> tails = graph_.tails_of(edge);
    double next = kEnd;
    for (size_t i = 0; i < tails.size(); ++i) next = std::min(next, end_of(tails[i], at_[i]));
    if (next == kEnd) return false;
    for (size_t i = 0; i < tails.size(); ++i) at_[i] += end_of(tails[i], at_[i]) == next;
    return true;
  }

  double end_of(int32_t node, int32_t line) const {
    return line + 1 < first_[node + 1] ? lines_[line + 1].left : kEnd;
  }

  // The lines of each edge are already sorted, so the runs are merged pairwise.
  void merge_runs() {
    while (runs_.size() > 2) {
      merged_.resize(candidates_.size());
      size_t kept = 1;
      for (size_t i = 0; i + 1 < runs_.size(); i += 2) {
        const size_t middle = runs_[i + 1], end = i + 2 < runs_.size() ? runs_[i + 2] : middle;
        merge(&candidates_[runs_[i]], candidates_.data() + middle, candidates_.data() + end,
              &merged_[runs_[i]]);
        runs_[kept++] = end;
      }
      runs_.resize(kept);
      candidates_.swap(merged_);
    }
  }

  static void merge(const Candidate* a, const Candidate* middle, const Candidate* end,
                    Candidate* to) {
    const Candidate* b = middle;
    while (a != middle && b != end) {
      const bool second = is_before(*b, *a);
      *to++ = second ? *b : *a;
      b += second;
      a += !second;
    }
    std::copy(b, end, std::copy(a, middle, to));
  }

  // Keeps the lines that are maximal somewhere. The lines of the node so far are an envelope; a
  // steeper one removes those that it overtakes before they begin.
  void sweep(int32_t node) {
    const size_t begin = lines_.size();
    for (const Candidate& next : candidates_) {
      Line line{next.slope, next.intercept, kNoScore};
      if (lines_.size() > begin && lines_.back().slope == line.slope) continue;
      while (lines_.size() > begin) {
        line.left = crossing(lines_.back(), line);
        if (line.left > lines_.back().left) break;
        line.left = kNoScore;
        lines_.pop_back();
        origins_.pop_back();
      }
      lines_.push_back(line);
      origins_.push_back({next.edge, next.parts});
    }
    for (size_t i = begin; i < lines_.size(); ++i) keep_tails(origins_[i]);
    if (lines_.size() > kMaxLines || tails_.size() > kMaxLines) refuse_size();
    first_[node + 1] = static_cast<int32_t>(lines_.size());
  }

  void keep_tails(Origin& origin) {
    const auto parts = parts_.begin() + origin.tails;
    origin.tails = static_cast<int32_t>(tails_.size());
    tails_.insert(tails_.end(), parts, parts + graph_.arity(origin.edge));
  }

  [[noreturn]] static void refuse_size() {
    throw ModelError({.found = "an envelope too large for 32-bit indices"});
  }

  static constexpr double kEnd = std::numeric_limits<double>::infinity();
  static constexpr size_t kMaxLines = std::numeric_limits<int32_t>::max() / 2;

  HypergraphView graph_;
  std::span<const double> intercepts_, slopes_;
  std::vector<int32_t> first_;  // by node: offset of its lines
  std::vector<Line> lines_;
  std::vector<Origin> origins_;
  std::vector<int32_t> tails_;
  std::vector<Candidate> candidates_, merged_;  // of the current node
  std::vector<size_t> runs_;                    // ends of the runs of each edge
  std::vector<int32_t> parts_, at_;
  Envelope result_;
};

EnvelopeFinder::EnvelopeFinder() : lines_(std::make_unique<Lines>()) {}
EnvelopeFinder::~EnvelopeFinder() = default;
EnvelopeFinder::EnvelopeFinder(EnvelopeFinder&&) noexcept = default;
EnvelopeFinder& EnvelopeFinder::operator=(EnvelopeFinder&&) noexcept = default;

const Envelope& EnvelopeFinder::operator()(const HypergraphView& graph,
                                           std::span<const double> intercepts,
                                           std::span<const double> slopes, const StopFlag& stop) {
  if (!std::ranges::all_of(slopes, [](double slope) { return std::isfinite(slope); }))
    throw ModelError({.found = "a slope that is not finite", .expected = "finite slopes"});
  lines_->begin(graph, intercepts, slopes);
  for (int32_t node = 0; node < graph.nodes(); ++node) {
    stop.check();
    lines_->add_node(node);
  }
  return lines_->root_envelope();
}

Envelope envelope(const HypergraphView& graph, std::span<const double> intercepts,
                  std::span<const double> slopes, const StopFlag& stop) {
  return EnvelopeFinder()(graph, intercepts, slopes, stop);
}

}  // namespace demotic::forest
