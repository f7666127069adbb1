// Aligns text in batches of lines with a trained aligner: words in, lines of links out, in memory
// that depends on the batch and not on the text. Everything that a batch needs is prepared once.
#pragma once

#include <memory>
#include <string>

#include "demotic/align/aligner.h"
#include "demotic/base/lines.h"
#include "demotic/base/thread_pool.h"

namespace demotic::align {

class PairDecoder;
struct Positions;

struct StreamOptions {
  DecodeOptions decode;
  bool scores = false;      // add two columns: log p(target | source) per target word, and reverse
  bool posteriors = false;  // add a column with one posterior per link
};

struct StreamBatch {
  std::string text;  // one line per pair: links, then the columns asked for, separated by tabs
  int64_t pairs = 0, links = 0;
  int64_t empty = 0;  // pairs with an empty side, without links
  int64_t cut = 0;    // pairs longer than `max_length`, aligned in pieces
};

// Links are those of `align_corpus`, bit by bit, for any division into batches and any number of
// threads. One batch at a time; `aligner` must outlive the stream.
class AlignerStream {
 public:
  AlignerStream(const Aligner& aligner, Vocabulary vocabulary, const StreamOptions& options,
                int threads);
  ~AlignerStream();
  AlignerStream(const AlignerStream&) = delete;

  // Throws std::invalid_argument for sides of different sizes.
  StreamBatch align(const Lines& source, const Lines& target, const StopFlag& stop);

 private:
  StreamBatch align_range(PairDecoder& decoder, const Corpus& source, const Corpus& target,
                          int64_t begin, int64_t end, const StopFlag& stop) const;

  Vocabulary vocabulary_;
  std::unique_ptr<const StreamOptions> options_;
  std::unique_ptr<const PairFinder> finder_;
  std::unique_ptr<const Positions> positions_;
  std::unique_ptr<ThreadPool> pool_;
  std::vector<PairDecoder> decoders_;  // one per thread
};

}  // namespace demotic::align
