#include "segmenter_candidates.h"

#include <stdexcept>

#include "demotic/base/errors.h"

namespace demotic::text {
namespace {

// Whether a substring was seen with two different neighbours on one side.
class NeighbouringUnits {
 public:
  static constexpr int32_t kEdge = -1;  // edge of a run; different from every neighbour and itself

  void see(int32_t unit) noexcept {
    if (unit == kEdge || (first_ != kNone && first_ != unit)) several_ = true;
    first_ = unit;
  }
  bool several() const noexcept { return several_; }

 private:
  static constexpr int32_t kNone = -2;
  int32_t first_ = kNone;
  bool several_ = false;
};

struct Seen {
  int64_t count = 0;
  NeighbouringUnits left, right;
};

// Substrings that are one unit longer than the nodes in `ends`, which has a node or kMissing for
// every position of the corpus: the substring that starts there.
class Level {
 public:
  Level(const Corpus& runs, const SegmenterOptions& options, Candidates& found)
      : runs_(runs), options_(options), found_(found), at_(runs.words().size(), UnitTrie::kRoot) {}

  void start(WordId units) {
    for (WordId unit = 0; unit < units; ++unit)
      found_.trie.child_or_add(UnitTrie::kRoot, static_cast<int32_t>(unit));
    found_.counts.assign(found_.trie.size(), 0);
    for (size_t i = 0; i < at_.size(); ++i) {
      at_[i] = 1 + static_cast<int32_t>(runs_.words()[i]);
      ++found_.counts[at_[i]];
    }
  }

  // Whether any substring of `length` units was found.
  bool extend(int64_t length, const StopFlag& stop) {
    const int32_t old_size = found_.trie.size();
    std::vector<Seen> seen;
    for (int64_t run = 0; run < runs_.size(); ++run) {
      stop.check();
      extend_run(run, length, old_size, seen);
    }
    found_.counts.resize(found_.trie.size(), 0);
    for (size_t i = 0; i < seen.size(); ++i)
      if (seen[i].count >= options_.min_count && seen[i].left.several() && seen[i].right.several())
        found_.counts[old_size + i] = seen[i].count;
    drop_rare(old_size, seen);
    return !seen.empty();
  }

 private:
  void extend_run(int64_t run, int64_t length, int32_t old_size, std::vector<Seen>& seen) {
    const int64_t begin = runs_.offsets()[run], end = runs_.offsets()[run + 1];
    for (int64_t i = begin; i < end; ++i) {
      if (at_[i] == UnitTrie::kMissing) continue;
      if (i + length > end) {
        at_[i] = UnitTrie::kMissing;
        continue;
      }
      at_[i] = found_.trie.child_or_add(at_[i], unit(i + length - 1));
      const size_t place = at_[i] - old_size;
      if (place == seen.size()) seen.emplace_back();
      ++seen[place].count;
      seen[place].left.see(i == begin ? NeighbouringUnits::kEdge : unit(i - 1));
      seen[place].right.see(i + length == end ? NeighbouringUnits::kEdge : unit(i + length));
    }
  }

  // Longer substrings of a rare substring are rare too.
  void drop_rare(int32_t old_size, const std::vector<Seen>& seen) {
    for (int32_t& node : at_)
      if (node >= old_size && seen[node - old_size].count < options_.min_count)
        node = UnitTrie::kMissing;
  }

  int32_t unit(int64_t i) const noexcept { return static_cast<int32_t>(runs_.words()[i]); }

  const Corpus& runs_;
  const SegmenterOptions& options_;
  Candidates& found_;
  std::vector<int32_t> at_;
};

// Removes the substrings that lead to no candidate.
Candidates compact(const Candidates& found, WordId units) {
  Candidates kept;
  for (int32_t node = 1; node < found.trie.size(); ++node) {
    if (node > units && found.counts[node] == 0) continue;
    int32_t place = UnitTrie::kRoot;
    for (const int32_t unit : found.trie.path(node)) place = kept.trie.child_or_add(place, unit);
    kept.counts.resize(kept.trie.size(), 0);
    kept.counts[place] = found.counts[node];
  }
  kept.counts.resize(kept.trie.size(), 0);
  return kept;
}

}  // namespace

Candidates find_candidates(const Corpus& runs, WordId units, const SegmenterOptions& options,
                           const StopFlag& stop) {
  for (const WordId unit : runs.words())
    if (unit < 0 || unit >= units) throw std::out_of_range("a unit beyond the number of units");
  if (runs.words().size() > size_t{INT32_MAX} / options.max_units)
    throw ModelError(Fault{.found = "too much text to learn a segmenter from",
                           .expected = "at most 2^31-1 substrings",
                           .advice = "learn from fewer sentences"});
  Candidates found;
  Level level(runs, options, found);
  level.start(units);
  for (int64_t length = 2; length <= options.max_units; ++length)
    if (!level.extend(length, stop)) break;
  return compact(found, units);
}

}  // namespace demotic::text
