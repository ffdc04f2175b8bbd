// Where words occur in a sequence: as lists, and as bit masks in one register.
#pragma once

#include "ngram/ngram.hpp"

namespace nlg {

template <class Bits>
inline Bits load_bits(const u64* words) {
  Bits bits;
  std::memcpy(&bits, words, sizeof bits);
  return bits;
}

// For every id, where it occurs in a sequence, in order.
class Positions {
 public:
  void build(Ids sequence, u32 vocabulary) {
    starts_.assign(vocabulary + 2, 0);
    for (u32 id : sequence) ++starts_[id + 1];
    for (u32 id = 0; id <= vocabulary; ++id) starts_[id + 1] += starts_[id];
    next_.assign(starts_.begin(), starts_.end());
    positions_.resize(sequence.size);
    for (u32 i = 0; i < sequence.size; ++i) positions_[next_[sequence[i]]++] = i;
  }
  Ids operator[](u32 id) const { return {positions_.data() + starts_[id], starts_[id + 1] - starts_[id]}; }

 private:
  std::vector<u32> starts_, next_, positions_;
};

}  // namespace nlg
