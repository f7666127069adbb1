#include "demotic/align/pair_decoder.h"

#include <algorithm>
#include <limits>

namespace demotic::align {

bool PairDecoder::align(std::span<const WordId> source, std::span<const WordId> target) {
  links_.clear();
  posteriors_.clear();
  log_likelihood_ = {};
  if (source.empty() || target.empty()) forbid();
  const size_t longer = std::max(source.size(), target.size());
  const size_t pieces = (longer + aligner_.max_length - 1) / aligner_.max_length;
  for (size_t piece = 0; piece < pieces; ++piece) {
    const size_t s = source.size() * piece / pieces, t = target.size() * piece / pieces;
    align_piece(source.subspan(s, source.size() * (piece + 1) / pieces - s),
                target.subspan(t, target.size() * (piece + 1) / pieces - t));
    for (const Link link : piece_)
      links_.push_back(
          {link.source + static_cast<int32_t>(s), link.target + static_cast<int32_t>(t)});
  }
  return pieces > 1;
}

void PairDecoder::align_piece(std::span<const WordId> source, std::span<const WordId> target) {
  piece_.clear();
  if (source.empty() || target.empty()) return forbid();
  cells_.resize(source.size() * target.size());
  finder_.find(source, target, cells_.data());
  floats_.assign(grid_floats(source.size(), target.size()), 0);
  const Grids grids = make_grids(source, target, floats_.data());
  fill_grids(aligner_.lexicon, source, target, cells_.data(), grids);
  if (options_.posterior_threshold > 0)
    likely_links(grids);
  else
    best_links(grids);
  piece_ = symmetrize(options_.symmetrization, ways_[0], ways_[1], grids[1].rows, grids[0].rows);
  if (with_posteriors_)
    for (const Link link : piece_)
      posteriors_.push_back(
          (grids[0].row(link.target)[link.source] + grids[1].row(link.source)[link.target]) / 2);
}

void PairDecoder::forbid() noexcept {
  log_likelihood_.fill(-std::numeric_limits<double>::infinity());
}

void PairDecoder::posteriors_of(const Grids& grids) {
  PassStatistics statistics;
  find_posteriors(positions_, grids, scratch_, statistics);
  for (int way = 0; way < 2; ++way) log_likelihood_[way] += statistics.log_likelihood[way];
}

void PairDecoder::likely_links(const Grids& grids) {
  posteriors_of(grids);
  for (int way = 0; way < 2; ++way) {
    ways_[way].clear();
    for (int32_t r = 0; r < grids[way].rows; ++r)
      for (int32_t c = 0; c < grids[way].columns; ++c)
        if (grids[way].row(r)[c] >= static_cast<float>(options_.posterior_threshold))
          add(way, r, c);
  }
}

// The Viterbi alignment of the HMM needs the translation probabilities, which the posteriors
// replace; the other models choose the links by their posteriors.
void PairDecoder::best_links(const Grids& grids) {
  const bool chained = positions_.model == AlignmentModel::kHmm;
  if (!chained) posteriors_of(grids);
  for (int way = 0; way < 2; ++way) {
    ways_[way].clear();
    columns_.resize(grids[way].rows);
    if (chained)
      hmm_best_columns(grids[way], positions_.jumps[way], positions_.null_probability, scratch_,
                       columns_.data());
    else
      best_columns(grids[way], columns_.data());
    for (int32_t r = 0; r < grids[way].rows; ++r)
      if (columns_[r] != kNoLink) add(way, r, columns_[r]);
  }
  if (chained && with_posteriors_) posteriors_of(grids);
}

}  // namespace demotic::align
