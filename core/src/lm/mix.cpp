#include "demotic/lm/mix.h"

#include <algorithm>
#include <cmath>

namespace demotic::lm {
namespace {

// Smaller backoff mass is rounding error.
constexpr double kNothing = 1e-9;

Vocabulary union_of(const Vocabulary& first, const Vocabulary& second) {
  VocabularyBuilder builder;
  for (const Vocabulary* words : {&first, &second})
    for (WordId id = kReservedWords; id < words->size(); ++id) builder.add(words->word(id));
  return builder.finish();
}

// Adds the n-grams of order `n` of `from`, with the ids of the union.
void add_order(const NgramModel& from, int n, NgramBuilder& to) {
  const std::vector<WordId> map = to.vocabulary().map(from.vocabulary);
  std::vector<WordId> words(n);
  for (size_t i = 0; i < from.orders[n - 1].size(); ++i) {
    auto at = static_cast<uint32_t>(i);
    for (int k = n; k >= 1; --k) {
      words[k - 1] = map[from.orders[k - 1].word[at]];
      if (k > 1) at = from.orders[k - 1].context[at];
    }
    to.add(words, 0, 0);  // n-grams of both models are added once; probabilities follow
  }
}

NgramModel union_of(const LanguageModel& first, const LanguageModel& second, const StopFlag& stop) {
  const int order = std::max(first.order(), second.order());
  NgramBuilder builder(union_of(first.vocabulary(), second.vocabulary()), order);
  const NgramModel lists[] = {first.ngrams(stop), second.ngrams(stop)};
  for (int n = 2; n <= order; ++n)
    for (const NgramModel& list : lists) {
      stop.check();
      if (n <= list.order()) add_order(list, n, builder);
    }
  return builder.finish();
}

// One model seen from the union: its ids, and its state after each n-gram of the order below.
struct Component {
  const LanguageModel& model;
  double weight;
  std::vector<WordId> map;
  std::vector<LmState> states, next_states;

  double prob(WordId word, LmState from, LmState& to) const {
    const WordId own = map[word];
    const float log10 = model.score_log10(from, own, to);
    return own == kUnknown && word != kUnknown ? 0.0 : weight * std::pow(10.0, log10);
  }
};

void fill_probabilities(NgramOrder& list, Component (&components)[2]) {
  list.prob.assign(list.size(), 0.0f);
  for (Component& component : components) component.next_states.resize(list.size());
  for (size_t i = 0; i < list.size(); ++i) {
    double prob = 0;
    for (Component& component : components) {
      const LmState from = list.context.empty() ? LmState{} : component.states[list.context[i]];
      prob += component.prob(list.word[i], from, component.next_states[i]);
    }
    const double log10 = std::log10(prob);  // -inf for probability 0
    list.prob[i] = std::min(0.0f, std::max(kNeverLog10, static_cast<float>(log10)));
  }
  for (Component& component : components) component.states.swap(component.next_states);
}

// b(h) = (1 - sum of p(w | h)) / (1 - sum of p(w | h')), both over the words listed after h.
void fill_backoffs(NgramOrder& contexts, const NgramOrder& list) {
  std::vector<double> left(contexts.size(), 1.0), left_below(contexts.size(), 1.0);
  std::vector<bool> used(contexts.size(), false);
  for (size_t i = 0; i < list.size(); ++i) {
    used[list.context[i]] = true;
    left[list.context[i]] -= std::pow(10.0, list.prob[i]);
    left_below[list.context[i]] -= std::pow(10.0, contexts.prob[list.suffix[i]]);
  }
  for (size_t i = 0; i < contexts.size(); ++i) {
    contexts.backoff[i] = 0;
    if (!used[i] || left_below[i] < kNothing) continue;
    contexts.backoff[i] =
        left[i] < kNothing ? kNeverLog10 : static_cast<float>(std::log10(left[i] / left_below[i]));
  }
}

}  // namespace

NgramModel mix(const LanguageModel& first, const LanguageModel& second, double weight,
               const StopFlag& stop) {
  if (!(weight >= 0 && weight <= 1)) throw std::invalid_argument("weight must be between 0 and 1");
  NgramModel result = union_of(first, second, stop);
  Component components[] = {{first, weight, first.map(result.vocabulary), {}, {}},
                            {second, 1 - weight, second.map(result.vocabulary), {}, {}}};
  for (size_t n = 1; n <= result.orders.size(); ++n) {
    stop.check();
    fill_probabilities(result.orders[n - 1], components);
    if (n == 1) result.orders[0].prob[kSentenceBegin] = kNeverLog10;
    if (n > 1) fill_backoffs(result.orders[n - 2], result.orders[n - 1]);
  }
  return result;
}

}  // namespace demotic::lm
