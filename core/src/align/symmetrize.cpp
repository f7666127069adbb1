#include "demotic/align/symmetrize.h"

#include <algorithm>
#include <stdexcept>

namespace demotic::align {
namespace {

constexpr uint8_t kInForward = 1, kInBackward = 2, kTaken = 4;

// The links of a sentence pair as a matrix with one row per target word: symal visits them by
// target, then source.
class Matrix {
 public:
  Matrix(std::span<const Link> forward, std::span<const Link> backward, int32_t source_length,
         int32_t target_length)
      : sources_(source_length),
        targets_(target_length),
        cells_(int64_t{source_length} * target_length, 0),
        source_covered_(source_length, 0),
        target_covered_(target_length, 0) {
    for (const Link link : forward) at(link.target, link.source) |= kInForward;
    for (const Link link : backward) at(link.target, link.source) |= kInBackward;
  }

  template <typename Wanted>
  void take_if(Wanted&& wanted) {
    for (int32_t t = 0; t < targets_; ++t)
      for (int32_t s = 0; s < sources_; ++s)
        if (wanted(at(t, s))) take(t, s);
  }

  // Adds neighbours of chosen links that cover a new word, until there are none. Links added after
  // the current position are visited in the same round.
  void grow_diagonally() {
    for (bool added = true; added;) {
      added = false;
      for (int32_t t = 0; t < targets_; ++t)
        for (int32_t s = 0; s < sources_; ++s)
          if (at(t, s) & kTaken) added |= grow_around(t, s);
    }
  }

  // Adds links of only one direction that cover a new word, or two.
  void finish(uint8_t direction, bool both) {
    for (int32_t t = 0; t < targets_; ++t) {
      for (int32_t s = 0; s < sources_; ++s) {
        if (at(t, s) != direction) continue;
        const int covered = source_covered_[s] + target_covered_[t];
        if (covered == 0 || (!both && covered == 1)) take(t, s);
      }
    }
  }

  std::vector<Link> taken() const {
    std::vector<Link> links;
    for (int32_t s = 0; s < sources_; ++s)
      for (int32_t t = 0; t < targets_; ++t)
        if (cells_[int64_t{t} * sources_ + s] & kTaken) links.push_back({s, t});
    return links;
  }

 private:
  uint8_t& at(int32_t t, int32_t s) { return cells_[int64_t{t} * sources_ + s]; }

  void take(int32_t t, int32_t s) {
    at(t, s) |= kTaken;
    source_covered_[s] = target_covered_[t] = 1;
  }

  bool grow_around(int32_t t, int32_t s) {
    constexpr int32_t kNeighbours[8][2] = {{-1, 0},  {0, -1}, {1, 0},  {0, 1},
                                           {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    bool added = false;
    for (const auto& [down, right] : kNeighbours) {
      const int32_t t2 = t + down, s2 = s + right;
      if (t2 < 0 || t2 >= targets_ || s2 < 0 || s2 >= sources_ || at(t2, s2) == 0) continue;
      if (source_covered_[s2] && target_covered_[t2]) continue;
      take(t2, s2);
      added = true;
    }
    return added;
  }

  int32_t sources_, targets_;
  std::vector<uint8_t> cells_, source_covered_, target_covered_;
};

std::vector<Link> sorted(std::span<const Link> links) {
  std::vector<Link> result(links.begin(), links.end());
  std::sort(result.begin(), result.end());
  return result;
}

std::pair<int32_t, int32_t> lengths(std::span<const Link> forward, std::span<const Link> backward) {
  std::pair<int32_t, int32_t> result{0, 0};
  for (const auto links : {forward, backward}) {
    for (const Link link : links) {
      result.first = std::max(result.first, link.source + 1);
      result.second = std::max(result.second, link.target + 1);
    }
  }
  return result;
}

}  // namespace

std::vector<Link> symmetrize(Symmetrization kind, std::span<const Link> forward,
                             std::span<const Link> backward, int32_t source_length,
                             int32_t target_length) {
  if (kind == Symmetrization::kForward) return sorted(forward);
  if (kind == Symmetrization::kBackward) return sorted(backward);
  Matrix matrix(forward, backward, source_length, target_length);
  if (kind == Symmetrization::kUnion) {
    matrix.take_if([](uint8_t cell) { return cell != 0; });
    return matrix.taken();
  }
  matrix.take_if([](uint8_t cell) { return cell == (kInForward | kInBackward); });
  if (kind != Symmetrization::kIntersection) matrix.grow_diagonally();
  if (kind == Symmetrization::kGrowDiagFinal || kind == Symmetrization::kGrowDiagFinalAnd) {
    const bool both = kind == Symmetrization::kGrowDiagFinalAnd;
    matrix.finish(kInForward, both);
    matrix.finish(kInBackward, both);
  }
  return matrix.taken();
}

Alignments symmetrize(Symmetrization kind, const Alignments& forward, const Alignments& backward) {
  if (forward.size() != backward.size())
    throw std::invalid_argument("the two directions have " + std::to_string(forward.size()) +
                                " and " + std::to_string(backward.size()) + " sentence pairs");
  Alignments result;
  for (size_t i = 0; i < forward.size(); ++i) {
    const auto [source, target] = lengths(forward[i], backward[i]);
    const std::vector<Link> links = symmetrize(kind, forward[i], backward[i], source, target);
    result.values.insert(result.values.end(), links.begin(), links.end());
    result.end_row();
  }
  return result;
}

}  // namespace demotic::align
