// ARPA files, read and written. The reader is as strict as KenLM's: sections in order, as many
// n-grams as announced, no positive logarithm of a probability, no NaN or infinity, no n-gram
// twice, every context listed, <s> and </s> there. Without <unk> it gets KenLM's -100; <UNK> is
// taken for it. Bytes arrive in chunks of any size. Words are what stands between ASCII spaces. A
// word of the text that is spelled like one of these names is written as text/spelling.h has it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/lm/ngrams.h"
#include "demotic/text/spelling.h"

namespace demotic::lm {

// The id of a word as an ARPA file spells it: <unk>, <s> and </s> are the reserved ones.
WordId find_arpa_word(const Vocabulary& vocabulary, std::string_view token);

class ArpaReader {
 public:
  // `name` stands for the file in messages. `marks_may_miss`: give <s> and </s> the probability of
  // <unk> if they are not there, as KenLM does when it is told to.
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
  std::string pending_;  // the beginning of a line whose end has not been seen
  int64_t line_ = 0;
  Part part_ = Part::kStart;
  std::vector<uint64_t> counts_;  // announced
  int section_ = 0;               // the order being read
  uint64_t left_ = 0;             // n-grams of it still to come

  VocabularyBuilder words_;
  std::vector<float> prob_, backoff_;  // of unigrams; NaN until seen
  std::optional<NgramBuilder> ngrams_;
  std::vector<WordId> ids_;
  std::string spelled_;
};

// The text of a model, piece by piece, so that nobody needs all of it at once.
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
  int order_ = 0;  // of the section under way; 0 before the header
  size_t next_ = 0;
};

}  // namespace demotic::lm
