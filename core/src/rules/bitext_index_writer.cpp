// Writes the index of a bitext: see bitext_index.h.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "bitext_index_format.h"
#include "demotic/base/errors.h"
#include "demotic/base/flat_map.h"
#include "demotic/base/huge_pages.h"
#include "demotic/base/thread_pool.h"
#include "demotic/rules/bitext_index.h"
#include "demotic/rules/phrase_extract.h"
#include "demotic/rules/target_side.h"
#include "demotic/text/suffix_array.h"
#include "extra_scores.h"
#include "hiero_sections.h"
#include "text_section.h"

namespace demotic::rules {
namespace {

constexpr int64_t kPairsPerTask = 256;  // pairs per task of a thread

// One side of the packed pairs as a text with an end after each sentence, and its suffixes.
struct SideText {
  std::vector<WordId> types;  // see SuffixIndex
  HugeVector<WordId> words;
  HugeVector<uint32_t> positions;  // of each word in the packed numbers
  HugeVector<uint32_t> begins;     // of each pair, in `words`
  HugeVector<uint32_t> suffixes;   // in `words`, without the ends of sentences

  SideText(const Corpus& corpus, const PackedBitext& bitext, bool target) {
    std::vector<bool> occurs(1, true);  // by word; kNull is always listed
    for (const WordId word : corpus.words()) {
      if (static_cast<size_t>(word) >= occurs.size()) occurs.resize(word + size_t{1});
      occurs[word] = true;
    }
    for (size_t word = 0; word < occurs.size(); ++word)
      if (occurs[word]) types.push_back(static_cast<WordId>(word));
    const PackedPart& part = bitext.parts()[0];
    const size_t most = corpus.words().size() + static_cast<size_t>(part.pairs);
    words.reserve(most);
    positions.reserve(most);
    begins.reserve(part.pairs);
    for (int64_t pair = 0; pair < part.pairs; ++pair) {
      begins.push_back(static_cast<uint32_t>(words.size()));
      const PackedPlace& place = part.places[pair];
      const auto side = target ? bitext[pair].target : bitext[pair].source;
      const auto begin = static_cast<uint32_t>(place.words + (target ? place.source + 1 : 0));
      for (uint32_t i = 0; i <= side.size(); ++i) {  // with the end
        words.push_back(part.numbers[begin + i]);
        positions.push_back(begin + i);
      }
    }
  }

  void sort(const StopFlag& stop) {
    suffixes = suffix_array(words, types.back() + 1, stop);
    // Ends are smaller than all words, so that their suffixes come first.
    suffixes.erase(suffixes.begin(), suffixes.begin() + static_cast<int64_t>(begins.size()));
  }
};

class IndexWriter {
 public:
  IndexWriter(const AlignedBitext& bitext, const std::string& path, const ExtractOptions& options,
              const StopFlag& stop)
      : aligned_(bitext),
        bitext_(bitext, stop),
        options_(options),
        path_(path),
        stop_(stop),
        pool_(options.threads),
        writer_(path, kIndexKind, kIndexVersion),
        source_(bitext.source, bitext_, false),
        target_(bitext.target, bitext_, true) {}

  ExtractReport write(const SampleOptions& sampling, Progress& progress) {
    constexpr int64_t kSteps = 4;
    progress.expect(kSteps);
    write_settings(sampling);
    write_bitext();
    progress.advance();
    const bool hiero = options_.kind == RuleKind::kHiero;
    // Hiero does not look for phrases of the target side.
    pool_.for_each(hiero ? 1 : 2, stop_,
                   [&](int64_t side, int) { (side == 0 ? source_ : target_).sort(stop_); });
    progress.advance();
    write_side(source_, "source");
    write_side(target_, "target");
    ExtractReport report;
    report.sentences = aligned_.size();
    if (hiero)
      report.distortion = write_hiero_sections(
          {bitext_, options_, sampling.counted_pairs, path_, stop_}, pool_, writer_);
    else
      write_extractions();
    progress.advance();
    write_lexicon();
    const auto frequent = frequent_first(target_.words);
    // kSideEnd is not a word of the text.
    std::vector<WordId> listed;
    std::ranges::remove_copy(frequent, std::back_inserter(listed), kSideEnd);
    writer_.section("target_words", std::span<const WordId>(listed));
    writer_.commit();
    progress.advance();
    return report;
  }

 private:
  void write_settings(const SampleOptions& sampling) {
    const BitextIndex::Settings settings{.max_phrase = options_.max_phrase,
                                         .min_count = options_.min_count,
                                         .sample = sampling.sample,
                                         .sets = static_cast<int32_t>(aligned_.links.size()),
                                         .tight = options_.tight,
                                         .keep_word_pairs = options_.keep_word_pairs,
                                         .reordering = static_cast<int32_t>(options_.reordering),
                                         .orientation = static_cast<int32_t>(options_.orientation),
                                         .kind = static_cast<int32_t>(options_.kind),
                                         .max_initial = options_.hiero.max_initial,
                                         .max_source_symbols = options_.hiero.max_source_symbols,
                                         .max_gaps = options_.hiero.max_gaps,
                                         .min_gap = options_.hiero.min_gap,
                                         .adjacent_gaps = options_.hiero.adjacent_gaps,
                                         .require_link = options_.hiero.require_link,
                                         .share_count = options_.hiero.share_count,
                                         .reordering_smoothing = options_.reordering_smoothing,
                                         .min_gapped_count = options_.hiero.min_gapped_count,
                                         .seed = sampling.seed};
    writer_.section("settings", std::span(&settings, 1));
    write_lines(writer_, "extra_scores", options_.extra_scores);
  }

  void write_bitext() {
    const PackedPart& part = bitext_.parts()[0];
    writer_.section("places", part.places);
    writer_.section("numbers", part.numbers);
    std::vector<uint32_t> pairs_at;
    uint32_t pair = 0;
    for (size_t block = 0; block <= part.numbers.size() / BitextIndex::kBlock; ++block) {
      const auto position = static_cast<int64_t>(block * BitextIndex::kBlock);
      while (pair + 1 < part.pairs && part.places[pair + 1].words <= position) ++pair;
      pairs_at.push_back(pair);
    }
    writer_.section("pairs_at", std::span<const uint32_t>(pairs_at));
  }

  void write_side(const SideText& side, const std::string& name) {
    HugeVector<uint32_t> positions(side.suffixes.size());
    std::ranges::transform(side.suffixes, positions.begin(),
                           [&](uint32_t at) { return side.positions[at]; });
    writer_.section(name + "_suffixes", std::span<const uint32_t>(positions));
    writer_.section(name + "_types", std::span<const WordId>(side.types));
    std::vector<uint32_t> begins{0};
    for (uint32_t rank = 0; const WordId type : side.types) {
      while (rank < side.suffixes.size() && side.words[side.suffixes[rank]] == type) ++rank;
      begins.push_back(rank);
    }
    writer_.section(name + "_begins", std::span<const uint32_t>(begins));
  }

  // The number of phrase pairs with each target phrase, by number of words, then by position.
  std::vector<HugeVector<uint8_t>> count_extractions() {
    std::vector<HugeVector<uint8_t>> counts(options_.max_phrase);
    for (auto& plane : counts) plane.assign(target_.words.size(), 0);
    std::vector<PhraseExtractor> extractors(
        pool_.threads(), PhraseExtractor(options_.max_phrase, options_.max_phrase, options_.tight));
    std::atomic<bool> too_many{false};
    const int64_t pairs = bitext_.pairs();
    pool_.for_each(
        (pairs + kPairsPerTask - 1) / kPairsPerTask, stop_, [&](int64_t batch, int worker) {
          for (int64_t pair = batch * kPairsPerTask;
               pair < std::min(pairs, (batch + 1) * kPairsPerTask); ++pair)
            for (int64_t row = pair; row < bitext_.size(); row += pairs)
              for (const PhraseSpan& phrase : extractors[worker].extract(bitext_[row])) {
                uint8_t& count =
                    counts[phrase.target_size() - 1][target_.begins[pair] + phrase.target_begin];
                if (++count == 0) too_many = true;
              }
        });
    if (too_many)
      throw ModelError({.found = "a target phrase with more than 255 source phrases in one pair",
                        .expected = "shorter phrases or fewer sets of links",
                        .advice = "lower the maximum phrase length"});
    return counts;
  }

  void write_extractions() {
    const auto counts = count_extractions();
    std::vector<uint64_t> sums;
    HugeVector<uint8_t> plane(target_.suffixes.size());
    writer_.begin_section("extractions", 1);
    for (const auto& by_position : counts) {
      stop_.check();
      std::ranges::transform(target_.suffixes, plane.begin(),
                             [&](uint32_t at) { return by_position[at]; });
      writer_.append(std::span<const uint8_t>(plane));
      uint64_t sum = 0;
      for (size_t i = 0; i < plane.size(); ++i) {
        if (i % BitextIndex::kBlock == 0) sums.push_back(sum);
        sum += plane[i];
      }
      if (plane.size() % BitextIndex::kBlock == 0) sums.push_back(sum);
    }
    writer_.section("extraction_sums", std::span<const uint64_t>(sums));
  }

  void write_lexicon() {
    FlatMap<uint64_t, uint32_t> counts;
    std::vector<uint64_t> sources(source_.types.back() + 1), targets(target_.types.back() + 1);
    for_each_linked_pair(aligned_, stop_, [&](WordId source, WordId target) {
      ++counts[static_cast<uint64_t>(source) << 32 | static_cast<uint32_t>(target)];
      ++sources[source];
      ++targets[target];
    });
    std::vector<uint64_t> keys;
    keys.reserve(counts.size());
    counts.for_each([&](uint64_t key, uint32_t) { keys.push_back(key); });
    std::ranges::sort(keys);
    std::vector<uint64_t> begins{0};
    std::vector<WordId> words;
    std::vector<uint32_t> links;
    for (auto key = keys.begin(); const WordId type : source_.types) {
      for (; key != keys.end() && static_cast<WordId>(*key >> 32) == type; ++key) {
        words.push_back(static_cast<WordId>(*key));
        links.push_back(*counts.find(*key));
      }
      begins.push_back(words.size());
    }
    writer_.section("lexicon_begins", std::span<const uint64_t>(begins));
    writer_.section("lexicon_words", std::span<const WordId>(words));
    writer_.section("lexicon_counts", std::span<const uint32_t>(links));
    write_totals(source_, sources, "source_links");
    write_totals(target_, targets, "target_links");
  }

  void write_totals(const SideText& side, const std::vector<uint64_t>& by_word, const char* name) {
    std::vector<uint64_t> by_type;
    for (const WordId type : side.types) by_type.push_back(by_word[type]);
    writer_.section(name, std::span<const uint64_t>(by_type));
  }

  const AlignedBitext& aligned_;
  const PackedBitext bitext_;
  const ExtractOptions& options_;
  const std::string& path_;
  const StopFlag& stop_;
  ThreadPool pool_;
  ContainerWriter writer_;
  SideText source_, target_;
};

// Checked before the bitext is packed, which takes a few bytes per word and link.
void check_size(const AlignedBitext& bitext) {
  const int64_t numbers = PackedBitext::most_numbers(bitext);
  if (numbers > UINT32_MAX)
    throw ModelError(
        {.found = "a bitext of " + std::to_string(numbers) + " words and links",
         .expected = "at most 2^32 for an index, with the ends of sentences",
         .advice = "begin with a part of the text and add the rest with demotic add, or build a "
                   "table of rules"});
}

}  // namespace

ExtractReport write_bitext_index(const AlignedBitext& bitext, const std::string& path,
                                 const ExtractOptions& options, const SampleOptions& sampling,
                                 const StopFlag& stop, Progress& progress) {
  if (options.smoothing != Smoothing::kNone || !std::isinf(options.significance))
    throw std::invalid_argument("rules on demand without smoothing and significance");
  if (options.kind == RuleKind::kHiero && options.hiero.adjacent_gaps)
    throw std::invalid_argument("rules on demand without adjacent gaps");
  for (const std::string& name : options.extra_scores) extra_score(name);
  check_size(bitext);
  return IndexWriter(bitext, path, options, stop).write(sampling, progress);
}

}  // namespace demotic::rules
