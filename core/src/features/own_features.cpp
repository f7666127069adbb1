#include "demotic/features/own_features.h"

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
  const std::lock_guard lock(mutex_);
  const auto known = names_.find(value);
  return title_ + "=" + (known == names_.end() ? "#" + std::to_string(value) : known->second);
}

void OwnFeatures::add_mixed_values(const RuleSides& rule, const SentenceWords& sentence,
                                   int32_t begin, int32_t end,
                                   std::vector<uint64_t>& values) const {
  const uint64_t key = hash_of(rule, sentence, begin, end);
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = cache_.find(key); known != cache_.end()) {
      values.insert(values.end(), known->second.begin(), known->second.end());
      return;
    }
  }
  std::vector<uint64_t> found = computed(rule, sentence, begin, end);
  values.insert(values.end(), found.begin(), found.end());
  const std::lock_guard lock(mutex_);
  if (cache_.size() >= kMaxCached) cache_.clear();
  cache_[key] = std::move(found);
}

std::vector<uint64_t> OwnFeatures::computed(const RuleSides& rule, const SentenceWords& sentence,
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
  const std::vector<std::string> names = function_(use);
  std::vector<uint64_t> values;
  const std::lock_guard lock(mutex_);
  for (const std::string& one : names) {
    values.push_back(hash_bytes(one) >> (64 - kBits));
    names_[values.back()] = one;
  }
  return values;
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
