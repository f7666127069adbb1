// Word pairs with a neighbour of the source word (Chiang, Knight & Wang 2009; Eidelman, Marton &
// Resnik 2013, section 4.2): for each link of a rule whose words are a listed pair (f, e), the
// triples of the pair with the next and with the previous source word. Neighbours that are no
// source word of the list are <unk>. A neighbour inside a gap is [gap]: which word it is depends on
// more than the span of the rule.
#pragma once

#include <algorithm>

#include "demotic/base/flat_map.h"
#include "demotic/features/families/word_list.h"

namespace demotic::features {

class WordContext final : public SparseFamily {
 public:
  explicit WordContext(const FamilyContext& context)
      : pairs_(context.spec.list("pairs")), neighbours_(sources(pairs_), context.vocabulary) {
    for (size_t i = 0; i < pairs_.size(); ++i) {
      const size_t space = pairs_[i].find(' ');
      if (space == std::string::npos) continue;
      const WordId source = context.vocabulary.find(pairs_[i].substr(0, space));
      const WordId target = context.vocabulary.find(pairs_[i].substr(space + 1));
      if (source == kUnknown || target == kUnknown) continue;
      numbers_[key(source, target)] = static_cast<uint32_t>(i) + 1;
    }
  }

  uint64_t values() const noexcept override { return pairs_.size() * 2 * neighbour_values(); }
  std::string name(uint64_t value) const override {
    const uint64_t word = value % neighbour_values(), rest = value / neighbour_values();
    std::string pair = pairs_[rest / 2];
    if (const size_t space = pair.find(' '); space != pair.npos) pair.replace(space, 1, " ||| ");
    return "word=" + pair + (rest % 2 ? " previous=" : " next=") +
           (word > neighbours_.size() ? "[gap]" : neighbours_.name(word));
  }
  uint8_t groups() const noexcept override { return kMixed; }

  void add_mixed_values(const RuleSides& rule, const SentenceWords& sentence, int32_t begin,
                        int32_t end, std::vector<uint64_t>& values) const override {
    const bool last = static_cast<size_t>(end) == sentence.words.size();
    const Symbol before = begin > 0 ? sentence.words[begin - 1] : kSentenceBegin;
    const Symbol after = last ? sentence.after : sentence.words[end];
    for (const RuleLink link : rule.links) {
      const size_t at = link.source;
      const Symbol source = rule.source[at], target = rule.target[link.target];
      if (is_gap(source) || is_gap(target)) continue;
      const uint32_t* pair = numbers_.find(key(source, target));
      if (pair == nullptr) continue;
      const uint64_t first = uint64_t{*pair - 1} * 2 * neighbour_values();
      values.push_back(first +
                       neighbour(at + 1 < rule.source.size() ? rule.source[at + 1] : after));
      values.push_back(first + neighbour_values() +
                       neighbour(at > 0 ? rule.source[at - 1] : before));
    }
  }

 private:
  static uint64_t key(WordId source, WordId target) noexcept {
    return uint64_t(uint32_t(source)) << 32 | uint32_t(target);
  }
  static std::vector<std::string> sources(const std::vector<std::string>& pairs) {
    std::vector<std::string> words;
    for (const std::string& pair : pairs) words.push_back(pair.substr(0, pair.find(' ')));
    std::ranges::sort(words);
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
  }
  // Listed words, <unk> and [gap].
  uint64_t neighbour_values() const noexcept { return uint64_t{neighbours_.size()} + 2; }
  uint64_t neighbour(Symbol symbol) const noexcept {
    return is_gap(symbol) ? neighbours_.size() + 1 : neighbours_.find_or_size(symbol);
  }

  std::vector<std::string> pairs_;  // source and target, separated by a space
  WordList neighbours_;
  FlatMap<uint64_t, uint32_t> numbers_;  // of pairs, from 1
};

}  // namespace demotic::features
