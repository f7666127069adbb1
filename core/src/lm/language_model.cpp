#include "demotic/lm/language_model.h"

#include <algorithm>

#include "demotic/base/container.h"
#include "demotic/base/errors.h"

namespace demotic {
namespace {

constexpr std::string_view kKind = "lm";
constexpr uint32_t kVersion = 1;

}  // namespace

void LanguageModel::save(const std::string& path) const {
  ContainerWriter writer(path, kKind, kVersion);
  vocabulary_.write(writer);
  writer.section("counts", counts_);
  writer.section("first_node", first_node_);
  writer.section("unigrams", unigrams_);
  writer.section("nodes", nodes_);
  writer.section("arc_hash", std::span(&arcs_.hash(), 1));
  writer.section("arcs", arcs_.buckets());
  writer.commit();
}

LanguageModel LanguageModel::open(const std::string& path, bool verify, const StopFlag& stop) {
  auto container = std::make_shared<const Container>(path, kKind, kVersion);
  if (verify) container->verify(stop);
  LanguageModel result;
  result.vocabulary_ = Vocabulary::in(container);
  result.counts_ = container->section<uint64_t>("counts");
  result.first_node_ = container->section<uint32_t>("first_node");
  result.unigrams_ = container->section<Unigram>("unigrams");
  result.nodes_ = container->section<Node>("nodes");
  const auto hash = container->section<ArcHash>("arc_hash");
  const auto buckets = container->section<ArcBucket>("arcs");
  result.owner_ = container;
  if (hash.size() == 1) result.arcs_ = ArcTable(hash[0], buckets);
  if (hash.size() != 1 || (verify && !result.sound())) {
    throw FormatError({.path = path,
                       .found = "arrays that contradict each other",
                       .expected = "a language model",
                       .advice = "build the file anew"});
  }
  return result;
}

// Every index leads somewhere, and suffixes get shorter, so that every query ends.
bool LanguageModel::sound() const noexcept {
  const size_t order = counts_.size();
  if (order < 1 || order > kMaxLmOrder || first_node_.size() != order + 1) return false;
  if (first_node_[0] != 0 || !std::is_sorted(first_node_.begin(), first_node_.end())) return false;
  if (nodes_.empty() || first_node_.back() != nodes_.size() || (order > 1 && first_node_[1] != 1) ||
      (order == 1 && nodes_.size() != 1))
    return false;
  if (unigrams_.size() != static_cast<size_t>(vocabulary_.size()) || counts_[0] != unigrams_.size())
    return false;
  for (const Unigram& unigram : unigrams_)
    if (!std::isfinite(unigram.prob) || unigram.next >= nodes_.size()) return false;
  for (size_t node = 0; node < nodes_.size(); ++node) {
    if (!std::isfinite(nodes_[node].backoff)) return false;
    if (nodes_[node].suffix >= std::max<size_t>(node, 1)) return false;
  }
  return arcs_.sound(static_cast<uint32_t>(nodes_.size()), vocabulary_.size());
}

size_t LanguageModel::size_bytes() const noexcept {
  return counts_.size_bytes() + first_node_.size_bytes() + unigrams_.size_bytes() +
         nodes_.size_bytes() + arcs_.buckets().size_bytes();
}

std::vector<WordId> LanguageModel::map(const Vocabulary& other) const {
  std::vector<WordId> result(other.size());
  for (WordId id = 0; id < other.size(); ++id) result[id] = vocabulary_.find(other.word(id));
  return result;
}

}  // namespace demotic
