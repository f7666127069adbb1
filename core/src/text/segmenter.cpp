#include "demotic/text/segmenter.h"

#include <cmath>
#include <stdexcept>

#include "demotic/base/utf8.h"
#include "unit_trie.h"

namespace demotic::text {
namespace {

// Appends the code points of `text`; malformed bytes are -1.
void append_code_points(std::string_view text, std::vector<int32_t>& codes) {
  while (!text.empty()) {
    const Utf8Char c = utf8_front(text);
    codes.push_back(c.code);
    text.remove_prefix(c.size);
  }
}

}  // namespace

Segmenter::Segmenter(std::span<const std::string> words, std::span<const double> log_probs)
    : trie_(std::make_unique<UnitTrie>()), words_(static_cast<int64_t>(words.size())) {
  if (words.size() != log_probs.size())
    throw std::invalid_argument("words and log probabilities differ in length");
  std::vector<int32_t> codes;
  for (size_t i = 0; i < words.size(); ++i) {
    codes.clear();
    append_code_points(words[i], codes);
    if (codes.empty() || std::find(codes.begin(), codes.end(), -1) != codes.end())
      throw std::invalid_argument("a word that is empty or not UTF-8");
    if (!(log_probs[i] <= 0) || std::isinf(log_probs[i]))
      throw std::invalid_argument("a log probability that is positive or not finite");
    int32_t node = UnitTrie::kRoot;
    for (const int32_t code : codes) node = trie_->child_or_add(node, code);
    log_probs_.resize(trie_->size(), kNoWord);
    log_probs_[node] = log_probs[i];
    unknown_ = std::min(unknown_, log_probs[i]);
  }
  log_probs_.resize(trie_->size(), kNoWord);
  unknown_ -= 1;
}

Segmenter::~Segmenter() = default;
Segmenter::Segmenter(Segmenter&&) noexcept = default;

std::vector<int32_t> Segmenter::segment(std::span<const std::string_view> units) const {
  std::vector<int32_t> codes;
  std::vector<size_t> begins{0};  // start of each unit in `codes`, and the end
  for (const std::string_view unit : units) {
    append_code_points(unit, codes);
    begins.push_back(codes.size());
  }
  const size_t n = units.size();
  std::vector<double> best(n + 1, kNoWord);
  std::vector<int32_t> length(n + 1, 0);  // number of units of the last word of the best path
  best[0] = 0;
  const auto offer = [&](size_t begin, size_t end, double log_prob) {
    const double score = best[begin] + log_prob;
    if (score > best[end]) {
      best[end] = score;
      length[end] = static_cast<int32_t>(end - begin);
    }
  };
  for (size_t begin = 0; begin < n; ++begin) {
    int32_t node = UnitTrie::kRoot;
    bool covered = false;
    for (size_t end = begin + 1; end <= n; ++end) {
      for (size_t i = begins[end - 1]; i < begins[end] && node != UnitTrie::kMissing; ++i)
        node = trie_->child(node, codes[i]);
      if (node == UnitTrie::kMissing) break;
      if (log_probs_[node] == kNoWord) continue;
      offer(begin, end, log_probs_[node]);
      covered |= end == begin + 1;
    }
    if (!covered) offer(begin, begin + 1, unknown_);
  }
  std::vector<int32_t> lengths;
  for (size_t end = n; end > 0; end -= length[end]) lengths.push_back(length[end]);
  std::reverse(lengths.begin(), lengths.end());
  return lengths;
}

}  // namespace demotic::text
