// Prints the rules of a store in the formats of rule_table.h, in pieces, by source side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "demotic/base/stop.h"
#include "demotic/rules/rule_store.h"
#include "demotic/rules/rule_table.h"
#include "demotic/text/spelling.h"
#include "demotic/text/vocabulary.h"

namespace demotic::rules {

// How words are escaped in a table, and in the language models that belong to it.
Spelling table_spelling(TableFormat format) noexcept;

struct TableStyle {
  TableFormat format = TableFormat::kMosesPhrases;
  std::vector<int32_t> columns{};  // the scores to write, in order
  bool sides_and_scores = false;   // for a reordering table: no links, no counts
  std::string constant{};          // SCFG: a feature added to every rule, like "Penalty=1"
};

// Moses scores are written as probabilities whose logarithm is read back as the same float; SCFG
// scores as `name=value`, omitting zeros. A word that a reader would mistake for something else
// (`|||`, a word in brackets where nonterminals are) is escaped as in text/spelling.h.
class TablePrinter {
 public:
  // Both must outlive the printer. Throws std::invalid_argument for a column that does not exist.
  TablePrinter(const RuleStore& store, const Vocabulary& vocabulary, TableStyle style);

  // A few thousand lines; empty after the last. Throws ModelError if store and vocabulary do not
  // belong together or a score is too large for Moses.
  std::string next(const StopFlag& stop);
  // Number of rules printed so far.
  int64_t printed() const noexcept { return printed_; }

 private:
  struct Level {
    TrieNode node;
    uint32_t next_child;
  };

  bool descend();
  void print_rules(TrieNode node, std::string& out);
  // Both return the length of the line without its optional fields.
  size_t print_scfg(RuleId rule, std::string& out) const;
  size_t print_moses(TrieNode node, RuleId rule, std::string& out) const;
  void print_moses_side(std::span<const Symbol> symbols, bool target, int32_t lhs,
                        std::string& out) const;
  void print_probabilities(RuleId rule, std::string& out) const;
  void print_counts(TrieNode node, RuleId rule, std::string& out) const;
  void print_word(Symbol symbol, std::string& out) const;
  const std::string& label(int32_t id) const;
  int32_t source_label(int32_t gap) const;

  const RuleStore& store_;
  const Vocabulary& vocabulary_;
  TableStyle style_;
  Spelling spelling_;
  std::vector<Level> path_;
  std::vector<Symbol> source_;
  int64_t printed_ = 0;
};

}  // namespace demotic::rules
