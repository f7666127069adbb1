// Word pairs with a neighbour of the source word (Chiang, Knight & Wang 2009; Eidelman, Marton &
// Resnik 2013, section 4.2): for each link of a rule whose words are a listed pair (f, e), the
// triples of the pair with the next and with the previous source word. Neighbours that are no
// source word of the list are <unk>. Neighbours that are words of the rule are summed once per
// rule. Those beside the span or inside a gap are words of the sentence, found by counting from the
// edges of the span; a word between two gaps may be anywhere, so that its neighbours inside them
// are [gap].
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
  uint8_t groups() const noexcept override { return kRule | kMixed; }

  // Neighbours that do not depend on the sentence.
  void add_rule_values(const RuleSides& rule, std::vector<uint64_t>& values) const override {
    for_each_neighbour(rule, [&](uint64_t first, size_t at, int step) {
      if (!in_sentence(rule.source, at, step))
        values.push_back(first + neighbour(rule.source[at + step]));
    });
  }
  bool has_mixed(const RuleSides& rule) const override {
    bool found = false;
    for_each_neighbour(rule, [&](uint64_t, size_t at, int step) {
      found = found || in_sentence(rule.source, at, step);
    });
    return found;
  }
  void add_mixed_values(const RuleSides& rule, const SentenceWords& sentence, int32_t begin,
                        int32_t end, std::vector<uint64_t>& values) const override {
    for_each_neighbour(rule, [&](uint64_t first, size_t at, int step) {
      if (!in_sentence(rule.source, at, step)) return;
      const uint64_t value = first + neighbour(word(sentence, place(rule, at, begin, end) + step));
      if (!is_known(rule, value)) values.push_back(value);
    });
  }

 private:
  // Calls visit(first, at, step) for the next (step 1) and the previous (-1) neighbour of each
  // linked source word of a listed pair: the first of the pair's values for it, and the position of
  // the word.
  template <typename Visit>
  void for_each_neighbour(const RuleSides& rule, Visit&& visit) const {
    for (const RuleLink link : rule.links) {
      const Symbol source = rule.source[link.source], target = rule.target[link.target];
      if (is_gap(source) || is_gap(target)) continue;
      // Most words are not listed, which costs less to find out than that their pair is not.
      if (neighbours_.find(source) == WordList::kNone) continue;
      const uint32_t* pair = numbers_.find(key(source, target));
      if (pair == nullptr) continue;
      const uint64_t first = uint64_t{*pair - 1} * 2 * neighbour_values();
      visit(first, size_t{link.source}, 1);
      visit(first + neighbour_values(), size_t{link.source}, -1);
    }
  }
  static bool any_gap(std::span<const Symbol> side) noexcept {
    return std::ranges::any_of(side, [](Symbol symbol) { return is_gap(symbol); });
  }
  // Whether the neighbour is outside of the rule's words, and its place is known.
  static bool in_sentence(std::span<const Symbol> source, size_t at, int step) noexcept {
    const bool edge = step > 0 ? at + 1 == source.size() : at == 0;
    if (edge) return true;
    if (!is_gap(source[at + step])) return false;
    return !any_gap(source.first(at)) || !any_gap(source.subspan(at));
  }
  // The place of a word of the rule in the sentence, if no gap precedes it, or none follows.
  static int32_t place(const RuleSides& rule, size_t at, int32_t begin, int32_t end) noexcept {
    if (!any_gap(rule.source.first(at))) return begin + static_cast<int32_t>(at);
    return end - static_cast<int32_t>(rule.source.size() - at);
  }
  static WordId word(const SentenceWords& sentence, int32_t place) noexcept {
    if (place < 0) return kSentenceBegin;
    return static_cast<size_t>(place) < sentence.words.size() ? sentence.words[place]
                                                              : sentence.after;
  }
  // Features fire once per rule, also if one neighbour is a word of the rule and the other is not.
  bool is_known(const RuleSides& rule, uint64_t value) const {
    bool known = false;
    for_each_neighbour(rule, [&](uint64_t first, size_t at, int step) {
      known = known || (!in_sentence(rule.source, at, step) &&
                        value == first + neighbour(rule.source[at + step]));
    });
    return known;
  }

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
