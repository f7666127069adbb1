// Finds the links of one sentence pair after another with a trained aligner: the loop that
// `align_corpus` and `AlignerStream` share. Not thread-safe; use one instance per thread.
#pragma once

#include "demotic/align/sentence.h"

namespace demotic::align {

class PairDecoder {
 public:
  // The arguments are referred to, not copied.
  PairDecoder(const Aligner& aligner, const PairFinder& finder, const Positions& positions,
              const DecodeOptions& options)
      : aligner_(aligner), finder_(finder), positions_(positions), options_(options) {}

  // Also computes posteriors and likelihoods, which costs a second pass for the HMM.
  void with_posteriors(bool wanted) noexcept { with_posteriors_ = wanted; }

  // Finds the links of a pair; true if it had to be aligned in pieces.
  bool align(std::span<const WordId> source, std::span<const WordId> target);

  // Of the last pair, sorted.
  const std::vector<Link>& links() const noexcept { return links_; }
  // Of each link, the mean of both directions; only with posteriors.
  const std::vector<float>& posteriors() const noexcept { return posteriors_; }
  // log p(target | source) and log p(source | target); only with posteriors. Words without any on
  // the other side have no likelihood: -inf if the pair, or a piece of it, has an empty side.
  const std::array<double, 2>& log_likelihood() const noexcept { return log_likelihood_; }

 private:
  void align_piece(std::span<const WordId> source, std::span<const WordId> target);
  void likely_links(const Grids& grids);
  void best_links(const Grids& grids);
  void posteriors_of(const Grids& grids);
  void forbid() noexcept;  // the pair has no likelihood
  void add(int way, int32_t row, int32_t column) {
    ways_[way].push_back(way == 0 ? Link{column, row} : Link{row, column});
  }

  const Aligner& aligner_;
  const PairFinder& finder_;
  const Positions& positions_;
  const DecodeOptions& options_;
  bool with_posteriors_ = false;
  HmmScratch scratch_;
  std::vector<PairIndex> cells_;
  std::vector<float> floats_;
  std::vector<int32_t> columns_;
  std::array<std::vector<Link>, 2> ways_;
  std::vector<Link> piece_, links_;
  std::vector<float> posteriors_;
  std::array<double, 2> log_likelihood_{};
};

}  // namespace demotic::align
