#include "row_extraction.h"

namespace demotic::rules {
namespace {

constexpr int64_t kSentencesPerTask = 64;  // sentences per task of a thread

int64_t sampled_sentences(const PackedBitext& bitext, const ExtractOptions& options) {
  if (options.kind == RuleKind::kPhrase) return 0;
  return options.distortion_sentences == 0 ? bitext.pairs() : options.distortion_sentences;
}

}  // namespace

RowExtraction::RowExtraction(const PackedBitext& bitext, const ExtractOptions& options,
                             ThreadPool& pool)
    : bitext_(bitext),
      kind_(options.kind),
      sampled_(sampled_sentences(bitext, options)),
      pool_(pool),
      extractors_(pool.threads(), {PhraseOccurrences(options), HieroExtractor(options.hiero)}) {}

void RowExtraction::extract(int64_t row, Extractor& extractor,
                            std::vector<Occurrence>& found) const {
  if (kind_ == RuleKind::kHiero)
    extractor.hiero.extract(bitext_, static_cast<int32_t>(row), found);
  else
    extractor.phrases.extract(bitext_, static_cast<int32_t>(row), found);
}

void RowExtraction::run(int64_t begin, int64_t end, const StopFlag& stop, Progress& progress,
                        const Visit& visit) {
  const bool several_sets = bitext_.size() > bitext_.pairs();
  const auto extract_batch = [&](int64_t batch, int worker) {
    std::vector<Occurrence> found;
    const int64_t first = begin + batch * kSentencesPerTask,
                  last = std::min(end, first + kSentencesPerTask);
    for (int64_t row = first; row < last; ++row) {
      stop.check();
      extract(row, extractors_[worker], found);
    }
    progress.advance(last - first);
    return found;
  };
  pool_.map_reduce(
      (end - begin + kSentencesPerTask - 1) / kSentencesPerTask, stop, extract_batch,
      [&](int64_t batch, const std::vector<Occurrence>& found) {
        visit(found);
        if (begin + batch * kSentencesPerTask < sampled_ || (sampled_ > 0 && several_sets))
          HieroExtractor::count_distortion(bitext_, found, sampled_, distortion_);
      });
}

}  // namespace demotic::rules
