// Statistics of the translation edit rate (Snover et al. 2006), one row of two numbers per
// candidate:
//
//   0   edits against the reference that needs the fewest: insertions, deletions and substitutions
//   of
//       words, and shifts of spans
//   1   average length of the references times ReferenceSet::length_scale()
//
// Which shifts are tried, how they are ranked, and when the search stops is exactly as in sacrebleu
// 2 (after Tercom): spans of at most 10 words that the reference has within 50 positions, with
// errors on both sides, the best by gain, then length, then earliest position; repeated until no
// shift helps or 1000 have been tried for the pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/metrics/candidates.h"
#include "demotic/metrics/edit_grid.h"
#include "demotic/metrics/metric_form.h"
#include "demotic/metrics/reference_set.h"

namespace demotic::metrics {

// Reusable scratch space of one thread.
class EditCounter {
 public:
  // The number of edits, including shifts, that turn `hypothesis` into the reference.
  int32_t operator()(std::span<const WordId> hypothesis, std::span<const WordId> reference);

  // For the last call: whether the reference has each word of the hypothesis in the place where
  // shifts have put it, so that it was neither deleted nor substituted.
  void kept_words(std::vector<char>& kept);

 private:
  struct Shift {
    int32_t start, length, target;
  };
  struct Rotation {
    int32_t begin, middle, end;  // of std::rotate
  };

  bool collect_shifts(std::span<const WordId> reference);
  bool collect_targets(int32_t start, int32_t in_reference, int32_t length);
  bool best_shift(int32_t distance);
  Rotation rotation(const Shift& shift) const;

  EditGrid grid_;
  EditAlignment alignment_;
  std::vector<Shift> shifts_;
  std::vector<WordId> words_, shifted_, best_;
  Rotation best_rotation_{};
  std::vector<Rotation> made_;  // shifts made so far
  bool solved_ = false;         // the grid has the hypothesis after all shifts
  int32_t tried_ = 0;
};

// One row per candidate. Throws as Candidates does.
std::vector<int32_t> ter_rows(const ReferenceSet& references, const Candidates& candidates,
                              int threads, const StopFlag& stop);

// For every word of every candidate, whether it is kept by the edits to the reference that needs
// the fewest (the first of these). Throws as Candidates does.
std::vector<char> ter_kept(const ReferenceSet& references, const Candidates& candidates,
                           const StopFlag& stop);

}  // namespace demotic::metrics
