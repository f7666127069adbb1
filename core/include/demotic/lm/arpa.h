// Reads and writes ARPA files. The reader is as strict as KenLM's: sections in order, as many
// n-grams as announced, no positive log probability, no NaN or infinity, no duplicate n-grams,
// every context listed, <s> and </s> present. A missing <unk> gets KenLM's -100; <UNK> is read as
// <unk>. Bytes arrive in chunks of any size. Words are separated by ASCII spaces. A word of the
// text with the spelling of one of these names is escaped as in text/spelling.h.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/base/thread_pool.h"
#include "demotic/lm/ngrams.h"
#include "demotic/text/spelling.h"

namespace demotic::lm {

// The id of a word in an ARPA file: <unk>, <s> and </s> are the reserved ids.
WordId find_arpa_word(const Vocabulary& vocabulary, std::string_view token);

class ArpaReader {
 public:
  // `name` identifies the file in messages. `marks_may_miss`: give missing <s> and </s> the
  // probability of <unk>, as KenLM can.
  ArpaReader(std::string name, bool marks_may_miss)
      : name_(std::move(name)), marks_may_miss_(marks_may_miss) {}

  // Both throw FormatError with the line.
  void feed(std::string_view chunk);
  NgramModel finish();

 private:
  enum class Part { kStart, kCounts, kHeader, kNgrams, kEnd, kDone };

  void end_line(std::string_view line);
  void read(std::string_view line);
  void read_count(std::string_view line);
  void begin_section(std::string_view line);
  void read_ngram(std::string_view line);
  void read_unigram(std::string_view word, float prob, float backoff);
  void read_longer(std::string_view words, float prob, float backoff);
  void finish_unigrams();
  void end_section();
  int order() const noexcept { return static_cast<int>(counts_.size()); }
  [[noreturn]] void fail(std::string found, std::string expected, std::string advice = "") const;

  std::string name_;
  bool marks_may_miss_;
  std::string pending_;  // the beginning of an incomplete line
  int64_t line_ = 0;
  Part part_ = Part::kStart;
  std::vector<uint64_t> counts_;  // announced
  int section_ = 0;               // the order being read
  uint64_t left_ = 0;             // remaining n-grams of that order

  VocabularyBuilder words_;
  std::vector<float> prob_, backoff_;  // of unigrams; NaN until seen
  std::optional<NgramBuilder> ngrams_;
  std::vector<WordId> ids_;
  std::string spelled_;
};

// Writes the text of a model in pieces, so that it need not be in memory as a whole.
class ArpaWriter {
 public:
  // The model must outlive the writer.
  explicit ArpaWriter(const NgramModel& model, Spelling spelling = kArpaSpelling)
      : model_(model), spelling_(spelling) {}

  // The next few megabytes; empty at the end. The text does not depend on `threads`.
  std::string next(int threads, const StopFlag& stop);

 private:
  void header(std::string& to) const;
  void block(int order, size_t begin, size_t end, std::string& to) const;

  const NgramModel& model_;
  Spelling spelling_;
  int order_ = 0;  // of the current section; 0 before the header
  size_t next_ = 0;
};

// The same text from n-grams that are not in memory.
class ArpaText final : public NgramOutput {
 public:
  using Sink = std::function<void(std::string&& piece)>;

  // The arguments must outlive the object.
  ArpaText(const Vocabulary& vocabulary, const Sink& sink, int threads, const StopFlag& stop)
      : vocabulary_(vocabulary), sink_(sink), stop_(stop), pool_(threads) {}

  void begin(const std::vector<uint64_t>& counts) override;
  void section(int order) override;
  void ngram(std::span<const uint32_t> words, float prob, float backoff) override;
  void finish() override;

 private:
  void flush();
  void block(size_t begin, size_t end, std::string& to) const;

  const Vocabulary& vocabulary_;
  const Sink& sink_;
  const StopFlag& stop_;
  ThreadPool pool_;
  std::string text_;
  size_t highest_ = 0, order_ = 0;
  // N-grams that are not yet text, in parallel arrays; `order_` words each.
  std::vector<uint32_t> words_;
  std::vector<float> prob_, backoff_;
};

}  // namespace demotic::lm
