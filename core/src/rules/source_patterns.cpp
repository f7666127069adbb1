#include "source_patterns.h"

#include <algorithm>

#include "stratified.h"

namespace demotic::rules {
namespace {

// Looking to the left costs more: the beginning of the sentence has to be found.
constexpr double kLeftCost = 3;

// Words from the first to the last one of an occurrence.
int32_t span_of(const Pattern& pattern, const PatternPlace& place) {
  return (pattern.gaps > 0 ? place.pieces[pattern.gaps - 1] : 0) + pattern.sizes[pattern.gaps];
}

}  // namespace

SourcePatterns::SourcePatterns(const std::vector<BitextIndex>& indices,
                               const ExtractOptions& options)
    : indices_(indices),
      options_(options.hiero),
      most_scanned_(kScanned * static_cast<uint64_t>(indices[0].settings().sample)),
      seed_(static_cast<uint64_t>(indices[0].settings().seed)),
      patterns_(1) {}

void SourcePatterns::spell(PatternId id, std::vector<Symbol>& symbols) const {
  symbols.clear();
  for (; id != 0; id = patterns_[id].prefix) {
    symbols.push_back(patterns_[id].last);
    if (patterns_[id].gap_before_last()) symbols.push_back(gap_symbol(kLabelX));
  }
  std::ranges::reverse(symbols);
}

bool SourcePatterns::allowed(const Extension& extension) const noexcept {
  const Pattern& prefix = patterns_[extension.prefix];
  const int32_t words = prefix.words + 1, gaps = prefix.gaps + extension.gap;
  return gaps <= options_.max_gaps && words + gaps <= options_.max_source_symbols &&
         words + gaps * options_.min_gap <= options_.max_initial;
}

// The pattern without its first word; kAbsent if it does not occur.
PatternId SourcePatterns::suffix_of(const Extension& extension) const noexcept {
  if (extension.prefix == 0) return 0;
  const PatternId suffix = patterns_[extension.prefix].suffix;
  const PatternId* found = find({suffix, extension.word, extension.gap && suffix != 0});
  return found ? *found : kAbsent;
}

bool SourcePatterns::begin(const Extension& extension, const StopFlag& stop) {
  const PatternId suffix = suffix_of(extension);
  if (suffix == kAbsent) return false;
  recall(extension.prefix, stop);
  recall(suffix, stop);
  return true;
}

Pattern SourcePatterns::extended(const Extension& extension) const noexcept {
  Pattern pattern = patterns_[extension.prefix];
  pattern.prefix = extension.prefix;
  pattern.suffix = suffix_of(extension);
  if (pattern.words == 0) pattern.first = extension.word;
  pattern.last = extension.word;
  ++pattern.words;
  pattern.gaps += extension.gap;
  ++pattern.sizes[pattern.gaps];
  pattern.all = 0;
  pattern.complete = true;
  return pattern;
}

SourcePatterns::Found SourcePatterns::look_up(const Extension& extension,
                                              const StopFlag& stop) const {
  Found found{extended(extension), {}, {}};
  if (found.pattern.gaps == 0) {
    find_phrase(found);
    return found;
  }
  const Pattern &prefix = patterns_[found.pattern.prefix],
                &suffix = patterns_[found.pattern.suffix];
  if (static_cast<double>(prefix.all) <= kLeftCost * suffix.all)
    extend_right(found, stop);
  else
    extend_left(found, stop);
  return found;
}

void SourcePatterns::find_phrase(Found& found) const {
  std::vector<Symbol> words;
  spell(found.pattern.prefix, words);
  words.push_back(found.pattern.last);
  for (const BitextIndex& index : indices_) {
    found.ranges.push_back(index.source().find(words));
    found.pattern.all += found.ranges.back().size();
  }
}

// Calls visit(place, numbers) for the places of a shorter pattern, or a sample of them.
template <typename Visit>
void SourcePatterns::scan(PatternId id, Found& found, const StopFlag& stop, Visit&& visit) const {
  constexpr uint64_t kAhead = 16;
  const uint64_t count = places(id);
  const uint64_t random =
      mix64(seed_ + static_cast<uint32_t>(found.pattern.first) * uint64_t{0x9e3779b97f4a7c15} +
            static_cast<uint32_t>(found.pattern.last));
  uint64_t visited = 0;
  const uint64_t taken = for_each_sampled(count, most_scanned_, random, [&](uint64_t number) {
    if (++visited % 65536 == 0) stop.check();
    if (number + kAhead < count) {
      const PatternPlace next = place(id, number + kAhead);
      __builtin_prefetch(indices_[next.part].part().numbers.data() + next.position);
    }
    const PatternPlace at = place(id, number);
    visit(at, indices_[at.part].part().numbers.data());
  });
  found.pattern.complete = patterns_[id].complete && taken == count;
  const double scale = taken == 0 ? 1 : patterns_[id].all / static_cast<double>(taken);
  found.pattern.all = static_cast<double>(found.places.size()) * scale;
}

// From the places of the prefix.
void SourcePatterns::extend_right(Found& found, const StopFlag& stop) const {
  const Pattern &pattern = found.pattern, &prefix = patterns_[pattern.prefix];
  scan(pattern.prefix, found, stop, [&](PatternPlace place, const WordId* numbers) {
    const int32_t size = span_of(prefix, place);
    const WordId* words = numbers + place.position;
    if (!pattern.gap_before_last()) {
      if (size < options_.max_initial && words[size] == pattern.last) found.places.push_back(place);
      return;
    }
    int32_t at = size;
    for (; at < size + options_.min_gap; ++at)
      if (words[at] == kSideEnd) return;
    for (; at < options_.max_initial && words[at] != kSideEnd; ++at) {
      if (words[at] != pattern.last) continue;
      place.pieces[pattern.gaps - 1] = static_cast<uint8_t>(at);
      found.places.push_back(place);
    }
  });
}

// From the places of the suffix.
void SourcePatterns::extend_left(Found& found, const StopFlag& stop) const {
  const Pattern &pattern = found.pattern, &suffix = patterns_[pattern.suffix];
  scan(pattern.suffix, found, stop, [&](PatternPlace place, const WordId* numbers) {
    const BitextIndex& index = indices_[place.part];
    const int64_t begin = index.part().places[index.pair_at(place.position)].words;
    const int64_t first =
        std::max(begin, int64_t{place.position} + span_of(suffix, place) - options_.max_initial);
    const auto add = [&](int64_t at) {
      PatternPlace longer = place;
      const auto distance = static_cast<int32_t>(place.position - at);
      longer.position = static_cast<uint32_t>(at);
      for (int32_t k = 0; k < suffix.gaps; ++k)
        longer.pieces[k + pattern.gaps - suffix.gaps] =
            static_cast<uint8_t>(place.pieces[k] + distance);
      if (pattern.gap_after_first()) longer.pieces[0] = static_cast<uint8_t>(distance);
      found.places.push_back(longer);
    };
    if (!pattern.gap_after_first()) {
      const int64_t at = int64_t{place.position} - 1;
      if (at >= first && numbers[at] == pattern.first) add(at);
      return;
    }
    for (int64_t at = int64_t{place.position} - 1 - options_.min_gap; at >= first; --at)
      if (numbers[at] == pattern.first) add(at);
  });
}

PatternId SourcePatterns::add(const Extension& extension, Found&& found) {
  Pattern& pattern = found.pattern;
  if (pattern.all == 0) {
    add_absent(extension);
    return kAbsent;
  }
  if (pattern.gaps == 0) {
    pattern.places = static_cast<uint32_t>(ranges_.size());
    ranges_.insert(ranges_.end(), found.ranges.begin(), found.ranges.end());
  } else {
    pattern.places = static_cast<uint32_t>(places_.size());
    place_count_ += found.places.size();
    places_.push_back(std::move(found.places));
  }
  const PatternId id = size();
  patterns_.push_back(pattern);
  known_[extension.key()] = id;
  return id;
}

uint64_t SourcePatterns::places(PatternId id) const noexcept {
  const Pattern& pattern = patterns_[id];
  if (pattern.gaps > 0) return places_[pattern.places].size();
  uint64_t count = 0;
  for (size_t part = 0; part < indices_.size(); ++part)
    count += ranges_[pattern.places + part].size();
  return count;
}

PatternPlace SourcePatterns::place(PatternId id, uint64_t number) const noexcept {
  const Pattern& pattern = patterns_[id];
  if (pattern.gaps > 0) return places_[pattern.places][number];
  size_t part = 0;
  const SuffixRange* range = &ranges_[pattern.places];
  for (; number >= range->size(); ++range, ++part) number -= range->size();
  return {
      indices_[part].source().suffixes()[range->begin + number], static_cast<uint16_t>(part), {}};
}

void SourcePatterns::limit_memory() {
  if (place_count_ < kMostPlaces) return;
  for (Pattern& pattern : patterns_)
    if (pattern.gaps > 0) pattern.places = kForgotten;
  places_.clear();
  place_count_ = 0;
}

void SourcePatterns::recall(PatternId id, const StopFlag& stop) {
  if (patterns_[id].gaps == 0 || patterns_[id].places != kForgotten) return;
  const Pattern pattern = patterns_[id];
  recall(pattern.prefix, stop);
  recall(pattern.suffix, stop);
  Found found = look_up({pattern.prefix, pattern.last, pattern.gap_before_last()}, stop);
  patterns_[id].places = static_cast<uint32_t>(places_.size());
  place_count_ += found.places.size();
  places_.push_back(std::move(found.places));
}

}  // namespace demotic::rules
