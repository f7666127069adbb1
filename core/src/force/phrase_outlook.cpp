#include "demotic/force/phrase_outlook.h"

#include <algorithm>

namespace demotic::force {
namespace {

// The words of a phrase, seen from the first open one.
uint64_t words_of(const GoldPhrase& phrase, int32_t first) {
  const int32_t before = phrase.begin - first;
  return before < 64 ? first_words(phrase.end - phrase.begin) << before : 0;
}

}  // namespace

void PhraseOutlook::build(const GoldPhrases& phrases, const Space& space) {
  space_ = space;
  cells_.assign((space.length + size_t{1}) * (space.reference_length + size_t{1}), Ways{});
  // What would stand behind the sentence is no word that has to be covered.
  if (!space.beginnings) cells_[cell(space.length, space.reference_length)] = {~uint64_t{0}, 0};
  for (int32_t place = space.reference_length; place >= 0; --place) {
    empty_.clear();
    for (const GoldPhrase& phrase : phrases.at(place)) {
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

// The first open word is the phrase's own. The next one is behind the phrase, and behind others
// that were within reach.
void PhraseOutlook::add_as_first(const GoldPhrase& phrase) {
  const int32_t first = phrase.begin, at = phrase.at + phrase.size;
  const int32_t last = std::max<int32_t>(phrase.end, std::min(space_.length, first + space_.reach));
  Ways then;
  bool any = space_.beginnings;
  for (int32_t next = phrase.end; next <= last; ++next) {
    const Ways& ways = cells_[cell(next, at)];
    if (!ways.any()) continue;
    any = true;
    const int32_t by = next - first;
    then.may |= by < 64 ? ways.may << by : 0;
    then.must &= by < 64 ? ways.must << by : 0;
  }
  if (!any) return;
  if (space_.beginnings) then.must = 0;
  cells_[cell(first, phrase.at)].add(words_of(phrase, first), then);
}

// The first open word is before the phrase, and still open behind it.
void PhraseOutlook::add_as_later(const GoldPhrase& phrase) {
  Ways* const here = &cells_[cell(0, phrase.at)];
  const Ways* const behind = &cells_[cell(0, phrase.at + phrase.size)];
  for (int32_t first = std::max(0, phrase.end - space_.reach); first < phrase.begin; ++first) {
    const uint64_t words = words_of(phrase, first);
    if (!(behind[first].must & words)) here[first].add(words, behind[first]);
  }
}

// Phrases without target words lead to the same place with a later first open word, which is done
// before, or with the same one, as often as one likes.
void PhraseOutlook::add_empty(std::span<const GoldPhrase> phrases) {
  const int32_t at = phrases.front().at;
  for (int32_t first = space_.length; first-- > 0;) {
    for (const GoldPhrase& phrase : phrases)
      if (phrase.begin == first) add_as_first(phrase);
    Ways& ways = cells_[cell(first, at)];
    for (const GoldPhrase& phrase : phrases)
      if (ways.any() && phrase.begin > first && phrase.end <= first + space_.reach)
        ways.may |= words_of(phrase, first);
  }
}

}  // namespace demotic::force
