#include "demotic/force/gold_phrases.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace demotic::force {

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
  proposals_.clear();
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
      propose_rules(*next);
    }
    const bool copied = !alone && propose_copies(word);
    unknown_word_ |= furthest <= word && !copied;
  }
  settle(pair);
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

void GoldPhrases::propose_rules(const RuleMatch& match) {
  if (match.rules.size() > TargetIndex::kFewRules) return propose_indexed(match);
  const auto begin = static_cast<uint16_t>(match.begin), end = static_cast<uint16_t>(match.end);
  for (RuleId rule = match.rules.begin; rule < match.rules.end; ++rule) {
    model_.rules().prefetch(rule);
    proposals_.push_back({rule, begin, end, 0, kAnySize});
  }
}

void GoldPhrases::propose_indexed(const RuleMatch& match) {
  const TargetIndex::Block block = index_.of(match.rules);
  for (size_t i = 0; i < stretches_.size(); i += stretches_[i].longer + size_t{1})
    index_.prefetch_filter(block, stretches_[i].hash);
  begun_stretches_.clear();
  for (size_t i = 0; i < stretches_.size();) {
    const Stretch& stretch = stretches_[i];
    const bool goes_on = index_.may_begin(block, stretch.hash);
    if (goes_on) {
      index_.prefetch_entries(block, stretch.hash);
      begun_stretches_.push_back(static_cast<uint32_t>(i));
    }
    i += goes_on ? 1 : stretch.longer + 1;
  }
  const auto begin = static_cast<uint16_t>(match.begin), end = static_cast<uint16_t>(match.end);
  const auto propose = [&](uint64_t hash, int32_t place, uint32_t size) {
    index_.visit(block, hash, [&](RuleId rule) {
      model_.rules().prefetch(rule);
      proposals_.push_back({rule, begin, end, place, size});
    });
  };
  propose(TargetIndex::kEmptyHash, 0, 0);
  for (const uint32_t i : begun_stretches_)
    propose(stretches_[i].hash, stretches_[i].place, stretches_[i].size);
}

bool GoldPhrases::propose_copies(int32_t word) {
  bool any = false;
  for (int32_t place = 0; place < static_cast<int32_t>(reference_.size()); ++place) {
    if (reference_[place] != source_[word]) continue;
    proposals_.push_back(
        {kNoRule, static_cast<uint16_t>(word), static_cast<uint16_t>(word + 1), place, 1});
    any = true;
  }
  return any;
}

void GoldPhrases::settle(int32_t pair) {
  constexpr size_t kAhead = 8;
  const RuleStore& rules = model_.rules();
  found_.clear();
  for (size_t i = 0; i < proposals_.size(); ++i) {
    if (i + kAhead < proposals_.size() && proposals_[i + kAhead].rule != kNoRule)
      rules.prefetch_target(proposals_[i + kAhead].rule);
    const Proposal& proposal = proposals_[i];
    if (proposal.rule == kNoRule)
      add(proposal, proposal.place, 1);
    else if (pair < 0 || rules.only_sentence(proposal.rule) != pair)
      add_where_it_stands(proposal);
  }
}

void GoldPhrases::add_where_it_stands(const Proposal& proposal) {
  const TargetSide target = model_.rules().target(proposal.rule);
  const size_t size = target.size();
  const bool anywhere = proposal.size == kAnySize;
  // Target sides of equal hash may differ.
  if (!anywhere && size != proposal.size &&
      (size < proposal.size || proposal.size < TargetIndex::kHashedWords))
    return;
  if (size == 0) {
    for (int32_t place = 0; place <= static_cast<int32_t>(reference_.size()); ++place)
      add(proposal, place, 0);
  } else if (anywhere) {
    for (int32_t place = first_of_word_[*target.begin()]; place >= 0; place = next_of_word_[place])
      if (stands_at(target, place)) add(proposal, place, size);
  } else if (stands_at(target, proposal.place)) {
    add(proposal, proposal.place, size);
  }
}

bool GoldPhrases::stands_at(const TargetSide& target, int32_t place) const noexcept {
  if (target.size() > reference_.size() - place) return false;
  const WordId* word = reference_.data() + place;
  for (const Symbol symbol : target)
    if (symbol != *word++) return false;
  return true;
}

void GoldPhrases::add(const Proposal& proposal, int32_t place, size_t size) {
  found_.push_back({proposal.rule, proposal.begin, proposal.end, static_cast<uint16_t>(place),
                    static_cast<uint16_t>(size)});
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

}  // namespace demotic::force
