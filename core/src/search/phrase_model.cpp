#include "demotic/search/phrase_model.h"

#include <algorithm>

namespace demotic::search {
namespace {

constexpr std::array<const char*, kOrientations> kOrientationNames{"monotone", "swap",
                                                                   "discontinuous"};

// The column of each orientation, if the rules have all three.
std::array<int32_t, kOrientations> reordering_columns(const RuleStore& rules,
                                                      const std::string& direction) {
  std::array<int32_t, kOrientations> columns{-1, -1, -1};
  const auto& names = rules.score_names();
  for (size_t column = 0; column < names.size(); ++column)
    for (int o = 0; o < kOrientations; ++o)
      if (names[column] == "reordering_" + direction + "_" + kOrientationNames[o])
        columns[o] = static_cast<int32_t>(column);
  const bool complete = columns[0] >= 0 && columns[1] >= 0 && columns[2] >= 0;
  return complete ? columns : std::array<int32_t, kOrientations>{-1, -1, -1};
}

}  // namespace

PhraseModel::PhraseModel(RuleStore rules, std::vector<LanguageModel> language_models,
                         Vocabulary vocabulary, Sparse sparse, bool unknown_phrase_penalty)
    : SearchModel(std::move(rules), std::move(language_models), std::move(vocabulary),
                  std::move(sparse), unknown_phrase_penalty),
      features_{this->rules().score_count(), static_cast<int32_t>(this->language_models().size()),
                bool(this->sparse())},
      backward_(reordering_columns(this->rules(), "backward")),
      forward_(reordering_columns(this->rules(), "forward")),
      alone_(this->rules().size(), this->language_models().size()) {
  const auto reorders = [&](int32_t column) {
    return std::ranges::count(backward_, column) + std::ranges::count(forward_, column) > 0;
  };
  for (int32_t column = 0; column < this->rules().score_count(); ++column)
    if (!reorders(column)) local_.push_back(column);
}

}  // namespace demotic::search
