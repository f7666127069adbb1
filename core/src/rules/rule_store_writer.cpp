#include "demotic/rules/rule_store_writer.h"

#include <stdexcept>

#include "demotic/base/errors.h"
#include "rule_store_format.h"
#include "text_section.h"

namespace demotic::rules {
namespace {

constexpr size_t kWrittenBytes = size_t{1} << 18;  // written to the container at once

}  // namespace

uint32_t target_place(uint64_t bytes) {
  if (bytes > UINT32_MAX) {
    throw ModelError({.found = "more than 4 GB of target sides",
                      .expected = "a smaller rule table",
                      .advice = "give --min-count 2 or a smaller --max-phrase"});
  }
  return static_cast<uint32_t>(bytes);
}

RuleStoreWriter::RuleStoreWriter(const std::string& path, std::vector<std::string> score_names,
                                 std::vector<std::string> labels,
                                 std::span<const WordId> target_words)
    : container_(path, kRulesKind, kRulesVersion),
      score_names_(std::move(score_names)),
      labels_(std::move(labels)),
      encoder_(target_words),
      rules_(score_names_.size(), [this](std::span<const uint32_t> rows) {
        finish_targets();
        container_.append(rows);
      }) {
  container_.section("target_words", target_words);
  container_.begin_section("targets", 1);
}

uint32_t RuleStoreWriter::next_place() const {
  if (!rules_.empty()) throw std::invalid_argument("a target side after the first rule");
  return target_place(target_bytes_);
}

uint32_t RuleStoreWriter::add_target(std::span<const Symbol> symbols, float count) {
  const uint32_t place = next_place();
  const size_t before = targets_.size();
  encoder_.append(symbols, count, targets_);
  target_bytes_ += targets_.size() - before;
  if (targets_.size() >= kWrittenBytes) {
    container_.append(std::span<const uint8_t>(targets_));
    targets_.clear();
  }
  return place;
}

uint32_t RuleStoreWriter::add_targets(std::span<const uint8_t> encoded) {
  const uint32_t place = next_place();
  container_.append(std::span<const uint8_t>(targets_));
  targets_.clear();
  container_.append(encoded);
  target_bytes_ += encoded.size();
  return place;
}

void RuleStoreWriter::finish_targets() {
  if (writing_rules_) return;
  writing_rules_ = true;
  container_.append(std::span<const uint8_t>(targets_));
  container_.begin_section("rules", sizeof(uint32_t));
}

void RuleStoreWriter::add_rule(const StoredRule& rule) {
  if (rule.target >= target_bytes_) throw std::invalid_argument("no such target side");
  rules_.add_rule(rule);
}

void RuleStoreWriter::commit() {
  rules_.finish();
  rules_.write(container_);
  write_lines(container_, "score_names", score_names_);
  write_lines(container_, "labels", labels_);
  container_.commit();
}

}  // namespace demotic::rules
