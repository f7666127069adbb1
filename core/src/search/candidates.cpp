#include "demotic/search/candidates.h"

namespace demotic {
namespace {

template <typename T>
void extend(std::vector<T>& values, const std::vector<T>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

}  // namespace

void append(CandidateLists& lists, const CandidateLists& more) {
  const int64_t begin = lists.offsets.back();
  for (size_t i = 1; i < more.offsets.size(); ++i) lists.offsets.push_back(begin + more.offsets[i]);
  extend(lists.sentence, more.sentence);
  extend(lists.bin, more.bin);
  append(lists.words, more.words);
  extend(lists.features, more.features);
  extend(lists.scores, more.scores);
}

}  // namespace demotic
