#include "hiero_sampler.h"

#include <algorithm>

#include "stratified.h"

namespace demotic::rules {
namespace {

SourcePlace source_place(const Pattern& pattern, const PatternPlace& place, int32_t begin) {
  SourcePlace result{.begin = begin, .gap_count = pattern.gaps};
  int32_t end = begin + pattern.sizes[0];
  for (int32_t k = 0; k < pattern.gaps; ++k) {
    const int32_t next = begin + place.pieces[k];
    result.gaps[k] = {end, next};
    end = next + pattern.sizes[k + 1];
  }
  result.end = end;
  return result;
}

}  // namespace

HieroSampler::HieroSampler(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
                           const ExtractOptions& options)
    : indices_(indices),
      bitext_(bitext),
      initial_(options.hiero),
      scorer_(indices, bitext, options) {}

HieroSampler::Rules HieroSampler::sample(const SourcePatterns& patterns, PatternId id,
                                         FrameSet frames, const StopFlag& stop) {
  const BitextIndex::Settings& settings = indices_[0].settings();
  const Pattern& pattern = patterns[id];
  for (auto& one : occurrences_) one.clear();
  patterns.spell(id, symbols_);
  const uint64_t places = patterns.places(id);
  sampled_.clear();
  const uint64_t taken =
      for_each_sampled(places, static_cast<uint64_t>(settings.sample),
                       hash_symbols(symbols_, static_cast<uint64_t>(settings.seed)),
                       [&](uint64_t number) { sampled_.push_back(patterns.place(id, number)); });
  std::ranges::sort(sampled_, {}, [](const PatternPlace& place) {
    return uint64_t{place.part} << 32 | place.position;
  });
  for (size_t i = 0; i < sampled_.size(); ++i) {
    if (i % 1024 == 0) stop.check();
    extract_at(pattern, sampled_[i], frames);
  }
  const SampleSize size{pattern.all, taken, pattern.complete && taken == places};
  Rules rules;
  for (size_t frame = 0; frame < kFrames; ++frame)
    rules[frame] = scorer_.score(occurrences_[frame], size);
  return rules;
}

void HieroSampler::extract_at(const Pattern& pattern, const PatternPlace& place, FrameSet frames) {
  const BitextIndex& index = indices_[place.part];
  const uint32_t pair = index.pair_at(place.position);
  const SourcePlace at = source_place(
      pattern, place, static_cast<int32_t>(place.position - index.part().places[pair].words));
  for (int32_t set = 0; set < index.settings().sets; ++set) {
    const int64_t row = set * index.part().pairs + pair;
    const auto number = static_cast<int32_t>(bitext_.first_row(place.part) + row);
    initial_.extractor().extract_at(initial_.of(bitext_, number), at, frames, occurrences_);
  }
}

}  // namespace demotic::rules
