// The operations that generate a sentence pair from left to right in the order of the translation
// (Durrani, Schmid & Fraser 2011). A cept is a minimal translation unit: the words that links
// connect. Operations:
//
//   generate X Y    the words Y, and the first of the source words X of a cept
//   continue        the next source word of the cept
//   delete X        a source word without links
//   insert Y        a target word without links
//   gap             leaves source words to the right of the position for later
//   forward         moves to the right of all source words generated so far
//   back N          moves to the N-th gap to the left
//
// Source words are generated at a position, which moves with them. A cept is generated with its
// first target word; later target words of it that are not adjacent have no operation. Source words
// without links follow their left neighbour; at the beginning of a pair or of a rule they precede
// the first linked word.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/rules/aligned_bitext.h"

namespace demotic::rules {

// One step of the generation of a pair, or of the two sides of a rule, without the moves.
struct OperationStep {
  enum Kind : uint8_t { kGenerate, kContinue, kDelete, kInsert };

  Kind kind;
  int32_t source;  // the source word that it generates; -1 for kInsert
  int32_t cept;    // of kGenerate and kContinue
  int32_t target;  // of kInsert
};

// Finds the cepts and steps of a pair. Reusable. Not thread-safe; use one instance per thread.
class OperationSteps {
 public:
  // `links` in any order.
  void find(int32_t source_words, int32_t target_words, std::span<const Link> links);

  std::span<const OperationStep> steps() const noexcept { return steps_; }
  // The words of a cept, ascending.
  std::span<const int32_t> source_of(int32_t cept) const noexcept { return source_.at(cept); }
  std::span<const int32_t> target_of(int32_t cept) const noexcept { return target_.at(cept); }

  // The name of a step; source_word(i) and target_word(i) spell words. Words have neither spaces
  // nor tabs, so names of different steps differ.
  template <typename Source, typename Target>
  std::string_view name(const OperationStep& step, Source&& source_word, Target&& target_word) {
    static constexpr char kMarks[] = {'=', '>', '-', '+'};
    name_.assign(1, kMarks[step.kind]);
    if (step.kind == OperationStep::kDelete) name_ += source_word(step.source);
    if (step.kind == OperationStep::kInsert) name_ += target_word(step.target);
    if (step.kind != OperationStep::kGenerate) return name_;
    for (const int32_t i : source_of(step.cept)) (name_ += source_word(i)) += ' ';
    name_ += '\t';
    for (const int32_t i : target_of(step.cept)) (name_ += target_word(i)) += ' ';
    return name_;
  }

 private:
  struct Lists {  // one list of positions per cept
    std::vector<int32_t> values, ends;
    std::span<const int32_t> at(int32_t i) const noexcept {
      const int32_t begin = i == 0 ? 0 : ends[i - 1];
      return std::span(values).subspan(begin, ends[i] - begin);
    }
  };

  int32_t root(int32_t node) noexcept;
  void add_deleted(int32_t begin);

  int32_t source_words_ = 0;
  std::vector<int32_t> parent_;  // union-find over the words of both sides
  std::vector<uint8_t> linked_;  // by word of both sides
  std::vector<int32_t> cept_;    // by root, -1 before it is generated
  std::vector<OperationStep> steps_;
  Lists source_, target_;
  std::string name_;
};

// Moves of the position in the source sentence, with the words generated so far.
enum class Move : uint8_t { kGap, kForward, kBack };
inline constexpr int32_t kMaxBack = 9;  // gaps are counted up to this
std::string move_name(Move move, int32_t gaps);

class SourceString {
 public:
  // Nothing is generated.
  void reset(int32_t length) {
    covered_.assign(length, 0);
    first_ = end_ = position_ = 0;
  }
  // All words before `first`, and then those for which covers(i) up to `end`, the end of the last.
  template <typename Covers>
  void load(int32_t length, int32_t first, int32_t end, int32_t position, Covers&& covers) {
    if (covered_.size() < static_cast<size_t>(length)) covered_.resize(length);
    for (int32_t i = first; i < end; ++i) covered_[i] = covers(i);
    for (int32_t i = end; i < length; ++i) covered_[i] = 0;
    first_ = first;
    end_ = end;
    position_ = position;
  }

  int32_t position() const noexcept { return position_; }
  int32_t first_open() const noexcept { return first_; }
  // Moves to a word that is not generated yet; calls visit(move, gaps) for each operation.
  template <typename Visit>
  void move(int32_t to, Visit&& visit) {
    if (to == position_) return;
    if (position_ < to) {
      if (open_until(position_, to)) {
        visit(Move::kGap, 0);
        position_ = to;
        return;
      }
      if (!covered(position_)) visit(Move::kGap, 0);
      visit(Move::kForward, 0);
      position_ = end_;
      if (position_ < to) visit(Move::kGap, 0);
      if (position_ <= to) {
        position_ = to;
        return;
      }
    } else if (position_ < end_ && !covered(position_)) {
      visit(Move::kGap, 0);
    }
    int32_t begin = to;
    while (!covered(begin - 1)) --begin;
    visit(Move::kBack, gaps(begin, position_));
    position_ = begin;
    if (position_ < to) visit(Move::kGap, 0);
    position_ = to;
  }
  // Generates the word at the position.
  void generate() noexcept {
    covered_[position_++] = 1;
    if (position_ > end_) end_ = position_;
    while (first_ < end_ && covered_[first_]) ++first_;
  }
  // Number of gaps: maximal runs of words not generated, before the last word generated.
  int32_t open_gaps() const noexcept { return first_ == end_ ? 0 : gaps(first_, end_); }

 private:
  bool covered(int32_t word) const noexcept {
    return word < first_ || (word < end_ && covered_[word]);
  }
  bool open_until(int32_t begin, int32_t end) const noexcept {
    for (int32_t i = begin; i < end && i < end_; ++i)
      if (covered(i)) return false;
    return true;
  }
  // Number of gaps that begin in [begin, end).
  int32_t gaps(int32_t begin, int32_t end) const noexcept {
    int32_t count = 0;
    for (int32_t i = begin; i < end; ++i) count += !covered(i) && (i == 0 || covered(i - 1));
    return count;
  }

  std::vector<uint8_t> covered_;  // from first_ on; earlier words are all generated
  int32_t first_ = 0, end_ = 0, position_ = 0;
};

// The operations of each pair of an aligned bitext as a text for a language model, once per set of
// links. Pairs without links have none.
struct OperationText {
  Corpus operations;
  Vocabulary vocabulary;
};
OperationText operation_text(const AlignedBitext& bitext, const Vocabulary& vocabulary,
                             const StopFlag& stop);

}  // namespace demotic::rules
