#include "demotic/force/forced_decoder.h"

namespace demotic::force {

template <typename Kind>
ForcedResult ForcedDecoder<Kind>::run(const SourceSentences& source, size_t sentence,
                                      const StopFlag& stop) {
  ForcedResult result;
  if (!search_.begin(source, sentence)) return result;
  result.cause = search_.word_cause();
  if (result.cause == Cause::kNoCause) {
    if (!search_.run(stop)) return result;
    if (search_.reachable()) {
      result.outcome = Outcome::kReachable;
      result.forests.push_back(search_.forest());
      return result;
    }
    result.cause = cause(stop);
  }
  result.outcome = Outcome::kUnreachable;
  if (options_.prefixes != Prefixes::kNoPrefixes) add_prefixes(result, stop);
  return result;
}

// Of an unreachable pair, after the search within the limits.
template <typename Kind>
Cause ForcedDecoder<Kind>::cause(const StopFlag& stop) {
  bool uncovered = search_.has_uncovered_word();
  if (options_.find_cause && search_.limited()) {
    if (!search_.run_unlimited(stop)) return uncovered ? Cause::kUncoveredWord : Cause::kUndecided;
    if (search_.reachable()) return Cause::kLimit;
    // A rule may cover the word without the limit only.
    uncovered = uncovered && search_.has_uncovered_word();
  }
  return uncovered ? Cause::kUncoveredWord : Cause::kOther;
}

template <typename Kind>
void ForcedDecoder<Kind>::add_prefixes([[maybe_unused]] ForcedResult& result,
                                       [[maybe_unused]] const StopFlag& stop) {
  if constexpr (Kind::kPrefixes) {
    if (!search_.run_prefixes(stop)) {
      result.outcome = Outcome::kUndecided;
      return;
    }
    result.forests = search_.prefix_forests();
    if (!result.forests.empty()) result.outcome = Outcome::kPrefix;
  }
}

template class ForcedDecoder<PhraseForcing>;
template class ForcedDecoder<HieroForcing>;

}  // namespace demotic::force
