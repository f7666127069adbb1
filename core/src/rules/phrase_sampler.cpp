#include "phrase_sampler.h"

#include "stratified.h"

namespace demotic::rules {

PhraseSampler::PhraseSampler(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
                             const ExtractOptions& options)
    : indices_(indices),
      bitext_(bitext),
      extractor_(options),
      scorer_(indices, bitext, options),
      ranges_(indices.size()) {}

SampledRules PhraseSampler::sample(std::span<const WordId> words) {
  occurrences_.clear();
  uint64_t all = 0;
  for (size_t i = 0; i < indices_.size(); ++i) {
    ranges_[i] = indices_[i].source().find(words);
    all += ranges_[i].size();
  }
  const BitextIndex::Settings& settings = indices_[0].settings();
  size_t part = 0;
  uint64_t before = 0;  // occurrences in the parts before
  const uint64_t taken = for_each_sampled(
      all, static_cast<uint64_t>(settings.sample),
      hash_symbols(words, static_cast<uint64_t>(settings.seed)), [&](uint64_t chosen) {
        while (chosen - before >= ranges_[part].size()) before += ranges_[part++].size();
        extract_at(part, static_cast<uint32_t>(ranges_[part].begin + (chosen - before)),
                   static_cast<int32_t>(words.size()));
      });
  return scorer_.score(occurrences_, {static_cast<double>(all), taken, taken == all});
}

void PhraseSampler::extract_at(size_t part, uint32_t rank, int32_t words) {
  const BitextIndex& index = indices_[part];
  const uint32_t position = index.source().suffixes()[rank];
  const uint32_t pair = index.pair_at(position);
  const auto begin = static_cast<int32_t>(position - index.part().places[pair].words);
  for (int32_t set = 0; set < index.settings().sets; ++set) {
    const int64_t row = bitext_.first_row(part) + set * index.part().pairs + pair;
    extractor_.extract(bitext_, static_cast<int32_t>(row), begin, begin + words, occurrences_);
  }
}

}  // namespace demotic::rules
