#include "demotic/rules/bitext_index.h"

#include <algorithm>
#include <numeric>

#include "bitext_index_format.h"
#include "demotic/base/errors.h"
#include "text_section.h"

namespace demotic::rules {

size_t SuffixIndex::rank(WordId word) const noexcept {
  const auto found = std::ranges::lower_bound(types_, word);
  return found == types_.end() || *found != word ? types_.size() : found - types_.begin();
}

SuffixRange SuffixIndex::find(std::span<const WordId> words) const noexcept {
  const size_t first = rank(words[0]);
  if (first == types_.size()) return {};
  const SuffixRange all{begins_[first], begins_[first + 1]};
  if (words.size() == 1) return all;
  const auto rest = words.subspan(1);
  // The order of the words at a suffix relative to `rest`; a side's end is smaller than any word.
  const auto compare = [&](uint32_t suffix) {
    const WordId* at = numbers_.data() + suffix + 1;
    for (const WordId word : rest) {
      if (*at != word || *at == kSideEnd) return *at < word ? -1 : 1;
      ++at;
    }
    return 0;
  };
  const auto begin = suffixes_.begin() + all.begin, end = suffixes_.begin() + all.end;
  const auto low =
      std::partition_point(begin, end, [&](uint32_t suffix) { return compare(suffix) < 0; });
  const auto high =
      std::partition_point(low, end, [&](uint32_t suffix) { return compare(suffix) == 0; });
  return {static_cast<uint32_t>(low - suffixes_.begin()),
          static_cast<uint32_t>(high - suffixes_.begin())};
}

bool SuffixIndex::sound() const noexcept {
  return !types_.empty() && types_.front() == kNull &&
         std::ranges::is_sorted(types_, std::less_equal()) && begins_.size() == types_.size() + 1 &&
         begins_.front() == 0 && begins_.back() == suffixes_.size() &&
         std::ranges::is_sorted(begins_) &&
         std::ranges::all_of(suffixes_, [&](uint32_t at) { return at < numbers_.size(); });
}

bool BitextIndex::sound_settings(const Settings& settings) noexcept {
  return settings.sets >= 1 && settings.max_phrase >= 1 && settings.sample >= 0 &&
         (settings.kind == static_cast<int32_t>(RuleKind::kPhrase) ||
          (settings.kind == static_cast<int32_t>(RuleKind::kHiero) && settings.max_initial >= 1 &&
           settings.max_initial <= kMaxPhraseSize && settings.max_source_symbols >= 1 &&
           settings.max_gaps >= 0 && settings.max_gaps <= kMaxGaps && settings.min_gap >= 1 &&
           settings.adjacent_gaps == 0 && settings.min_gapped_count >= 0));
}

bool BitextIndex::is_index(const std::string& path) {
  return Container::kind_of(path) == kIndexKind;
}

BitextIndex BitextIndex::open(const std::string& path, bool verify, const StopFlag& stop) {
  BitextIndex index;
  index.container_ = std::make_shared<const Container>(path, kIndexKind, kIndexVersion);
  const Container& file = *index.container_;
  if (verify) file.verify(stop);
  const auto fail = [&] {
    throw FormatError({.path = path,
                       .found = "inconsistent arrays",
                       .expected = "an indexed bitext",
                       .advice = "build the file again"});
  };
  const auto settings = file.section<Settings>("settings");
  if (settings.size() != 1 || !sound_settings(settings[0])) fail();
  index.settings_ = settings[0];
  index.extra_scores_ = split_lines(file.section<char>("extra_scores"));
  const auto places = file.section<PackedPlace>("places");
  const auto numbers = file.section<WordId>("numbers");
  index.part_ = {places, numbers, static_cast<int64_t>(places.size()) / settings[0].sets,
                 index.container_};
  const auto side = [&](const std::string& name) {
    return SuffixIndex(file.section<WordId>(name + "_types"),
                       file.section<uint32_t>(name + "_begins"),
                       file.section<uint32_t>(name + "_suffixes"), numbers);
  };
  index.source_ = side("source");
  index.target_ = side("target");
  index.pairs_at_ = file.section<uint32_t>("pairs_at");
  if (index.hiero()) {
    index.target_totals_ = {file.section<uint32_t>("target_buckets"),
                            file.section<TargetTotals::Entry>("target_totals")};
    index.counted_pairs_ = index.part_.pairs;
    if (file.has("counted_pairs")) {  // older files have counts of all
      const auto counted = file.section<int64_t>("counted_pairs");
      if (counted.size() != 1 || counted[0] < std::min<int64_t>(1, index.part_.pairs) ||
          counted[0] > index.part_.pairs)
        fail();
      index.counted_pairs_ = counted[0];
    }
  } else {
    index.extractions_ = file.section<uint8_t>("extractions");
    index.extraction_sums_ = file.section<uint64_t>("extraction_sums");
  }
  index.lexicon_begins_ = file.section<uint64_t>("lexicon_begins");
  index.lexicon_words_ = file.section<WordId>("lexicon_words");
  index.lexicon_counts_ = file.section<uint32_t>("lexicon_counts");
  index.source_links_ = file.section<uint64_t>("source_links");
  index.target_links_ = file.section<uint64_t>("target_links");
  index.target_words_ = file.section<WordId>("target_words");
  if (verify && !index.sound()) fail();
  return index;
}

ExtractOptions BitextIndex::options() const {
  ExtractOptions options;
  options.kind = static_cast<RuleKind>(settings_.kind);
  options.max_phrase = settings_.max_phrase;
  options.hiero = {.max_initial = settings_.max_initial,
                   .max_source_symbols = settings_.max_source_symbols,
                   .max_gaps = settings_.max_gaps,
                   .min_gap = settings_.min_gap,
                   .tight = settings_.tight != 0,
                   .adjacent_gaps = settings_.adjacent_gaps != 0,
                   .require_link = settings_.require_link != 0,
                   .share_count = settings_.share_count != 0,
                   .min_gapped_count = settings_.min_gapped_count};
  options.min_count = settings_.min_count;
  options.tight = settings_.tight != 0;
  options.keep_word_pairs = settings_.keep_word_pairs != 0;
  options.reordering = static_cast<ReorderingModel>(settings_.reordering);
  options.orientation = static_cast<OrientationModel>(settings_.orientation);
  options.reordering_smoothing = settings_.reordering_smoothing;
  options.extra_scores = extra_scores_;
  return options;
}

uint32_t BitextIndex::pair_at(uint32_t position) const noexcept {
  uint32_t pair = pairs_at_[position / kBlock];
  while (pair + 1 < part_.pairs && part_.places[pair + 1].words <= position) ++pair;
  return pair;
}

uint64_t BitextIndex::extractions_below(uint32_t rank, size_t words) const noexcept {
  const size_t suffixes = target_.suffixes().size(), block = rank / kBlock;
  const uint8_t* plane = extractions_.data() + (words - 1) * suffixes;
  const uint64_t before = extraction_sums_[(words - 1) * (suffixes / kBlock + 1) + block];
  return std::accumulate(plane + block * kBlock, plane + rank, before);
}

uint32_t BitextIndex::linked(WordId source, WordId target) const noexcept {
  const size_t rank = source_.rank(source);
  if (rank == source_.types().size()) return 0;
  const auto begin = lexicon_words_.begin() + lexicon_begins_[rank];
  const auto end = lexicon_words_.begin() + lexicon_begins_[rank + 1];
  const auto found = std::lower_bound(begin, end, target);
  return found == end || *found != target ? 0 : lexicon_counts_[found - lexicon_words_.begin()];
}

double BitextIndex::target_count(std::span<const Symbol> target) const noexcept {
  if (hiero()) {
    const double total = target_totals_.find(target);
    if (counted_pairs_ == part_.pairs || std::ranges::none_of(target, is_gap)) return total;
    return total * static_cast<double>(part_.pairs) / static_cast<double>(counted_pairs_);
  }
  const SuffixRange range = target_.find(target);
  return static_cast<double>(extractions_below(range.end, target.size()) -
                             extractions_below(range.begin, target.size()));
}

// Everything that look-ups rely on.
bool BitextIndex::sound() const noexcept {
  return source_.sound() && target_.sound() && sound_bitext() &&
         (hiero() ? target_totals_.sound() : sound_phrases()) &&
         lexicon_begins_.size() == source_.types().size() + 1 &&
         source_links_.size() == source_.types().size() &&
         target_links_.size() == target_.types().size() && lexicon_begins_.front() == 0 &&
         lexicon_begins_.back() == lexicon_words_.size() &&
         lexicon_words_.size() == lexicon_counts_.size() && std::ranges::is_sorted(lexicon_begins_);
}

bool BitextIndex::sound_phrases() const noexcept {
  const size_t suffixes = target_.suffixes().size();
  const auto planes = static_cast<size_t>(settings_.max_phrase);
  return extractions_.size() == planes * suffixes &&
         extraction_sums_.size() == planes * (suffixes / kBlock + 1);
}

bool BitextIndex::sound_bitext() const noexcept {
  const size_t numbers = part_.numbers.size();
  if (part_.places.size() % static_cast<size_t>(settings_.sets) != 0 ||
      pairs_at_.size() != numbers / kBlock + 1)
    return false;
  const auto inside = [&](const PackedPlace& place) {
    const size_t words = size_t{place.source} + place.target + 2;
    if (place.words < 0 || place.words + words > numbers || place.links < 0 ||
        place.links + size_t{place.link_count} > numbers)
      return false;
    const auto* links = reinterpret_cast<const PackedLink*>(part_.numbers.data() + place.links);
    return part_.numbers[place.words + place.source] == kSideEnd &&
           part_.numbers[place.words + words - 1] == kSideEnd &&
           std::ranges::all_of(std::span(links, place.link_count), [&](PackedLink link) {
             return link.source() < place.source && link.target() < place.target;
           });
  };
  return std::ranges::all_of(part_.places, inside) &&
         std::ranges::all_of(
             pairs_at_, [&](uint32_t pair) { return pair < std::max<int64_t>(1, part_.pairs); });
}

}  // namespace demotic::rules
