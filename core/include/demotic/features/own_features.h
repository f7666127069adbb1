// Features of a function of the user's: it gets a rule applied to a span of a sentence, and returns
// the names of the features that fire, some with values. It is called once for each rule, span and
// sentence; results are cached. The number of a feature is a hash of its name, so that keys do not
// depend on the order in which names appear; with a million names two of them share a number with a
// probability of 0.2 %. A feature with another value than 1 has the hash of its number and value.
//
// All tables are bounded, for programs that run for weeks: applications that were forgotten are
// computed again, and a feature whose name was forgotten is called # and its number.
//
// Thread-safe: threads share the cache, and the function must be safe to call from any thread.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "demotic/features/recent_map.h"
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
// Names, different from each other, and their values, which are finite and not 0; no values if all
// are 1.
struct OwnNames {
  std::vector<std::string> names;
  std::vector<double> values;
};
using OwnFunction = std::function<OwnNames(const AppliedRule&)>;

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

  uint64_t values() const noexcept override { return 2 * kValued; }
  bool has_values() const noexcept override { return true; }
  bool has_value(uint64_t value) const noexcept override { return (value & kValued) != 0; }
  FeatureValue feature_of(uint64_t value) const override;
  std::string name(uint64_t value) const override;
  uint8_t groups() const noexcept override { return kMixed; }
  bool reads_annotations() const noexcept override { return true; }
  void add_mixed_values(const RuleSides& rule, const SentenceWords& sentence, int32_t begin,
                        int32_t end, std::vector<uint64_t>& values) const override;

 private:
  static constexpr int kBits = 48;
  static constexpr uint64_t kValued = uint64_t{1} << kBits;  // marks those with a value
  static constexpr size_t kMaxKnown = size_t{1} << 19;       // capacity of each table

  using Fired = std::vector<FeatureValue>;  // numbers and values
  Fired computed(const RuleSides& rule, const SentenceWords& sentence, int32_t begin,
                 int32_t end) const;
  uint64_t number_with_value(const FeatureValue& one) const;
  std::vector<std::string> spelled(std::span<const Symbol> symbols, bool target) const;

  const std::string title_;
  const Vocabulary vocabulary_;
  const OwnFunction function_;
  mutable std::mutex mutex_;  // guards the tables; never held while the function runs
  mutable RecentMap<Fired> cache_{kMaxKnown};          // by a hash of the application
  mutable RecentMap<std::string> names_{kMaxKnown};    // by number
  mutable RecentMap<FeatureValue> valued_{kMaxKnown};  // by the number that stands for both
};

}  // namespace demotic::features
