#include "demotic/search/phrase_model.h"

#include <algorithm>

namespace demotic::search {
namespace {

constexpr std::array<const char*, kOrientations> kOrientationNames{"monotone", "swap",
                                                                   "discontinuous"};

constexpr std::array<std::string_view, 5> kOperationFeatures{
    OperationSequence::kFeature.name, OperationGaps::kFeature.name,
    OperationOpenGaps::kFeature.name, OperationGapWidth::kFeature.name,
    OperationDeletions::kFeature.name};

bool is_hierarchical(const RuleStore& rules) {
  return std::ranges::any_of(rules.score_names(), [](const std::string& name) {
    return name.starts_with("reordering_hierarchical_");
  });
}

// The score column of each orientation, if the rules have all three.
std::array<int32_t, kOrientations> reordering_columns(const RuleStore& rules,
                                                      const std::string& side) {
  const std::string direction = (is_hierarchical(rules) ? "hierarchical_" : "") + side;
  std::array<int32_t, kOrientations> columns{-1, -1, -1};
  const auto& names = rules.score_names();
  for (size_t column = 0; column < names.size(); ++column)
    for (int o = 0; o < kOrientations; ++o)
      if (names[column] == "reordering_" + direction + "_" + kOrientationNames[o])
        columns[o] = static_cast<int32_t>(column);
  const bool complete = columns[0] >= 0 && columns[1] >= 0 && columns[2] >= 0;
  return complete ? columns : std::array<int32_t, kOrientations>{-1, -1, -1};
}

std::vector<int32_t> all_reordering_columns(const RuleStore& rules) {
  std::vector<int32_t> columns;
  for (const char* direction : {"backward", "forward"})
    for (const int32_t column : reordering_columns(rules, direction))
      if (column >= 0) columns.push_back(column);
  return columns;
}

std::vector<std::string_view> optional_phrase_features(bool operations, bool given) {
  std::vector<std::string_view> names;
  if (operations) names.assign(kOperationFeatures.begin(), kOperationFeatures.end());
  if (given) names.push_back(Given::kFeature.name);
  return names;
}

}  // namespace

PhraseModel::PhraseModel(RuleStore rules, std::vector<LanguageModel> language_models,
                         Vocabulary vocabulary, Sparse sparse, bool unknown_phrase_penalty,
                         std::optional<LanguageModel> operations, bool given)
    : SearchModel(DenseFeature::kPhrase, rules, std::move(language_models), std::move(vocabulary),
                  all_reordering_columns(rules), std::move(sparse), unknown_phrase_penalty,
                  optional_phrase_features(operations.has_value(), given)),
      operations_(std::move(operations)),
      hierarchical_(is_hierarchical(this->rules())),
      backward_(reordering_columns(this->rules(), "backward")),
      forward_(reordering_columns(this->rules(), "forward")) {}

}  // namespace demotic::search
