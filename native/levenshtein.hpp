// Levenshtein distance between sequences of ids of any length, bit-parallel (Myers 1999, in Hyyrö's
// form) in blocks of 64 reference positions: time |h| · |r| / 64, memory linear.
#pragma once

#include "segment.hpp"

namespace nlg {

class Levenshtein {
 public:
  // Ids are 0..vocabulary, and 0 in the hypothesis equals nothing.
  u32 distance(Ids hyp, Ids ref, u32 vocabulary) {
    if (hyp.size == 0 || ref.size == 0) return hyp.size + ref.size;
    if (masks_.size() <= vocabulary) masks_.resize(2 * vocabulary + 1);
    std::fill_n(masks_.begin(), vocabulary + 1, 0);
    if (ref.size <= 64) return one_block(hyp, ref);
    steps_.assign(hyp.size, 1);  // a row above the reference: the distance grows with every word
    for (u32 first = 0; first < ref.size; first += 64) {
      const Ids block{ref.data + first, std::min(64u, ref.size - first)};
      set_masks(block);
      block_row(hyp, block.size - 1);
      for (u32 id : block) masks_[id] = 0;
    }
    int change = 0;
    for (signed char step : steps_) change += step;
    return ref.size + change;
  }

 private:
  void set_masks(Ids block) {
    for (u32 j = 0; j < block.size; ++j) masks_[block[j]] |= 1ull << j;
    masks_[0] = 0;
  }

  u32 one_block(Ids hyp, Ids ref) {
    set_masks(ref);
    const u64* const masks = masks_.data();
    const u32 last = ref.size - 1;
    u64 vp = ~0ull, vn = 0;
    u32 distance = ref.size;
    for (u32 id : hyp) {
      const u64 x = masks[id] | vn;
      const u64 d0 = (((x & vp) + vp) ^ vp) | x;
      u64 hp = vn | ~(d0 | vp);
      u64 hn = vp & d0;
      distance += static_cast<u32>(hp >> last & 1) - static_cast<u32>(hn >> last & 1);
      hp = hp << 1 | 1;
      hn <<= 1;
      vp = hn | ~(d0 | hp);
      vn = hp & d0;
    }
    return distance;
  }

  // steps_[i] is how the distance changes with word i, along the row above the block before and
  // along the block's row `last` afterwards.
  void block_row(Ids hyp, u32 last) {
    u64 vp = ~0ull, vn = 0;
    for (u32 i = 0; i < hyp.size; ++i) {
      const u64 hp_in = steps_[i] > 0, hn_in = steps_[i] < 0;
      const u64 x = masks_[hyp[i]] | hn_in;
      const u64 d0 = (((x & vp) + vp) ^ vp) | x | vn;
      u64 hp = vn | ~(d0 | vp);
      u64 hn = vp & d0;
      steps_[i] = static_cast<signed char>(static_cast<int>(hp >> last & 1) - static_cast<int>(hn >> last & 1));
      hp = hp << 1 | hp_in;
      hn = hn << 1 | hn_in;
      vp = hn | ~(d0 | hp);
      vn = hp & d0;
    }
  }

  std::vector<u64> masks_;
  std::vector<signed char> steps_;
};

}  // namespace nlg
