// Forced search of a corpus with several threads: the forests go to a file, the figures to whoever
// asked. The same for any number of threads.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "demotic/base/progress.h"
#include "demotic/base/thread_pool.h"
#include "demotic/force/forced_search.h"
#include "demotic/search/search_model.h"

namespace demotic::force {

// Of every pair, columns.
struct ForcedPairs {
  std::vector<uint8_t> reached, cause;  // Reached, Cause
  // Of the whole pair, or of the first of its beginnings; 0 if there is none.
  std::vector<int32_t> source_words, target_words;
  std::vector<double> derivations;  // rounded, infinite beyond all doubles
  std::vector<int64_t> nodes, edges;
};

// How many derivations a forest has, as the semiring `Counting` has them.
double count_derivations(const FoundForest& forest);

// The figures of the next pair.
void append(const ForcedResult& result, ForcedPairs& pairs);

// `writer` may be null: only figures then; it is not committed here. Force: see PhraseForce.
template <typename Force, typename Model>
ForcedPairs force_corpus(const Model& model, const ForceOptions& options,
                         const SourceSentences& source, GoldForestsWriter* writer, int threads,
                         const StopFlag& stop, Progress& progress) {
  // Pairs are searched in a tenth of a millisecond, so a worker takes some at a time.
  constexpr int64_t kChunk = 32;
  const auto count = static_cast<int64_t>(source.size());
  progress.expect(count);
  ThreadPool pool(threads);
  std::vector<std::unique_ptr<Force>> searches(pool.threads());
  ForcedPairs pairs;
  pool.map_reduce((count + kChunk - 1) / kChunk, stop,
                  [&](int64_t chunk, int worker) {
                    if (!searches[worker])
                      searches[worker] = std::make_unique<Force>(model, options);
                    std::vector<ForcedResult> results;
                    for (int64_t i = chunk * kChunk; i < std::min(count, (chunk + 1) * kChunk);
                         ++i) {
                      results.push_back(searches[worker]->run(source, i, stop));
                      progress.advance();
                    }
                    return results;
                  },
                  [&](int64_t chunk, std::vector<ForcedResult>&& results) {
                    for (size_t i = 0; i < results.size(); ++i) {
                      append(results[i], pairs);
                      if (!writer) continue;
                      for (const FoundForest& forest : results[i].forests)
                        writer->add(static_cast<int32_t>(chunk * kChunk + i), forest);
                    }
                  });
  return pairs;
}

}  // namespace demotic::force
