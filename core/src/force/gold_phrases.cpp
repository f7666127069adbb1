#include "demotic/force/gold_phrases.h"

#include <algorithm>
#include <numeric>

namespace demotic::force {

void GoldPhrases::build(const SourceSentences& source, size_t sentence) {
  source_ = source[sentence];
  reference_.begin(source.reference(sentence), source.pair(sentence));
  index_.forget_if_full();
  find_ngrams();
  propose();
  check_proposals();
  find_covered();
}

void GoldPhrases::find_ngrams() {
  const std::span<const WordId> words = reference_.words();
  ngrams_.clear();
  for (size_t begin = 0; begin < words.size(); ++begin) {
    uint64_t hash = TargetIndex::kEmptyHash;
    const size_t longest = std::min<size_t>(TargetIndex::kHashedWords, words.size() - begin);
    for (size_t size = 1; size <= longest; ++size) {
      hash = TargetIndex::with_word(hash, words[begin + size - 1]);
      ngrams_.push_back({hash, static_cast<uint16_t>(begin), static_cast<uint16_t>(size),
                         static_cast<uint16_t>(longest - size)});
    }
  }
}

void GoldPhrases::propose() {
  matches_.clear();
  proposals_.clear();
  rules_.match(source_, matches_);
  unknown_word_ = false;
  int32_t furthest = 0;  // end of the matches so far
  auto next = matches_.begin();
  for (int32_t word = 0; word < static_cast<int32_t>(source_.size()); ++word) {
    bool has_own_rule = false;
    for (; next != matches_.end() && next->begin == word; ++next) {
      if (!reference_.any_usable(next->rules)) continue;
      has_own_rule |= next->end == word + 1;
      furthest = std::max(furthest, next->end);
      propose_rules(*next);
    }
    const bool copied = !has_own_rule && propose_copies(word);
    unknown_word_ |= furthest <= word && !copied;
  }
}

void GoldPhrases::propose_rules(const RuleMatch& match) {
  if (match.rules.size() > TargetIndex::kFewRules) return propose_indexed(match);
  const auto begin = static_cast<uint16_t>(match.begin), end = static_cast<uint16_t>(match.end);
  for (RuleId rule = match.rules.begin; rule < match.rules.end; ++rule) {
    rules_.prefetch(rule);
    proposals_.push_back({rule, begin, end, 0, kAnywhere});
  }
}

void GoldPhrases::propose_indexed(const RuleMatch& match) {
  const TargetIndex::Block block = index_.of(match.rules);
  for (size_t i = 0; i < ngrams_.size(); i += ngrams_[i].longer + size_t{1})
    index_.prefetch_filter(block, ngrams_[i].hash);
  indexed_ngrams_.clear();
  for (size_t i = 0; i < ngrams_.size();) {
    const Ngram& ngram = ngrams_[i];
    const bool is_prefix = index_.may_begin(block, ngram.hash);
    if (is_prefix) {
      index_.prefetch_entries(block, ngram.hash);
      indexed_ngrams_.push_back(static_cast<uint32_t>(i));
    }
    i += is_prefix ? 1 : ngram.longer + 1;
  }
  const auto begin = static_cast<uint16_t>(match.begin), end = static_cast<uint16_t>(match.end);
  const auto propose_hash = [&](uint64_t hash, int32_t at, uint32_t size) {
    index_.visit(block, hash, [&](RuleId rule) {
      rules_.prefetch(rule);
      proposals_.push_back({rule, begin, end, at, size});
    });
  };
  propose_hash(TargetIndex::kEmptyHash, 0, 0);
  for (const uint32_t i : indexed_ngrams_)
    propose_hash(ngrams_[i].hash, ngrams_[i].at, ngrams_[i].size);
}

bool GoldPhrases::propose_copies(int32_t word) {
  const int32_t first = reference_.first(source_[word]);
  for (int32_t at = first; at >= 0; at = reference_.next(at))
    proposals_.push_back(
        {kNoRule, static_cast<uint16_t>(word), static_cast<uint16_t>(word + 1), at, 1});
  return first >= 0;
}

void GoldPhrases::check_proposals() {
  constexpr size_t kAhead = 8;
  found_.clear();
  for (size_t i = 0; i < proposals_.size(); ++i) {
    if (i + kAhead < proposals_.size() && proposals_[i + kAhead].rule != kNoRule)
      rules_.prefetch_target(proposals_[i + kAhead].rule);
    const Proposal& proposal = proposals_[i];
    if (proposal.rule == kNoRule)
      add(proposal, proposal.at, 1);
    else if (reference_.usable(proposal.rule))
      add_matches(proposal);
  }
}

void GoldPhrases::add_matches(const Proposal& proposal) {
  const TargetSide target = rules_.target(proposal.rule);
  const size_t size = target.size();
  const bool anywhere = proposal.size == kAnywhere;
  // Target sides of equal hash may differ.
  if (!anywhere && size != proposal.size &&
      (size < proposal.size || proposal.size < TargetIndex::kHashedWords))
    return;
  if (anywhere || size == 0)
    reference_.for_each_position(target, [&](int32_t at) { add(proposal, at, size); });
  else if (reference_.has(target, proposal.at))
    add(proposal, proposal.at, size);
}

void GoldPhrases::add(const Proposal& proposal, int32_t at, size_t size) {
  found_.push_back({proposal.rule, proposal.begin, proposal.end, static_cast<uint16_t>(at),
                    static_cast<uint16_t>(size)});
}

void GoldPhrases::find_covered() {
  covered_.assign(source_.size(), 0);
  std::vector<uint8_t>& target = from_start_;  // scratch
  target.assign(reference_.size(), 0);
  for (const GoldPhrase& phrase : found_) {
    std::fill(covered_.begin() + phrase.begin, covered_.begin() + phrase.end, uint8_t{1});
    std::fill_n(target.begin() + phrase.at, phrase.size, uint8_t{1});
  }
  covers_both_ = covers_source() && std::ranges::count(target, 0) == 0;
}

bool GoldPhrases::select_for_pair() {
  sort_by_position();
  find_chains();
  keep_if([&](const GoldPhrase& phrase) {
    return from_start_[phrase.at] && to_end_[phrase.at + phrase.size];
  });
  return covers_source();
}

void GoldPhrases::select_for_prefixes() {
  sort_by_position();
  for (size_t end = source_.size();;) {
    find_chains();
    keep_if([&](const GoldPhrase& phrase) { return from_start_[phrase.at] && phrase.end <= end; });
    const auto first = covered_.begin(), last = first + static_cast<ptrdiff_t>(end);
    const auto open = static_cast<size_t>(std::find(first, last, 0) - first);
    if (open == end) return;
    end = open;
  }
}

// Phrases of a position stay in the order in which they were found.
void GoldPhrases::sort_by_position() {
  starts_.assign(reference_.size() + size_t{2}, 0);
  for (const GoldPhrase& phrase : found_) ++starts_[phrase.at + size_t{1}];
  std::inclusive_scan(starts_.begin(), starts_.end(), starts_.begin());
  selected_.resize(found_.size());
  for (const GoldPhrase& phrase : found_) selected_[starts_[phrase.at]++] = phrase;
  std::shift_right(starts_.begin(), starts_.end(), 1);
  starts_[0] = 0;
}

// Chains of phrases at positions of the reference, whatever source words they cover.
void GoldPhrases::find_chains() {
  const size_t positions = reference_.size() + size_t{1};
  from_start_.assign(positions, 0);
  to_end_.assign(positions, 0);
  from_start_.front() = to_end_.back() = 1;
  for (const GoldPhrase& phrase : selected_)
    if (from_start_[phrase.at]) from_start_[phrase.at + phrase.size] = 1;
  for (size_t i = selected_.size(); i-- > 0;)
    to_end_[selected_[i].at] |= to_end_[selected_[i].at + selected_[i].size];
}

template <typename Keep>
void GoldPhrases::keep_if(Keep&& keep) {
  covered_.assign(source_.size(), 0);
  uint32_t kept = 0, from = 0;
  for (size_t position = 0; position + 1 < starts_.size(); ++position) {
    const uint32_t to = starts_[position + 1];
    starts_[position] = kept;
    for (; from < to; ++from) {
      const GoldPhrase phrase = selected_[from];
      if (!keep(phrase)) continue;
      selected_[kept++] = phrase;
      std::fill(covered_.begin() + phrase.begin, covered_.begin() + phrase.end, uint8_t{1});
    }
  }
  starts_.back() = kept;
  selected_.resize(kept);
}

bool GoldPhrases::covers_source() const noexcept { return std::ranges::count(covered_, 0) == 0; }

}  // namespace demotic::force
