// Levenshtein distance between sequences of ids: bit-parallel (Myers 1999, in Hyyrö's form for
// any number of blocks), and the banded matrix that sacreBLEU's TER searches.
#pragma once

#include <cmath>

#include "core/checkpoint.hpp"
#include "ngram/ngram.hpp"

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
  int distance(Ids hyp, Ids ref) {
    start(hyp, ref);
    for (int i = 1; i <= nh_; ++i) add_row(i, hyp, ref, [](int, Edit) {});
    return row_[nr_];
  }
  int trace(Ids hyp, Ids ref, std::vector<Edit>& edits) {
    start(hyp, ref);
    first_.assign(nh_ + 1, 0);
    offset_.assign(nh_ + 1, 0);
    ops_.assign(nr_ + 1, Edit::kInsert);
    costs_.assign(row_.begin(), row_.begin() + nr_ + 1);
    for (int i = 1; i <= nh_; ++i) {
      first_[i] = begin(i);
      offset_[i] = ops_.size();
      add_row(i, hyp, ref, [&](int cost, Edit op) { ops_.push_back(op), costs_.push_back(cost); });
    }
    follow(nh_, nr_, edits);
    return row_[nr_];
  }
  // The distance of a version of the words last traced that differs from them in [from, to) only.
  int changed(Ids hyp, Ids ref, int from, int to) {
    std::copy(kept(from), kept(from) + end(from) - begin(from), row_.begin() + begin(from));
    if (begin(from) > 0) row_[begin(from) - 1] = kInfinity;
    end_above_ = end(from);
    for (int i = from + 1; i <= nh_; ++i) {
      add_row(i, hyp, ref, [](int, Edit) {});
      if (i < to) continue;
      // Rows that differ by a constant are followed by rows that do.
      const int apart = row_[begin(i)] - *kept(i);
      const auto same = [&](int now, int before) { return now == before + apart; };
      if (std::equal(row_.begin() + begin(i), row_.begin() + end(i), kept(i), same))
        return *(kept(nh_) + nr_ - begin(nh_)) + apart;
    }
    return row_[nr_];
  }

 private:
  static constexpr int kBeam = 25;
  static constexpr int kInfinity = 1 << 28;

  void start(Ids hyp, Ids ref) {
    nh_ = static_cast<int>(hyp.size), nr_ = static_cast<int>(ref.size);
    ratio_ = nh_ ? static_cast<double>(nr_) / nh_ : 1;
    beam_ = kBeam < ratio_ / 2 ? static_cast<int>(std::ceil(ratio_ / 2 + kBeam)) : kBeam;
    above_.resize(nr_ + 1);
    row_.resize(nr_ + 1);
    for (int j = 0; j <= nr_; ++j) row_[j] = j;
    end_above_ = nr_ + 1;
  }
  // The cells of row i that are computed.
  int diagonal(int i) const { return static_cast<int>(std::floor(i * ratio_)); }
  int begin(int i) const { return i == 0 ? 0 : std::max(0, diagonal(i) - beam_); }
  int end(int i) const { return i == 0 || i == nh_ ? nr_ + 1 : std::min(nr_ + 1, diagonal(i) + beam_); }
  std::vector<int>::const_iterator kept(int i) const { return costs_.begin() + offset_[i]; }

  template <class F>
  void add_row(int i, Ids hyp, Ids ref, F&& on_cell) {
    const int begin = this->begin(i), end = this->end(i);
    checkpoint(end - begin);
    above_.swap(row_);
    for (int j = end_above_; j < end; ++j) above_[j] = kInfinity;
    if (begin > 0) row_[begin - 1] = kInfinity;
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
      on_cell(cost, op);
    }
    end_above_ = end;
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

  int nh_ = 0, nr_ = 0, beam_ = 0, end_above_ = 0;
  double ratio_ = 1;
  std::vector<int> row_, above_, first_;
  std::vector<int> costs_;  // of the words last traced, row by row
  std::vector<std::size_t> offset_;
  std::vector<Edit> ops_;
};

}  // namespace nlg
