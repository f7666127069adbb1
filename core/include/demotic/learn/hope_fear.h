// Hope and fear among the k best derivations of a searched sentence (Chiang et al. 2008, section
// 2.3): the derivations with the highest score plus gain and the highest score minus gain. Both
// weigh model and metric equally (mu = 0.5). The gain is Bleu+1 times a scale. Not thread-safe; use
// one instance per thread.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "demotic/metrics/sentence_bleu.h"
#include "demotic/search/search_kbest.h"

namespace demotic::learn {

template <typename Steps>
class HopeFear {
 public:
  using Search = typename Steps::Search;
  using Lists = SearchKBest<Steps>;
  using Item = typename Lists::Item;

  struct Candidate {
    Item derivation;
    double score = 0;  // with the end of the sentence
    double gain = 0;   // unscaled
  };
  struct Pair {
    Candidate hope, fear;
  };

  // Examines at most `k` derivations, best first. The search must have been recorded, have found a
  // translation, and be the one that `lists` was reset to.
  Pair find(const Steps& steps, Lists& lists, std::span<const WordId> reference, int32_t k,
            double scale) {
    lists_ = &lists;
    bleu_.set_reference(reference);
    queue_all(steps.search());
    Pair best;
    for (int32_t rank = 0; rank < k && !queue_.empty(); ++rank) {
      Candidate next = pop();
      // Gains are between 0 and 1, and scores only decrease from here on.
      if (rank > 0 && next.score + scale <= best.hope.score + scale * best.hope.gain &&
          next.score <= best.fear.score - scale * best.fear.gain)
        break;
      words_.clear();
      lists.append_words(steps, next.derivation, words_);
      next.gain = bleu_(words_);
      if (rank == 0 || augmented(next, scale) > augmented(best.hope, scale)) best.hope = next;
      if (rank == 0 || augmented(next, -scale) > augmented(best.fear, -scale)) best.fear = next;
    }
    return best;
  }

 private:
  struct Queued {
    double score;
    Item derivation;
    float end;  // score of the end of the sentence after the hypothesis
  };
  static constexpr auto kLater = [](const Queued& a, const Queued& b) {
    if (a.score != b.score) return a.score < b.score;
    return a.derivation.hypothesis > b.derivation.hypothesis;
  };

  static double augmented(const Candidate& one, double scale) noexcept {
    return one.score + scale * one.gain;
  }

  void queue_all(Search& search) {
    queue_.clear();
    const auto& goal = search.bins()[search.goal_bin()];
    for (uint32_t i = goal.first; i < goal.alive; ++i) queue({i, 0}, search.future(i));
  }
  void queue(Item derivation, float end) {
    const std::optional<double> score = lists_->score(derivation);
    if (!score) return;
    queue_.push_back({*score + end, derivation, end});
    std::ranges::push_heap(queue_, kLater);
  }
  // The best derivation that is left; the next one of its hypothesis takes its place.
  Candidate pop() {
    std::ranges::pop_heap(queue_, kLater);
    const Queued top = queue_.back();
    queue_.pop_back();
    queue({top.derivation.hypothesis, top.derivation.rank + 1}, top.end);
    return {top.derivation, top.score};
  }

  Lists* lists_ = nullptr;
  SentenceBleu bleu_;
  std::vector<Queued> queue_;  // a heap: the next derivation of each complete hypothesis
  std::vector<WordId> words_;
};

}  // namespace demotic::learn
