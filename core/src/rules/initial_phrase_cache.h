// The initial phrases of rows of a bitext, and how many rules they have, kept in bounded memory:
// frequent patterns occur in the same rows. Not thread-safe; use one instance per thread.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/base/huge_pages.h"
#include "demotic/rules/hiero_extract.h"

namespace demotic::rules {

class InitialPhraseCache {
 public:
  explicit InitialPhraseCache(const HieroExtractOptions& options) : extractor_(options) {}

  HieroExtractor& extractor() noexcept { return extractor_; }

  // Valid until the next call.
  HieroExtractor::Row of(const PackedBitext& bitext, int32_t row) {
    if (phrases_.size() > kMostPhrases) forget();
    const auto [place, fresh] = places_.insert(row);
    if (fresh) {
      const InitialPhrases read = extractor_.read(bitext[row]);
      place = {phrases_.size(), firsts_.size(), linked_.size(),
               static_cast<uint32_t>(read.phrases.size()),
               static_cast<uint32_t>(read.first_at.size() - 2)};
      phrases_.insert(phrases_.end(), read.phrases.begin(), read.phrases.end());
      rules_.resize(phrases_.size());
      firsts_.insert(firsts_.end(), read.first_at.begin(), read.first_at.end());
      linked_.insert(linked_.end(), read.linked_below.begin(), read.linked_below.end());
    }
    return {bitext,
            row,
            {{phrases_.data() + place.phrases, place.phrase_count},
             {firsts_.data() + place.firsts, place.words + size_t{2}},
             {linked_.data() + place.linked, place.words + size_t{1}}},
            {rules_.data() + place.phrases, place.phrase_count}};
  }

 private:
  static constexpr size_t kMostPhrases = size_t{1} << 23;  // some 100 MB

  struct Place {
    size_t phrases, firsts, linked;
    uint32_t phrase_count, words;
  };

  void forget() {
    places_.clear();
    phrases_.clear();
    rules_.clear();
    firsts_.clear();
    linked_.clear();
  }

  HieroExtractor extractor_;
  FlatMap<int32_t, Place> places_;  // by row
  HugeVector<InitialPhrase> phrases_;
  HugeVector<uint32_t> rules_, firsts_;
  HugeVector<uint16_t> linked_;
};

}  // namespace demotic::rules
