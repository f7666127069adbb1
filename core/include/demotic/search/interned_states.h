// States of hypotheses, numbered in the order of their first use: a hypothesis holds one number
// instead of a state of several parts. Numbers are valid until `clear`. Not thread-safe; use one
// instance per thread.
#pragma once

#include <cstdint>
#include <vector>

#include "demotic/base/flat_map.h"
#include "demotic/namespaces.h"

namespace demotic::search {

template <typename State, typename Hash>
class InternedStates {
 public:
  void clear() noexcept {
    states_.clear();
    ids_.clear();
  }
  uint32_t intern(const State& state) {
    const auto [id, fresh] = ids_.insert(state);
    if (fresh) {
      id = static_cast<uint32_t>(states_.size());
      states_.push_back(state);
    }
    return id;
  }
  const State& operator[](uint32_t id) const noexcept { return states_[id]; }

 private:
  std::vector<State> states_;
  FlatMap<State, uint32_t, Hash> ids_;
};

}  // namespace demotic::search
