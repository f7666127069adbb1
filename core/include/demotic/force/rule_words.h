// The words that occur in any rule of a model, on either side. Not thread-safe; use one instance
// per thread.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/search/search_model.h"

namespace demotic::force {

class RuleWords {
 public:
  explicit RuleWords(const SearchModel& model);

  // Whether the source side of a rule has the word, not counting rules that were seen in this pair
  // alone; -1: all rules count. The first call looks at all rules.
  bool in_source(WordId word, int32_t pair);
  bool in_target(WordId word) const noexcept {
    return word < static_cast<WordId>(in_target_.size()) && in_target_[word];
  }

 private:
  void find_only_pairs();

  const SearchModel& model_;
  std::vector<bool> in_target_;  // by word
  // By source word: the pair that all its rules are from, if there is only one.
  std::vector<int32_t> only_pairs_;
};

}  // namespace demotic::force
