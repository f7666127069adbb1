#include "demotic/lm/ngram_sweep.h"

#include <algorithm>

namespace demotic::lm {

void NgramSweep::add(const SweptNgram& ngram) {
  advance(hash_.home(ngram.key));
  if (failed_) return;
  const uint32_t number = first_ + static_cast<uint32_t>(ngrams_.size());
  ngrams_.push_back(ngram);
  if (!placement_.put_home(number)) homeless_.push_back(number);
}

bool NgramSweep::finish() {
  advance(hash_.buckets() + 2 * Placement::kReach);
  if (failed_) return false;
  for (uint64_t i = hash_.buckets() - NgramHash::kMaxDistance; i < hash_.buckets(); ++i)
    complete(i);
  return true;
}

// All n-grams with lower homes have arrived.
void NgramSweep::advance(uint64_t next) {
  while (!failed_ && !homeless_.empty() && home(homeless_.front()) + Placement::kReach < next) {
    failed_ = !placement_.displace(homeless_.front());
    homeless_.pop_front();
  }
  if (failed_) return;
  const uint64_t open = homeless_.empty() ? next : home(homeless_.front());
  while (settled_ + Placement::kReach < open && settled_ < hash_.buckets()) settle();
}

// Nothing moves to or from the next bucket any more.
void NgramSweep::settle() {
  const uint64_t here = settled_++;
  for (uint32_t lane = 0; lane < layout_.lanes(); ++lane) {
    const uint64_t slot = here << layout_.lane_bits() | lane;
    const uint32_t owner = placement_.take(slot);
    if (owner == Placement::kNoOwner) continue;
    const SweptNgram& ngram = at(owner);
    write_key(hash_, ngram.key, bucket(here), lane, bucket(hash_.home(ngram.key)));
    bucket(here).cells[lane] |= ngram.marks;
    layout_.write(bucket(here), lane, ngram.data);
    placed_(ngram, static_cast<uint32_t>(slot));
  }
  if (here >= NgramHash::kMaxDistance) complete(here - NgramHash::kMaxDistance);
  for (; !ngrams_.empty() && home(first_) + NgramHash::kMaxDistance <= here; ++first_)
    ngrams_.pop_front();
}

void NgramSweep::complete(uint64_t number) {
  filled_(bucket(number));
  bucket(number) = {};
}

}  // namespace demotic::lm
