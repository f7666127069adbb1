// From the automaton back to n-gram lists.
#include <algorithm>

#include "demotic/lm/language_model.h"

namespace demotic {
namespace {

// Where the n-grams of each context begin in a list sorted by context.
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
  std::vector<uint32_t> ngram_of(nodes_.size(), 0);  // a state's index among its order
  const auto append = [&](int n, WordId word, float prob, LmState next) {
    NgramOrder& list = result.orders[n - 1];
    const bool own = n < order() && length(next) == n;
    if (own) ngram_of[next.node] = static_cast<uint32_t>(list.size());
    list.word.push_back(word);
    list.prob.push_back(prob);
    if (n < order()) list.backoff.push_back(own ? backoff_log10(next) : 0.0f);
  };
  for (WordId word = 0; word < vocabulary_.size(); ++word)
    append(1, word, unigram_log10(word), after_unigram(word));

  std::vector<std::vector<Arc>> by_order(order() + 1);
  for (const Arc& arc : arcs_.arcs()) by_order[length({arc.state}) + 1].push_back(arc);
  for (int n = 2; n <= order(); ++n) {
    stop.check();
    std::sort(by_order[n].begin(), by_order[n].end(), [&](const Arc& a, const Arc& b) {
      return a.state != b.state ? ngram_of[a.state] < ngram_of[b.state] : a.word < b.word;
    });
    for (const Arc& arc : by_order[n]) {
      result.orders[n - 1].context.push_back(ngram_of[arc.state]);
      append(n, arc.word, -std::fabs(arc.prob), {arc.next});
    }
  }
  link_suffixes(result);
  return result;
}

}  // namespace demotic
