#include "demotic/features/own_features.h"

#include <bit>

#include "demotic/base/errors.h"
#include "demotic/base/hash.h"

namespace demotic::features {
namespace {

// Never destroyed: it may belong to an interpreter that ends before the program does.
OwnLoader& loader() {
  static auto* const one = new OwnLoader;
  return *one;
}

template <typename Items>
uint64_t mixed(uint64_t hash, const Items& items) noexcept {
  for (const auto item : items) hash = mix64(hash ^ static_cast<uint64_t>(item)) + 1;
  return mix64(hash ^ items.size());
}

uint64_t hash_of(const RuleSides& rule, const SentenceWords& sentence, int32_t begin, int32_t end) {
  uint64_t hash = mix64(uint64_t(uint32_t(begin)) << 32 | uint32_t(end));
  hash = mixed(mixed(hash, rule.source), rule.target);
  for (const RuleLink link : rule.links) hash = mix64(hash ^ (link.source << 8 | link.target)) + 1;
  hash ^= hash_bytes(sentence.tag_text) ^ mix64(hash_bytes(sentence.tree_text));
  return mixed(hash, sentence.words);
}

}  // namespace

void set_own_loader(OwnLoader made) { loader() = std::move(made); }

OwnFunction load_own(const std::string& name, const std::string& code) {
  if (!loader())
    throw ModelError({.found = "features of the function " + name,
                      .expected = "a program that can call it",
                      .advice = "open the model with the Python package"});
  return loader()(name, code);
}

std::string OwnFeatures::name(uint64_t value) const {
  const uint64_t number = feature_of(value).key;
  const std::lock_guard lock(mutex_);
  const std::string* known = names_.find(number);
  return title_ + "=" + (known ? *known : "#" + std::to_string(number));
}

FeatureValue OwnFeatures::feature_of(uint64_t value) const {
  if (!has_value(value)) return {value, 1};
  const std::lock_guard lock(mutex_);
  if (const FeatureValue* known = valued_.find(value)) return *known;
  throw ModelError({.found = "more than " + std::to_string(kMaxKnown) +
                             " different values of features of " + title_ + " at the same time",
                    .expected = "fewer",
                    .advice = "round the values that the function yields"});
}

// Numbers of other features with the same hash are skipped.
uint64_t OwnFeatures::number_with_value(const FeatureValue& one) const {
  const uint64_t hash = mix64(one.key ^ mix64(std::bit_cast<uint64_t>(one.value)));
  for (uint64_t number = hash >> (64 - kBits);; number = (number + 1) % kValued) {
    const FeatureValue* known = valued_.find(kValued | number);
    if (!known) valued_.add(kValued | number, one);
    if (!known || (known->key == one.key && known->value == one.value)) return kValued | number;
  }
}

void OwnFeatures::add_mixed_values(const RuleSides& rule, const SentenceWords& sentence,
                                   int32_t begin, int32_t end,
                                   std::vector<uint64_t>& values) const {
  const uint64_t key = hash_of(rule, sentence, begin, end);
  const auto append = [&](const Fired& fired) {
    for (const FeatureValue& one : fired)
      values.push_back(one.value == 1 ? one.key : number_with_value(one));
  };
  {
    const std::lock_guard lock(mutex_);
    if (const Fired* known = cache_.find(key)) return append(*known);
  }
  Fired found = computed(rule, sentence, begin, end);
  const std::lock_guard lock(mutex_);
  append(found);
  cache_.add(key, std::move(found));
}

OwnFeatures::Fired OwnFeatures::computed(const RuleSides& rule, const SentenceWords& sentence,
                                         int32_t begin, int32_t end) const {
  AppliedRule use{spelled(rule.source, false),
                  spelled(rule.target, true),
                  {},
                  spelled(sentence.words, false),
                  begin,
                  end,
                  std::string(sentence.tag_text),
                  std::string(sentence.tree_text)};
  for (const RuleLink link : rule.links) use.links.emplace_back(link.source, link.target);
  OwnNames found = function_(use);
  Fired fired;
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < found.names.size(); ++i) {
    const uint64_t number = hash_bytes(found.names[i]) >> (64 - kBits);
    fired.push_back({number, found.values.empty() ? 1 : found.values[i]});
    if (!names_.find(number)) names_.add(number, std::move(found.names[i]));
  }
  return fired;
}

std::vector<std::string> OwnFeatures::spelled(std::span<const Symbol> symbols, bool target) const {
  std::vector<std::string> words;
  int32_t gaps = 0;
  for (const Symbol symbol : symbols) {
    if (is_gap(symbol))
      words.push_back("[" + std::to_string(1 + (target ? gap_index(symbol) : gaps++)) + "]");
    else
      words.emplace_back(vocabulary_.word(symbol < vocabulary_.size() ? symbol : kUnknown));
  }
  return words;
}

}  // namespace demotic::features
