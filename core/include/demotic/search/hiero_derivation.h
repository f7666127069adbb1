// A derivation of Hiero search taken apart: its steps, its words and its features, and the record
// of the whole search.
#pragma once

#include <span>
#include <vector>

#include "demotic/search/hiero_search.h"
#include "demotic/search/search_record.h"

namespace demotic::search {

// The hypotheses of a derivation, heads before their tails, tails in the order of the source.
void derivation_of(const HieroSearch& search, uint32_t top, std::vector<uint32_t>& nodes);

// Their rule as SearchRecord has it.
int32_t rule_of(const HieroSearch& search, uint32_t option);

// The target side of an option: words, and -(i + 1) for tail i. `word` is what a copy copies.
void append_target(const HieroModel& model, const HieroSearch& search, uint32_t option, WordId word,
                   std::vector<Symbol>& symbols);

// The target words of a derivation.
std::vector<WordId> yield_of(const HieroModel& model, const HieroSearch& search, uint32_t top,
                             std::span<const WordId> source);

// Appends the keys of the sparse features of an option that was used in a group, or of a rule (or
// what HieroOption has in its place) on a span; only if the model has sparse features.
void add_step_keys(const HieroModel& model, const HieroSearch& search, const HieroGroup& group,
                   uint32_t option, std::vector<FeatureKey>& keys);
void add_step_keys(const HieroModel& model, RuleId rule, const SentenceWords& sentence,
                   int32_t begin, int32_t end, std::vector<FeatureKey>& keys);

// Adds the values of the dense features of a rule, or of what HieroOption has in its place, by
// feature number: without the language models and the sum of sparse features.
void add_rule_features(const HieroModel& model, RuleId rule, std::span<double> values);
// Adds the values of all dense features of an option that was used in a group but the language
// models', by feature number.
void add_local_features(const HieroModel& model, HieroSearch& search, const HieroGroup& group,
                        uint32_t option, std::span<double> values);

SearchRecord record_of(const HieroModel& model, HieroSearch& search, std::span<const WordId> source,
                       RecordKind kind);

}  // namespace demotic::search
