#include "demotic/force/force_corpus.h"

#include <algorithm>
#include <memory>

#include "demotic/base/thread_pool.h"

namespace demotic::force {
namespace {

// A pair takes a tenth of a millisecond, so a worker takes several at a time.
constexpr int64_t kChunk = 32;

void append(const ForcedResult& result, ForcedPairs& pairs) {
  pairs.outcome.push_back(static_cast<uint8_t>(result.outcome));
  pairs.cause.push_back(static_cast<uint8_t>(result.cause));
  const bool found = !result.forests.empty();
  pairs.source_words.push_back(found ? result.forests[0].source_length : 0);
  pairs.target_words.push_back(found ? result.forests[0].target_length : 0);
  pairs.derivations.push_back(found ? count_derivations(result.forests[0]) : 0);
  int64_t nodes = 0, edges = 0;
  for (const FoundForest& forest : result.forests) {
    nodes += static_cast<int64_t>(forest.nodes.size());
    edges += static_cast<int64_t>(forest.edges.size());
  }
  pairs.nodes.push_back(nodes);
  pairs.edges.push_back(edges);
}

}  // namespace

template <typename Kind>
ForcedPairs force_corpus(const typename Kind::Model& model, const ForceOptions& options,
                         const SentenceRange& range, GoldForestsWriter* writer, int threads,
                         const StopFlag& stop, Progress& progress) {
  const int64_t count = range.size();
  progress.expect(count);
  ThreadPool pool(threads);
  std::vector<std::unique_ptr<ForcedDecoder<Kind>>> decoders(pool.threads());
  ForcedPairs pairs;
  pool.map_reduce((count + kChunk - 1) / kChunk, stop,
                  [&](int64_t chunk, int worker) {
                    auto& decoder = decoders[worker];
                    if (!decoder) decoder = std::make_unique<ForcedDecoder<Kind>>(model, options);
                    std::vector<ForcedResult> results;
                    const int64_t end = std::min(count, (chunk + 1) * kChunk);
                    for (int64_t i = chunk * kChunk; i < end; ++i) {
                      results.push_back(decoder->run(range.source, range.begin + i, stop));
                      progress.advance();
                    }
                    return results;
                  },
                  [&](int64_t chunk, std::vector<ForcedResult>&& results) {
                    for (size_t i = 0; i < results.size(); ++i) {
                      append(results[i], pairs);
                      if (!writer) continue;
                      for (const FoundForest& forest : results[i].forests)
                        writer->add(static_cast<int32_t>(range.begin + chunk * kChunk + i), forest);
                    }
                  });
  return pairs;
}

template ForcedPairs force_corpus<PhraseForcing>(const PhraseModel&, const ForceOptions&,
                                                 const SentenceRange&, GoldForestsWriter*, int,
                                                 const StopFlag&, Progress&);
template ForcedPairs force_corpus<HieroForcing>(const HieroModel&, const ForceOptions&,
                                                const SentenceRange&, GoldForestsWriter*, int,
                                                const StopFlag&, Progress&);

}  // namespace demotic::force
