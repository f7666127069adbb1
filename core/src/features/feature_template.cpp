#include "demotic/features/feature_template.h"

#include <algorithm>
#include <array>

#include "demotic/base/errors.h"

namespace demotic::features {
namespace {

constexpr std::string_view kFamily = "family ";

constexpr std::array<std::string_view, kFeaturePlaces> kPlaces = {
    "source.first", "source.last", "source.before", "source.after", "source.length", "target.first",
    "target.last",  "rule",        "past.rule",     "past.first",   "past.last"};

struct LevelInfo {
  std::string_view text;
  int cost;
};
constexpr std::array<LevelInfo, 9> kLevels = {{{"", 0},
                                               {"word", 5},
                                               {"first_char", 3},
                                               {"last_char", 3},
                                               {"cluster", 3},
                                               {"prefix6", 2},
                                               {"prefix4", 2},
                                               {"tag", 2},
                                               {"type", 1}}};

bool has_level(FeaturePlace place) noexcept {
  return place != FeaturePlace::kSourceLength && place != FeaturePlace::kRule &&
         place != FeaturePlace::kPastRule;
}

bool is_source(FeaturePlace place) noexcept { return place <= FeaturePlace::kSourceLength; }

bool allowed(FeatureAtom atom) noexcept {
  if (!has_level(atom.place)) return atom.level == FeatureLevel::kItself;
  const bool character =
      atom.level == FeatureLevel::kFirstChar || atom.level == FeatureLevel::kLastChar;
  return atom.level != FeatureLevel::kItself && (!character || is_source(atom.place));
}

// The names that `keep` returns, separated by commas.
template <typename Keep>
std::string listed(size_t count, Keep&& keep) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    const std::string_view one = keep(i);
    if (one.empty()) continue;
    if (!text.empty()) text += ", ";
    text += one;
  }
  return text;
}

std::string levels_of(FeaturePlace place) {
  return listed(kLevels.size(), [&](size_t i) {
    return allowed({place, FeatureLevel(i)}) ? kLevels[i].text : std::string_view();
  });
}

[[noreturn]] void refuse(std::string found, std::string expected, std::string advice = {}) {
  throw FormatError(
      {.found = std::move(found), .expected = std::move(expected), .advice = std::move(advice)});
}

std::string quoted(std::string_view text) {
  std::string result = "'";
  return result.append(text).append("'");
}

FeatureAtom parsed(std::string_view text) {
  const size_t colon = std::min(text.find(':'), text.size());
  const auto place = std::ranges::find(kPlaces, text.substr(0, colon));
  if (place == kPlaces.end())
    refuse(quoted(text) + " in a template",
           "one of the places " + listed(kPlaces.size(), [](size_t i) { return kPlaces[i]; }));
  FeatureAtom atom{FeaturePlace(place - kPlaces.begin()), FeatureLevel::kItself};
  const std::string_view level = colon < text.size() ? text.substr(colon + 1) : std::string_view();
  const auto known = std::ranges::find(kLevels, level, &LevelInfo::text);
  if (known != kLevels.end()) atom.level = FeatureLevel(known - kLevels.begin());
  const bool empty_level = level.empty() && colon < text.size();
  if (known == kLevels.end() || empty_level || !allowed(atom))
    refuse(quoted(text) + " in a template",
           has_level(atom.place)
               ? std::string(*place) + ": followed by one of " + levels_of(atom.place)
               : std::string(*place) + " without a level");
  return atom;
}

}  // namespace

std::string_view text_of(FeaturePlace place) noexcept { return kPlaces[size_t(place)]; }
std::string_view text_of(FeatureLevel level) noexcept { return kLevels[size_t(level)].text; }

std::string text_of(FeatureAtom atom) {
  std::string text(text_of(atom.place));
  if (atom.level != FeatureLevel::kItself) text.append(":").append(text_of(atom.level));
  return text;
}

int cost_of(FeatureLevel level) noexcept { return kLevels[size_t(level)].cost; }

std::string layer_of(FeatureAtom atom) {
  if (atom.level <= FeatureLevel::kWord) return {};
  return (is_source(atom.place) ? "source." : "target.") + std::string(text_of(atom.level));
}

FeatureTemplate::FeatureTemplate(std::string_view text) {
  if (text.substr(0, kFamily.size()) == kFamily) {
    spec_.emplace(text.substr(kFamily.size()));
    return;
  }
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (end > 0) atoms_.push_back(parsed(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (atoms_.empty()) refuse("an empty template", "one or more places, such as source.first:word");
  std::ranges::sort(atoms_);
  const auto twice = std::ranges::adjacent_find(atoms_);
  if (twice != atoms_.end())
    refuse(text_of(*twice) + " twice in one template", "each place and level once");
  if (cost() > kFeatureBudget)
    refuse("the template " + quoted(this->text()) + ", with cost " + std::to_string(cost()),
           "a cost of at most " + std::to_string(kFeatureBudget) +
               " (word 5; characters and cluster 3; prefixes and tag 2; type 1)",
           "use cheaper levels or fewer places");
}

std::string FeatureTemplate::text() const {
  if (spec_) return std::string(kFamily) + spec_->text();
  std::string result;
  for (const FeatureAtom atom : atoms_) {
    if (!result.empty()) result += ' ';
    result += text_of(atom);
  }
  return result;
}

int FeatureTemplate::cost() const noexcept {
  int sum = 0;
  for (const FeatureAtom atom : atoms_) sum += cost_of(atom.level);
  return sum;
}

std::string_view FeatureTemplate::family() const noexcept {
  if (spec_) return spec_->info().name;
  if (atoms_.back().place >= FeaturePlace::kPastRule) return "nonlocal";
  const bool rule_only = atoms_.size() == 1 && atoms_[0].place == FeaturePlace::kRule;
  return rule_only ? "ruleid" : "wordedges";
}

}  // namespace demotic::features
