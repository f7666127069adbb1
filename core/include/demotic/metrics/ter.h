// Statistics of the translation edit rate (Snover et al. 2006), one row of two numbers a candidate:
//
//   0   edits against the reference that needs fewest: words inserted, deleted or substituted, and
//       stretches of words shifted
//   1   average length of the references times ReferenceSet::length_scale()
//
// Which shifts are tried, in which order they count as better, and when the search gives up is
// exactly what sacrebleu 2 does (after Tercom): stretches of at most 10 words that the reference
// has within 50 places, both sides wrong there, the best by gain, then length, then earliest
// place; again until no shift helps or 1000 have been tried for the pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/metrics/candidates.h"
#include "demotic/metrics/edit_grid.h"
#include "demotic/metrics/reference_set.h"

namespace demotic::metrics {

inline constexpr int32_t kTerColumns = 2;

// Reusable scratch of one thread.
class EditCounter {
 public:
  // Edits and shifts that make `hypothesis` the reference.
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

// One row a candidate. Throws as Candidates does.
std::vector<int32_t> ter_rows(const ReferenceSet& references, const Candidates& candidates,
                              int threads, const StopFlag& stop);

}  // namespace demotic::metrics
