#include "demotic/force/phrase_lookahead.h"

#include <algorithm>

namespace demotic::force {
namespace {

// The words of a phrase, as a set from the first open one on.
uint64_t words_of(const GoldPhrase& phrase, int32_t first) {
  const int32_t before = phrase.begin - first;
  return before < 64 ? first_words(phrase.end - phrase.begin) << before : 0;
}

}  // namespace

void PhraseLookahead::build(const GoldPhrases& phrases, const Space& space) {
  space_ = space;
  cells_.assign((space.length + size_t{1}) * (space.reference_length + size_t{1}), Completions{});
  // Behind the sentence there are no words to cover.
  if (!space.prefixes) cells_[cell(space.length, space.reference_length)] = {~uint64_t{0}, 0};
  for (int32_t at = space.reference_length; at >= 0; --at) {
    empty_.clear();
    for (const GoldPhrase& phrase : phrases.at(at)) {
      if (phrase.size == 0) {
        empty_.push_back(phrase);
        continue;
      }
      add_as_first(phrase);
      add_as_later(phrase);
    }
    if (!empty_.empty()) add_empty(empty_);
  }
}

// The phrase covers the first open word. The next open one is behind the phrase, or behind others
// within reach that were covered before.
void PhraseLookahead::add_as_first(const GoldPhrase& phrase) {
  const int32_t first = phrase.begin, at = phrase.at + phrase.size;
  const int32_t last = std::max<int32_t>(phrase.end, std::min(space_.length, first + space_.reach));
  Completions then;
  bool any = space_.prefixes;
  for (int32_t next = phrase.end; next <= last; ++next) {
    const Completions& some = cells_[cell(next, at)];
    if (!some.any()) continue;
    any = true;
    const int32_t by = next - first;
    then.may |= by < 64 ? some.may << by : 0;
    then.must &= by < 64 ? some.must << by : 0;
  }
  if (!any) return;
  if (space_.prefixes) then.must = 0;
  cells_[cell(first, phrase.at)].add(words_of(phrase, first), then);
}

// The first open word is before the phrase and stays open.
void PhraseLookahead::add_as_later(const GoldPhrase& phrase) {
  Completions* const here = &cells_[cell(0, phrase.at)];
  const Completions* const behind = &cells_[cell(0, phrase.at + phrase.size)];
  for (int32_t first = std::max(0, phrase.end - space_.reach); first < phrase.begin; ++first) {
    const uint64_t words = words_of(phrase, first);
    if (!(behind[first].must & words)) here[first].add(words, behind[first]);
  }
}

// Phrases without target words lead to the same position: with a later first open word, whose cell
// is complete already, or with the same one, any number of times.
void PhraseLookahead::add_empty(std::span<const GoldPhrase> phrases) {
  const int32_t at = phrases.front().at;
  for (int32_t first = space_.length; first-- > 0;) {
    for (const GoldPhrase& phrase : phrases)
      if (phrase.begin == first) add_as_first(phrase);
    Completions& some = cells_[cell(first, at)];
    for (const GoldPhrase& phrase : phrases)
      if (some.any() && phrase.begin > first && phrase.end <= first + space_.reach)
        some.may |= words_of(phrase, first);
  }
}

}  // namespace demotic::force
