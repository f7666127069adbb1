#include <algorithm>
#include <charconv>

#include "demotic/base/thread_pool.h"
#include "demotic/lm/arpa.h"

namespace demotic::lm {
namespace {

constexpr size_t kBlock = 1 << 15;      // n-grams formatted by one thread at a time
constexpr int kBlocks = 8;              // blocks per piece
constexpr size_t kTextBlock = 1 << 13;  // the same for n-grams that are not in memory

// The shortest decimal that is read back as the same float.
void append(std::string& to, float value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0.0f : value).ptr;
  to.append(buffer, end);
}

void append_header(std::string& to, const std::vector<uint64_t>& counts) {
  to += "\\data\\\n";
  for (size_t n = 1; n <= counts.size(); ++n)
    to += "ngram " + std::to_string(n) + "=" + std::to_string(counts[n - 1]) + "\n";
}

void append_section(std::string& to, int order) {
  to += "\n\\" + std::to_string(order) + "-grams:\n";
}

constexpr std::string_view kEnd = "\n\\end\\\n";

template <typename Word>
void append_ngram(std::string& to, const Vocabulary& vocabulary, std::span<const Word> words,
                  float prob, const float* backoff, Spelling spelling) {
  append(to, prob);
  char separator = '\t';
  for (const Word word : words) {
    to.push_back(std::exchange(separator, ' '));
    const auto id = static_cast<WordId>(word);
    if (id < kReservedWords) {
      to.append(vocabulary.word(id));
    } else {
      append_spelled(to, vocabulary.word(id), spelling);
    }
  }
  if (backoff) {
    to.push_back('\t');
    append(to, *backoff);
  }
  to.push_back('\n');
}

}  // namespace

void ArpaWriter::header(std::string& to) const {
  std::vector<uint64_t> counts;
  for (const NgramOrder& order : model_.orders) counts.push_back(order.size());
  append_header(to, counts);
}

void ArpaWriter::block(int order, size_t begin, size_t end, std::string& to) const {
  const NgramOrder& list = model_.orders[order - 1];
  WordId words[kMaxLmOrder];
  to.reserve((end - begin) * (24 + 8 * order));
  for (size_t i = begin; i < end; ++i) {
    auto at = static_cast<uint32_t>(i);
    for (int n = order; n >= 1; --n) {
      words[n - 1] = model_.orders[n - 1].word[at];
      if (n > 1) at = model_.orders[n - 1].context[at];
    }
    append_ngram(to, model_.vocabulary, std::span<const WordId>(words, order), list.prob[i],
                 list.backoff.empty() ? nullptr : &list.backoff[i], spelling_);
  }
}

std::string ArpaWriter::next(int threads, const StopFlag& stop) {
  std::string text;
  if (order_ > model_.order()) return text;
  if (order_ == 0) header(text);
  if (order_ == 0 || next_ == model_.orders[order_ - 1].size()) {
    next_ = 0;
    if (++order_ > model_.order()) return text.append(kEnd);
    append_section(text, order_);
  }
  const size_t begin = next_, size = model_.orders[order_ - 1].size();
  next_ = std::min(size, begin + kBlock * kBlocks);
  ThreadPool pool(threads);
  const auto blocks = static_cast<int64_t>((next_ - begin + kBlock - 1) / kBlock);
  pool.map_reduce(
      blocks, stop,
      [&](int64_t i, int) {
        std::string part;
        const size_t from = begin + static_cast<size_t>(i) * kBlock;
        block(order_, from, std::min(next_, from + kBlock), part);
        return part;
      },
      [&](int64_t, const std::string& part) { text += part; });
  return text;
}

void ArpaText::begin(const std::vector<uint64_t>& counts) {
  highest_ = counts.size();
  append_header(text_, counts);
}

void ArpaText::section(int order) {
  flush();
  order_ = static_cast<size_t>(order);
  append_section(text_, order);
}

void ArpaText::ngram(std::span<const uint32_t> words, float prob, float backoff) {
  words_.insert(words_.end(), words.begin(), words.end());
  prob_.push_back(prob);
  backoff_.push_back(backoff);
  if (prob_.size() == kTextBlock * kBlocks) flush();
}

void ArpaText::block(size_t begin, size_t end, std::string& to) const {
  for (size_t i = begin; i < end; ++i)
    append_ngram(to, vocabulary_, std::span(words_).subspan(i * order_, order_), prob_[i],
                 order_ == highest_ ? nullptr : &backoff_[i], kArpaSpelling);
}

void ArpaText::flush() {
  constexpr size_t kPiece = size_t{1} << 22;
  const size_t size = prob_.size();
  pool_.map_reduce(
      static_cast<int64_t>((size + kTextBlock - 1) / kTextBlock), stop_,
      [&](int64_t i, int) {
        std::string part;
        const size_t from = static_cast<size_t>(i) * kTextBlock;
        block(from, std::min(size, from + kTextBlock), part);
        return part;
      },
      [&](int64_t, const std::string& part) { text_ += part; });
  words_.clear();
  prob_.clear();
  backoff_.clear();
  if (text_.size() >= kPiece) sink_(std::exchange(text_, {}));
}

void ArpaText::finish() {
  flush();
  text_.append(kEnd);
  sink_(std::move(text_));
}

}  // namespace demotic::lm
