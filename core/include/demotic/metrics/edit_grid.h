// The edit distance between a hypothesis and a reference inside a band around the diagonal, as
// sacrebleu 2 defines it for TER: row i (words of the hypothesis) has the columns (words of the
// reference) within 25 of floor(i * reference length / hypothesis length), the first and the last
// row reach to the end, and the band is widened where lengths differ extremely.
//
// Costs from the beginning and to the end are both kept, so that the distance of a hypothesis that
// differs in a few places needs only the rows of those places. Only the band is stored: memory and
// time grow with the words of the hypothesis times the width of the band.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "demotic/text/vocabulary.h"

namespace demotic::metrics {

// What the cheapest edits say about single words.
struct EditAlignment {
  std::vector<int32_t> word;  // by reference word: of the hypothesis, the last one used by then
  std::vector<char> wrong_in_ref;  // by reference word: it is inserted or substituted
  std::vector<char> wrong_in_hyp;  // by hypothesis word: it is deleted or substituted
};

// Reusable scratch of one thread.
class EditGrid {
 public:
  // For hypotheses of `words` words; `reference` must stay.
  void set(std::span<const WordId> reference, size_t words);

  // The distance of a hypothesis, which is then the solved one.
  int32_t solve(std::span<const WordId> hypothesis);

  // The distance of a hypothesis that differs from the solved one in [begin, end) alone; or, if it
  // is above `enough`, any number above it.
  int32_t distance(std::span<const WordId> hypothesis, size_t begin, size_t end, int32_t enough);

  // Of the solved one.
  void align(EditAlignment& into) const;

 private:
  struct Band {
    int32_t begin, end;  // columns, half open
  };
  enum Operation : char { kNone, kKeep, kSubstitute, kDelete, kInsert };

  // Rows as if they began at column 0; see `place_rows` for the columns that may be touched.
  int32_t* from_start(size_t row) noexcept { return from_start_.data() + places_[row]; }
  int32_t* to_end(size_t row) noexcept { return to_end_.data() + places_[row]; }
  void place_rows();
  void solve_forward(std::span<const WordId> hypothesis);
  void solve_backward(std::span<const WordId> hypothesis);
  int32_t next_row(WordId word, size_t row, const int32_t* above, int32_t* here) const noexcept;

  std::span<const WordId> reference_;
  size_t rows_ = 0, width_ = 0;  // words of the hypothesis and of the reference, plus one each
  std::vector<Band> bands_;      // by row
  std::vector<size_t> places_;   // by row: of its column 0, were it stored
  size_t cells_ = 0;             // stored, of all rows
  std::vector<int32_t> from_start_, to_end_, above_, here_;
  std::vector<Operation> operations_;
};

}  // namespace demotic::metrics
