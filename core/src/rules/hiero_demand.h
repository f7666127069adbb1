// Which patterns of sentences are not in the store yet, and their rules: rules on demand with gaps.
//
// The patterns of a sentence are the choices of its words, up to a distance, of which patterns may
// have as many; they are found level by level, by number of words, so that whatever a pattern is
// made from is known. Of each pattern the rules are extracted that have gaps where the sentence has
// words: not those with a gap before its first word.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "demand.h"
#include "hiero_sampler.h"

namespace demotic::rules {

class HieroDemand : public Demand {
 public:
  HieroDemand(const std::vector<BitextIndex>& indices, const PackedBitext& bitext,
              const ExtractOptions& options);

  void prepare(std::span<const std::span<const WordId>> sentences, int32_t span_limit,
               ThreadPool& pool, const StopFlag& stop, GrowingRules& rules) override;

 private:
  // A pattern that matches words of a sentence.
  struct Match {
    std::span<const WordId> words;  // of the sentence
    uint32_t begin, end;
    PatternId pattern;
  };
  struct Step {
    Match match;  // of the prefix
    SourcePatterns::Extension extension;
    uint32_t end;
  };

  // The rules of a pattern that are to be extracted.
  struct Task {
    PatternId pattern;
    FrameSet frames;
  };

  void find_patterns(std::span<const std::span<const WordId>> sentences, int32_t span_limit,
                     ThreadPool& pool, const StopFlag& stop);
  void demand(const Match& match, int32_t span_limit);
  void extract(ThreadPool& pool, const StopFlag& stop, GrowingRules& rules);
  void extend(const Match& match, int32_t span_limit, std::vector<Step>& steps) const;
  void look_up(const std::vector<Step>& steps, ThreadPool& pool, const StopFlag& stop);
  void add(const Task& task, const HieroSampler::Rules& sampled, GrowingRules& rules);
  bool allowed(const Pattern& pattern, size_t frame) const noexcept;

  SourcePatterns patterns_;
  std::vector<std::array<TrieNode, kFrames>> nodes_;     // by pattern and frame; 0 for none
  std::vector<FrameSet> done_;                           // by pattern: frames that have nodes
  std::vector<Task> tasks_;                              // of the present sentences
  FlatMap<PatternId, FrameSet> pending_;                 // the frames in them
  std::vector<std::unique_ptr<HieroSampler>> samplers_;  // by thread
};

}  // namespace demotic::rules
