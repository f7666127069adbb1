#include "on_demand_rules.h"

#include <algorithm>

#include "demotic/base/errors.h"
#include "hiero_demand.h"
#include "phrase_demand.h"

namespace demotic::rules {
namespace {

PackedBitext joined(const std::vector<BitextIndex>& indices) {
  std::vector<PackedPart> parts;
  for (const BitextIndex& index : indices) {
    if (!(index.settings() == indices[0].settings()))
      throw ModelError({.found = "text that was added with other settings",
                        .expected = "the settings of the model's own text",
                        .advice = "add the text again"});
    parts.push_back(index.part());
  }
  return PackedBitext(std::move(parts));
}

// Words of the first index come first, so that adding text does not change their codes.
std::vector<WordId> all_target_words(const std::vector<BitextIndex>& indices) {
  std::vector<WordId> words;
  std::vector<bool> known;
  for (const BitextIndex& index : indices)
    for (const WordId word : index.target_words()) {
      if (static_cast<size_t>(word) >= known.size()) known.resize(word + size_t{1});
      if (!known[word]) words.push_back(word);
      known[word] = true;
    }
  return words;
}

}  // namespace

OnDemandRules::OnDemandRules(std::vector<BitextIndex> indices)
    : indices_(std::move(indices)),
      bitext_(joined(indices_)),
      options_(indices_[0].options()),
      score_names_(rules::score_names(options_)),
      rules_(score_names_.size(), all_target_words(indices_)) {
  if (options_.kind == RuleKind::kHiero)
    demand_ = std::make_unique<HieroDemand>(indices_, bitext_, options_);
  else
    demand_ = std::make_unique<PhraseDemand>(indices_, bitext_, options_);
}

std::vector<WordId> OnDemandRules::first_words() const {
  std::vector<WordId> all;
  for (const BitextIndex& index : indices_) {
    const auto words = index.source().types().subspan(1);  // without kNull
    all.insert(all.end(), words.begin(), words.end());
  }
  std::ranges::sort(all);
  all.erase(std::ranges::unique(all).begin(), all.end());
  return all;
}

size_t OnDemandRules::index_bytes() const noexcept {
  size_t bytes = 0;
  for (const BitextIndex& index : indices_) bytes += index.size_bytes();
  return bytes;
}

void OnDemandRules::prepare(std::span<const std::span<const WordId>> sentences, int32_t span_limit,
                            int threads, const StopFlag& stop) {
  const std::lock_guard preparing(preparing_);
  ThreadPool pool(std::max(1, threads));
  demand_->prepare(sentences, span_limit, pool, stop, rules_);
}

}  // namespace demotic::rules
