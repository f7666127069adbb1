#include "demotic/align/bitext.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace demotic::align {

void check_parallel(const Corpus& source, const Corpus& target) {
  if (source.size() != target.size()) {
    throw std::invalid_argument("the source side has " + std::to_string(source.size()) +
                                " sentences, the target side " + std::to_string(target.size()));
  }
}

Bitext::Bitext(const Corpus& source_side, const Corpus& target_side, int64_t max_length)
    : source(source_side), target(target_side) {
  check_parallel(source, target);
  used.reserve(source.size());
  for (int64_t i = 0; i < source.size(); ++i) {
    const auto shorter = static_cast<int64_t>(std::min(source[i].size(), target[i].size()));
    const auto longer = static_cast<int64_t>(std::max(source[i].size(), target[i].size()));
    if (shorter == 0)
      ++empty;
    else if (longer > max_length)
      ++too_long;
    else
      used.push_back(i);
  }
}

WordId id_bound(const Corpus& corpus) {
  const auto words = corpus.words();
  return words.empty() ? 0 : *std::max_element(words.begin(), words.end()) + 1;
}

}  // namespace demotic::align
