#include "demotic/rules/operations.h"

#include <algorithm>

namespace demotic::rules {

int32_t OperationSteps::root(int32_t node) noexcept {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void OperationSteps::find(int32_t source_words, int32_t target_words, std::span<const Link> links) {
  source_words_ = source_words;
  const int32_t words = source_words + target_words;
  parent_.resize(words);
  for (int32_t i = 0; i < words; ++i) parent_[i] = i;
  linked_.assign(words, 0);
  cept_.assign(words, -1);
  for (const Link& link : links) {
    linked_[link.source] = linked_[source_words + link.target] = 1;
    parent_[root(source_words + link.target)] = root(link.source);
  }
  steps_.clear();
  source_ = target_ = {};
  const auto first = static_cast<int32_t>(
      std::find(linked_.begin(), linked_.begin() + source_words, 1) - linked_.begin());
  if (first == source_words) add_deleted(0);
  for (int32_t t = 0; t < target_words; ++t) {
    if (!linked_[source_words + t]) {
      steps_.push_back({OperationStep::kInsert, -1, -1, t});
      continue;
    }
    const int32_t top = root(source_words + t);
    if (cept_[top] >= 0) continue;
    const int32_t cept = cept_[top] = static_cast<int32_t>(source_.ends.size());
    for (int32_t i = t; i < target_words; ++i)
      if (root(source_words + i) == top) target_.values.push_back(i);
    target_.ends.push_back(static_cast<int32_t>(target_.values.size()));
    auto kind = OperationStep::kGenerate;
    for (int32_t s = 0; s < source_words; ++s) {
      if (root(s) != top) continue;
      if (s == first) add_deleted(0);
      source_.values.push_back(s);
      steps_.push_back({kind, s, cept, -1});
      kind = OperationStep::kContinue;
      add_deleted(s + 1);
    }
    source_.ends.push_back(static_cast<int32_t>(source_.values.size()));
  }
}

// Deletes the words without links from `begin` on.
void OperationSteps::add_deleted(int32_t begin) {
  for (int32_t s = begin; s < source_words_ && !linked_[s]; ++s)
    steps_.push_back({OperationStep::kDelete, s, -1, -1});
}

std::string move_name(Move move, int32_t gaps) {
  if (move == Move::kGap) return "_";
  return move == Move::kForward ? ">>" : "<" + std::to_string(std::min(gaps, kMaxBack));
}

OperationText operation_text(const AlignedBitext& bitext, const Vocabulary& vocabulary,
                             const StopFlag& stop) {
  VocabularyBuilder names;
  Csr<WordId> text;
  OperationSteps found;
  SourceString string;
  for (int64_t row = 0; row < bitext.rows(); ++row) {
    if (row % 1024 == 0) stop.check();
    const std::span<const WordId> source = bitext.source[bitext.pair_of(row)];
    const std::span<const WordId> target = bitext.target[bitext.pair_of(row)];
    const auto length = static_cast<int32_t>(source.size());
    if (const std::span<const Link> links = bitext.links_of(row); !links.empty()) {
      found.find(length, static_cast<int32_t>(target.size()), links);
      string.reset(length);
      for (const OperationStep& step : found.steps()) {
        if (step.source >= 0) {
          string.move(step.source, [&](Move move, int32_t gaps) {
            text.values.push_back(names.add(move_name(move, gaps)));
          });
          string.generate();
        }
        text.values.push_back(names.add(found.name(
            step, [&](int32_t s) { return vocabulary.word(source[s]); },
            [&](int32_t t) { return vocabulary.word(target[t]); })));
      }
    }
    text.end_row();
  }
  return {Corpus(std::move(text)), names.finish()};
}

}  // namespace demotic::rules
