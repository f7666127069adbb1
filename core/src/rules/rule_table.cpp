#include "demotic/rules/rule_table.h"

#include <algorithm>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/base/hash.h"
#include "demotic/base/utf8.h"
#include "demotic/rules/occurrence.h"
#include "demotic/text/spelling.h"
#include "rule_table_readers.h"

namespace demotic::rules {
namespace {

template <typename T, typename Values>
void append_row(Csr<T>& csr, const Values& values) {
  csr.values.insert(csr.values.end(), values.begin(), values.end());
  csr.end_row();
}

uint64_t hash_sides(std::span<const Symbol> source, std::span<const Symbol> target) noexcept {
  return hash_symbols(target, hash_symbols(source));
}

}  // namespace

size_t RuleTable::TextHash::operator()(std::string_view text) const noexcept {
  return hash_bytes(text);
}

RuleTable::RuleTable(VocabularyBuilder& vocabulary) : vocabulary_(vocabulary) {
  label("X");  // kLabelX
  label("S");  // kLabelS
}

WordId RuleTable::word(std::string_view text) {
  text = read_spelled(text, spelled_);
  if (text.size() > kMaxWordBytes) {
    text = utf8_prefix(text, kMaxWordBytes);
    ++report_.capped;
  }
  return vocabulary_.add(text);
}

int32_t RuleTable::label(std::string_view text) {
  const auto found = label_ids_.find(text);
  if (found != label_ids_.end()) return static_cast<int32_t>(found->second);
  if (labels_.size() > UINT16_MAX) {
    throw ModelError({.found = "too many nonterminals", .expected = "at most 65536"});
  }
  label_ids_.emplace(text, static_cast<uint32_t>(labels_.size()));
  labels_.emplace_back(text);
  return static_cast<int32_t>(labels_.size() - 1);
}

uint32_t RuleTable::column(std::string_view name) {
  const auto found = column_ids_.find(name);
  if (found != column_ids_.end()) return found->second;
  if (columns_.size() == kMaxScoreColumns) {
    throw ModelError(
        {.path = files_.empty() ? "" : files_.back().name,
         .found = "more than 1000 different features, the last one being " + std::string(name),
         .expected = "only scores of rules",
         .advice = "remove lexical features from the table; they are learned as "
                   "sparse weights"});
  }
  const auto id = static_cast<uint32_t>(columns_.size());
  column_ids_.emplace(name, id);
  columns_.emplace_back(name);
  return id;
}

void RuleTable::begin_file(const std::string& name) { files_.push_back({size(), name}); }

void RuleTable::add(const TableRule& rule, int64_t line) {
  if (!added_columns_.empty())
    throw std::invalid_argument("rules must be added before further columns");
  if (size() == kMaxRules)
    throw ModelError({.found = "too many rules (limit " + std::to_string(kMaxRules) + ")"});
  append_row(sources_, rule.source);
  append_row(targets_, rule.target);
  append_row(links_, rule.links);
  append_row(scores_, rule.scores);
  counts_.push_back(rule.counts);
  lhs_.push_back(static_cast<uint16_t>(rule.lhs));
  lines_.push_back(static_cast<uint32_t>(std::min<int64_t>(line, UINT32_MAX)));
}

void RuleTable::add_columns(const std::vector<std::string>& names,
                            const std::vector<float>& missing) {
  if (names.empty() || names.size() != missing.size())
    throw std::invalid_argument("expected one missing value per column");
  if (added_columns_.empty()) index_rules();
  AddedColumns added{static_cast<uint32_t>(columns_.size()), names.size(), {}, {}};
  for (const std::string& name : names) {
    if (column_ids_.contains(name)) throw std::invalid_argument("duplicate column " + name);
    column(name);
  }
  added.values.reserve(size() * names.size());
  for (size_t i = 0; i < size(); ++i)
    added.values.insert(added.values.end(), missing.begin(), missing.end());
  added.filled.assign(size(), 0);
  added_columns_.push_back(std::move(added));
}

// Of two rules with the same words the later one is found, since it is the one that may be kept.
void RuleTable::index_rules() {
  by_words_ = FlatMap<uint64_t, uint32_t>(size());
  for (uint32_t rule = 0; rule < size(); ++rule) {
    for (uint64_t hash = hash_sides(sources_[rule], targets_[rule]);; hash = mix64(hash + 1)) {
      const auto [found, fresh] = by_words_.insert(hash);
      if (!fresh && !(std::ranges::equal(sources_[rule], sources_[found]) &&
                      std::ranges::equal(targets_[rule], targets_[found])))
        continue;
      found = rule;
      break;
    }
  }
}

bool RuleTable::fill_columns(std::span<const Symbol> source, std::span<const Symbol> target,
                             std::span<const float> values) {
  AddedColumns& added = added_columns_.back();
  for (uint64_t hash = hash_sides(source, target);; hash = mix64(hash + 1)) {
    const uint32_t* rule = by_words_.find(hash);
    if (rule == nullptr) {
      ++report_.unused;
      return true;
    }
    if (!std::ranges::equal(sources_[*rule], source) ||
        !std::ranges::equal(targets_[*rule], target))
      continue;
    if (added.filled[*rule]) return false;
    added.filled[*rule] = 1;
    std::ranges::copy(values, added.values.begin() + static_cast<ptrdiff_t>(*rule * added.width));
    return true;
  }
}

const RuleTable::File& RuleTable::file_of(uint32_t rule) const noexcept {
  const auto after = std::upper_bound(files_.begin(), files_.end(), size_t{rule},
                                      [](size_t r, const File& f) { return r < f.first_rule; });
  return *(after - 1);
}

void TableReader::add(const Lines& lines, const StopFlag& stop) {
  if (line_ == 0 && lines.size() > 0) table_.begin_file(name_);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i % 1024 == 0) stop.check();
    ++line_;
    read_line(lines[i], line_);
  }
}

std::unique_ptr<TableReader> read_table(RuleTable& table, TableFormat format, std::string name,
                                        std::string prefix, int32_t scores) {
  if (format == TableFormat::kScfg) return read_scfg(table, std::move(name), std::move(prefix));
  return read_moses(table, std::move(name), std::move(prefix), scores,
                    format == TableFormat::kMosesHiero);
}

}  // namespace demotic::rules
