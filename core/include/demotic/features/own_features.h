// Features of a function of the user's: it gets a rule applied to a span of a sentence, and returns
// the names of the features that fire. It is called once for each rule, span and sentence; results
// are cached. A feature's value is a hash of its name, so that keys do not depend on the order in
// which names appear; with a million names two of them share a value with a probability of 0.2 %.
//
// Thread-safe: threads share the cache, and the function must be safe to call from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "demotic/features/sparse_family.h"

namespace demotic::features {

// What a function sees, as text. Gaps are [1] and [2], in the order of the source side; words that
// the model does not know are <unk>.
struct AppliedRule {
  std::vector<std::string> source, target;
  std::vector<std::pair<int32_t, int32_t>> links;  // between positions of source and target
  std::vector<std::string> sentence;
  int32_t begin, end;
  // Of the sentence, as in Annotations; empty if it has none.
  std::string tags, constituents;
};
using OwnFunction = std::function<std::vector<std::string>(const AppliedRule&)>;

// Finds a function by name; `code` identifies the version of its code that weights belong to. The
// loader is set once, before any model is opened.
using OwnLoader = std::function<OwnFunction(const std::string& name, const std::string& code)>;
void set_own_loader(OwnLoader loader);
OwnFunction load_own(const std::string& name, const std::string& code);

class OwnFeatures final : public SparseFamily {
 public:
  explicit OwnFeatures(const FamilyContext& context)
      : title_(context.spec.list("function").at(0)),
        vocabulary_(context.vocabulary),
        function_(load_own(title_, context.spec.list("code").at(0))) {}

  uint64_t values() const noexcept override { return uint64_t{1} << kBits; }
  std::string name(uint64_t value) const override;
  uint8_t groups() const noexcept override { return kMixed; }
  bool reads_annotations() const noexcept override { return true; }
  void add_mixed_values(const RuleSides& rule, const SentenceWords& sentence, int32_t begin,
                        int32_t end, std::vector<uint64_t>& values) const override;

 private:
  static constexpr int kBits = 48;
  static constexpr size_t kMaxCached = size_t{1} << 20;  // applications; then the cache is cleared

  std::vector<uint64_t> computed(const RuleSides& rule, const SentenceWords& sentence,
                                 int32_t begin, int32_t end) const;
  std::vector<std::string> spelled(std::span<const Symbol> symbols, bool target) const;

  const std::string title_;
  const Vocabulary vocabulary_;
  const OwnFunction function_;
  mutable std::mutex mutex_;  // never held while the function runs
  // By a hash of the application, and the names seen so far by value.
  mutable std::unordered_map<uint64_t, std::vector<uint64_t>> cache_;
  mutable std::unordered_map<uint64_t, std::string> names_;
};

}  // namespace demotic::features
