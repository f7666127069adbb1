// Converts the automaton back to n-gram lists.
#include <algorithm>
#include <compare>

#include "demotic/lm/language_model.h"

namespace demotic::lm {
namespace {

struct Listed {
  uint32_t context;  // index into the list of the order below
  WordId word;
  uint32_t number;

  auto operator<=>(const Listed&) const = default;
};

// The start of each context's n-grams in a list sorted by context.
std::vector<uint32_t> first_of_context(const NgramOrder& list, size_t contexts) {
  std::vector<uint32_t> first(contexts + 1, 0);
  for (const uint32_t context : list.context) ++first[context + 1];
  for (size_t i = 0; i < contexts; ++i) first[i + 1] += first[i];
  return first;
}

// The suffix of (context, word) is (suffix of context, word); all lists are sorted.
void link_suffixes(NgramModel& model) {
  for (size_t n = 2; n <= model.orders.size(); ++n) {
    NgramOrder& list = model.orders[n - 1];
    list.suffix.resize(list.size());
    if (n == 2) {
      std::copy(list.word.begin(), list.word.end(), list.suffix.begin());
      continue;
    }
    const NgramOrder& below = model.orders[n - 2];
    const std::vector<uint32_t> first = first_of_context(below, model.orders[n - 3].size());
    for (size_t i = 0; i < list.size(); ++i) {
      const uint32_t shorter = below.suffix[list.context[i]];
      const auto begin = below.word.begin();
      const auto found =
          std::lower_bound(begin + first[shorter], begin + first[shorter + 1], list.word[i]);
      list.suffix[i] = static_cast<uint32_t>(found - begin);
    }
  }
}

}  // namespace

NgramModel LanguageModel::ngrams(const StopFlag& stop) const {
  NgramModel result;
  result.vocabulary = vocabulary_;
  result.orders.resize(order());
  std::vector<uint32_t> index_of(counts_[0]);  // by slot of the order below
  for (WordId word = 0; word < vocabulary_.size(); ++word) {
    index_of[word] = static_cast<uint32_t>(word);
    result.orders[0].word.push_back(word);
    const NgramSlot slot = unigram(word);
    result.orders[0].prob.push_back(tables_[1].prob(slot));
    if (order() > 1) result.orders[0].backoff.push_back(tables_[1].backoff(slot));
  }
  for (int n = 2; n <= order(); ++n) {
    stop.check();
    const NgramTable& table = tables_[n];
    std::vector<Listed> listed;
    for (uint32_t number = 0; number < table.slots(); ++number) {
      if (!table.used(number)) continue;
      const auto [context, word] = table.ngram(number);
      listed.push_back({index_of[context], static_cast<WordId>(word), number});
    }
    std::sort(listed.begin(), listed.end());
    index_of.assign(table.slots(), 0);
    NgramOrder& list = result.orders[n - 1];
    for (const Listed& ngram : listed) {
      const NgramSlot slot = table.at(ngram.number);
      index_of[ngram.number] = static_cast<uint32_t>(list.size());
      list.context.push_back(ngram.context);
      list.word.push_back(ngram.word);
      list.prob.push_back(table.prob(slot));
      if (n < order()) list.backoff.push_back(table.backoff(slot));
    }
  }
  link_suffixes(result);
  return result;
}

}  // namespace demotic::lm
