// The edit distance between a hypothesis and a reference inside a band around the diagonal, as
// sacrebleu 2 defines it for TER: row i (words of the hypothesis) has the columns (words of the
// reference) within 25 of floor(i * reference length / hypothesis length), the first and the last
// row reach to the end, and the band is widened where lengths differ extremely.
//
// Costs from the start and to the end are both kept, so that the distance of a hypothesis that
// differs in a few positions needs only the rows of those positions. Only the band is stored:
// memory and time grow with the words of the hypothesis times the width of the band.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/text/vocabulary.h"

namespace demotic::metrics {

// The words affected by the cheapest edits.
struct EditAlignment {
  std::vector<int32_t> word;       // by reference word: the last hypothesis word used so far
  std::vector<char> wrong_in_ref;  // by reference word: inserted or substituted
  std::vector<char> wrong_in_hyp;  // by hypothesis word: deleted or substituted
};

// Reusable scratch space of one thread.
class EditGrid {
 public:
  // For hypotheses of `words` words; `reference` must stay valid.
  void set(std::span<const WordId> reference, size_t words);

  // Returns the distance of a hypothesis and stores it as the solved one.
  int32_t solve(std::span<const WordId> hypothesis);

  // The distance of a hypothesis that differs from the solved one only in [begin, end); if it is
  // above `enough`, any number above `enough`.
  int32_t distance(std::span<const WordId> hypothesis, size_t begin, size_t end, int32_t enough);

  // The alignment of the solved one.
  void align(EditAlignment& into) const;

 private:
  struct Band {
    int32_t begin, end;  // columns, half open
  };
  enum Operation : char { kNone, kKeep, kSubstitute, kDelete, kInsert };

  // Rows addressed as if they started at column 0; see `place_rows` for the valid columns.
  int32_t* from_start(size_t row) noexcept { return from_start_.data() + places_[row]; }
  int32_t* to_end(size_t row) noexcept { return to_end_.data() + places_[row]; }
  void place_rows();
  void solve_forward(std::span<const WordId> hypothesis);
  void solve_backward(std::span<const WordId> hypothesis);
  int32_t next_row(WordId word, size_t row, const int32_t* above, int32_t* here) const noexcept;

  std::span<const WordId> reference_;
  size_t rows_ = 0, width_ = 0;  // words of the hypothesis and of the reference, plus one each
  std::vector<Band> bands_;      // by row
  std::vector<size_t> places_;   // by row: offset of its column 0, if it were stored
  size_t cells_ = 0;             // number of stored cells
  std::vector<int32_t> from_start_, to_end_, above_, here_;
  std::vector<Operation> operations_;
};

}  // namespace demotic::metrics
