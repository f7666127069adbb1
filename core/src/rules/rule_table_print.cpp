#include "demotic/rules/rule_table_print.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/base/read_number.h"
#include "rule_table_fields.h"

namespace demotic::rules {
namespace {

constexpr size_t kPrintedBytes = size_t{1} << 20;

template <typename... Format>
void append_number(std::string& out, auto value, Format... format) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, format...).ptr;
  out.append(buffer, end);
}

// The shortest of a few representations that is read back as the same logarithm.
void append_probability(std::string& out, float score) {
  const double probability = std::exp(static_cast<double>(score));
  if (!(probability <= std::numeric_limits<float>::max()))
    throw ModelError({.found = "the score " + std::to_string(score),
                      .expected = "at most 88, the logarithm of the largest float",
                      .advice = "export to cdec instead"});
  const size_t begin = out.size();
  for (const int digits : {6, 8, 9, 10, 12, 14, 17}) {
    out.resize(begin);
    append_number(out, probability, std::chars_format::general, digits);
    double read = 0;
    read_number(out.data() + begin, out.data() + out.size(), read);
    if (moses_log(read) == score) return;
  }
}

void append_link(std::string& out, RuleLink link) {
  append_number(out, link.source);
  out += '-';
  append_number(out, link.target);
  out += ' ';
}

// Empty fields at the end are omitted; a line has at least its first three.
void end_line(std::string& out, size_t least) {
  while (out.size() > least && (out.ends_with(' ') || out.ends_with(" |||")))
    out.resize(out.size() - (out.ends_with(' ') ? 1 : 4));
  out += '\n';
}

}  // namespace

Spelling table_spelling(TableFormat format) noexcept {
  return {.bars = format == TableFormat::kScfg ? Bars::kThree : Bars::kEvery,
          .brackets = format != TableFormat::kMosesPhrases};
}

TablePrinter::TablePrinter(const RuleStore& store, const Vocabulary& vocabulary, TableStyle style)
    : store_(store),
      vocabulary_(vocabulary),
      style_(std::move(style)),
      spelling_(table_spelling(style_.format)),
      path_{{kTrieRoot, 0}} {
  for (const int32_t column : style_.columns)
    if (column < 0 || column >= store.score_count()) throw std::invalid_argument("no such column");
}

std::string TablePrinter::next(const StopFlag& stop) {
  std::string out;
  while (out.size() < kPrintedBytes && descend()) {
    stop.check();
    print_rules(path_.back().node, out);
  }
  return out;
}

// Moves to the next node in depth-first order; false if there is none.
bool TablePrinter::descend() {
  while (!path_.empty()) {
    Level& level = path_.back();
    const auto children = store_.children(level.node);
    if (level.next_child < children.size()) {
      const Symbol symbol = children[level.next_child++].symbol;
      source_.push_back(symbol);
      path_.push_back({store_.child(level.node, symbol), 0});
      return true;
    }
    path_.pop_back();
    if (!source_.empty()) source_.pop_back();
  }
  return false;
}

void TablePrinter::print_rules(TrieNode node, std::string& out) {
  const RuleRange range = store_.rules(node);
  printed_ += range.end - range.begin;
  for (RuleId rule = range.begin; rule < range.end; ++rule) {
    const size_t least =
        style_.format == TableFormat::kScfg ? print_scfg(rule, out) : print_moses(node, rule, out);
    end_line(out, least);
  }
}

const std::string& TablePrinter::label(int32_t id) const {
  if (id < 0 || static_cast<size_t>(id) >= store_.labels().size())
    throw ModelError({.found = "a nonterminal without a name in the rule store",
                      .expected = "a name for each",
                      .advice = "build the model again"});
  return store_.labels()[id];
}

// The label of gap number `gap` on the source side.
int32_t TablePrinter::source_label(int32_t gap) const {
  for (const Symbol symbol : source_)
    if (is_gap(symbol) && gap-- == 0) return gap_index(symbol);
  return -1;
}

void TablePrinter::print_word(Symbol symbol, std::string& out) const {
  if (symbol >= vocabulary_.size())
    throw ModelError({.found = "a rule with word id " + std::to_string(symbol) +
                               " and a vocabulary of " + std::to_string(vocabulary_.size()),
                      .expected = "the vocabulary that belongs to the rules"});
  append_spelled(out, vocabulary_.word(symbol), spelling_);
  out += ' ';
}

size_t TablePrinter::print_scfg(RuleId rule, std::string& out) const {
  // A pair of names from Moses is written as one name, since `]` ends a name here.
  const auto name = [&](int32_t id) {
    std::string text = label(id);
    const size_t cut = text.find("][");
    if (cut != text.npos) text.replace(cut, 2, "/");
    return text;
  };
  const auto print_gap = [&](int32_t id, int32_t index) {
    out += '[' + name(id) + ',' + std::to_string(index + 1) + "] ";
  };
  out += '[' + name(store_.lhs(rule)) + "] ||| ";
  int32_t gaps = 0;
  for (const Symbol symbol : source_)
    is_gap(symbol) ? print_gap(gap_index(symbol), gaps++) : print_word(symbol, out);
  out += "||| ";
  for (const Symbol symbol : store_.target(rule))
    is_gap(symbol) ? print_gap(source_label(gap_index(symbol)), gap_index(symbol))
                   : print_word(symbol, out);
  const size_t least = out.size() - 1;
  out += "||| ";
  for (const int32_t column : style_.columns) {
    const float value = store_.scores(rule)[column];
    if (value == 0) continue;
    out += store_.score_names()[column];
    out += '=';
    append_number(out, value);
    out += ' ';
  }
  if (!style_.constant.empty()) out += style_.constant + ' ';
  bool first = true;
  for (const RuleLink link : store_.links(rule)) {
    if (link.source < source_.size() && is_gap(source_[link.source])) continue;
    if (std::exchange(first, false)) out += "||| ";
    append_link(out, link);
  }
  return least;
}

size_t TablePrinter::print_moses(TrieNode node, RuleId rule, std::string& out) const {
  print_moses_side(source_, false, store_.lhs(rule), out);
  out += "||| ";
  std::vector<Symbol> target;
  store_.target(rule, target);
  print_moses_side(target, true, store_.lhs(rule), out);
  out += "||| ";
  print_probabilities(rule, out);
  const size_t least = out.size() - 1;
  if (style_.sides_and_scores) return least;
  out += "||| ";
  for (const RuleLink link : store_.links(rule)) append_link(out, link);
  out += "||| ";
  print_counts(node, rule, out);
  return least;
}

// A name that contains a pair has different names on the two sides.
void TablePrinter::print_moses_side(std::span<const Symbol> symbols, bool target, int32_t lhs,
                                    std::string& out) const {
  for (const Symbol symbol : symbols) {
    if (!is_gap(symbol)) {
      print_word(symbol, out);
      continue;
    }
    const std::string& name = label(target ? source_label(gap_index(symbol)) : gap_index(symbol));
    out += name.find("][") == name.npos ? '[' + name + "][" + name + "] " : '[' + name + "] ";
  }
  if (style_.format == TableFormat::kMosesPhrases) return;
  const std::string& name = label(lhs);
  const size_t cut = name.find("][");
  out += '[' +
         (cut == name.npos ? name
          : target         ? name.substr(cut + 2)
                           : name.substr(0, cut)) +
         "] ";
}

void TablePrinter::print_probabilities(RuleId rule, std::string& out) const {
  for (const int32_t column : style_.columns) {
    append_probability(out, store_.scores(rule)[column]);
    out += ' ';
  }
}

void TablePrinter::print_counts(TrieNode node, RuleId rule, std::string& out) const {
  const float target = store_.target_count(rule), source = store_.source_count(node);
  if (target <= 0 && source <= 0) return;
  append_number(out, target);
  out += ' ';
  append_number(out, source);
  out += ' ';
  if (store_.count(rule) > 0) append_number(out, store_.count(rule));
}

}  // namespace demotic::rules
