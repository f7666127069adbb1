#include "hiero_demand.h"

#include <algorithm>

namespace demotic::rules {
namespace {

// Sentences whose patterns are found at once: enough work for several threads, few enough for the
// places of their patterns to fit in memory.
constexpr size_t kSentences = 8;

}  // namespace

HieroDemand::HieroDemand(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
                         const ExtractOptions& options)
    : Demand(indices, bitext, options), patterns_(indices, options) {}

void HieroDemand::prepare(std::span<const std::span<const WordId>> sentences, int32_t span_limit,
                          ThreadPool& pool, const StopFlag& stop, GrowingRules& rules) {
  if (nodes_.empty()) {  // the empty pattern, and a gap alone
    const TrieNode gap = rules.add(kTrieRoot, gap_symbol(kLabelX), {});
    nodes_.push_back({kTrieRoot, gap});
    done_.push_back(0);
  }
  while (samplers_.size() < static_cast<size_t>(pool.threads()))
    samplers_.push_back(std::make_unique<HieroSampler>(indices_, bitext_, options_));
  for (size_t i = 0; i < sentences.size(); i += kSentences) {
    find_patterns(sentences.subspan(i, std::min(kSentences, sentences.size() - i)), span_limit,
                  pool, stop);
    extract(pool, stop, rules);
    patterns_.limit_memory();
  }
}

void HieroDemand::find_patterns(std::span<const std::span<const WordId>> sentences,
                                int32_t span_limit, ThreadPool& pool, const StopFlag& stop) {
  tasks_.clear();
  pending_.clear();
  std::vector<Match> matches;
  for (const std::span<const WordId> words : sentences)
    for (uint32_t begin = 0; begin < words.size(); ++begin)
      matches.push_back({words, begin, begin, 0});
  std::vector<Step> steps;
  while (!matches.empty()) {
    steps.clear();
    for (const Match& match : matches) extend(match, span_limit, steps);
    look_up(steps, pool, stop);
    matches.clear();
    for (const Step& step : steps) {
      const PatternId id = *patterns_.find(step.extension);
      if (id == SourcePatterns::kAbsent) continue;
      matches.push_back({step.match.words, step.match.begin, step.end, id});
      demand(matches.back(), span_limit);
    }
  }
}

// Adds the rules that may apply at the match to the tasks, unless they were extracted.
void HieroDemand::demand(const Match& match, int32_t span_limit) {
  const auto left = static_cast<int32_t>(match.begin);
  const auto right = static_cast<int32_t>(match.words.size() - match.end);
  const auto size = static_cast<int32_t>(match.end - match.begin);
  FrameSet frames = 0;
  for (size_t frame = 0; frame < kFrames; ++frame) {
    const bool fits = ((frame & kGapBefore) == 0 || left > 0) &&
                      ((frame & kGapAfter) == 0 || right > 0) &&
                      (span_limit <= 0 || size + outer_gaps(frame) <= span_limit);
    if (fits && allowed(patterns_[match.pattern], frame))
      frames = static_cast<FrameSet>(frames | 1u << frame);
  }
  nodes_.resize(patterns_.size());
  done_.resize(patterns_.size());
  FrameSet& pending = pending_[match.pattern];
  frames = static_cast<FrameSet>(frames & ~(done_[match.pattern] | pending));
  if (frames == 0) return;
  pending = static_cast<FrameSet>(pending | frames);
  tasks_.push_back({match.pattern, frames});
}

void HieroDemand::extract(ThreadPool& pool, const StopFlag& stop, GrowingRules& rules) {
  if (tasks_.empty()) return;
  for (const Task& task : tasks_) patterns_.recall(task.pattern, stop);
  pool.map_reduce(
      static_cast<int64_t>(tasks_.size()), stop,
      [&](int64_t item, int worker) {
        return samplers_[worker]->sample(patterns_, tasks_[item].pattern, tasks_[item].frames,
                                         stop);
      },
      [&](int64_t item, const HieroSampler::Rules& sampled) { add(tasks_[item], sampled, rules); });
}

// The next word, or a later one after a gap.
void HieroDemand::extend(const Match& match, int32_t span_limit, std::vector<Step>& steps) const {
  auto last = static_cast<uint32_t>(match.words.size());
  if (span_limit > 0) last = std::min(last, match.begin + static_cast<uint32_t>(span_limit));
  if (match.end >= last) return;
  const auto step_to = [&](uint32_t at, bool gap) {
    const SourcePatterns::Extension extension{match.pattern, match.words[at], gap};
    const PatternId* known = patterns_.find(extension);
    if (known && *known == SourcePatterns::kAbsent) return;
    steps.push_back({match, extension, at + 1});
  };
  if (patterns_.allowed({match.pattern, 0, false})) step_to(match.end, false);
  if (match.pattern == 0 || !patterns_.allowed({match.pattern, 0, true})) return;
  for (uint32_t at = match.end + 1; at < last; ++at) step_to(at, true);
}

// Adds the patterns that are not known yet.
void HieroDemand::look_up(const std::vector<Step>& steps, ThreadPool& pool, const StopFlag& stop) {
  std::vector<SourcePatterns::Extension> fresh;
  FlatMap<uint64_t, uint8_t> seen;
  for (const Step& step : steps) {
    if (patterns_.find(step.extension) || !seen.insert(step.extension.key()).second) continue;
    if (patterns_.begin(step.extension, stop))
      fresh.push_back(step.extension);
    else
      patterns_.add_absent(step.extension);
  }
  if (fresh.empty()) return;
  // None is added before all are found: looking up reads the patterns that are there.
  std::vector<SourcePatterns::Found> found(fresh.size());
  pool.for_each(static_cast<int64_t>(fresh.size()), stop,
                [&](int64_t item, int) { found[item] = patterns_.look_up(fresh[item], stop); });
  for (size_t i = 0; i < fresh.size(); ++i) patterns_.add(fresh[i], std::move(found[i]));
}

bool HieroDemand::allowed(const Pattern& pattern, size_t frame) const noexcept {
  const int32_t gaps = pattern.gaps + outer_gaps(frame);
  return gaps <= options_.hiero.max_gaps &&
         pattern.words + gaps <= options_.hiero.max_source_symbols;
}

void HieroDemand::add(const Task& task, const HieroSampler::Rules& sampled, GrowingRules& rules) {
  const Pattern& pattern = patterns_[task.pattern];
  const std::array<TrieNode, kFrames>& before = nodes_[pattern.prefix];
  const size_t after = pattern.gap_before_last() ? kGapAfter : 0;
  std::array<TrieNode, kFrames>& nodes = nodes_[task.pattern];
  for (size_t frame = 0; frame < kFrames; ++frame) {
    if (!contains(task.frames, frame)) continue;
    const bool gap = (frame & kGapAfter) != 0;
    nodes[frame] = gap ? rules.add(nodes[frame & ~kGapAfter], gap_symbol(kLabelX), sampled[frame])
                       : rules.add(before[frame | after], pattern.last, sampled[frame]);
    done_[task.pattern] = static_cast<FrameSet>(done_[task.pattern] | 1u << frame);
  }
}

}  // namespace demotic::rules
