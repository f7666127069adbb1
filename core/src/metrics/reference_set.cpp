#include "demotic/metrics/reference_set.h"

#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace demotic::metrics {

namespace {

constexpr int64_t kLinesPerCheck = 256;  // lines between two checks of the stop flag

}  // namespace

void check_first(std::span<const int64_t> first, size_t references) {
  if (first.empty() || first.front() != 0 || first.back() != static_cast<int64_t>(references))
    throw std::invalid_argument("the numbers of references do not match the references");
  for (size_t i = 1; i < first.size(); ++i)
    if (first[i] <= first[i - 1])
      throw std::invalid_argument("sentence " + std::to_string(i - 1) + " has no reference");
}

WordId find_word(const Vocabulary& words, std::string_view word) noexcept {
  const WordId id = words.find(word);
  return id == kUnknown ? kNoReferenceWord : id;
}

ReferenceSet::ReferenceSet(const Lines& references, std::vector<int64_t> first,
                           Segmentation segmentation, const StopFlag& stop)
    : segmentation_(segmentation), first_(std::move(first)) {
  check_first(first_, references.size());
  VocabularyBuilder builder;
  Segmenter segment(segmentation);
  for (size_t i = 0; i < references.size(); ++i) {
    if (i % kLinesPerCheck == 0) stop.check();
    for (const std::string_view token : segment(references[i]))
      texts_.values.push_back(builder.add(token));
    texts_.end_row();
  }
  words_ = builder.finish();
  scale_lengths();
}

void ReferenceSet::scale_lengths() {
  constexpr int64_t kMax = std::numeric_limits<int32_t>::max();
  int64_t scale = 1;
  for (int64_t s = 0; s < size(); ++s) {
    scale = std::lcm(scale, first_[s + 1] - first_[s]);
    if (scale > kMax) throw std::invalid_argument("too many different numbers of references");
  }
  length_scale_ = static_cast<int32_t>(scale);
  for (int64_t s = 0; s < size(); ++s) {
    const int64_t words = texts_.offsets[first_[s + 1]] - texts_.offsets[first_[s]];
    const int64_t scaled = words * (scale / (first_[s + 1] - first_[s]));
    if (scaled > kMax) throw std::invalid_argument("references too long to be averaged");
    scaled_lengths_.push_back(static_cast<int32_t>(scaled));
  }
}

}  // namespace demotic::metrics
