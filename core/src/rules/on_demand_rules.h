// The rules of an indexed bitext, extracted and scored when a source side is first asked for, and
// kept from then on.
//
// `prepare` takes sentences in order and adds what is missing for them, so that the numbers of
// rules depend on the order of the sentences alone. Thread-safe: one `prepare` at a time, while
// others read. A reader sees a source side with all of its rules or not at all.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "demand.h"
#include "demotic/rules/bitext_index.h"
#include "demotic/rules/rule_store.h"
#include "growing_rules.h"

namespace demotic::rules {

class OnDemandRules {
 public:
  // The indices have equal settings. Throws ModelError if they do not.
  explicit OnDemandRules(std::vector<BitextIndex> indices);
  OnDemandRules(const OnDemandRules&) = delete;
  OnDemandRules& operator=(const OnDemandRules&) = delete;

  const std::vector<std::string>& score_names() const noexcept { return score_names_; }
  std::vector<WordId> first_words() const;
  size_t index_bytes() const noexcept;
  int64_t pairs() const noexcept { return bitext_.pairs(); }
  const GrowingRules& rules() const noexcept { return rules_; }

  // See RuleStore::prepare.
  void prepare(std::span<const std::span<const WordId>> sentences, int32_t span_limit, int threads,
               const StopFlag& stop);

 private:
  std::vector<BitextIndex> indices_;
  PackedBitext bitext_;
  ExtractOptions options_;
  std::vector<std::string> score_names_;
  GrowingRules rules_;
  std::mutex preparing_;
  std::unique_ptr<Demand> demand_;
};

}  // namespace demotic::rules
