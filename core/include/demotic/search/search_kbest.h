// Lazy k-best derivations of hypotheses, computed directly on the arrays of the search: no forest
// is built for the few hypotheses that learners inspect. If the search was not recorded, every
// hypothesis has only its best derivation. Not thread-safe; use one instance per thread.
#pragma once

#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "demotic/forest/lazy_kbest.h"
#include "demotic/search/step.h"

namespace demotic::search {

// The search as a hypergraph. The best edge of a hypothesis has the index of the hypothesis;
// recombined edges follow.
template <typename Search>
class SearchGraph {
 public:
  using Edge = typename Search::Edge;

  void reset(const Search& search) {
    search_ = &search;
    hypotheses_ = static_cast<int32_t>(search.hypotheses().size());
    scores_.assign(search.hypotheses().size() + search.recombined().size(),
                   std::numeric_limits<double>::quiet_NaN());
  }

  const Edge& edge(int32_t number) const noexcept {
    return number < hypotheses_ ? search_->hypotheses()[number].edge
                                : search_->recombined()[number - hypotheses_].edge;
  }

  int32_t nodes() const noexcept { return hypotheses_; }
  template <typename Visit>
  void for_each_edge(int32_t node, Visit&& visit) const {
    visit(node);
    for (uint32_t i = search_->hypotheses()[node].recombined; i != kNone;
         i = search_->recombined()[i].next)
      visit(hypotheses_ + static_cast<int32_t>(i));
  }
  std::span<const uint32_t> tails_of(int32_t number) const noexcept {
    const auto& tails = edge(number).tails;
    size_t count = 0;
    while (count < tails.size() && !Search::is_start(tails[count])) ++count;
    return std::span(tails).first(count);
  }
  double score(int32_t number) {
    double& score = scores_[number];
    if (!std::isnan(score)) return score;
    score = number < hypotheses_ ? search_->hypotheses()[number].score
                                 : search_->recombined()[number - hypotheses_].score;
    for (const uint32_t tail : tails_of(number)) score -= search_->hypotheses()[tail].score;
    return score;
  }
  double best(uint32_t node) const noexcept { return search_->hypotheses()[node].score; }

 private:
  const Search* search_ = nullptr;
  int32_t hypotheses_ = 0;
  std::vector<double> scores_;  // by edge; NaN until requested
};

template <typename Steps>
class SearchKBest {
 public:
  using Search = typename Steps::Search;
  using Edge = typename Search::Edge;

  // A derivation of a hypothesis: its rank, from 0.
  struct Item {
    uint32_t hypothesis = kNone, rank = 0;
  };

  // Switches to another search.
  void reset(const Search& search) {
    graph_.reset(search);
    lists_.emplace(graph_);
  }

  // The score of a derivation; none if the hypothesis has fewer derivations.
  std::optional<double> score(Item item) {
    static const StopFlag never;
    if (!lists_->find(static_cast<int32_t>(item.hypothesis), static_cast<int32_t>(item.rank),
                      never))
      return {};
    return choice(item).score;
  }

  // Calls visit(edge, head) for each edge of a derivation, heads before tails.
  template <typename Visit>
  void for_each_edge(Item top, Visit&& visit) const {
    std::vector<Item> open{top};
    while (!open.empty()) {
      const Item next = open.back();
      open.pop_back();
      const Edge& edge = graph_.edge(choice(next).edge);
      visit(edge, next.hypothesis);
      for (size_t i = graph_.tails_of(choice(next).edge).size(); i-- > 0;)
        open.push_back(tail(next, static_cast<int>(i)));
    }
  }
  void append_words(const Steps& steps, Item top, std::vector<WordId>& words) const {
    append_yield(
        steps, top,
        [&](Item item) { return std::pair(graph_.edge(choice(item).edge), item.hypothesis); },
        [&](Item item, int i) { return tail(item, i); }, words);
  }

 private:
  struct AdmitAll {
    template <typename Lists, typename Choice>
    bool admit(const Lists&, int32_t, const Choice&) const noexcept {
      return true;
    }
  };
  using Lists = BasicLazyKBest<SearchGraph<Search>, AdmitAll>;

  const typename Lists::Choice& choice(Item item) const noexcept {
    return lists_->choice(static_cast<int32_t>(item.hypothesis), static_cast<int32_t>(item.rank));
  }
  Item tail(Item item, int i) const noexcept {
    const typename Lists::Choice& chosen = choice(item);
    return {graph_.edge(chosen.edge).tails[i], static_cast<uint32_t>(lists_->ranks(chosen)[i])};
  }

  SearchGraph<Search> graph_;
  std::optional<Lists> lists_;
};

}  // namespace demotic::search
