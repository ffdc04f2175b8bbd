// Levenshtein distance between sequences of ids: bit-parallel (Myers 1999, in Hyyrö's form for
// any number of blocks), and the banded matrix that sacreBLEU's TER searches.
#pragma once

#include <cmath>

#include "checkpoint.hpp"
#include "ngram.hpp"

namespace nlg {

enum class Edit : u8 { kMatch, kSubstitute, kDelete, kInsert };

// One column of the distance matrix between a reference (bits) and a growing hypothesis.
// VP/VN: where the distance grows/falls from one reference position to the next.
struct MyersColumn {
  // Appends a hypothesis word whose reference positions are `eq` to the column (vp, vn) of `width`
  // words, in place, and returns the change of the distance at reference bit `last`. If hp and hn
  // are given, they receive where the distance grew/fell against the column before.
  static int append(const u64* eq, u32 width, u32 last, u64* vp, u64* vn, u64* hp_out, u64* hn_out) {
    u64 hp_in = 1, hn_in = 0;
    int change = 0;
    for (u32 k = 0; k < width; ++k) {
      const u64 x = eq[k] | hn_in;
      const u64 d0 = (((x & vp[k]) + vp[k]) ^ vp[k]) | x | vn[k];
      u64 hp = vn[k] | ~(d0 | vp[k]);
      u64 hn = d0 & vp[k];
      if (hp_out) hp_out[k] = hp, hn_out[k] = hn;
      if (k == width - 1) change = static_cast<int>(hp >> last & 1) - static_cast<int>(hn >> last & 1);
      const u64 hp_next = hp >> 63, hn_next = hn >> 63;
      hp = hp << 1 | hp_in;
      hn = hn << 1 | hn_in;
      hp_in = hp_next;
      hn_in = hn_next;
      vp[k] = hn | ~(d0 | hp);
      vn[k] = hp & d0;
    }
    return change;
  }
};

// Distance restricted to a band around the diagonal, as sacreBLEU 2.6 (lib_ter) computes it.
// Ties prefer match/substitution, then deletion, then insertion.
class BeamDistance {
 public:
  int distance(Ids hyp, Ids ref) { return run(hyp, ref, nullptr); }
  int trace(Ids hyp, Ids ref, std::vector<Edit>& edits) { return run(hyp, ref, &edits); }

 private:
  static constexpr int kBeam = 25;
  static constexpr int kInfinity = 1 << 28;

  int run(Ids hyp, Ids ref, std::vector<Edit>* edits) {
    const int nh = static_cast<int>(hyp.size), nr = static_cast<int>(ref.size);
    const double ratio = nh ? static_cast<double>(nr) / nh : 1;
    const int beam = kBeam < ratio / 2 ? static_cast<int>(std::ceil(ratio / 2 + kBeam)) : kBeam;
    above_.resize(nr + 1);
    row_.resize(nr + 1);
    first_.assign(nh + 1, 0);
    offset_.assign(nh + 1, 0);
    if (edits) ops_.clear();
    for (int j = 0; j <= nr; ++j) row_[j] = j;
    int end_above = nr + 1;
    for (int i = 1; i <= nh; ++i) {
      const int diagonal = static_cast<int>(std::floor(i * ratio));
      const int begin = std::max(0, diagonal - beam);
      const int end = i == nh ? nr + 1 : std::min(nr + 1, diagonal + beam);
      above_.swap(row_);
      for (int j = end_above; j < end; ++j) above_[j] = kInfinity;
      if (begin > 0) row_[begin - 1] = kInfinity;
      first_[i] = begin;
      offset_[i] = ops_.size();
      for (int j = begin; j < end; ++j) {
        Edit op = Edit::kDelete;
        int cost = above_[j] + 1;
        if (j > 0) {
          const bool same = hyp[i - 1] == ref[j - 1];
          const int diagonal_cost = above_[j - 1] + !same;
          if (diagonal_cost <= cost) cost = diagonal_cost, op = same ? Edit::kMatch : Edit::kSubstitute;
          if (row_[j - 1] + 1 < cost) cost = row_[j - 1] + 1, op = Edit::kInsert;
        }
        row_[j] = cost;
        if (edits) ops_.push_back(op);
      }
      end_above = end;
    }
    checkpoint(static_cast<u64>(nh + 1) * 2 * beam);
    if (edits) follow(nh, nr, *edits);
    return row_[nr];
  }

  void follow(int i, int j, std::vector<Edit>& edits) const {
    edits.clear();
    while (i > 0 || j > 0) {
      const Edit op = i == 0 ? Edit::kInsert : ops_[offset_[i] + j - first_[i]];
      edits.push_back(op);
      i -= op != Edit::kInsert;
      j -= op != Edit::kDelete;
    }
    std::reverse(edits.begin(), edits.end());
  }

  std::vector<int> row_, above_, first_;
  std::vector<std::size_t> offset_;
  std::vector<Edit> ops_;
};

}  // namespace nlg
