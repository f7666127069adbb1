#include "demotic/lm/disk_estimate.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <optional>
#include <span>

#include "demotic/base/errors.h"
#include "demotic/base/mapped_file.h"
#include "demotic/lm/discounts.h"
#include "demotic/lm/gram_file.h"

namespace demotic::lm {
namespace {

constexpr uint32_t kWordsPerCheck = 4096;  // of the stop flag
constexpr size_t kTokensPerCheck = size_t{1} << 20;

uint64_t bits(double value) { return std::bit_cast<uint64_t>(value); }
double real(uint64_t value) { return std::bit_cast<double>(value); }

template <int Width>
class WidthEstimator final : public DiskEstimator {
 public:
  WidthEstimator(const KneserNeyOptions& options, const DiskOptions& disk)
      : options_(options), disk_(disk), order_(options.order) {
    if (order_ > 1) counter_.emplace(disk.memory, disk.folder, Adding{}, disk.blocks, disk.threads);
  }

  void add(const Corpus& text, const StopFlag& stop) override;
  void add_counted(const std::string& path) override { counted_.push_back(path); }
  const DiskOptions& disk() const noexcept override { return disk_; }
  DiskReport finish(const Vocabulary& vocabulary, NgramOutput& output, const StopFlag& stop,
                    Progress& progress) override;

 private:
  using Record = Gram<Width>;
  using File = GramFile<Width>;
  using Adding = ByWordsAdding<Width>;

  void count_orders(const StopFlag& stop);
  template <typename Visit>
  void visit_counted(const StopFlag& stop, Visit&& visit);
  void adjust(int n, const StopFlag& stop);
  void adjust_unigrams(const StopFlag& stop);
  void record_adjusted(int n, const Record& counted, uint64_t adjusted, File& to);
  void interpolate(int n, const Discounts& discounts, const StopFlag& stop);
  template <typename Visit>
  void visit_contexts(int n, const Discounts& discounts, const StopFlag& stop, Visit&& visit);
  void write_order(int n, NgramOutput& output, const StopFlag& stop);
  void write_unigrams(NgramOutput& output, const StopFlag& stop);
  File file() const { return File(disk_.folder); }
  uint64_t kept(int n) const { return n == 1 ? unigrams_.size() : kept_[n - 1]; }

  KneserNeyOptions options_;
  DiskOptions disk_;
  int order_;
  int64_t sentences_ = 0;
  std::optional<ExternalSorter<Record, Adding>> counter_;
  std::vector<std::string> counted_;  // files of n-grams that others counted
  std::vector<uint64_t> unigrams_;    // counts, then adjusted counts
  std::vector<float> unigram_prob_, unigram_backoff_;
  // By order - 1; `ngrams_`: first raw counts, then adjusted ones with a mark of pruned n-grams,
  // then probabilities.
  std::vector<File> ngrams_;
  std::vector<CountsOfCounts> counts_of_counts_;
  std::vector<uint64_t> kept_;
  std::vector<uint32_t> tokens_;
  std::optional<File> backoff_;  // of the order below the one that was interpolated last
};

template <int Width>
void WidthEstimator<Width>::add(const Corpus& text, const StopFlag& stop) {
  for (int64_t i = 0; i < text.size(); ++i) {
    if (i % 1024 == 0) stop.check();
    tokens_.assign(1, kSentenceBegin);
    for (const WordId word : text[i]) tokens_.push_back(static_cast<uint32_t>(word));
    tokens_.push_back(kSentenceEnd);
    for (const uint32_t& token : tokens_) {
      if (token >= unigrams_.size()) unigrams_.resize(token + size_t{1}, 0);
      ++unigrams_[token];
      if (order_ > 1 && token != kSentenceEnd) counter_->add(gram_at<Width>(&token, order_));
    }
  }
  sentences_ += text.size();
}

// The n-grams of every order are the prefixes of the sorted ones, which are neighbours.
template <int Width>
void WidthEstimator<Width>::count_orders(const StopFlag& stop) {
  for (int n = 1; n <= order_; ++n) ngrams_.push_back(file());
  if (!counter_) return;
  Record open{};
  int size = 0;  // words of the last n-gram
  std::array<uint64_t, kMaxLmOrder + 1> counts{};
  const auto close = [&](int common) {
    for (int n = std::max(2, common + 1); n <= size; ++n) {
      Record done{.first = std::exchange(counts[n], 0)};
      std::copy_n(open.words.begin(), n, done.words.begin());
      ngrams_[n - 1].add(done);
    }
  };
  visit_counted(stop, [&](const Record& record) {
    int common = 0;
    while (common < size && record.words[common] == open.words[common]) ++common;
    close(common);
    open = record;
    size = 0;
    while (size < order_ && record.words[size] != 0) ++size;
    for (int n = 2; n <= size; ++n) counts[n] += record.first;
  });
  close(0);
  counter_.reset();
  for (File& one : ngrams_) one.rewind();
}

template <int Width>
template <typename Visit>
void WidthEstimator<Width>::visit_counted(const StopFlag& stop, Visit&& visit) {
  if (counted_.empty()) return counter_->drain(stop, visit);
  for (const std::string& path : counted_) {
    stop.check();
    const MappedFile file(path);
    const auto bytes = file.bytes();
    if (bytes.size() % sizeof(Record) != 0)
      throw FormatError({.path = path, .found = "a damaged file", .expected = "counted n-grams"});
    for (const Record& record :
         std::span(reinterpret_cast<const Record*>(bytes.data()), bytes.size() / sizeof(Record)))
      visit(record);
  }
}

template <int Width>
void WidthEstimator<Width>::record_adjusted(int n, const Record& counted, uint64_t adjusted,
                                            File& to) {
  Record record = counted;
  record.first = adjusted;
  record.second = static_cast<int64_t>(counted.first) <= threshold(options_, n);
  counts_of_counts_[n - 1].add(adjusted);
  kept_[n - 1] += record.second == 0;
  to.add(record);
}

// N-grams that begin with <s> come first; every other one has a left neighbour.
template <int Width>
void WidthEstimator<Width>::adjust(int n, const StopFlag& stop) {
  File adjusted = file();
  const auto next = [&] { return ngrams_[n - 1].next(stop); };
  const Record* counted = next();
  if (n == order_) {
    for (; counted; counted = next()) record_adjusted(n, *counted, counted->first, adjusted);
  } else {
    for (; counted && counted->words[0] == kSentenceBegin; counted = next())
      record_adjusted(n, *counted, counted->first, adjusted);
    ExternalSorter<Record, Adding> neighbours(disk_.memory, disk_.folder, {}, disk_.blocks,
                                              disk_.threads);
    File& above = ngrams_[n];
    while (const Record* longer = above.next(stop)) {
      Record suffix{.first = 1};
      std::copy_n(longer->words.begin() + 1, n, suffix.words.begin());
      neighbours.add(suffix);
    }
    above.rewind();
    neighbours.drain(stop, [&](const Record& suffix) {
      record_adjusted(n, *counted, suffix.first, adjusted);
      counted = next();
    });
  }
  adjusted.rewind();
  ngrams_[n - 1] = std::move(adjusted);
}

template <int Width>
void WidthEstimator<Width>::adjust_unigrams(const StopFlag& stop) {
  if (order_ > 1) {
    std::fill(unigrams_.begin(), unigrams_.end(), 0);
    while (const Record* bigram = ngrams_[1].next(stop)) ++unigrams_[bigram->words[1]];
    ngrams_[1].rewind();
  }
  unigrams_[kUnknown] = unigrams_[kSentenceBegin] = 0;
  for (const uint64_t count : unigrams_) counts_of_counts_[0].add(count);
}

// Calls visit(record) for the n-grams that are kept: `first` is what the context gives to the
// n-gram, `second` the context's backoff, which is recorded too.
template <int Width>
template <typename Visit>
void WidthEstimator<Width>::visit_contexts(int n, const Discounts& discounts, const StopFlag& stop,
                                           Visit&& visit) {
  std::vector<Record> group;
  const auto close = [&] {
    if (group.empty()) return;
    ContextSums sums;
    for (const Record& one : group) sums.add(one.first, one.second != 0, discounts);
    const double backoff = sums.backoff();
    Record context{.first = bits(static_cast<float>(backoff))};
    std::copy_n(group.front().words.begin(), n - 1, context.words.begin());
    backoff_->add(context);
    for (Record& one : group) {
      if (one.second != 0) continue;
      one.first = bits(sums.own(one.first, discounts));
      one.second = bits(backoff);
      visit(one);
    }
    group.clear();
  };
  while (const Record* record = ngrams_[n - 1].next(stop)) {
    if (!group.empty() && compare(group.front(), *record, n - 1) != 0) close();
    group.push_back(*record);
  }
  close();
  backoff_->rewind();
}

template <int Width>
void WidthEstimator<Width>::interpolate(int n, const Discounts& discounts, const StopFlag& stop) {
  backoff_.emplace(file());
  File found = file();
  const auto interpolated = [](const Record& record, float below) {
    const auto prob = static_cast<float>(real(record.first) + real(record.second) * below);
    Record result{record.words, bits(prob), 0};
    return result;
  };
  if (n == 2) {
    visit_contexts(n, discounts, stop, [&](const Record& record) {
      found.add(interpolated(record, unigram_prob_[record.words[1]]));
    });
  } else {
    ExternalSorter<Record, BySuffix<Width>> by_suffix(disk_.memory / 2, disk_.folder, {},
                                                      disk_.blocks, disk_.threads);
    visit_contexts(n, discounts, stop, [&](const Record& record) { by_suffix.add(record); });
    ExternalSorter<Record, ByWords<Width>> by_words(disk_.memory / 2, disk_.folder, {},
                                                    disk_.blocks, disk_.threads);
    File& shorter = ngrams_[n - 2];
    const Record* below = shorter.next(stop);
    by_suffix.drain(stop, [&](const Record& record) {
      while (
          !std::equal(below->words.begin(), below->words.begin() + n - 1, record.words.begin() + 1))
        below = shorter.next(stop);
      by_words.add(interpolated(record, static_cast<float>(real(below->first))));
    });
    by_words.drain(stop, [&](const Record& record) { found.add(record); });
    shorter.rewind();
  }
  found.rewind();
  ngrams_[n - 1] = std::move(found);  // the adjusted counts are not needed any more
}

template <int Width>
void WidthEstimator<Width>::write_unigrams(NgramOutput& output, const StopFlag& stop) {
  unigram_backoff_.assign(unigrams_.size(), 1.0f);
  if (backoff_)
    while (const Record* context = backoff_->next(stop))
      unigram_backoff_[context->words[0]] = static_cast<float>(real(context->first));
  for (uint32_t word = 0; word < unigrams_.size(); ++word) {
    if (word % kWordsPerCheck == 0) stop.check();
    const float prob = word == kSentenceBegin ? kNeverLog10 : log_probability(unigram_prob_[word]);
    const float backoff = logarithm(unigram_backoff_[word]);
    output.ngram({&word, 1}, prob, backoff);
  }
}

// Contexts that were pruned have backoffs, too, which are skipped.
template <int Width>
void WidthEstimator<Width>::write_order(int n, NgramOutput& output, const StopFlag& stop) {
  const bool highest = n == order_;
  const Record* context = highest ? nullptr : backoff_->next(stop);
  while (const Record* record = ngrams_[n - 1].next(stop)) {
    while (context && compare(*context, *record, n) < 0) context = backoff_->next(stop);
    const bool has = context && compare(*context, *record, n) == 0;
    const float backoff = logarithm(has ? static_cast<float>(real(context->first)) : 1.0f);
    output.ngram({record->words.data(), static_cast<size_t>(n)},
                 log_probability(static_cast<float>(real(record->first))), backoff);
  }
  ngrams_[n - 1].rewind();
}

template <int Width>
DiskReport WidthEstimator<Width>::finish(const Vocabulary& vocabulary, NgramOutput& output,
                                         const StopFlag& stop, Progress& progress) {
  if (sentences_ == 0 && counted_.empty())
    throw ModelError({.found = "no text", .expected = "at least one sentence"});
  progress.expect(2 * order_ - 1 + output.steps(order_));
  unigrams_.resize(vocabulary.size(), 0);
  counts_of_counts_.resize(order_);
  kept_.resize(order_);
  count_orders(stop);
  for (int n = 2; n <= order_; ++n, progress.advance()) adjust(n, stop);
  adjust_unigrams(stop);
  progress.advance();

  DiskReport report;
  std::vector<Discounts> discounts;
  for (int n = 1; n <= order_; ++n) {
    discounts.push_back(discounts_of(counts_of_counts_[n - 1], n, options_, report));
    report.ngrams.push_back(kept(n));
  }
  unigram_prob_ = unigram_probabilities(unigrams_, discounts[0]);
  output.begin(report.ngrams);
  for (int n = 2; n <= order_; ++n, progress.advance()) {
    interpolate(n, discounts[n - 1], stop);
    output.section(n - 1);
    if (n == 2)
      write_unigrams(output, stop);
    else
      write_order(n - 1, output, stop);
  }
  output.section(order_);
  if (order_ == 1)
    write_unigrams(output, stop);
  else
    write_order(order_, output, stop);
  ngrams_.clear();  // frees the disk
  backoff_.reset();
  output.finish();
  return report;
}

template <int Width>
void count_part(const NgramPart& part, const DiskOptions& disk, const std::string& path,
                const StopFlag& stop) {
  const MappedFile file(part.tokens);
  const std::span tokens(reinterpret_cast<const uint32_t*>(file.bytes().data()),
                         file.bytes().size() / sizeof(uint32_t));
  if (!tokens.empty() && tokens.back() != kSentenceEnd)
    throw FormatError({.path = part.tokens, .found = "a damaged file", .expected = "sentences"});
  ExternalSorter<Gram<Width>, ByWordsAdding<Width>> counter(disk.memory, disk.folder);
  for (size_t at = 0; at < tokens.size(); ++at) {
    if (at % kTokensPerCheck == 0) stop.check();
    const uint32_t token = tokens[at];
    if (token >= part.first && token < part.last && token != kSentenceEnd)
      counter.add(gram_at<Width>(&tokens[at], part.order));
  }
  std::ofstream out(path, std::ios::binary);
  counter.drain(stop, [&](const Gram<Width>& gram) {
    out.write(reinterpret_cast<const char*>(&gram), sizeof(gram));
  });
  out.close();
  if (!out) throw IoError({.path = path, .found = "the file cannot be written"}, errno);
}

}  // namespace

void count_ngram_part(const NgramPart& part, const DiskOptions& disk, const std::string& path,
                      const StopFlag& stop) {
  if (part.order < 2 || part.order > kMaxLmOrder) throw std::invalid_argument("no such order");
  if (part.order <= 4)
    count_part<4>(part, disk, path, stop);
  else
    count_part<12>(part, disk, path, stop);
}

std::unique_ptr<DiskEstimator> DiskEstimator::make(const KneserNeyOptions& options,
                                                   const DiskOptions& disk) {
  check(options);
  if (options.order <= 4) return std::make_unique<WidthEstimator<4>>(options, disk);
  return std::make_unique<WidthEstimator<12>>(options, disk);
}

}  // namespace demotic::lm
