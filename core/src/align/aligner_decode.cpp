#include <algorithm>

#include "demotic/align/aligner.h"
#include "demotic/align/pair_decoder.h"

namespace demotic::align {
namespace {

constexpr int64_t kSentencesPerItem = 64;

}  // namespace

AlignResult align_corpus(const Aligner& aligner, const Corpus& source, const Corpus& target,
                         const DecodeOptions& options, int threads, const StopFlag& stop,
                         Progress& progress) {
  check_parallel(source, target);
  progress.expect(source.size());
  const PairFinder finder(aligner.table);
  const Positions positions = positions_of(aligner, aligner.model, aligner.max_length);
  ThreadPool pool(threads);
  std::vector<PairDecoder> decoders(pool.threads(),
                                    PairDecoder(aligner, finder, positions, options));
  AlignResult result;
  pool.map_reduce((source.size() + kSentencesPerItem - 1) / kSentencesPerItem, stop,
                  [&](int64_t item, int worker) {
                    AlignResult part;
                    const int64_t end = std::min(source.size(), (item + 1) * kSentencesPerItem);
                    for (int64_t i = item * kSentencesPerItem; i < end; ++i) {
                      stop.check();
                      part.cut += decoders[worker].align(source[i], target[i]);
                      const std::vector<Link>& links = decoders[worker].links();
                      part.links.values.insert(part.links.values.end(), links.begin(), links.end());
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
  find_posteriors(positions_of(aligner, aligner.model, longest), grids, scratch, statistics);
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
