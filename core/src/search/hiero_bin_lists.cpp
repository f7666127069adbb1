#include <algorithm>
#include <limits>
#include <numeric>

#include "demotic/search/candidates.h"
#include "demotic/search/for_each_sentence.h"
#include "demotic/search/hiero_derivation.h"

namespace demotic::search {
namespace {

// The best concatenations of pieces, no reordering between them, from the first word on and up to
// the last one: what stands around a group in its potential.
class Surroundings {
 public:
  Surroundings(const HieroSearch& search) : search_(search) {
    const auto groups = search.groups();
    std::vector<uint32_t> order;
    for (uint32_t g = 0; g < groups.size(); ++g)
      if (!HieroSearch::started(groups[g]) && groups[g].count() > 0) order.push_back(g);
    const auto end = [&](uint32_t g) { return groups[g].end; };
    const auto begin = [&](uint32_t g) { return groups[g].begin; };
    std::ranges::stable_sort(order, std::less{}, end);
    fill(before_, 0, search.length(), order, end, begin);
    std::ranges::stable_sort(order, std::greater{}, begin);
    fill(after_, search.length(), 0, order, begin, end);
  }

  // The best hypotheses from the first word up to `position`, in order.
  void before(int32_t position, std::vector<uint32_t>& pieces) const {
    pieces.clear();
    for (int32_t at = position; at > 0; at = before_[at].from)
      if (before_[at].hypothesis != kNone) pieces.push_back(before_[at].hypothesis);
    std::ranges::reverse(pieces);
  }
  // From `position` to the last word.
  void after(int32_t position, std::vector<uint32_t>& pieces) const {
    pieces.clear();
    for (int32_t at = position; at < search_.length(); at = after_[at].from)
      if (after_[at].hypothesis != kNone) pieces.push_back(after_[at].hypothesis);
  }

 private:
  struct Best {
    float score = -std::numeric_limits<float>::infinity();
    int32_t from = 0;             // the next position on the way
    uint32_t hypothesis = kNone;  // none: a word that no piece begins or ends at is passed over
  };

  // `order` has the groups by the position that they lead to, nearest to `start` first.
  template <typename To, typename From>
  void fill(std::vector<Best>& best, int32_t start, int32_t goal,
            const std::vector<uint32_t>& order, To&& to, From&& from) const {
    best.assign(search_.length() + 1, {});
    best[start].score = 0;
    const int32_t step = goal < start ? -1 : 1;
    auto next = order.begin();
    for (int32_t at = start + step; at != goal + step; at += step) {
      for (; next != order.end() && to(*next) == at; ++next) {
        const uint32_t hypothesis = search_.groups()[*next].first;
        const float score = best[from(*next)].score + search_.hypotheses()[hypothesis].score;
        if (score > best[at].score) best[at] = {score, from(*next), hypothesis};
      }
      if (best[at].hypothesis == kNone) best[at] = {best[at - step].score, at - step, kNone};
    }
  }

  const HieroSearch& search_;
  std::vector<Best> before_, after_;  // by position
};

// The lists of one sentence.
class GroupReader {
 public:
  GroupReader(const HieroModel& model, HieroSearch& search, std::span<const WordId> source,
              const BinOptions& options)
      : model_(model),
        search_(search),
        source_(source),
        options_(options),
        around_(search),
        width_(model.features().size()) {}

  SearchedCandidates read(int32_t sentence) {
    if (search_.root() == kNone) return std::move(lists_);
    add_values();
    const auto groups = search_.groups();
    for (uint32_t g = 0; g < groups.size(); ++g)
      if (g != search_.root() && groups[g].count() > 0) add_list(sentence, groups[g], false);
    add_list(sentence, groups[search_.root()], true);
    return std::move(lists_);
  }

 private:
  // Features of all hypotheses; tails come before heads.
  void add_values() {
    values_.assign(search_.hypotheses().size() * width_, 0);
    for (const HieroGroup& group : search_.groups())
      for (uint32_t i = group.first; i < group.alive; ++i) {
        const HieroHypothesis& hypothesis = search_.hypotheses()[i];
        for (const uint32_t tail : hypothesis.tails)
          if (tail != kNone)
            for (size_t f = 0; f < width_; ++f) row(i)[f] += row(tail)[f];
        add_local_features(model_, search_, group, hypothesis.option, row(i));
        const HieroOption& used = search_.options()[hypothesis.option];
        search_.lm().add_values(used.target, hypothesis.tails, used.rule == HieroOption::kGlueFirst,
                                lm_part(row(i)));
      }
  }

  void add_list(int32_t sentence, const HieroGroup& group, bool root) {
    const bool potential = options_.potential && !root;
    spell(group, potential);
    for (uint32_t i = group.first; i < group.alive; ++i) {
      features_.assign(row(i).begin(), row(i).end());
      float score = search_.hypotheses()[i].score;
      if (root) {
        search_.lm().add_end_values(i, HieroSearch::started(group), lm_part(features_));
        score += search_.lm().end(i, HieroSearch::started(group));
      }
      append_words(before_);
      append_words(yield_of(model_, search_, i, source_));
      append_words(after_);
      lists_.words.end_row();
      lists_.features.insert(lists_.features.end(), features_.begin(), features_.end());
      lists_.scores.push_back(score);
    }
    const int32_t places = search_.length() + 1;
    lists_.sentence.push_back(sentence);
    lists_.bin.push_back(1 + ((group.label + 1) * places + group.begin) * places + group.end);
    lists_.covered.push_back(group.end - group.begin);
    lists_.offsets.push_back(static_cast<int64_t>(lists_.scores.size()));
  }

  // What stands around the group's own words.
  void spell(const HieroGroup& group, bool potential) {
    before_.clear();
    after_.clear();
    if (!potential) return;
    around_.before(group.begin, pieces_);
    for (const uint32_t piece : pieces_) append(before_, yield_of(model_, search_, piece, source_));
    around_.after(group.end, pieces_);
    for (const uint32_t piece : pieces_) append(after_, yield_of(model_, search_, piece, source_));
  }

  static void append(std::vector<WordId>& words, const std::vector<WordId>& more) {
    words.insert(words.end(), more.begin(), more.end());
  }
  void append_words(const std::vector<WordId>& words) { append(lists_.words.values, words); }

  std::span<double> row(uint32_t hypothesis) noexcept {
    return std::span(values_).subspan(hypothesis * width_, width_);
  }
  std::span<double> lm_part(std::span<double> values) const {
    const HieroFeatures& features = model_.features();
    return values.subspan(features.language_model(0), features.language_models);
  }

  const HieroModel& model_;
  HieroSearch& search_;
  std::span<const WordId> source_;
  const BinOptions& options_;
  const Surroundings around_;
  const size_t width_;
  std::vector<double> values_;    // features of the hypotheses, a row each
  std::vector<double> features_;  // of the candidate
  std::vector<uint32_t> pieces_;
  std::vector<WordId> before_, after_;
  SearchedCandidates lists_;
};

}  // namespace

SearchedCandidates bin_lists(const HieroModel& model, const HieroSearchOptions& options,
                             const SearchBatch& batch, const BinOptions& bins, const StopFlag& stop,
                             Progress& progress) {
  SearchedCandidates all;
  for_each_sentence<HieroSearch>(
      model, options, batch, false, stop, progress,
      [&](HieroSearch& done, int64_t sentence) {
        return GroupReader(model, done, batch.source[sentence], bins)
            .read(static_cast<int32_t>(sentence));
      },
      [&](int64_t, SearchedCandidates&& lists) { append(all, lists); });
  return all;
}

}  // namespace demotic::search
