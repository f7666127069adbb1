#include "demotic/rules/extract_rules.h"

#include <cmath>
#include <filesystem>
#include <limits>

#include "demotic/base/thread_pool.h"
#include "demotic/rules/rule_store_writer.h"
#include "rule_counter.h"

namespace demotic {
namespace {

constexpr int64_t kBatch = 64;  // sentences that a thread takes at once

std::vector<std::string> score_names(const ExtractOptions& options) {
  std::vector<std::string> names = {"source_given_target", "lexical_source_given_target",
                                    "target_given_source", "lexical_target_given_source"};
  const auto add = [&](const std::string& side) {
    for (const char* name : {"monotone", "swap", "discontinuous"})
      names.push_back("reordering_" + side + "_" + name);
  };
  if (options.kind == RuleKind::kHiero) return names;
  if (options.reordering != ReorderingModel::kNone) add("backward");
  if (options.reordering == ReorderingModel::kBidirectional) add("forward");
  return names;
}

// A log that decoders can add up: what never happened is unlikely, not impossible.
float safe_log(double p) { return static_cast<float>(std::log(std::max(p, 1e-40))); }

Occurrence phrase_occurrence(const AlignedBitext& bitext, int32_t sentence,
                             const PhraseSpan& phrase) {
  Occurrence o{};
  o.sentence = sentence;
  o.source_begin = static_cast<uint16_t>(phrase.source_begin);
  o.target_begin = static_cast<uint16_t>(phrase.target_begin);
  o.source_size = static_cast<uint8_t>(phrase.source_size());
  o.target_size = static_cast<uint8_t>(phrase.target_size());
  o.count = 1;
  const auto source = bitext.source[sentence].subspan(o.source_begin, o.source_size);
  const auto target = bitext.target[sentence].subspan(o.target_begin, o.target_size);
  o.key = hash_symbols(target, hash_symbols(source));
  return o;
}

// Rules of one sentence at a time, by one thread.
class SentenceExtractor {
 public:
  explicit SentenceExtractor(const ExtractOptions& options)
      : options_(options),
        phrases_(options.max_phrase, options.max_phrase, options.tight),
        hiero_(options.hiero) {}

  void extract(const AlignedBitext& bitext, int32_t sentence, std::vector<Occurrence>& out) {
    if (options_.kind == RuleKind::kHiero) return hiero_.extract(bitext, sentence, out);
    const auto source = static_cast<int32_t>(bitext.source[sentence].size());
    const auto target = static_cast<int32_t>(bitext.target[sentence].size());
    for (const PhraseSpan& phrase : phrases_.extract(source, target, bitext.links[sentence])) {
      Occurrence& o = out.emplace_back(phrase_occurrence(bitext, sentence, phrase));
      o.orientations = static_cast<uint8_t>(static_cast<int>(phrases_.previous(phrase)) |
                                            static_cast<int>(phrases_.next(phrase)) << 2);
    }
  }

 private:
  const ExtractOptions& options_;
  PhraseExtractor phrases_;
  HieroExtractor hiero_;
};

// Counts, scores and writes what was extracted.
class Builder {
 public:
  Builder(const AlignedBitext& bitext, const LexicalTable& lexicon, const std::string& path,
          const ExtractOptions& options, const StopFlag& stop)
      : bitext_(bitext),
        lexicon_(lexicon),
        options_(options),
        stop_(stop),
        folder_(std::filesystem::absolute(path).parent_path().string()),
        occurrences_(options.memory / 2, folder_),
        writer_(path, score_names(options), {"X", "S"}) {}

  void add(const Occurrence& occurrence) {
    ++report.occurrences;
    occurrences_.add(occurrence);
  }

  void finish() {
    TargetSorter by_target(options_.memory / 2, folder_);
    count(by_target);
    SourceSorter by_source(options_.memory / 2, folder_, BySource{&bitext_});
    number_targets(by_target, by_source);
    write_sources(by_source);
    writer_.commit();
  }

  ExtractReport report;

 private:
  using Group = std::span<CountedRule>;

  bool kept(const CountedRule& counted) const {
    if (counted.occurrences >= options_.min_count) return true;
    return options_.keep_word_pairs && counted.place.source_size == 1 &&
           counted.place.target_size == 1;
  }

  // First sort: occurrences of a rule.
  void count(TargetSorter& by_target) {
    Grouper<Occurrence> grouper;
    const auto same = [&](const auto& a, const auto& b) { return same_rule(bitext_, a, b); };
    const auto emit = [&](std::span<Occurrence> group) { by_target.add(counted(bitext_, group)); };
    occurrences_.drain(stop_, [&](const Occurrence& occurrence) {
      grouper.add(occurrence, [](const Occurrence& o) { return o.key; }, same, emit);
    });
    grouper.flush(same, emit);
  }

  // Second sort: totals and numbers of target sides.
  void number_targets(TargetSorter& by_target, SourceSorter& by_source) {
    Grouper<CountedRule> grouper;
    std::vector<Symbol> buffer;
    const auto same = [&](const CountedRule& a, const CountedRule& b) {
      return same_target(bitext_, a.place, b.place);
    };
    const auto emit = [&](Group group) {
      const auto total = static_cast<float>(total_count(group));
      const bool any = std::any_of(group.begin(), group.end(), [&](auto& c) { return kept(c); });
      const uint32_t id =
          any ? writer_.add_target(target_symbols(bitext_, group[0].place, buffer), total) : 0;
      for (CountedRule& rule : group) {
        rule.target = id;
        rule.target_total = total;
        by_source.add(rule);
      }
    };
    by_target.drain(stop_, [&](const CountedRule& rule) {
      grouper.add(rule, [](const CountedRule& c) { return c.target_hash; }, same, emit);
    });
    grouper.flush(same, emit);
  }

  // Third sort: totals of source sides, and the rules in the order of the trie.
  void write_sources(SourceSorter& by_source) {
    std::vector<CountedRule> group;
    by_source.drain(stop_, [&](const CountedRule& rule) {
      if (!group.empty() && !same_source(bitext_, group.front(), rule)) {
        write_source(group);
        group.clear();
      }
      group.push_back(rule);
    });
    if (!group.empty()) write_source(group);
  }

  static double total_count(Group group) {
    double total = 0;
    for (const CountedRule& rule : group) total += rule.count;
    return total;
  }

  void write_source(Group group) {
    const double total = total_count(group);
    report.rules += static_cast<int64_t>(group.size());
    bool begun = false;
    for (const CountedRule& rule : group) {
      if (!kept(rule)) {
        ++report.removed;
        continue;
      }
      if (!std::exchange(begun, true)) {
        std::vector<Symbol> buffer;
        writer_.begin_source(source_symbols(bitext_, rule.place, buffer),
                             static_cast<float>(total));
      }
      write_rule(rule, total);
    }
  }

  void write_rule(const CountedRule& counted, double source_total) {
    spell(bitext_, counted.place, rule_);
    links_.clear();
    for (const Link link : rule_.links)
      links_.push_back({static_cast<uint8_t>(link.source), static_cast<uint8_t>(link.target)});
    scores_ = {safe_log(counted.count / counted.target_total),
               safe_log(lexicon_.weigh_source(rule_)), safe_log(counted.count / source_total),
               safe_log(lexicon_.weigh_target(rule_))};
    if (options_.kind == RuleKind::kPhrase) add_reordering(counted);
    writer_.add_rule({counted.target, links_, counted.occurrences,
                      counted.occurrences == 1 ? counted.place.sentence : -1, kLabelX, scores_});
  }

  void add_reordering(const CountedRule& counted) {
    const double smoothing = options_.reordering_smoothing;
    const double total = counted.occurrences + 3 * smoothing;
    for (int side = 0; side < static_cast<int>(options_.reordering); ++side) {
      const int32_t monotone = counted.orientations[2 * side];
      const int32_t swap = counted.orientations[2 * side + 1];
      for (const int32_t count : {monotone, swap, counted.occurrences - monotone - swap})
        scores_.push_back(safe_log((count + smoothing) / total));
    }
  }

  const AlignedBitext& bitext_;
  const LexicalTable& lexicon_;
  const ExtractOptions& options_;
  const StopFlag& stop_;
  std::string folder_;
  OccurrenceSorter occurrences_;
  RuleStoreWriter writer_;
  Rule rule_;
  std::vector<RuleLink> links_;
  std::vector<float> scores_;
};

}  // namespace

ExtractReport extract_rules(const AlignedBitext& bitext, const LexicalTable& lexicon,
                            const std::string& path, const ExtractOptions& options,
                            const StopFlag& stop, Progress& progress) {
  Builder builder(bitext, lexicon, path, options, stop);
  ThreadPool pool(options.threads);
  std::vector<SentenceExtractor> extractors(pool.threads(), SentenceExtractor(options));
  progress.expect(bitext.size());
  const auto extract_batch = [&](int64_t batch, int worker) {
    std::vector<Occurrence> found;
    const int64_t end = std::min(bitext.size(), (batch + 1) * kBatch);
    for (int64_t i = batch * kBatch; i < end; ++i) {
      stop.check();
      if (std::max(bitext.source[i].size(), bitext.target[i].size()) <= kMaxExtractLength)
        extractors[worker].extract(bitext, static_cast<int32_t>(i), found);
    }
    progress.advance(end - batch * kBatch);
    return found;
  };
  pool.map_reduce(
      (bitext.size() + kBatch - 1) / kBatch, stop, extract_batch,
      [&](int64_t batch, const std::vector<Occurrence>& found) {
        for (const Occurrence& occurrence : found) builder.add(occurrence);
        if (options.kind == RuleKind::kHiero && batch * kBatch < options.distortion_sentences)
          HieroExtractor::count_distortion(bitext, found, builder.report.distortion);
      });
  for (int64_t i = 0; i < bitext.size(); ++i)
    builder.report.too_long +=
        std::max(bitext.source[i].size(), bitext.target[i].size()) > kMaxExtractLength;
  builder.report.sentences = bitext.size();
  builder.finish();
  return builder.report;
}

ExtractReport score_pairs(const AlignedBitext& pairs, const LexicalTable& lexicon,
                          const std::string& path, const ExtractOptions& options,
                          const StopFlag& stop, Progress& progress) {
  Builder builder(pairs, lexicon, path, options, stop);
  progress.expect(pairs.size());
  for (int64_t i = 0; i < pairs.size(); ++i) {
    if (i % 1024 == 0) stop.check();
    const auto source = static_cast<int32_t>(pairs.source[i].size());
    const auto target = static_cast<int32_t>(pairs.target[i].size());
    builder.report.too_long += std::max(source, target) > kMaxPhraseSize;
    if (std::max(source, target) <= kMaxPhraseSize && source > 0)
      builder.add(phrase_occurrence(pairs, static_cast<int32_t>(i), {0, source, 0, target}));
    progress.advance();
  }
  builder.report.sentences = pairs.size();
  builder.finish();
  return builder.report;
}

}  // namespace demotic
