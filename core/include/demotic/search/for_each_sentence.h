// The loop that all batch calls share.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "demotic/base/thread_pool.h"
#include "demotic/search/batch.h"

namespace demotic {

// run(search, sentence) by the thread's own searcher, which is made when it first gets a sentence;
// results go to reduce(sentence, result) in order.
template <typename Search, typename Model, typename Options, typename Run, typename Reduce>
void for_each_sentence(const Model& model, const Options& options, const SearchBatch& batch,
                       bool record, const StopFlag& stop, Progress& progress, Run&& run,
                       Reduce&& reduce) {
  check_weights(batch.weights, model.features().size());
  const auto count = static_cast<int64_t>(batch.source.size());
  progress.expect(count);
  ThreadPool pool(batch.threads);
  std::vector<std::unique_ptr<Search>> searches(pool.threads());
  pool.map_reduce(
      count, stop,
      [&](int64_t sentence, int worker) {
        auto& search = searches[worker];
        if (!search) search = std::make_unique<Search>(model, batch.weights, options);
        search->run(batch.source, sentence, record, stop);
        return run(*search, sentence);
      },
      [&](int64_t sentence, auto&& result) {
        reduce(sentence, std::move(result));
        progress.advance();
      });
}

}  // namespace demotic
