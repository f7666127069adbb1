#include "demotic/metrics/bleu.h"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <utility>

namespace demotic {

namespace {

constexpr int64_t kCheckEvery = 64;  // sentences between two looks at the stop flag

// The worker of one thread.
struct BleuWorker {
  const BleuReferences& references;
  const Candidates& candidates;
  Candidates::Reader read;
  std::vector<int32_t> claimed;

  void operator()(int64_t i, int32_t* out) {
    references.row(candidates.sentence(i), read(i), claimed, out);
  }
};

}  // namespace

ReferenceLength reference_length_named(std::string_view name) {
  if (name == "closest") return ReferenceLength::kClosest;
  if (name == "shortest") return ReferenceLength::kShortest;
  if (name == "average") return ReferenceLength::kAverage;
  throw std::invalid_argument("no rule of reference lengths '" + std::string(name) + "'");
}

BleuReferences::BleuReferences(std::shared_ptr<const ReferenceSet> references, ReferenceLength rule,
                               const StopFlag& stop)
    : references_(std::move(references)), rule_(rule) {
  NgramTable table;
  for (int64_t s = 0; s < references_->size(); ++s) {
    if (s % kCheckEvery == 0) stop.check();
    const int64_t begin = references_->first(s), end = references_->first(s + 1);
    size_t words = 0;
    for (int64_t r = begin; r < end; ++r) words += references_->text(r).size();
    table.clear(words, kBleuOrder);
    for (int64_t r = begin; r < end; ++r) table.add(references_->text(r));
    keep(table.view());
  }
}

// The same n-grams in no more slots than they need: references share most of theirs.
void BleuReferences::keep(const NgramView& table) {
  const size_t begin = slots_.values.size(), size = NgramView::slots_for(table.limits.size());
  slots_.values.resize(begin + size);
  const std::span<NgramSlot> kept(slots_.values.data() + begin, size);
  for (const NgramSlot& slot : table.slots)
    if (slot.node != 0) kept[NgramView::locate(kept, slot.parent, slot.symbol)] = slot;
  slots_.end_row();
  limits_.values.insert(limits_.values.end(), table.limits.begin(), table.limits.end());
  limits_.end_row();
}

int32_t BleuReferences::length_scale() const noexcept {
  return rule_ == ReferenceLength::kAverage ? references_->length_scale() : 1;
}

NgramView BleuReferences::table(int64_t sentence) const noexcept {
  return {slots_[sentence], limits_[sentence]};
}

int32_t BleuReferences::length(int64_t sentence, size_t candidate) const noexcept {
  if (rule_ == ReferenceLength::kAverage) return references_->scaled_length(sentence);
  const auto wanted = rule_ == ReferenceLength::kClosest ? static_cast<int64_t>(candidate) : 0;
  std::pair<int64_t, int64_t> best{INT64_MAX, 0};  // distance, length
  for (int64_t r = references_->first(sentence); r < references_->first(sentence + 1); ++r) {
    const auto words = static_cast<int64_t>(references_->text(r).size());
    best = std::min(best, {std::abs(words - wanted), words});
  }
  return static_cast<int32_t>(best.second);
}

void BleuReferences::row(int64_t sentence, std::span<const WordId> candidate,
                         std::vector<int32_t>& claimed, int32_t* out) const {
  std::fill_n(out, kBleuColumns, 0);
  count_matches(table(sentence), candidate, kBleuOrder, claimed, out);
  const auto words = static_cast<int32_t>(candidate.size());
  for (int32_t n = 0; n < kBleuOrder; ++n) out[kBleuOrder + n] = std::max(0, words - n);
  out[2 * kBleuOrder] = length(sentence, candidate.size());
}

std::vector<int32_t> BleuReferences::rows(const Candidates& candidates, int threads,
                                          const StopFlag& stop) const {
  return fill_rows(candidates.size(), kBleuColumns, threads, stop, [&] {
    return BleuWorker{*this, candidates, Candidates::Reader(candidates), {}};
  });
}

}  // namespace demotic
