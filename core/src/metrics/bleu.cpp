#include "demotic/metrics/bleu.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace demotic::metrics {

namespace {

// The worker of one thread.
struct BleuWorker {
  const Candidates& candidates;
  Candidates::Reader read;
  BleuCounter count;

  void operator()(int64_t i, int32_t* row) { count(candidates.sentence(i), read(i), row); }
};

}  // namespace

ReferenceLength reference_length_named(std::string_view name) {
  if (name == "closest") return ReferenceLength::kClosest;
  if (name == "shortest") return ReferenceLength::kShortest;
  if (name == "average") return ReferenceLength::kAverage;
  throw std::invalid_argument("unknown rule of reference lengths '" + std::string(name) + "'");
}

int32_t length_scale(const ReferenceSet& references, ReferenceLength rule) noexcept {
  return rule == ReferenceLength::kAverage ? references.length_scale() : 1;
}

void BleuCounter::load(int64_t sentence) {
  if (sentence == sentence_) return;
  sentence_ = sentence;
  const int64_t begin = references_.first(sentence), end = references_.first(sentence + 1);
  size_t words = 0;
  for (int64_t r = begin; r < end; ++r) words += references_.text(r).size();
  table_.clear(words, kBleuOrder);
  for (int64_t r = begin; r < end; ++r) table_.add(references_.text(r));
}

int32_t BleuCounter::length(int64_t sentence, size_t candidate) const noexcept {
  if (rule_ == ReferenceLength::kAverage) return references_.scaled_length(sentence);
  const auto wanted = rule_ == ReferenceLength::kClosest ? static_cast<int64_t>(candidate) : 0;
  std::pair<int64_t, int64_t> best{INT64_MAX, 0};  // distance, length
  for (int64_t r = references_.first(sentence); r < references_.first(sentence + 1); ++r) {
    const auto words = static_cast<int64_t>(references_.text(r).size());
    best = std::min(best, {std::abs(words - wanted), words});
  }
  return static_cast<int32_t>(best.second);
}

void BleuCounter::operator()(int64_t sentence, std::span<const WordId> candidate, int32_t* row) {
  load(sentence);
  std::fill_n(row, kBleuColumns, 0);
  count_matches(table_.view(), candidate, kBleuOrder, claimed_, row);
  const auto words = static_cast<int32_t>(candidate.size());
  for (int32_t n = 0; n < kBleuOrder; ++n) row[kBleuOrder + n] = std::max(0, words - n);
  row[2 * kBleuOrder] = length(sentence, candidate.size());
}

std::vector<int32_t> bleu_rows(const ReferenceSet& references, ReferenceLength rule,
                               const Candidates& candidates, int threads, const StopFlag& stop) {
  return fill_rows(candidates.size(), kBleuColumns, threads, stop, [&] {
    return BleuWorker{candidates, Candidates::Reader(candidates), BleuCounter(references, rule)};
  });
}

}  // namespace demotic::metrics
