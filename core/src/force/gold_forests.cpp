#include "demotic/force/gold_forests.h"

#include <algorithm>
#include <stdexcept>

#include "demotic/base/errors.h"
#include "demotic/force/found_forest.h"

namespace demotic::force {
namespace {

constexpr std::string_view kKind = "gold forests";
constexpr uint32_t kVersion = 1;
constexpr int32_t kMaxForestLength = UINT16_MAX;

// Rule ids from here on denote copied words and glue.
constexpr RuleId kFirstSpecial = UINT32_MAX - 3;

bool sound_nodes(const GoldForest& forest) {
  return std::ranges::all_of(forest.nodes, [&](const GoldNode& node) {
    return node.source_begin <= forest.source_length && node.source_end <= forest.source_length &&
           node.target_begin <= node.target_end && node.target_end <= forest.target_length;
  });
}

// Tails come before the head.
bool sound_edge(const GoldEdge& edge, uint32_t head, int32_t source_length, RuleId rules) {
  const auto [first, second] = edge.tails;
  return (edge.rule < rules || edge.rule >= kFirstSpecial) && edge.begin <= edge.end &&
         edge.end <= source_length && (first < head || first == kNoTail) &&
         (second == kNoTail || (second < head && first != kNoTail));
}

bool sound_edges(const GoldForest& forest, RuleId rules) {
  if (forest.edge_offsets.front() != 0 || forest.edge_offsets.back() != forest.edges.size() ||
      !std::ranges::is_sorted(forest.edge_offsets))
    return false;
  for (uint32_t node = 0; node < forest.nodes.size(); ++node)
    for (const GoldEdge& edge : forest.into(node))
      if (!sound_edge(edge, node, forest.source_length, rules)) return false;
  return true;
}

bool sound_head(const GoldHead& head) {
  return head.pair >= 0 && head.whole <= 1 && head.nodes > 0 && head.source_length >= 0 &&
         head.source_length <= kMaxForestLength && head.target_length >= 0 &&
         head.target_length <= kMaxForestLength;
}

template <typename T>
std::span<const T> placed(const uint32_t* at, size_t size) {
  return {reinterpret_cast<const T*>(at), size};
}

template <typename T>
void place(std::span<const T> values, uint32_t* at) {
  std::ranges::copy(std::as_bytes(values), reinterpret_cast<std::byte*>(at));
}

}  // namespace

GoldForests GoldForests::open(const std::string& path, bool verify, const StopFlag& stop) {
  auto container = std::make_shared<const Container>(path, kKind, kVersion);
  if (verify) container->verify(stop);
  GoldForests forests;
  forests.words_ = container->section<uint32_t>("forests");
  forests.heads_ = container->section<GoldHead>("heads");
  const auto rules = container->section<RuleId>("rules");
  forests.rules_ = rules.empty() ? 0 : rules.front();
  forests.bytes_ = container->size_bytes();
  forests.owner_ = container;
  // Checked with the checksums, as in a rule store.
  if (rules.size() != 1 || (verify && !forests.sound())) {
    throw FormatError({.path = path,
                       .found = "arrays that contradict each other",
                       .expected = "gold forests",
                       .advice = "run demotic force anew"});
  }
  return forests;
}

bool GoldForests::sound() const {
  uint64_t first = 0;
  int32_t pair = 0;
  for (size_t i = 0; i < size(); ++i) {
    const GoldHead& head = heads_[i];
    if (!sound_head(head) || head.pair < pair || head.first != first) return false;
    if (head.words() > words_.size() - first) return false;
    const GoldForest forest = (*this)[i];
    if (!sound_nodes(forest) || !sound_edges(forest, rules_)) return false;
    pair = head.pair;
    first += head.words();
  }
  return first == words_.size();
}

GoldForest GoldForests::operator[](size_t i) const noexcept {
  const GoldHead& head = heads_[i];
  const uint32_t* nodes = words_.data() + head.first;
  const uint32_t* offsets = nodes + head.node_words();
  const uint32_t* edges = offsets + head.nodes + 1;
  return {.pair = head.pair,
          .source_length = head.source_length,
          .target_length = head.target_length,
          .whole = head.whole != 0,
          .nodes = placed<GoldNode>(nodes, head.nodes),
          .edge_offsets = {offsets, size_t{head.nodes} + 1},
          .edges = placed<GoldEdge>(edges, head.edges)};
}

GoldForestsWriter::GoldForestsWriter(std::string path, RuleId rules)
    : file_(std::move(path), kKind, kVersion), rules_(rules) {
  file_.begin_section("forests", sizeof(uint32_t));
}

void GoldForestsWriter::add(int32_t pair, const FoundForest& forest) {
  if (pair < 0 || (!heads_.empty() && pair < heads_.back().pair))
    throw std::invalid_argument("the pairs of forests are not in rising order");
  const GoldHead head{.pair = pair,
                      .source_length = forest.source_length,
                      .target_length = forest.target_length,
                      .whole = forest.whole,
                      .nodes = static_cast<uint32_t>(forest.nodes.size()),
                      .edges = static_cast<uint32_t>(forest.edges.size()),
                      .first = written_};
  words_.assign(head.words(), 0);
  uint32_t* at = words_.data();
  place<GoldNode>(forest.nodes, at);
  at = std::ranges::copy(forest.edge_offsets, at + head.node_words()).out;
  place<GoldEdge>(forest.edges, at);
  file_.append<uint32_t>(words_);
  heads_.push_back(head);
  written_ += head.words();
}

void GoldForestsWriter::add(const GoldForests& more) {
  if (more.rules() != rules_) throw std::invalid_argument("gold forests of another rule store");
  for (GoldHead head : more.heads()) {
    if (!heads_.empty() && head.pair < heads_.back().pair)
      throw std::invalid_argument("the pairs of forests are not in rising order");
    head.first += written_;
    heads_.push_back(head);
  }
  file_.append<uint32_t>(more.words());
  written_ += more.words().size();
}

void GoldForestsWriter::commit() {
  file_.section<GoldHead>("heads", heads_);
  file_.section<RuleId>("rules", std::span(&rules_, 1));
  file_.commit();
}

}  // namespace demotic::force
