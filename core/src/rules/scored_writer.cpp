#include "scored_writer.h"

#include <algorithm>

#include "prefetch.h"

namespace demotic::rules {
namespace {

constexpr size_t kChunk = 256;            // rules per task of a thread
constexpr size_t kPending = 16 * kChunk;  // few enough to stay in the cache

}  // namespace

ScoredWriter::ScoredWriter(const PackedBitext& bitext, const CountedTargets& targets,
                           const RuleScorer& scorer, ThreadPool& pool, SortedRules& sorted)
    : bitext_(bitext),
      targets_(targets),
      pool_(pool),
      sorted_(sorted),
      workers_(pool.threads(), Worker{scorer, {}}) {
  pending_.reserve(kPending);
}

void ScoredWriter::add(std::span<const CountedRule> rules, const SideCounts& source,
                       const StopFlag& stop) {
  for (size_t i = 0; i < rules.size(); ++i) {
    if (i == 0 || pending_.empty()) sources_.push_back(source);
    pending_.push_back({rules[i], static_cast<uint32_t>(sources_.size() - 1), i == 0});
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
  sources_.clear();
}

ScoredWriter::Scored ScoredWriter::score(std::span<const Pending> rules, Worker& worker) const {
  PrefetchAhead ahead(
      rules.size(), [&](size_t i) { bitext_.prefetch(rules[i].counted.place.sentence); },
      [&](size_t i) {
        prefetch_words(bitext_, rules[i].counted.place);
        prefetch_links(bitext_, rules[i].counted.place);
        targets_.prefetch(rules[i].counted.target);
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
                              Scored& to) const {
  for (const Link link : rule.links)
    to.links.values.push_back(
        {static_cast<uint8_t>(link.source), static_cast<uint8_t>(link.target)});
  to.links.end_row();
  const auto scores = scorer.score(rule, pending.counted, sources_[pending.source],
                                   targets_.counts(pending.counted.target));
  to.scores.insert(to.scores.end(), scores.begin(), scores.end());
}

void ScoredWriter::write(std::span<const Pending> rules, const Scored& scored) {
  const size_t columns = rules.empty() ? 0 : scored.scores.size() / rules.size();
  for (size_t i = 0; i < rules.size(); ++i) {
    const auto& [counted, source, first] = rules[i];
    if (first)
      sorted_.begin_source(source_symbols(bitext_, counted.place, source_),
                           static_cast<float>(sources_[source].total));
    const bool once = counted.occurrences == 1;
    sorted_.add_rule({.target = targets_.place(counted.target),
                      .links = scored.links[i],
                      .occurrences = counted.occurrences,
                      .only_sentence = once ? bitext_.pair_of(counted.place.sentence) : -1,
                      .lhs = kLabelX,
                      .scores = std::span(scored.scores).subspan(i * columns, columns),
                      .count = counted.count});
  }
}

}  // namespace demotic::rules
