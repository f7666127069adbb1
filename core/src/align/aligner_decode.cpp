#include <algorithm>

#include "demotic/align/aligner.h"
#include "demotic/align/sentence.h"

namespace demotic::align {
namespace {

constexpr int64_t kSentencesPerItem = 64;

// For sentences of at most `longest` words.
Positions positions_of(const Aligner& aligner, int64_t longest) {
  Positions result{aligner.model, aligner.null_probability, {}, {}};
  for (int way = 0; way < 2 && aligner.model == AlignmentModel::kDiagonal; ++way)
    result.diagonal.emplace_back(aligner.tension[way], aligner.null_probability,
                                 static_cast<int32_t>(longest));
  if (aligner.model == AlignmentModel::kHmm) result.jumps = aligner.jumps;
  return result;
}

// Aligns sentence pairs one after another; use one instance per thread.
class Decoder {
 public:
  Decoder(const Aligner& aligner, const PairFinder& finder, const Positions& positions,
          const DecodeOptions& options)
      : aligner_(aligner), finder_(finder), positions_(positions), options_(options) {}

  // Appends the links of a pair; true if it had to be split.
  bool align(std::span<const WordId> source, std::span<const WordId> target,
             std::vector<Link>& links) {
    const size_t longer = std::max(source.size(), target.size());
    const size_t pieces = (longer + aligner_.max_length - 1) / aligner_.max_length;
    for (size_t piece = 0; piece < pieces; ++piece) {
      const size_t s = source.size() * piece / pieces, t = target.size() * piece / pieces;
      align_piece(source.subspan(s, source.size() * (piece + 1) / pieces - s),
                  target.subspan(t, target.size() * (piece + 1) / pieces - t));
      for (const Link link : piece_)
        links.push_back(
            {link.source + static_cast<int32_t>(s), link.target + static_cast<int32_t>(t)});
    }
    return pieces > 1;
  }

 private:
  void align_piece(std::span<const WordId> source, std::span<const WordId> target) {
    piece_.clear();
    if (source.empty() || target.empty()) return;
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
  }

  void likely_links(const Grids& grids) {
    PassStatistics ignored;
    find_posteriors(positions_, grids, scratch_, ignored);
    for (int way = 0; way < 2; ++way) {
      ways_[way].clear();
      for (int32_t r = 0; r < grids[way].rows; ++r)
        for (int32_t c = 0; c < grids[way].columns; ++c)
          if (grids[way].row(r)[c] >= static_cast<float>(options_.posterior_threshold))
            add(way, r, c);
    }
  }

  void best_links(const Grids& grids) {
    PassStatistics ignored;
    const bool chained = positions_.model == AlignmentModel::kHmm;
    if (!chained) find_posteriors(positions_, grids, scratch_, ignored);
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
  }

  void add(int way, int32_t row, int32_t column) {
    ways_[way].push_back(way == 0 ? Link{column, row} : Link{row, column});
  }

  const Aligner& aligner_;
  const PairFinder& finder_;
  const Positions& positions_;
  const DecodeOptions& options_;
  HmmScratch scratch_;
  std::vector<PairIndex> cells_;
  std::vector<float> floats_;
  std::vector<int32_t> columns_;
  std::array<std::vector<Link>, 2> ways_;
  std::vector<Link> piece_;
};

}  // namespace

AlignResult align_corpus(const Aligner& aligner, const Corpus& source, const Corpus& target,
                         const DecodeOptions& options, int threads, const StopFlag& stop,
                         Progress& progress) {
  check_parallel(source, target);
  progress.expect(source.size());
  const PairFinder finder(aligner.table);
  const Positions positions = positions_of(aligner, aligner.max_length);
  ThreadPool pool(threads);
  std::vector<Decoder> decoders(pool.threads(), Decoder(aligner, finder, positions, options));
  AlignResult result;
  pool.map_reduce((source.size() + kSentencesPerItem - 1) / kSentencesPerItem, stop,
                  [&](int64_t item, int worker) {
                    AlignResult part;
                    const int64_t end = std::min(source.size(), (item + 1) * kSentencesPerItem);
                    for (int64_t i = item * kSentencesPerItem; i < end; ++i) {
                      stop.check();
                      part.cut += decoders[worker].align(source[i], target[i], part.links.values);
                      part.links.end_row();
                    }
                    return part;
                  },
                  [&](int64_t, AlignResult&& part) {
                    const auto base = static_cast<int64_t>(result.links.values.size());
                    result.links.values.insert(result.links.values.end(), part.links.values.begin(),
                                               part.links.values.end());
                    for (size_t row = 1; row < part.links.offsets.size(); ++row)
                      result.links.offsets.push_back(base + part.links.offsets[row]);
                    result.cut += part.cut;
                    progress.advance(static_cast<int64_t>(part.links.size()));
                  });
  return result;
}

LinkPosteriors link_posteriors(const Aligner& aligner, std::span<const WordId> source,
                               std::span<const WordId> target) {
  LinkPosteriors result{};
  if (source.empty() || target.empty()) return result;
  std::vector<PairIndex> cells(source.size() * target.size());
  PairFinder(aligner.table).find(source, target, cells.data());
  std::vector<float> floats(grid_floats(source.size(), target.size()), 0);
  const Grids grids = make_grids(source, target, floats.data());
  fill_grids(aligner.lexicon, source, target, cells.data(), grids);
  PassStatistics statistics;
  HmmScratch scratch;
  const auto longest = static_cast<int64_t>(std::max(source.size(), target.size()));
  find_posteriors(positions_of(aligner, longest), grids, scratch, statistics);
  for (int32_t i = 0; i < grids[1].rows; ++i) {
    for (int32_t j = 0; j < grids[0].rows; ++j) {
      result.forward.push_back(grids[0].row(j)[i]);
      result.backward.push_back(grids[1].row(i)[j]);
    }
  }
  result.log_likelihood = statistics.log_likelihood;
  return result;
}

}  // namespace demotic::align
