#include "demotic/metrics/chrf.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "demotic/base/utf8.h"
#include "demotic/metrics/candidates.h"
#include "demotic/metrics/segmenter.h"

namespace demotic::metrics {

namespace {

constexpr int64_t kSegmentsPerCheck = 64;  // lines between two checks of the stop flag

bool is_punctuation(char c) noexcept {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

void append_characters(std::string_view piece, std::vector<int32_t>& characters) {
  while (!piece.empty()) {
    const Utf8Char next = utf8_front(piece);
    characters.push_back(next.code);
    piece.remove_prefix(next.size);
  }
}

// Calls visit(word) for the one or two words of a token.
template <typename Visit>
void for_each_word(std::string_view piece, Visit&& visit) {
  if (static_cast<size_t>(utf8_front(piece).size) == piece.size()) {
    visit(piece);
  } else if (is_punctuation(piece.back())) {
    visit(piece.substr(0, piece.size() - 1));
    visit(piece.substr(piece.size() - 1));
  } else if (is_punctuation(piece.front())) {
    visit(piece.substr(0, 1));
    visit(piece.substr(1));
  } else {
    visit(piece);
  }
}

}  // namespace

double chrf_score(std::span<const int32_t> row, int32_t beta) noexcept {
  double precision = 0, recall = 0;
  int32_t orders = 0;
  for (size_t i = 0; i < row.size(); i += 3) {
    if (row[i] == 0 || row[i + 1] == 0) continue;
    precision += static_cast<double>(row[i + 2]) / row[i];
    recall += static_cast<double>(row[i + 2]) / row[i + 1];
    ++orders;
  }
  if (orders == 0 || precision + recall == 0) return 0;
  precision /= orders;
  recall /= orders;
  const double factor = static_cast<double>(beta) * beta;
  return 100 * ((1 + factor) * precision * recall / (factor * precision + recall));
}

ChrfReferences::ChrfReferences(const Lines& references, std::vector<int64_t> first,
                               const ChrfOptions& options, const StopFlag& stop)
    : options_(options), first_(std::move(first)) {
  check_first(first_, references.size());
  if (options.char_order < 0 || options.word_order < 0 || columns() == 0 || options.beta < 1)
    throw std::invalid_argument("chrF orders or beta out of range");
  VocabularyBuilder builder;
  std::vector<std::string_view> pieces;
  for (size_t i = 0; i < references.size(); ++i) {
    if (i % kSegmentsPerCheck == 0) stop.check();
    pieces.clear();
    split_spaces(references[i], pieces);
    for (const std::string_view piece : pieces) {
      append_characters(piece, characters_.values);
      if (options_.word_order > 0)
        for_each_word(piece, [&](auto word) { words_.values.push_back(builder.add(word)); });
    }
    characters_.end_row();
    words_.end_row();
  }
  vocabulary_ = builder.finish();
}

class ChrfReferences::Worker {
 public:
  Worker(const ChrfReferences& references, const Lines& candidates,
         std::span<const int64_t> sentences)
      : references_(references), candidates_(candidates), sentences_(sentences) {}

  void operator()(int64_t i, int32_t* out) {
    load(sentences_[i]);
    read(candidates_[i]);
    double best = -1;
    for (size_t r = 0; r < character_tables_.size(); ++r) {
      fill_row(static_cast<int64_t>(r));
      const double score = chrf_score(row_, references_.options_.beta);
      if (score <= best) continue;
      best = score;
      std::ranges::copy(row_, out);
    }
  }

 private:
  void load(int64_t sentence) {
    if (sentence == sentence_) return;
    sentence_ = sentence;
    const int64_t begin = references_.first_[sentence],
                  count = references_.first_[sentence + 1] - begin;
    character_tables_.resize(count);
    word_tables_.resize(count);
    for (int64_t r = 0; r < count; ++r) {
      make(character_tables_[r], references_.characters_[begin + r],
           references_.options_.char_order);
      make(word_tables_[r], references_.words_[begin + r], references_.options_.word_order);
    }
  }

  static void make(ReferenceNgrams& table, std::span<const int32_t> reference, int32_t order) {
    table.clear(reference.size(), order);
    table.add(reference);
  }

  void read(std::string_view candidate) {
    pieces_.clear();
    characters_.clear();
    words_.clear();
    split_spaces(candidate, pieces_);
    for (const std::string_view piece : pieces_) {
      append_characters(piece, characters_);
      if (references_.options_.word_order > 0)
        for_each_word(
            piece, [&](auto word) { words_.push_back(find_word(references_.vocabulary_, word)); });
    }
  }

  void fill_row(int64_t r) {
    row_.clear();
    const int64_t reference = references_.first_[sentence_] + r;
    append(character_tables_[r], references_.characters_[reference], characters_,
           references_.options_.char_order);
    append(word_tables_[r], references_.words_[reference], words_, references_.options_.word_order);
  }

  void append(const ReferenceNgrams& table, std::span<const int32_t> reference,
              std::span<const int32_t> candidate, int32_t order) {
    matches_.assign(order, 0);
    count_matches(table.view(), candidate, order, claimed_, matches_.data());
    for (int32_t n = 0; n < order; ++n) {
      const int32_t in_reference = std::max(0, static_cast<int32_t>(reference.size()) - n);
      const int32_t in_candidate = std::max(0, static_cast<int32_t>(candidate.size()) - n);
      row_.insert(row_.end(), {in_reference > 0 ? in_candidate : 0, in_reference, matches_[n]});
    }
  }

  const ChrfReferences& references_;
  const Lines& candidates_;
  std::span<const int64_t> sentences_;
  int64_t sentence_ = -1;  // the sentence of the current tables
  std::vector<ReferenceNgrams> character_tables_, word_tables_;
  std::vector<std::string_view> pieces_;
  std::vector<int32_t> characters_, words_, claimed_, matches_, row_;
};

std::vector<int32_t> ChrfReferences::rows(const Lines& candidates,
                                          std::span<const int64_t> sentences, int threads,
                                          const StopFlag& stop) const {
  check_sentences(sentences, candidates.size(), size());
  return fill_rows(static_cast<int64_t>(candidates.size()), columns(), threads, stop,
                   [&] { return Worker(*this, candidates, sentences); });
}

}  // namespace demotic::metrics
