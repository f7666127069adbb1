// Soft syntactic constraints (Marton & Resnik 2008; Chiang, Marton & Resnik 2008, section 3): a
// rule applied to a span matches a constituent that is the span, and crosses one that it overlaps
// without either containing the other. One feature per label and relation, or one per relation for
// all labels together. They depend on the span alone, so they are summed once per span.
#pragma once

#include "demotic/features/sparse_family.h"

namespace demotic::features {

class SoftSyntax final : public SparseFamily {
 public:
  // `fine`: one feature per label.
  SoftSyntax(const FamilyContext& context, bool fine)
      : fine_(fine), labels_(context.spec.list("labels")), numbers_(context.labels.size(), -1) {
    for (size_t i = 0; i < numbers_.size(); ++i)
      for (size_t own = 0; own < labels_.size(); ++own)
        if (labels_[own] == context.labels[i]) numbers_[i] = fine ? static_cast<int32_t>(own) : 0;
  }

  uint64_t values() const noexcept override { return fine_ ? 2 * labels_.size() : 2; }
  std::string name(uint64_t value) const override {
    return "syntax." + (fine_ ? labels_[value / 2] : "any") + (value % 2 ? "=cross" : "=match");
  }
  uint8_t groups() const noexcept override { return kSpan; }

  void add_span_values(const SentenceWords& sentence, int32_t begin, int32_t end,
                       std::vector<uint64_t>& values) const override {
    for (const Constituent& one : sentence.constituents) {
      if (numbers_[one.label] < 0) continue;
      const auto value = 2 * static_cast<uint64_t>(numbers_[one.label]);
      if (one.begin == begin && one.end == end)
        values.push_back(value);
      else if ((begin < one.begin && one.begin < end && end < one.end) ||
               (one.begin < begin && begin < one.end && one.end < end))
        values.push_back(value + 1);
    }
  }

 private:
  bool fine_;
  std::vector<std::string> labels_;
  std::vector<int32_t> numbers_;  // of labels of constituents; -1: not looked at
};

}  // namespace demotic::features
