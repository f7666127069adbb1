// The loop over sentences that all batch calls share.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "demotic/base/thread_pool.h"
#include "demotic/search/batch.h"
#include "demotic/search/searchers.h"

namespace demotic::search {

// The most source words that a rule may cover; 0 for no limit of the search.
template <typename Limits>
int32_t span_limit(const Limits& limits) noexcept {
  if constexpr (requires { limits.span_limit; }) return limits.span_limit;
  return 0;
}

// Calls run(search, sentence) with a searcher per thread, taken when the thread gets its first
// sentence; results go to reduce(sentence, result) in order.
template <typename Kind, typename Run, typename Reduce>
void for_each_sentence(Searchers<Kind>& searchers, const SentenceRange& range, int threads,
                       bool record, const StopFlag& stop, Progress& progress, Run&& run,
                       Reduce&& reduce) {
  progress.expect(range.size());
  std::vector<std::span<const WordId>> sentences;
  for (int64_t i = range.begin; i < range.end; ++i) sentences.push_back(range.source[i]);
  searchers.model().rules().prepare(sentences, span_limit(searchers.limits()), threads, stop);
  ThreadPool pool(threads);
  std::vector<std::unique_ptr<typename Kind::Search>> taken(pool.threads());
  pool.map_reduce(
      range.size(), stop,
      [&](int64_t item, int worker) {
        auto& search = taken[worker];
        if (!search) search = searchers.take();
        search->run(range.source, range.begin + item, record, stop);
        return run(*search, range.begin + item);
      },
      [&](int64_t item, auto&& result) {
        reduce(range.begin + item, std::move(result));
        progress.advance();
      });
  for (auto& search : taken)
    if (search) searchers.give_back(std::move(search));
}

// The same with searchers that exist only for this call.
template <typename Kind, typename Run, typename Reduce>
void for_each_sentence(const typename Kind::Model& model, const typename Kind::Limits& limits,
                       const SearchBatch& batch, bool record, const StopFlag& stop,
                       Progress& progress, Run&& run, Reduce&& reduce) {
  Searchers<Kind> searchers(model, batch.weights, limits);
  for_each_sentence(searchers, batch.range, batch.threads, record, stop, progress, run, reduce);
}

}  // namespace demotic::search
