// Rule tables of other toolkits, read into memory, sorted, and written as a rule store.
//
//   RuleTable table(vocabulary);
//   auto reader = read_table(table, TableFormat::kMosesPhrases, "phrase-table.gz", "", 0);
//   reader->add(lines, stop) ...       // any number of files and pieces
//   table.write("rules.bin", Duplicates::kRefuse, stop, progress);
//
// Every reader refuses a malformed line with file and line number. docs/other-toolkits.md, "Rule
// tables", describes the formats. Lines may be in any order. Memory: about 150 bytes per rule. Not
// thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "demotic/base/csr.h"
#include "demotic/base/flat_map.h"
#include "demotic/base/lines.h"
#include "demotic/base/progress.h"
#include "demotic/base/stop.h"
#include "demotic/rules/rule_store_writer.h"
#include "demotic/text/vocabulary.h"

namespace demotic::rules {

enum class TableFormat {
  kMosesPhrases,  // src ||| tgt ||| probabilities ||| links ||| counts ||| sparse ||| {{...}}
  kMosesHiero,    // [X][X] de [X] ||| of [X][X] [X] ||| ...
  kScfg,          // [X] ||| de [X,1] ||| [1] of ||| Name=value or values ||| links
};

// What to do if a rule is on two lines.
enum class Duplicates { kRefuse, kKeepLast };

// More names than this must be lexical features, which belong in sparse weights, not in columns.
inline constexpr size_t kMaxScoreColumns = 1000;

// Moses' floor for logarithms: a probability of 0 is unlikely, not impossible.
inline constexpr double kMinMosesLog = -100;

// One parsed line. A reader fills it and passes it on; its vectors are reused.
struct TableRule {
  std::vector<Symbol> source, target;  // symbols.h
  std::vector<RuleLink> links;         // sorted; gaps are linked too
  std::vector<float> scores;           // by column; missing ones at the end are 0
  std::array<float, 3> counts;         // target side, source side, both; 0 if not given
  int32_t lhs;

  void clear() {
    source.clear();
    target.clear();
    links.clear();
    scores.clear();
    counts = {};
    lhs = kLabelX;
  }
};

struct TableReport {
  int64_t rules = 0;       // written
  int64_t replaced = 0;    // by a later line, with Duplicates::kKeepLast
  int64_t properties = 0;  // Moses properties {{...}}, which are dropped
  int64_t capped = 0;      // words truncated to kMaxWordBytes
  int64_t unused = 0;      // lines of a reordering table whose rule is not in the phrase table
  int64_t missing = 0;     // rules without a line in the reordering table
};

class RuleTable {
 public:
  // The vocabulary must outlive the table.
  explicit RuleTable(VocabularyBuilder& vocabulary);

  size_t size() const noexcept { return sources_.size(); }
  const std::vector<std::string>& columns() const noexcept { return columns_; }

  WordId word(std::string_view text);
  int32_t label(std::string_view text);    // throws ModelError past 65535 labels
  uint32_t column(std::string_view name);  // throws ModelError, kMaxScoreColumns
  bool column_is(uint32_t column, std::string_view name) const noexcept {
    return column < columns_.size() && columns_[column] == name;
  }

  // The following lines belong to this file; for messages about duplicates.
  void begin_file(const std::string& name);
  void add(const TableRule& rule, int64_t line);
  void count_property() noexcept { ++report_.properties; }

  // Columns filled by a second file: every rule gets `missing` first. Rules are found by their
  // words.
  void add_columns(const std::vector<std::string>& names, const std::vector<float>& missing);
  // Returns false if the columns added last have already been filled for these words.
  bool fill_columns(std::span<const Symbol> source, std::span<const Symbol> target,
                    std::span<const float> values);

  // Sorts and writes; may be called once. Throws FormatError for duplicates, IoError.
  TableReport write(const std::string& path, Duplicates duplicates, const StopFlag& stop,
                    Progress& progress);

 private:
  struct File {
    size_t first_rule;
    std::string name;
  };
  struct AddedColumns {  // columns of add_columns, flat
    uint32_t first_column;
    size_t width;
    std::vector<float> values;
    std::vector<uint8_t> filled;
  };
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const noexcept;
  };
  using Names = std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>>;

  bool same_rule(uint32_t a, uint32_t b) const noexcept;
  void index_rules();
  std::vector<uint32_t> sorted(const StopFlag& stop) const;
  void drop_duplicates(std::vector<uint32_t>& order, Duplicates duplicates);
  [[noreturn]] void refuse_duplicate(uint32_t first, uint32_t second) const;
  const File& file_of(uint32_t rule) const noexcept;
  void begin_source(std::span<uint32_t> rules, RuleStoreWriter& writer) const;
  StoredRule stored(uint32_t rule, uint32_t target, std::span<const float> scores) const;
  std::span<const float> row(uint32_t rule, std::vector<float>& buffer) const;

  VocabularyBuilder& vocabulary_;
  std::vector<std::string> columns_, labels_;
  Names column_ids_, label_ids_;
  std::vector<File> files_;
  Csr<Symbol> sources_, targets_;
  Csr<RuleLink> links_;
  Csr<float> scores_;
  std::vector<std::array<float, 3>> counts_;
  std::vector<uint16_t> lhs_;
  std::vector<uint32_t> lines_;
  std::vector<AddedColumns> added_columns_;
  FlatMap<uint64_t, uint32_t> by_words_;  // first rule with these words, for fill_columns
  TableReport report_;
  std::string spelled_;
};

// Reads the lines of one file, in pieces. Throws FormatError.
class TableReader {
 public:
  TableReader(RuleTable& table, std::string name) : table_(table), name_(std::move(name)) {}
  virtual ~TableReader() = default;
  void add(const Lines& lines, const StopFlag& stop);

 protected:
  virtual void read_line(std::string_view line, int64_t number) = 0;

  RuleTable& table_;
  std::string name_;
  int64_t line_ = 0;
};

// `prefix` starts the names of columns that have none in the file; an index is appended, from 1 for
// Moses (whose first four scores have fixed names), from 0 for SCFG. `scores` is the number of
// scores that a Moses line must have; with 0 the first line decides.
std::unique_ptr<TableReader> read_table(RuleTable& table, TableFormat format, std::string name,
                                        std::string prefix, int32_t scores);

// A lexicalised reordering table `src ||| tgt ||| probabilities` for the rules in `table`. Rules
// without a line get `missing`, which are logarithms.
std::unique_ptr<TableReader> read_reordering(RuleTable& table, std::string name,
                                             const std::vector<std::string>& columns,
                                             const std::vector<float>& missing);

}  // namespace demotic::rules
