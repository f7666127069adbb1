#include "demotic/search/candidates.h"

#include "demotic/base/hash.h"

namespace demotic::search {
namespace {

template <typename T>
void extend(std::vector<T>& values, const std::vector<T>& more) {
  values.insert(values.end(), more.begin(), more.end());
}

}  // namespace

void append(SearchedCandidates& lists, const SearchedCandidates& more) {
  const int64_t begin = lists.offsets.back();
  for (size_t i = 1; i < more.offsets.size(); ++i) lists.offsets.push_back(begin + more.offsets[i]);
  extend(lists.sentence, more.sentence);
  extend(lists.bin, more.bin);
  extend(lists.covered, more.covered);
  append(lists.words, more.words);
  extend(lists.features, more.features);
  extend(lists.scores, more.scores);
}

std::vector<std::string> texts(const SearchedCandidates& candidates,
                               const SourceSentences& source) {
  std::vector<std::string> all;
  all.reserve(candidates.words.size());
  for (size_t i = 0; i < candidates.words.size(); ++i)
    all.push_back(source.spelled(candidates.words[i]));
  return all;
}

std::vector<uint64_t> hashes(const SearchedCandidates& candidates) {
  std::vector<uint64_t> all(candidates.words.size(), 0);
  for (size_t i = 0; i < all.size(); ++i)
    for (const WordId word : candidates.words[i])
      all[i] = mix64(all[i] + static_cast<uint32_t>(word) + 1);
  return all;
}

}  // namespace demotic::search
