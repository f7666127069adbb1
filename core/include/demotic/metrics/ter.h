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

 private:
  struct Shift {
    int32_t start, length, target;
  };

  bool collect_shifts(std::span<const WordId> reference);
  bool collect_targets(int32_t start, int32_t in_reference, int32_t length);
  bool best_shift(int32_t distance);
  void apply(const Shift& shift);

  EditGrid grid_;
  EditAlignment alignment_;
  std::vector<Shift> shifts_;
  std::vector<WordId> words_, shifted_, best_;
  size_t changed_begin_ = 0, changed_end_ = 0;  // where `shifted_` differs from `words_`
  int32_t tried_ = 0;
};

// One row per candidate. Throws as Candidates does.
std::vector<int32_t> ter_rows(const ReferenceSet& references, const Candidates& candidates,
                              int threads, const StopFlag& stop);

}  // namespace demotic::metrics
