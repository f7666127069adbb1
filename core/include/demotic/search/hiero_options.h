// The ways to translate each source side that matches, with all that does not depend on the tails
// summed up beforehand; kept from sentence to sentence as in phrase_options.h. One object a thread.
#pragma once

#include <span>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/search/chart_lm.h"
#include "demotic/search/hiero_model.h"

namespace demotic {

// A rule, a copied word, or glue.
struct HieroOption {
  RuleId rule;         // or one of the constants below
  float score = 0;     // weighted: rule scores and penalties, without the language model
  float estimate = 0;  // with its score of the words alone
  ChartPhrase target;

  static constexpr RuleId kCopied = UINT32_MAX;             // a word that no rule has
  static constexpr RuleId kPassedThrough = UINT32_MAX - 1;  // a word that some rule has
  static constexpr RuleId kGlueFirst = UINT32_MAX - 2;      // S -> X
  static constexpr RuleId kGlueNext = UINT32_MAX - 3;       // S -> S X
};

// Options with the same left-hand side, best estimate first.
struct HieroBlock {
  int32_t lhs;
  uint32_t first, count;
};

class HieroOptions {
 public:
  HieroOptions(const HieroModel& model, std::span<const double> weights,
               const HieroSearchOptions& options);

  void new_sentence();
  // Those of a source side, by left-hand side.
  std::span<const HieroBlock> of(TrieNode node);
  // A single option that copies a word; valid for the sentence.
  HieroBlock copied(const SourceSentences& source, WordId word, bool known);
  HieroBlock glue_first() const noexcept { return {-1, 0, 1}; }
  HieroBlock glue_next() const noexcept { return {-1, 1, 1}; }

  const HieroOption& operator[](uint32_t option) const noexcept { return kept_[option]; }
  ChartLm& lm() noexcept { return lm_; }

 private:
  struct Place {
    uint32_t first = 0, count = 0;  // blocks
  };
  static constexpr size_t kMaxKept = size_t{1} << 19;  // options

  void forget();
  void add_block(std::span<const RuleId> rules, int32_t lhs);
  HieroOption option_of(RuleId rule);
  ChartPhrase prepare(RuleId rule);
  HieroOption glue_option(RuleId kind, std::span<const Symbol> target, double score);

  const HieroModel& model_;
  std::vector<double> weights_;
  const HieroSearchOptions& limits_;
  ChartLm lm_;
  FlatMap<TrieNode, Place> places_;
  std::vector<HieroBlock> blocks_;
  std::vector<HieroOption> kept_;
  std::vector<Symbol> symbols_;  // scratch
};

}  // namespace demotic
