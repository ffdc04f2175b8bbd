// Levenshtein distance between sequences of ids of any length, bit-parallel (Myers 1999, in Hyyrö's
// form) in blocks of 64 reference positions: time |h| · |r| / 64, memory linear.
#pragma once

#include "core/checkpoint.hpp"
#include "core/segment.hpp"

namespace nlg {

class Levenshtein {
 public:
  // Ids are 0..vocabulary, and 0 in the hypothesis equals nothing.
  u32 distance(Ids hyp, Ids ref, u32 vocabulary) {
    if (hyp.size == 0 || ref.size == 0) return hyp.size + ref.size;
    switch ((ref.size + 63) / 64) {
      case 1: return narrow<1>(hyp, ref, vocabulary);
      case 2: return narrow<2>(hyp, ref, vocabulary);
      case 3: return narrow<3>(hyp, ref, vocabulary);
      case 4: return narrow<4>(hyp, ref, vocabulary);
      default: return wide(hyp, ref, vocabulary);
    }
  }

  // Block by block of 64 reference words: visit(block, i, vp, vn) has, after the hypothesis word i,
  // where the distance grows (vp) or falls (vn) from one word of the block to the next.
  template <class F>
  void sweep(Ids hyp, Ids ref, u32 vocabulary, F&& visit) {
    clear_masks(vocabulary + 1);
    steps_.assign(hyp.size, 1);  // a row above the reference: the distance grows with every word
    for (u32 first = 0; first < ref.size; first += 64) {
      const Ids block{ref.data + first, std::min(64u, ref.size - first)};
      set_masks<1>(block);
      block_row(hyp, block.size - 1, first / 64, visit);
      checkpoint(2 * hyp.size);
      for (u32 id : block) masks_[id] = 0;
    }
  }

 private:
  template <u32 W>
  void set_masks(Ids ref) {
    for (u32 j = 0; j < ref.size; ++j) masks_[static_cast<std::size_t>(ref[j]) * W + j / 64] |= 1ull << j % 64;
    std::fill_n(masks_.begin(), W, 0);
  }
  void clear_masks(std::size_t size) {
    if (masks_.size() < size) masks_.resize(2 * size);
    std::fill_n(masks_.begin(), size, 0);
  }

  // All W blocks word by word.
  template <u32 W>
  u32 narrow(Ids hyp, Ids ref, u32 vocabulary) {
    clear_masks(static_cast<std::size_t>(vocabulary + 1) * W);
    set_masks<W>(ref);
    const u64* const masks = masks_.data();
    const u32 last = (ref.size - 1) % 64;
    u64 vp[W], vn[W] = {};
    std::fill_n(vp, W, ~0ull);
    u32 distance = ref.size;
    for (u32 id : hyp) {
      const u64* const eq = masks + static_cast<std::size_t>(id) * W;
      u64 hp_in = 1, hn_in = 0;
      for (u32 k = 0; k < W; ++k) {
        const u64 x = eq[k] | hn_in;
        const u64 d0 = (((x & vp[k]) + vp[k]) ^ vp[k]) | x | vn[k];
        u64 hp = vn[k] | ~(d0 | vp[k]);
        u64 hn = vp[k] & d0;
        if (k == W - 1) distance += static_cast<u32>(hp >> last & 1) - static_cast<u32>(hn >> last & 1);
        const u64 hp_out = hp >> 63, hn_out = hn >> 63;
        hp = hp << 1 | hp_in;
        hn = hn << 1 | hn_in;
        hp_in = hp_out;
        hn_in = hn_out;
        vp[k] = hn | ~(d0 | hp);
        vn[k] = hp & d0;
      }
    }
    return distance;
  }

  u32 wide(Ids hyp, Ids ref, u32 vocabulary) {
    sweep(hyp, ref, vocabulary, [](u32, u32, u64, u64) {});
    int change = 0;
    for (signed char step : steps_) change += step;
    return ref.size + change;
  }

  // steps_[i] is how the distance changes with word i, along the row above the block before and
  // along the block's row `last` afterwards.
  template <class F>
  void block_row(Ids hyp, u32 last, u32 block, F&& visit) {
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
      visit(block, i, vp, vn);
    }
  }

  std::vector<u64> masks_;
  std::vector<signed char> steps_;
};

}  // namespace nlg
