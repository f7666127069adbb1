#include <algorithm>
#include <charconv>

#include "demotic/base/thread_pool.h"
#include "demotic/lm/arpa.h"

namespace demotic::lm {
namespace {

constexpr size_t kBlock = 1 << 15;  // n-grams formatted by one thread at a time
constexpr int kBlocks = 8;          // blocks per piece

// The shortest decimal that is read back as the same float.
void append(std::string& to, float value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value == 0 ? 0.0f : value).ptr;
  to.append(buffer, end);
}

}  // namespace

void ArpaWriter::header(std::string& to) const {
  to += "\\data\\\n";
  for (int n = 1; n <= model_.order(); ++n)
    to += "ngram " + std::to_string(n) + "=" + std::to_string(model_.orders[n - 1].size()) + "\n";
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
    append(to, list.prob[i]);
    for (int n = 0; n < order; ++n) {
      to.push_back(n == 0 ? '\t' : ' ');
      if (words[n] < kReservedWords) {
        to.append(model_.vocabulary.word(words[n]));
      } else {
        append_spelled(to, model_.vocabulary.word(words[n]), spelling_);
      }
    }
    if (!list.backoff.empty()) {
      to.push_back('\t');
      append(to, list.backoff[i]);
    }
    to.push_back('\n');
  }
}

std::string ArpaWriter::next(int threads, const StopFlag& stop) {
  std::string text;
  if (order_ > model_.order()) return text;
  if (order_ == 0) header(text);
  if (order_ == 0 || next_ == model_.orders[order_ - 1].size()) {
    next_ = 0;
    if (++order_ > model_.order()) return text + "\n\\end\\\n";
    text += "\n\\" + std::to_string(order_) + "-grams:\n";
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

}  // namespace demotic::lm
