#include <cmath>
#include <limits>

#include "demotic/base/errors.h"
#include "demotic/base/lines.h"
#include "demotic/base/read_number.h"
#include "demotic/base/utf8.h"
#include "demotic/lm/arpa.h"
#include "demotic/text/spelling.h"

namespace demotic::lm {
namespace {

constexpr float kMissingUnknownLog10 = -100.0f;  // as in KenLM
constexpr uint64_t kMaxNgrams = 0xFFFFFFFE;      // indices have 32 bits
constexpr std::string_view kKenlmMagic = "mmap lm http://kheafield.com/code";

bool blank(std::string_view line) {
  return line.find_first_not_of(" \t") == std::string_view::npos;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string quoted(std::string_view text) {
  constexpr size_t kMaxShown = 80;
  if (text.size() <= kMaxShown) return "'" + std::string(text) + "'";
  return "'" + std::string(utf8_prefix(text, kMaxShown)) + "...'";
}

template <typename T>
bool parse(std::string_view text, T& value) {
  const auto [end, error] = read_number(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool well_formed_utf8(std::string_view text) {
  while (!text.empty()) {
    const Utf8Char c = utf8_front(text);
    if (c.code < 0) return false;
    text.remove_prefix(c.size);
  }
  return true;
}

// The reserved id, or kReservedWords for a word of the text.
WordId reserved_id(std::string_view word) {
  if (!word.starts_with('<')) return kReservedWords;
  if (word == "<unk>" || word == "<UNK>") return kUnknown;
  return word == "<s>" ? kSentenceBegin : word == "</s>" ? kSentenceEnd : kReservedWords;
}

std::string header_of(int order) { return "\\" + std::to_string(order) + "-grams:"; }

}  // namespace

WordId find_arpa_word(const Vocabulary& vocabulary, std::string_view token) {
  const WordId mark = reserved_id(token);
  std::string buffer;
  return mark < kReservedWords ? mark : vocabulary.find(read_spelled(token, buffer));
}

void ArpaReader::fail(std::string found, std::string expected, std::string advice) const {
  throw FormatError({.path = name_,
                     .line = line_,
                     .found = std::move(found),
                     .expected = std::move(expected),
                     .advice = std::move(advice)});
}

void ArpaReader::feed(std::string_view chunk) {
  for (size_t end; (end = chunk.find('\n')) != std::string_view::npos;) {
    if (pending_.empty()) {
      end_line(chunk.substr(0, end));
    } else {
      pending_.append(chunk.substr(0, end));
      end_line(pending_);
      pending_.clear();
    }
    chunk.remove_prefix(end + 1);
  }
  pending_.append(chunk);
  if (pending_.size() > kMaxLineBytes) {
    ++line_;
    fail("a line of more than 16 MB", "one n-gram per line", "check that this is an ARPA file");
  }
}

void ArpaReader::end_line(std::string_view line) {
  ++line_;
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  read(line);
}

void ArpaReader::read(std::string_view line) {
  if (part_ == Part::kNgrams) return read_ngram(line);
  if (blank(line)) {
    if (part_ == Part::kCounts && order() > 0) part_ = Part::kHeader;
    return;
  }
  const std::string_view text = trimmed(line);
  switch (part_) {
    case Part::kStart:
      if (text.starts_with(kKenlmMagic))
        fail("a binary file of KenLM", "an ARPA file", "convert it from ARPA");
      if (text != "\\data\\") fail(quoted(text), "\\data\\", "check that this is an ARPA file");
      part_ = Part::kCounts;
      return;
    case Part::kCounts:
      if (order() > 0 && text == header_of(1)) return begin_section(text);
      return read_count(text);
    case Part::kHeader:
      return begin_section(text);
    case Part::kEnd:
      if (text != "\\end\\") {
        fail(quoted(text), "\\end\\",
             "more n-grams than 'ngram " + std::to_string(order()) +
                 "=' announced, or a section too many");
      }
      part_ = Part::kDone;
      return;
    default:
      fail(quoted(text) + " after \\end\\", "nothing after it");
  }
}

void ArpaReader::read_count(std::string_view line) {
  const size_t equals = line.find('=');
  int order = 0;
  uint64_t count = 0;
  if (!line.starts_with("ngram ") || equals == std::string_view::npos ||
      !parse(trimmed(line.substr(6, equals - 6)), order) ||
      !parse(trimmed(line.substr(equals + 1)), count))
    fail(quoted(line), "'ngram N=COUNT'");
  if (order != this->order() + 1)
    fail("counts of " + std::to_string(order) + "-grams",
         "those of " + std::to_string(this->order() + 1) + "-grams");
  if (order > kMaxLmOrder)
    fail("a model of order " + std::to_string(order), "at most " + std::to_string(kMaxLmOrder));
  if (count > kMaxNgrams) fail(std::to_string(count) + " n-grams", "at most 4294967294");
  counts_.push_back(count);
}

void ArpaReader::begin_section(std::string_view line) {
  ++section_;
  if (line != header_of(section_)) {
    fail(quoted(line), header_of(section_),
         section_ == 1 ? ""
                       : "if this is an n-gram: more than 'ngram " + std::to_string(section_ - 1) +
                             "=' announced");
  }
  left_ = counts_[section_ - 1];
  part_ = Part::kNgrams;
  if (left_ == 0) end_section();
}

// prob TAB words [TAB backoff]
void ArpaReader::read_ngram(std::string_view line) {
  if (blank(line) || line.front() == '\\') {
    fail(std::to_string(left_) + " " + std::to_string(section_) + "-grams fewer than announced",
         std::to_string(counts_[section_ - 1]));
  }
  const size_t first = line.find('\t');
  if (first == std::string_view::npos)
    fail("no tab after the probability", "log10 probability, tab, words");
  const size_t second = line.find('\t', first + 1);
  float prob = 0, backoff = 0;
  const std::string_view number = trimmed(line.substr(0, first));
  if (!parse(number, prob) || !std::isfinite(prob))
    fail("the probability " + quoted(number), "a finite number");
  if (prob > 0) {
    fail("the positive log10 probability " + std::string(number), "0 or less",
         "the estimator that wrote it is at fault; a rounding error may be set to 0");
  }
  if (second != std::string_view::npos) {
    const std::string_view weight = trimmed(line.substr(second + 1));
    if (!parse(weight, backoff) || !std::isfinite(backoff))
      fail("the backoff " + quoted(weight), "a finite number");
    if (section_ == order() && backoff != 0)
      fail("a backoff for an n-gram of the highest order", "none");
  }
  const std::string_view words = trimmed(
      line.substr(first + 1, second == std::string_view::npos ? second : second - first - 1));
  if (section_ == 1) {
    read_unigram(words, prob, backoff);
  } else {
    read_longer(words, prob, backoff);
  }
  if (--left_ == 0) end_section();
}

void ArpaReader::read_unigram(std::string_view word, float prob, float backoff) {
  if (word.empty() || word.find(' ') != std::string_view::npos) fail(quoted(word), "one word");
  if (!well_formed_utf8(word)) fail("a word that is not UTF-8", "UTF-8 text");
  const WordId mark = reserved_id(word);
  const WordId id = mark < kReservedWords ? mark : words_.add(read_spelled(word, spelled_));
  if (static_cast<size_t>(id) >= prob_.size()) {
    prob_.resize(id + 1, std::numeric_limits<float>::quiet_NaN());
    backoff_.resize(id + 1, 0.0f);
  }
  if (!std::isnan(prob_[id])) fail("the word " + quoted(word) + " a second time", "it once");
  prob_[id] = prob;
  backoff_[id] = backoff;
}

void ArpaReader::finish_unigrams() {
  prob_.resize(words_.size(), std::numeric_limits<float>::quiet_NaN());
  backoff_.resize(words_.size(), 0.0f);
  if (std::isnan(prob_[kUnknown])) prob_[kUnknown] = kMissingUnknownLog10;
  for (const auto& [id, name] : {std::pair(kSentenceBegin, "<s>"), {kSentenceEnd, "</s>"}}) {
    if (!std::isnan(prob_[id])) continue;
    if (!marks_may_miss_) {
      fail(std::string("no ") + name + " among the 1-grams", "<s> and </s>",
           "estimate the model with sentence boundaries");
    }
    prob_[id] = prob_[kUnknown];
  }
  ngrams_.emplace(words_.finish(), order(), counts_);
  ngrams_->unigrams().prob = std::move(prob_);
  if (order() > 1) ngrams_->unigrams().backoff = std::move(backoff_);
}

void ArpaReader::read_longer(std::string_view words, float prob, float backoff) {
  ids_.clear();
  for (size_t begin = 0; begin < words.size();) {
    const size_t end = std::min(words.find(' ', begin), words.size());
    const std::string_view word = words.substr(begin, end - begin);
    WordId id = reserved_id(word);
    if (id == kReservedWords) {
      id = ngrams_->vocabulary().find(read_spelled(word, spelled_));
      if (id == kUnknown) fail("the word " + quoted(word), "a word of the 1-grams");
    }
    ids_.push_back(id);
    begin = std::min(words.find_first_not_of(' ', end), words.size());
  }
  if (ids_.size() != static_cast<size_t>(section_))
    fail(std::to_string(ids_.size()) + " words", std::to_string(section_));
  switch (ngrams_->add(ids_, prob, backoff)) {
    case NgramBuilder::Outcome::kAdded:
      return;
    case NgramBuilder::Outcome::kDuplicate:
      fail("the n-gram " + quoted(words) + " a second time", "it once");
    case NgramBuilder::Outcome::kNoContext:
      fail("the n-gram " + quoted(words) + " without its context",
           "its first " + std::to_string(section_ - 1) + " words among the " +
               std::to_string(section_ - 1) + "-grams");
  }
}

void ArpaReader::end_section() {
  if (section_ == 1) finish_unigrams();
  part_ = section_ == order() ? Part::kEnd : Part::kHeader;
}

NgramModel ArpaReader::finish() {
  if (!pending_.empty()) end_line(std::exchange(pending_, {}));
  if (part_ != Part::kDone) {
    fail(line_ == 0 ? "an empty file" : "the end of the file", "\\end\\ as the last line",
         "the file is not ARPA or is truncated");
  }
  return ngrams_->finish();
}

}  // namespace demotic::lm
