#include "scored_writer.h"

#include <algorithm>

#include "prefetch.h"

namespace demotic::rules {
namespace {

constexpr size_t kChunk = 256;            // rules per task of a thread
constexpr size_t kPending = 16 * kChunk;  // few enough to stay in the cache

}  // namespace

ScoredWriter::ScoredWriter(const PackedBitext& bitext, const LexicalTable& lexicon,
                           const ExtractOptions& options, ThreadPool& pool, RuleStoreWriter& writer)
    : bitext_(bitext),
      pool_(pool),
      writer_(writer),
      workers_(pool.threads(), Worker{RuleScorer(lexicon, options), {}}) {
  pending_.reserve(kPending);
}

void ScoredWriter::add(std::span<const CountedRule> rules, double total, const StopFlag& stop) {
  for (size_t i = 0; i < rules.size(); ++i) {
    pending_.push_back({rules[i], total, i == 0});
    if (pending_.size() >= kPending) finish(stop);
  }
}

void ScoredWriter::finish(const StopFlag& stop) {
  const auto chunk = [&](int64_t i) {
    const auto rest = std::span<const Pending>(pending_).subspan(i * kChunk);
    return rest.first(std::min(kChunk, rest.size()));
  };
  pool_.map_reduce(
      static_cast<int64_t>((pending_.size() + kChunk - 1) / kChunk), stop,
      [&](int64_t i, int worker) { return score(chunk(i), workers_[worker]); },
      [&](int64_t i, const Scored& scored) { write(chunk(i), scored); });
  pending_.clear();
}

ScoredWriter::Scored ScoredWriter::score(std::span<const Pending> rules, Worker& worker) const {
  PrefetchAhead ahead(
      rules.size(), [&](size_t i) { bitext_.prefetch(rules[i].counted.place.sentence); },
      [&](size_t i) {
        prefetch_words(bitext_, rules[i].counted.place);
        prefetch_links(bitext_, rules[i].counted.place);
      });
  Scored result;
  for (size_t i = 0; i < rules.size() + kSpelled; ++i) {
    Rule& rule = worker.rules[i % kSpelled];
    if (i >= kSpelled) add_scores(rules[i - kSpelled], rule, worker.scorer, result);
    if (i >= rules.size()) continue;
    ahead.move_to(i);
    spell(bitext_, rules[i].counted.place, rule);
    worker.scorer.prefetch(rule);
  }
  return result;
}

void ScoredWriter::add_scores(const Pending& pending, const Rule& rule, RuleScorer& scorer,
                              Scored& to) {
  for (const Link link : rule.links)
    to.links.values.push_back(
        {static_cast<uint8_t>(link.source), static_cast<uint8_t>(link.target)});
  to.links.end_row();
  const auto scores = scorer.score(rule, pending.counted, pending.source_total);
  to.scores.insert(to.scores.end(), scores.begin(), scores.end());
}

void ScoredWriter::write(std::span<const Pending> rules, const Scored& scored) {
  const size_t columns = rules.empty() ? 0 : scored.scores.size() / rules.size();
  for (size_t i = 0; i < rules.size(); ++i) {
    const auto& [counted, source_total, first] = rules[i];
    if (first)
      writer_.begin_source(source_symbols(bitext_, counted.place, source_),
                           static_cast<float>(source_total));
    const bool once = counted.occurrences == 1;
    writer_.add_rule({.target = counted.target,
                      .links = scored.links[i],
                      .occurrences = counted.occurrences,
                      .only_sentence = once ? counted.place.sentence : -1,
                      .lhs = kLabelX,
                      .scores = std::span(scored.scores).subspan(i * columns, columns),
                      .count = counted.count});
  }
}

}  // namespace demotic::rules
