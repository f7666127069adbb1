// The classes currently in the window of Brown clustering, with their bigram counts and the loss of
// every possible merge, all updated while words are inserted and classes merged.
//
// With n(i,j) = bigrams of a word of class i before one of class j, a(i) = row sums, l(i) = row
// sums including words not yet inserted, b and r the same for columns, g(x) = x ln x and N all
// bigrams:
//
//   N I = sum g(n(i,j)) - sum a(i) ln l(i) - sum b(j) ln r(j) + constant
//
// so a merge of i and j loses, over the other classes k, terms h(n(i,k), n(j,k)) and
// h(n(k,i), n(k,j)) with h(x,y) = g(x) + g(y) - g(x+y), which is 0 if x or y is 0. That is why a
// rare word changes few cells. Rows and columns are two `Side`s of the same form.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "brown_losses.h"
#include "demotic/base/stop.h"

namespace demotic::text {

// x ln x and ln x in fixed point, as precise as 60 bits allow for N ln N.
class FixedLogs {
 public:
  explicit FixedLogs(int64_t pairs);

  double log(uint32_t x) const noexcept { return x < logs_.size() ? logs_[x] : slow_log(x); }
  int64_t g(uint32_t x) const noexcept { return x < gs_.size() ? gs_[x] : times(x, slow_log(x)); }
  double to_nats(int64_t value) const noexcept { return static_cast<double>(value) / scale_; }

  // round(x * log), both non-negative.
  static int64_t times(uint32_t x, double log) noexcept {
    return static_cast<int64_t>(static_cast<double>(x) * log + 0.5);
  }

 private:
  double slow_log(uint32_t x) const noexcept;

  double scale_;
  std::vector<double> logs_;
  std::vector<int64_t> gs_;
};

class BrownWindow {
 public:
  // Words are ranks 0 .. words-1. At most `slots` classes at a time. `logs` must outlive it.
  BrownWindow(size_t slots, size_t words, const FixedLogs& logs, const StopFlag& stop);

  // `after` and `before`: ranks adjacent to the occurrences of `rank`, all inserted before, `rank`
  // itself only in `after`. `totals`: bigrams in which it is first and second.
  void insert(int32_t rank, std::span<const int32_t> after, std::span<const int32_t> before,
              std::array<uint32_t, 2> totals);

  int32_t live() const noexcept { return live_; }
  // Merges the best pair; returns the labels (lowest ranks) of the two, and the loss in nats times
  // N.
  struct Merge {
    int32_t kept, gone;
    double loss;
  };
  Merge merge_best();

  // The label of the class of an inserted rank.
  int32_t label_of(int32_t rank) noexcept;
  // Average mutual information in nats, computed from its definition.
  double information(int64_t pairs) const;

 private:
  // One view of the bigram counts: by their first class (side 0) or by their second (side 1).
  struct Side {
    std::vector<uint32_t> counts;  // counts[i * width + k]; the other side holds the transpose
    std::vector<uint32_t> inside;  // sum of counts[i]
    std::vector<uint32_t> total;   // the same including words not yet inserted
    std::vector<double> log_total;
    std::vector<double> log_sum;       // ln(total[i] + total[j])
    std::vector<int64_t> inside_term;  // inside * ln(total)
  };

  const uint32_t* row(int side, int32_t i) const noexcept {
    return sides_[side].counts.data() + width_ * i;
  }
  uint32_t count(int32_t i, int32_t k) const noexcept { return row(0, i)[k]; }
  void count_pairs(int32_t slot, std::span<const int32_t> after, std::span<const int32_t> before);
  void widen(int side, int32_t slot);
  void refresh_totals(int side, int32_t slot);
  void split(const uint32_t* touching, const uint32_t* reached, int32_t skip, int32_t skip_too);
  void add_neighbours(int side, int32_t i, uint32_t from, uint32_t to, std::span<int64_t> losses);
  int64_t pair_term(int32_t i, int32_t j) const noexcept;
  void merge(int32_t into, int32_t from);
  void merge_others(int side, int32_t into, int32_t from);
  void merge_row(int side, int32_t into, int32_t from);
  void join_counts(int32_t into, int32_t from);
  void move(int32_t from, int32_t to);
  size_t neighbours(int32_t slot) const noexcept;

  const size_t width_;
  const FixedLogs& logs_;
  const StopFlag& stop_;
  std::array<Side, 2> sides_;
  std::vector<int32_t> labels_;  // by slot
  BrownLosses losses_;
  int32_t live_ = 0;
  std::vector<int32_t> parent_;  // by rank: union-find whose roots are labels
  std::vector<int32_t> slot_;    // by label
  // Scratch.
  std::vector<int32_t> touched_, reached_;
  std::vector<int64_t> change_, fresh_;
};

}  // namespace demotic::text
