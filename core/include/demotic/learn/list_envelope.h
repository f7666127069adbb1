// The upper envelope of the lines score + step * slope of one candidate list, by divide and conquer
// in vectorised scans: find the outermost lines, then the highest line where they cross, and so on
// on both sides. Of the other lines, only those above the crossings of the first three can be on
// the envelope, and these are few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "demotic/namespaces.h"

namespace demotic::learn {

// Where the lowest and the highest of some slopes are, ascending; empty if all are equal.
struct Outermost {
  std::span<const int32_t> left, right;
};

// Scratch space: lines that may be on the envelope, and the envelope so far.
struct EnvelopeWork {
  // Between two lines of the envelope so far.
  struct Gap {
    double at;           // where they cross
    int32_t right, top;  // the second of them, and the highest line above the crossing or -1
  };

  double *scores, *slopes;
  int32_t* places;  // position of each line in the list
  uint8_t* marks;
  Gap* waiting;  // gaps to the right of the lines found, the next one last
  int32_t* lines;
  double* breaks;
  int32_t found = 0;  // breakpoints
};

// Holds scratch space; not thread-safe, use one instance per thread.
class ListEnvelope {
 public:
  explicit ListEnvelope(int32_t longest);

  // The slopes are a feature column.
  void find(const double* scores, const float* slopes, int32_t count, const Outermost& outermost);
  // The slopes were written to `slopes()`.
  void find(const double* scores, int32_t count);
  double* slopes() noexcept { return slopes_.data(); }

  // The positions of the lines of the envelope, from left to right. Of equal lines, the first.
  std::span<const int32_t> lines() const noexcept { return {lines_.data(), found_ + 1}; }
  // breaks()[i] is the step at which line i + 1 takes over.
  std::span<const double> breaks() const noexcept { return {breaks_.data(), found_}; }

 private:
  EnvelopeWork work();

  std::vector<double> scores_, slopes_, breaks_;
  std::vector<int32_t> places_, lines_;
  std::vector<uint8_t> marks_;
  std::vector<EnvelopeWork::Gap> waiting_;
  size_t found_ = 0;  // breakpoints
};

}  // namespace demotic::learn
