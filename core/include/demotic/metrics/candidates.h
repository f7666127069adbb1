// Candidates of many sentences, as word ids of a reference set or as text to be tokenised, and the
// loop that fills a matrix of statistics with one row each, independent of the number of threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/lines.h"
#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"
#include "demotic/metrics/reference_set.h"

namespace demotic::metrics {

// A view: the arrays must outlive it.
class Candidates {
 public:
  // `sentences` gives the sentence of each candidate. Both throw std::invalid_argument if the
  // arrays are inconsistent, std::out_of_range for a sentence without references.
  Candidates(const ReferenceSet& references, CsrView<WordId> words,
             std::span<const int64_t> sentences);
  Candidates(const ReferenceSet& references, const Lines& texts,
             std::span<const int64_t> sentences);

  int64_t size() const noexcept { return static_cast<int64_t>(sentences_.size()); }
  int64_t sentence(int64_t i) const noexcept { return sentences_[i]; }

  // Use one per thread; the result is valid until the next call.
  class Reader {
   public:
    explicit Reader(const Candidates& candidates)
        : candidates_(candidates), segment_(candidates.references_.segmentation()) {}
    std::span<const WordId> operator()(int64_t i);

   private:
    const Candidates& candidates_;
    Segmenter segment_;
    std::vector<WordId> words_;
  };

 private:
  const ReferenceSet& references_;
  CsrView<WordId> words_;
  const Lines* texts_ = nullptr;
  std::span<const int64_t> sentences_;
};

// Throws as the constructors of Candidates do.
void check_sentences(std::span<const int64_t> sentences, size_t candidates, int64_t known);

// worker(i, row) fills row i; make() returns a worker for each thread. Rows are contiguous.
template <typename Make>
std::vector<int32_t> fill_rows(int64_t count, int32_t columns, int threads, const StopFlag& stop,
                               Make&& make) {
  constexpr int64_t kBlock = 32;  // neighbours often share a sentence and its cached table
  using Worker = decltype(make());
  std::vector<int32_t> rows(count * columns);
  ThreadPool pool(static_cast<int>(
      std::clamp<int64_t>(threads, 1, std::max<int64_t>(1, (count + kBlock - 1) / kBlock))));
  std::vector<std::unique_ptr<Worker>> workers;
  for (int t = 0; t < pool.threads(); ++t) workers.push_back(std::make_unique<Worker>(make()));
  pool.for_each((count + kBlock - 1) / kBlock, stop, [&](int64_t block, int t) {
    const int64_t end = std::min(count, (block + 1) * kBlock);
    for (int64_t i = block * kBlock; i < end; ++i) {
      stop.check();
      (*workers[t])(i, rows.data() + i * columns);
    }
  });
  return rows;
}

}  // namespace demotic::metrics
