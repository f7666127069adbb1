#include "demotic/rules/significance.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace demotic::rules {
namespace {

struct RuleSide {
  uint16_t RulePlace::* begin;
  uint8_t RulePlace::* size;
  uint8_t Gap::* gap_begin;
  uint8_t Gap::* gap_size;
};
constexpr RuleSide kSourceSide{&RulePlace::source_begin, &RulePlace::source_size,
                               &Gap::source_begin, &Gap::source_size};
constexpr RuleSide kTargetSide{&RulePlace::target_begin, &RulePlace::target_size,
                               &Gap::target_begin, &Gap::target_size};

// Calls visit(begin, words) for the parts of a side, in any order.
template <typename Visit>
void for_each_part(const RulePlace& place, const RuleSide& side, Visit&& visit) {
  const auto part = [&](int32_t begin, int32_t end) {
    constexpr int32_t kLongest = SentenceIndex::kLongestPart;
    const int32_t first = place.*side.begin + begin, words = std::min(end - begin, kLongest);
    for (int32_t i = 0; words > 0 && i <= end - begin - words; ++i) visit(first + i, words);
  };
  std::array<Gap, kMaxGaps> gaps = place.gaps;
  std::sort(gaps.begin(), gaps.begin() + place.gap_count,
            [&](const Gap& a, const Gap& b) { return a.*side.gap_begin < b.*side.gap_begin; });
  int32_t begin = 0;
  for (int32_t k = 0; k < place.gap_count; ++k) {
    part(begin, gaps[k].*side.gap_begin);
    begin = gaps[k].*side.gap_begin + gaps[k].*side.gap_size;
  }
  part(begin, place.*side.size);
}

// Adds the list of each part of a side; false if one occurs in no other sentence.
template <typename Lists>
bool add_lists_of(const SentenceIndex& index, int64_t pair, const RulePlace& place,
                  const RuleSide& side, Lists& lists) {
  bool shared = true;
  lists.clear();
  for_each_part(place, side, [&](int32_t begin, int32_t words) {
    lists.push_back(index.sentences(pair, begin, words));
    shared = shared && !lists.back().empty();
  });
  return shared;
}

}  // namespace

FisherTest::FisherTest(int64_t pairs) : pairs_(pairs), log_factorials_(pairs + 1) {
  for (int64_t i = 1; i <= pairs; ++i)
    log_factorials_[i] = log_factorials_[i - 1] + std::log(static_cast<double>(i));
}

// The first term of the tail by factorials, the others by their ratios.
double FisherTest::significance(const CoOccurrence& counts) const noexcept {
  const auto choose = [&](int64_t n, int64_t k) {
    return log_factorials_[n] - log_factorials_[k] - log_factorials_[n - k];
  };
  const double first = choose(counts.source, counts.both) +
                       choose(pairs_ - counts.source, counts.target - counts.both) -
                       choose(pairs_, counts.target);
  const auto s = static_cast<double>(counts.source), t = static_cast<double>(counts.target);
  const auto others = static_cast<double>(pairs_) - s - t;
  double sum = 1, term = 1;
  for (double k = counts.both; k < std::min(s, t) && term > sum * 1e-12; ++k) {
    term *= (s - k) * (t - k) / ((k + 1) * (others + k + 1));
    sum += term;
  }
  return -first - std::log(sum);
}

SentenceIndex::SentenceIndex(const Corpus& text, const StopFlag& stop) : begins_(text.offsets()) {
  lists_at_.assign(kLongestPart, std::vector<int32_t>(text.words().size(), -1));
  add_words(text);
  for (int32_t words = 2; words <= kLongestPart; ++words) {
    stop.check();
    if (!add_spans(text, words)) break;
  }
}

void SentenceIndex::add_words(const Corpus& text) {
  std::vector<Place> places;
  places.reserve(text.words().size());
  for (int64_t i = 0; i < text.size(); ++i)
    for (int64_t at = begins_[i]; at < begins_[i + 1]; ++at)
      places.push_back({static_cast<uint64_t>(text.words()[at]), static_cast<int32_t>(i), at});
  add_lists(places, lists_at_[0]);
}

// A span occurs in several sentences only if both spans that are one word shorter do; they identify
// it. False if there is none.
bool SentenceIndex::add_spans(const Corpus& text, int32_t words) {
  const std::vector<int32_t>& shorter = lists_at_[words - 2];
  std::vector<Place> places;
  for (int64_t i = 0; i < text.size(); ++i)
    for (int64_t at = begins_[i]; at + words <= begins_[i + 1]; ++at)
      if (shorter[at] >= 0 && shorter[at + 1] >= 0)
        places.push_back(
            {static_cast<uint64_t>(shorter[at]) << 32 | static_cast<uint32_t>(shorter[at + 1]),
             static_cast<int32_t>(i), at});
  add_lists(places, lists_at_[words - 1]);
  return !places.empty();
}

// One list for every span that occurs in two or more sentences.
void SentenceIndex::add_lists(std::vector<Place>& places, std::vector<int32_t>& list_at) {
  std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
    return a.span != b.span ? a.span < b.span : a.position < b.position;
  });
  for (auto begin = places.begin(); begin != places.end();) {
    const auto end = std::find_if_not(begin, places.end(),
                                      [&](const Place& p) { return p.span == begin->span; });
    if (begin->sentence != (end - 1)->sentence) {
      const auto list = static_cast<int32_t>(lists_.size());
      for (auto place = begin; place != end; ++place) {
        list_at[place->position] = list;
        if (place == begin || place->sentence != (place - 1)->sentence)
          lists_.values.push_back(place->sentence);
      }
      lists_.end_row();
    }
    begin = end;
  }
}

int32_t RuleCoOccurrence::read(int64_t pair, const RulePlace& place) {
  source_shared_ = add_lists_of(*source_, pair, place, kSourceSide, source_lists_);
  target_shared_ = add_lists_of(*target_, pair, place, kTargetSide, target_lists_);
  if (!source_shared_ || !target_shared_) return 1;
  both_lists_ = source_lists_;
  both_lists_.insert(both_lists_.end(), target_lists_.begin(), target_lists_.end());
  return common(both_lists_, pairs_);
}

// The number of sentences in all lists, at most `limit` + 1; a side without words occurs in every
// sentence.
int32_t RuleCoOccurrence::common(Lists& lists, int32_t limit) const {
  if (lists.empty()) return pairs_;
  std::iter_swap(lists.begin(),
                 std::ranges::min_element(lists, {}, [](const auto& list) { return list.size(); }));
  if (lists.size() == 1) return static_cast<int32_t>(lists[0].size());
  int32_t found = 0;
  for (const int32_t sentence : lists[0]) {
    bool in_all = true;
    for (size_t i = 1; i < lists.size() && in_all; ++i) {
      const auto at = std::lower_bound(lists[i].begin(), lists[i].end(), sentence);
      lists[i] = {at, lists[i].end()};
      in_all = at != lists[i].end() && *at == sentence;
    }
    found += in_all;
    if (found > limit) break;
  }
  return found;
}

// Sides that meet once have p >= max(source, target) / pairs.
SignificanceFilter::SignificanceFilter(const FisherTest& test, double threshold,
                                       RuleCoOccurrence counter)
    : test_(&test), threshold_(threshold), counter_(std::move(counter)) {
  const auto pairs = static_cast<double>(test.pairs());
  const double most = pairs * std::exp(-threshold) * (1 + 1e-9);
  once_limit_ = static_cast<int32_t>(std::clamp(most, 0.0, pairs));
}

bool SignificanceFilter::keeps(int64_t pair, const RulePlace& place) {
  CoOccurrence counts;
  counts.both = counter_.read(pair, place);
  if (test_->highest(counts.both) < threshold_) return false;
  const int32_t limit = counts.both == 1 ? once_limit_ : static_cast<int32_t>(test_->pairs());
  counts.source = counter_.source(limit);
  if (counts.source > limit) return false;
  counts.target = counter_.target(limit);
  if (counts.target > limit) return false;
  return test_->significance(counts) >= threshold_;
}

}  // namespace demotic::rules
