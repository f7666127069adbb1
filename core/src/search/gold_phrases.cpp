#include "demotic/search/gold_phrases.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace demotic {

GoldPhrases::GoldPhrases(const SearchModel& model)
    : model_(model), index_(model.rules()), first_of_word_(model.vocabulary().size(), -1) {}

void GoldPhrases::build(const SourceSentences& source, size_t sentence) {
  source_ = source[sentence];
  index_.forget_if_full();
  index_reference(source.reference(sentence));
  match(source.pair(sentence));
  for (const WordId word : reference_)
    if (word < static_cast<WordId>(first_of_word_.size())) first_of_word_[word] = -1;
}

void GoldPhrases::index_reference(std::span<const WordId> reference) {
  reference_ = reference;
  next_of_word_.resize(reference.size());
  for (auto place = static_cast<int32_t>(reference.size()); place-- > 0;) {
    const WordId word = reference[place];
    if (word >= static_cast<WordId>(first_of_word_.size())) continue;  // in no rule
    next_of_word_[place] = std::exchange(first_of_word_[word], place);
  }
  stretches_.clear();
  for (size_t begin = 0; begin < reference.size(); ++begin) {
    uint64_t hash = TargetIndex::kEmptyHash;
    const size_t longest = std::min<size_t>(TargetIndex::kHashedWords, reference.size() - begin);
    for (size_t size = 1; size <= longest; ++size) {
      hash = TargetIndex::with_word(hash, reference[begin + size - 1]);
      stretches_.push_back({hash, static_cast<uint16_t>(begin), static_cast<uint16_t>(size),
                            static_cast<uint16_t>(longest - size)});
    }
  }
}

void GoldPhrases::match(int32_t pair) {
  matches_.clear();
  found_.clear();
  match_phrases(model_.rules(), source_, matches_);
  unknown_word_ = false;
  int32_t furthest = 0;  // end of what rules have so far
  auto next = matches_.begin();
  for (int32_t word = 0; word < static_cast<int32_t>(source_.size()); ++word) {
    bool alone = false;
    for (; next != matches_.end() && next->begin == word; ++next) {
      if (!any_left(next->rules, pair)) continue;
      alone |= next->end == word + 1;
      furthest = std::max(furthest, next->end);
      add_rules(*next, pair);
    }
    const bool copied = !alone && add_copies(word);
    unknown_word_ |= furthest <= word && !copied;
  }
  find_covered();
}

void GoldPhrases::find_covered() {
  covered_.assign(source_.size(), 0);
  begun_.assign(reference_.size(), 0);
  for (const GoldPhrase& phrase : found_) {
    std::fill(covered_.begin() + phrase.begin, covered_.begin() + phrase.end, uint8_t{1});
    std::fill_n(begun_.begin() + phrase.at, phrase.size, uint8_t{1});
  }
  covers_both_ = covers_source() && std::ranges::count(begun_, 0) == 0;
}

bool GoldPhrases::any_left(RuleRange rules, int32_t pair) const noexcept {
  if (pair < 0) return true;
  for (RuleId rule = rules.begin; rule < rules.end; ++rule)
    if (model_.rules().only_sentence(rule) != pair) return true;
  return false;
}

void GoldPhrases::add_rules(const RuleMatch& match, int32_t pair) {
  if (match.rules.size() > TargetIndex::kFewRules) return add_indexed(match, pair);
  for (RuleId rule = match.rules.begin; rule < match.rules.end; ++rule) {
    const TargetSide target = model_.rules().target(rule);
    if (target.empty())
      add_empty(match, rule, pair);
    else if (const int32_t place = first_of_word_[*target.begin()]; place >= 0)
      add_where_it_stands(match, rule, place, pair);
  }
}

void GoldPhrases::add_indexed(const RuleMatch& match, int32_t pair) {
  const TargetIndex::Block block = index_.of(match.rules);
  index_.find(block, TargetIndex::kEmptyHash, [&](RuleId rule) {
    if (model_.rules().target(rule).empty()) add_empty(match, rule, pair);
  });
  for (size_t i = 0; i < stretches_.size();) {
    const Stretch& stretch = stretches_[i];
    const bool goes_on = index_.find(block, stretch.hash, [&](RuleId rule) {
      const TargetSide target = model_.rules().target(rule);
      if (target.size() == size_t{stretch.size} || stretch.size == TargetIndex::kHashedWords)
        if (stands_at(target, stretch.place)) add(match, rule, stretch.place, target.size(), pair);
    });
    i += goes_on ? 1 : stretch.longer + 1;
  }
}

void GoldPhrases::add_where_it_stands(const RuleMatch& match, RuleId rule, int32_t place,
                                      int32_t pair) {
  const TargetSide target = model_.rules().target(rule);
  for (; place >= 0; place = next_of_word_[place])
    if (stands_at(target, place)) add(match, rule, place, target.size(), pair);
}

bool GoldPhrases::stands_at(const TargetSide& target, int32_t place) const noexcept {
  if (target.size() > reference_.size() - place) return false;
  const WordId* word = reference_.data() + place;
  for (const Symbol symbol : target)
    if (symbol != *word++) return false;
  return true;
}

void GoldPhrases::add_empty(const RuleMatch& match, RuleId rule, int32_t pair) {
  for (int32_t place = 0; place <= static_cast<int32_t>(reference_.size()); ++place)
    add(match, rule, place, 0, pair);
}

void GoldPhrases::add(const RuleMatch& match, RuleId rule, int32_t place, size_t size,
                      int32_t pair) {
  if (pair >= 0 && model_.rules().only_sentence(rule) == pair) return;
  found_.push_back({rule, static_cast<uint16_t>(match.begin), static_cast<uint16_t>(match.end),
                    static_cast<uint16_t>(place), static_cast<uint16_t>(size)});
}

bool GoldPhrases::add_copies(int32_t word) {
  bool any = false;
  for (int32_t place = 0; place < static_cast<int32_t>(reference_.size()); ++place) {
    if (reference_[place] != source_[word]) continue;
    found_.push_back({kNoRule, static_cast<uint16_t>(word), static_cast<uint16_t>(word + 1),
                      static_cast<uint16_t>(place), 1});
    any = true;
  }
  return any;
}

bool GoldPhrases::arrange_whole() {
  arrange();
  find_chains();
  narrow([&](const GoldPhrase& phrase) {
    return begun_[phrase.at] && ends_[phrase.at + phrase.size];
  });
  return covers_source();
}

void GoldPhrases::arrange_beginnings() {
  arrange();
  for (size_t end = source_.size();;) {
    find_chains();
    narrow([&](const GoldPhrase& phrase) { return begun_[phrase.at] && phrase.end <= end; });
    const auto first = covered_.begin(), last = first + static_cast<ptrdiff_t>(end);
    const auto open = static_cast<size_t>(std::find(first, last, 0) - first);
    if (open == end) return;
    end = open;
  }
}

// By place, in the order in which they were found.
void GoldPhrases::arrange() {
  starts_.assign(reference_.size() + 2, 0);
  for (const GoldPhrase& phrase : found_) ++starts_[phrase.at + size_t{1}];
  std::inclusive_scan(starts_.begin(), starts_.end(), starts_.begin());
  arranged_.resize(found_.size());
  for (const GoldPhrase& phrase : found_) arranged_[starts_[phrase.at]++] = phrase;
  std::shift_right(starts_.begin(), starts_.end(), 1);
  starts_[0] = 0;
}

// Phrases are chained at places of the reference alone, whatever source words they cover.
void GoldPhrases::find_chains() {
  const auto places = static_cast<int32_t>(reference_.size()) + 1;
  begun_.assign(places, 0);
  ends_.assign(places, 0);
  begun_.front() = ends_.back() = 1;
  for (const GoldPhrase& phrase : arranged_)
    if (begun_[phrase.at]) begun_[phrase.at + phrase.size] = 1;
  for (size_t i = arranged_.size(); i-- > 0;)
    ends_[arranged_[i].at] |= ends_[arranged_[i].at + arranged_[i].size];
}

template <typename Keep>
void GoldPhrases::narrow(Keep&& keep) {
  covered_.assign(source_.size(), 0);
  uint32_t kept = 0, from = 0;
  for (size_t place = 0; place + 1 < starts_.size(); ++place) {
    const uint32_t to = starts_[place + 1];
    starts_[place] = kept;
    for (; from < to; ++from) {
      const GoldPhrase phrase = arranged_[from];
      if (!keep(phrase)) continue;
      arranged_[kept++] = phrase;
      std::fill(covered_.begin() + phrase.begin, covered_.begin() + phrase.end, uint8_t{1});
    }
  }
  starts_.back() = kept;
  arranged_.resize(kept);
}

bool GoldPhrases::covers_source() const noexcept { return std::ranges::count(covered_, 0) == 0; }

}  // namespace demotic
