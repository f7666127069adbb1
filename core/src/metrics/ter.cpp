#include "demotic/metrics/ter.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>

namespace demotic::metrics {

namespace {

constexpr int32_t kMaxShiftWords = 10;
constexpr int32_t kMaxShiftDistance = 50;
constexpr int32_t kMaxTried = 1000;

// The worker of one thread.
struct TerWorker {
  const ReferenceSet& references;
  const Candidates& candidates;
  Candidates::Reader read;
  EditCounter count;

  void operator()(int64_t i, int32_t* out) {
    const int64_t sentence = candidates.sentence(i);
    const std::span<const WordId> words = read(i);
    out[0] = INT32_MAX;
    for (int64_t r = references.first(sentence); r < references.first(sentence + 1); ++r)
      out[0] = std::min(out[0], count(words, references.text(r)));
    out[1] = references.scaled_length(sentence);
  }
};

}  // namespace

int32_t EditCounter::operator()(std::span<const WordId> hypothesis,
                                std::span<const WordId> reference) {
  made_.clear();
  words_.assign(hypothesis.begin(), hypothesis.end());
  solved_ = !reference.empty();
  if (!solved_) return static_cast<int32_t>(hypothesis.size());
  grid_.set(reference, words_.size());
  tried_ = 0;
  int32_t distance = grid_.solve(words_);
  int32_t shifts = 0;
  while (distance > 0) {
    grid_.align(alignment_);
    if (!collect_shifts(reference) || !best_shift(distance)) break;
    words_.swap(best_);
    made_.push_back(best_rotation_);
    distance = grid_.solve(words_);
    ++shifts;
  }
  return shifts + distance;
}

void EditCounter::kept_words(std::vector<char>& kept) {
  kept.assign(words_.size(), 0);
  if (!solved_) return;
  grid_.align(alignment_);
  std::vector<int32_t> order(words_.size());  // the place of each shifted word before all shifts
  std::iota(order.begin(), order.end(), 0);
  for (const Rotation& shift : made_)
    std::rotate(order.begin() + shift.begin, order.begin() + shift.middle,
                order.begin() + shift.end);
  for (size_t i = 0; i < order.size(); ++i)
    kept[order[i]] = alignment_.wrong_in_hyp[i] == 0 ? 1 : 0;
}

// False if there are too many: then no shift is made, not even the best so far.
bool EditCounter::collect_shifts(std::span<const WordId> reference) {
  shifts_.clear();
  const auto words = static_cast<int32_t>(words_.size());
  const auto end = static_cast<int32_t>(reference.size());
  for (int32_t start = 0; start < words; ++start) {
    const int32_t last = std::min(end, start + kMaxShiftDistance + 1);
    for (int32_t r = std::max(0, start - kMaxShiftDistance); r < last; ++r) {
      const int32_t longest = std::min({kMaxShiftWords, words - start, end - r});
      bool wrong_in_hyp = false, wrong_in_ref = false;
      for (int32_t k = 0; k < longest && words_[start + k] == reference[r + k]; ++k) {
        wrong_in_hyp |= alignment_.wrong_in_hyp[start + k] != 0;
        wrong_in_ref |= alignment_.wrong_in_ref[r + k] != 0;
        if (wrong_in_hyp && wrong_in_ref && !collect_targets(start, r, k + 1)) return false;
      }
    }
  }
  return true;
}

bool EditCounter::collect_targets(int32_t start, int32_t in_reference, int32_t length) {
  const int32_t there = alignment_.word[in_reference];
  if (start <= there && there < start + length) return true;
  int32_t before = -1;
  for (int32_t offset = -1; offset < length; ++offset) {
    const int32_t at = in_reference + offset;
    const int32_t target = at < 0 ? 0 : alignment_.word[at] + 1;
    if (target == before) continue;
    before = target;
    shifts_.push_back({start, length, target});
    ++tried_;
  }
  return tried_ < kMaxTried;
}

EditCounter::Rotation EditCounter::rotation(const Shift& shift) const {
  const int32_t start = shift.start, end = shift.start + shift.length;
  if (shift.target < start) return {shift.target, start, end};
  // A target inside the span moves the span by that many words.
  const int32_t words = static_cast<int32_t>(words_.size());
  const int32_t until =
      shift.target > end ? shift.target : std::min(words, shift.length + shift.target);
  return {start, end, until};
}

// Stores the shift that lowers `distance` most in `best_`; false if none does.
bool EditCounter::best_shift(int32_t distance) {
  // Smaller is better.
  std::tuple<int32_t, int32_t, int32_t, int32_t> best{distance, 0, 0, 0};
  bool found = false;
  for (const Shift& shift : shifts_) {
    const Rotation moved = rotation(shift);
    shifted_ = words_;
    std::rotate(shifted_.begin() + moved.begin, shifted_.begin() + moved.middle,
                shifted_.begin() + moved.end);
    const int32_t enough = found ? std::get<0>(best) : distance - 1;
    const int32_t after = grid_.distance(shifted_, moved.begin, moved.end, enough);
    if (after > enough) continue;
    const std::tuple rank{after, -shift.length, shift.start, shift.target};
    if (found && rank >= best) continue;
    best = rank;
    found = true;
    best_ = shifted_;
    best_rotation_ = moved;
  }
  return found;
}

std::vector<int32_t> ter_rows(const ReferenceSet& references, const Candidates& candidates,
                              int threads, const StopFlag& stop) {
  return fill_rows(candidates.size(), kTerColumns, threads, stop, [&] {
    return TerWorker{references, candidates, Candidates::Reader(candidates), {}};
  });
}

std::vector<char> ter_kept(const ReferenceSet& references, const Candidates& candidates,
                           const StopFlag& stop) {
  Candidates::Reader read(candidates);
  EditCounter count;
  std::vector<char> all, kept;
  for (int64_t i = 0; i < candidates.size(); ++i) {
    stop.check();
    const int64_t sentence = candidates.sentence(i);
    const std::span<const WordId> words = read(i);
    int32_t fewest = INT32_MAX;
    std::vector<char> best(words.size());
    for (int64_t r = references.first(sentence); r < references.first(sentence + 1); ++r) {
      const int32_t edits = count(words, references.text(r));
      if (edits >= fewest) continue;
      fewest = edits;
      count.kept_words(kept);
      best = kept;
    }
    all.insert(all.end(), best.begin(), best.end());
  }
  return all;
}

}  // namespace demotic::metrics
