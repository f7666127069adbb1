#include "demotic/lm/disk_build.h"

#include <algorithm>
#include <bit>

#include "demotic/base/container.h"
#include "demotic/base/external_sort.h"

namespace demotic::lm {
namespace {

constexpr uint32_t kIsContext = 1u << 31;  // in numbers of slots, which have at most 31 bits

// By the first number of a record.
template <typename T>
struct ByFirst {
  uint64_t key(const T& record) const noexcept { return record.first; }
};

struct ByHome {
  NgramHash hash;
  uint64_t key(const SweptNgram& ngram) const noexcept { return hash.home(ngram.key); }
};

struct ByValue {
  // Numbers in the order of the values: negative ones have all bits inverted.
  uint64_t key(float value) const noexcept {
    const auto bits = std::bit_cast<uint32_t>(value);
    return bits >> 31 ? ~bits : bits | 1u << 31;
  }
};

struct WantedSuffix {
  uint64_t first;  // the context of the suffix, and its word
  uint32_t position, unused = 0;
};
struct FoundSuffix {
  uint32_t first;  // the position of the n-gram
  uint32_t suffix, state, unused = 0;
};
struct FoundSlot {
  uint32_t first;  // the position of the n-gram
  uint32_t number;
};

template <typename T, typename Order = ByFirst<T>>
ExternalSorter<T, Order> sorter(const DiskOptions& disk, size_t memory, Order order = {}) {
  return {memory, disk.folder, order, disk.blocks, disk.threads};
}

}  // namespace

NgramLayout DiskBuilder::layout(size_t n) const noexcept {
  return NgramLayout(n > 1 && quantized_ ? &codebooks_[n - 2] : nullptr);
}

void DiskBuilder::begin(const std::vector<uint64_t>& counts) {
  counts_ = counts;
  order_ = counts.size();
  number_bits_ = state_number_bits(static_cast<int>(order_));
  codebooks_.resize(quantized_ ? order_ - 1 : 0);
  for (size_t n = 2; n <= order_; ++n) {
    const uint64_t size = counts[n - 1];
    check_numbers(hash_for(size, 1, vocabulary_.size(), 0, layout(n)), layout(n), size,
                  number_bits_);
  }
  lists_.resize(order_ + 1);
}

void DiskBuilder::section(int order) {
  for (int n = 1; n < order; ++n) lists_[n]->rewind();
  renew(lists_[order]);
  path_to_ = {};
  known_ = 0;
}

void DiskBuilder::ngram(std::span<const uint32_t> words, float prob, float backoff) {
  const size_t n = words.size();
  const uint32_t context = n == 1 ? 0 : context_of(words.first(n - 1));
  lists_[n]->add({context, words.back(), prob, n == order_ ? 0 : backoff});
}

// Contexts ascend, so that the lists of all lower orders are read from the beginning to the end.
uint32_t DiskBuilder::context_of(std::span<const uint32_t> words) {
  size_t k = 0;
  while (k < known_ && words[k] == words_[k]) ++k;
  for (; k < words.size(); ++k) {
    words_[k] = words[k];
    if (k == 0) {
      path_to_[0] = words[0];
      continue;
    }
    const uint64_t wanted = uint64_t{path_to_[k - 1]} << 32 | words[k];
    while (lists_[k + 1]->at(path_to_[k], stop_).key() != wanted) ++path_to_[k];
  }
  known_ = words.size();
  return path_to_[known_ - 1];
}

// From the links of order n and the nodes below it.
void DiskBuilder::find_suffixes(size_t n) {
  renew(suffixes_);
  if (n == 1) {
    for (uint64_t i = 0; i < counts_[0]; ++i) suffixes_->add({0, 0});
    return suffixes_->rewind();
  }
  auto by_position = sorter<FoundSuffix>(disk_, disk_.memory);
  links_->rewind();
  nodes_->rewind();
  while (const Link* link = links_->next(stop_))
    by_position.add({link->position, link->suffix, nodes_->at(link->suffix, stop_).state});
  by_position.drain(stop_,
                    [&](const FoundSuffix& found) { suffixes_->add({found.suffix, found.state}); });
  suffixes_->rewind();
}

// Links the n-grams of order n + 1 to their suffixes, which have order n.
void DiskBuilder::link_suffixes(size_t n) {
  auto by_suffix = sorter<WantedSuffix>(disk_, disk_.memory);
  RecordFile<Listed>&here = *lists_[n], &above = *lists_[n + 1];
  above.rewind();
  suffixes_->rewind();
  for (uint32_t i = 0; const Listed* ngram = above.next(stop_); ++i) {
    const uint32_t shorter = suffixes_->at(ngram->context, stop_).position;
    by_suffix.add({uint64_t{shorter} << 32 | ngram->word, i});
  }
  renew(links_);
  here.rewind();
  uint32_t at = 0;
  by_suffix.drain(stop_, [&](const WantedSuffix& wanted) {
    while (here.at(at, stop_).key() != wanted.first) ++at;
    links_->add({at, wanted.position});
  });
  links_->rewind();
}

// Calls visit(ngram) for the n-grams of an order by position, with all that their bucket holds.
template <typename Visit>
void DiskBuilder::visit_ngrams(size_t n, const NgramTable& table, Visit&& visit) {
  const bool highest = n == order_;
  lists_[n]->rewind();
  suffixes_->rewind();
  if (n > 1) nodes_->rewind();
  if (!highest) lists_[n + 1]->rewind();
  if (!highest) links_->rewind();
  const Listed* longer = highest ? nullptr : lists_[n + 1]->next(stop_);
  const Link* link = highest ? nullptr : links_->next(stop_);
  for (uint32_t i = 0; const Listed* listed = lists_[n]->next(stop_); ++i) {
    SweptNgram ngram{.index = i,
                     .data = {.prob = listed->prob,
                              .backoff = listed->backoff,
                              .suffix = suffixes_->at(i, stop_).state}};
    if (n > 1)
      ngram.key =
          table.key(nodes_->at(listed->context, stop_).number, static_cast<WordId>(listed->word));
    if (listed->backoff != 0) ngram.marks = NgramBucket::kContext;
    for (; longer && longer->context == i; longer = lists_[n + 1]->next(stop_))
      ngram.marks |= NgramBucket::kContext | table.filter_bit(static_cast<WordId>(longer->word));
    for (; link && link->suffix == i; link = links_->next(stop_)) ngram.data.extends_left = true;
    visit(ngram);
  }
}

// Word i is in slot i.
void DiskBuilder::write_unigrams() {
  std::optional<RecordFile<Node>> nodes;
  renew(nodes);
  RecordFile<NgramBucket>& buckets = buckets_.emplace_back(disk_.folder);
  NgramBucket bucket{};
  visit_ngrams(1, NgramTable(std::span<const NgramBucket>()), [&](const SweptNgram& ngram) {
    const uint32_t lane = ngram.index % 4;
    bucket.cells[lane] = NgramBucket::kUsed | ngram.marks;
    layout(1).write(bucket, lane, ngram.data);
    const bool context = ngram.marks & NgramBucket::kContext;
    nodes->add({ngram.index, context ? 1u << number_bits_ | ngram.index : 0});
    if (lane == 3) buckets.add(std::exchange(bucket, {}));
  });
  if (counts_[0] % 4 != 0) buckets.add(bucket);
  nodes_ = std::move(nodes);
}

void DiskBuilder::place(size_t n) {
  const uint64_t size = counts_[n - 1];
  const uint64_t below =
      n == 2 ? counts_[0] : hashes_.back().buckets() << layout(n - 1).lane_bits();
  if (quantized_) codebooks_[n - 2] = codebook(n);
  for (int attempt = 0;; ++attempt) {
    const NgramHash hash = hash_for(size, below, vocabulary_.size(), attempt, layout(n));
    check_numbers(hash, layout(n), size, number_bits_);
    if (!place(n, hash)) continue;
    hashes_.push_back(hash);
    return;
  }
}

bool DiskBuilder::place(size_t n, const NgramHash& hash) {
  auto by_home = sorter<SweptNgram, ByHome>(disk_, disk_.memory / 2, {hash});
  visit_ngrams(n, NgramTable(hash, {}, layout(n)),
               [&](const SweptNgram& ngram) { by_home.add(ngram); });
  auto by_position = sorter<FoundSlot>(disk_, disk_.memory / 2);
  RecordFile<NgramBucket> buckets(disk_.folder);
  const auto placed = [&](const SweptNgram& ngram, uint32_t number) {
    const bool context = ngram.marks & NgramBucket::kContext;
    if (n < order_) by_position.add({ngram.index, number | (context ? kIsContext : 0)});
  };
  NgramSweep sweep(hash, layout(n), placed, [&](const NgramBucket& one) { buckets.add(one); });
  by_home.drain(stop_, [&](const SweptNgram& ngram) { sweep.add(ngram); });
  if (!sweep.finish()) return false;
  buckets_.push_back(std::move(buckets));
  renew(nodes_);
  suffixes_->rewind();
  by_position.drain(stop_, [&](const FoundSlot& found) {
    const uint32_t number = found.number & ~kIsContext;
    const bool context = found.number & kIsContext;
    nodes_->add({number, context ? static_cast<uint32_t>(n) << number_bits_ | number
                                 : suffixes_->at(found.first, stop_).state});
  });
  return true;
}

Codebook DiskBuilder::codebook(size_t n) {
  Codebook result;
  fill_bins(n, &Listed::prob, result.prob);
  fill_bins(n, &Listed::backoff, std::span(result.backoff).subspan(1));
  return result;
}

void DiskBuilder::fill_bins(size_t n, float Listed::* value, std::span<float> means) {
  // Equal values are sorted together, with 32 bytes each, and there may be nothing but these.
  auto by_value = sorter<float, ByValue>(disk_, disk_.memory / 32);
  uint64_t size = 0;
  lists_[n]->rewind();
  while (const Listed* listed = lists_[n]->next(stop_)) {
    if (value == &Listed::backoff && listed->backoff == 0) continue;
    by_value.add(listed->*value);
    ++size;
  }
  BinMeans bins(size, means);
  by_value.drain(stop_, [&](float one) { bins.add(one); });
  bins.finish();
}

void DiskBuilder::finish() {
  lists_[order_]->rewind();
  for (size_t n = 1; n <= order_; ++n) {
    find_suffixes(n);
    if (n < order_) link_suffixes(n);
    if (n == 1)
      write_unigrams();
    else
      place(n);
    lists_[n].reset();
    progress_.advance();
  }
  write();
}

void DiskBuilder::write() {
  LanguageModel model;
  model.vocabulary_ = vocabulary_;
  model.counts_ = counts_;
  model.hashes_ = hashes_;
  model.codebooks_ = codebooks_;
  model.save_with(path_, [&](ContainerWriter& writer) {
    for (RecordFile<NgramBucket>& order : buckets_) {
      order.rewind();
      while (const NgramBucket* bucket = order.next(stop_)) writer.append(std::span(bucket, 1));
    }
  });
}

}  // namespace demotic::lm
