// Longest common subsequences of two sequences of ids, plain and weighted.
#pragma once

#include <cmath>

#include "core/checkpoint.hpp"
#include "core/positions.hpp"

namespace nlg {

// The longest common subsequence of two texts that end alike goes through these ends; marks them
// and takes them off.
inline u32 mark_common_end(Ids& ref, Ids& hyp, u8* hit) {
  u32 common = 0;
  while (ref.size > 0 && hyp.size > 0 && ref[ref.size - 1] == hyp[hyp.size - 1]) {
    --ref.size, --hyp.size, ++common;
    if (hit) hit[ref.size] = 1;
  }
  return common;
}

// Length and members of a longest common subsequence, bit-parallel (Hyyrö 2004): a zero at bit i
// of column j says that the subsequence of the reference up to i and the hypothesis up to j is
// longer than without reference word i.
class Lcs {
 public:
  void set_ref(Ids ref, u32 vocabulary) {
    masks_.build(ref, vocabulary);
    ref_ = ref;
  }

  u32 length(Ids hyp) {
    if (masks_.width() == 1) return narrow_length<u64>(hyp);
    if (masks_.width() == 2) return narrow_length<u128>(hyp);
    column_.assign(masks_.width(), ~0ull);
    for (u32 id : hyp)
      if (id != 0) advance(column_.data(), masks_[id]);
    return zeros(column_.data());
  }

  // Sets hit[i] for the reference words of one longest common subsequence: the one found from the
  // ends, where words that differ drop the reference's first if that loses nothing.
  void mark(Ids hyp, u8* hit) {
    Ids ref = ref_;
    mark_common_end(ref, hyp, hit);
    const std::size_t width = masks_.width();
    // Columns of one block are kept; of the blocks before it, only where they start.
    const u32 block = std::max<u32>(1, static_cast<u32>(std::min<std::size_t>(hyp.size, kKept / width)));
    starts_.assign(width, ~0ull);
    column_.assign(width, ~0ull);
    for (u32 j = 0; j < hyp.size; ++j) {
      advance(column_.data(), masks_[hyp[j]]);
      if ((j + 1) % block == 0) starts_.insert(starts_.end(), column_.begin(), column_.end());
    }
    kept_.resize((block + 1) * width);
    u32 i = ref.size;
    for (u32 first = hyp.size ? (hyp.size - 1) / block * block : 0, last = hyp.size; last > 0 && i > 0;
         last = first, first -= std::min(first, block)) {
      std::copy_n(starts_.begin() + first / block * width, width, kept_.begin());
      for (u32 j = first; j < last; ++j) {
        u64* const here = kept_.data() + (j - first + 1) * width;
        std::copy_n(here - width, width, here);
        advance(here, masks_[hyp[j]]);
      }
      for (u32 j = last; j > first && i > 0;) {
        if (ref[i - 1] == hyp[j - 1]) hit[--i] = 1, --j;
        else if (kept_[(j - first) * width + (i - 1) / 64] >> ((i - 1) % 64) & 1) --i;
        else --j;
      }
    }
  }

 private:
  static constexpr std::size_t kKept = 1u << 20;  // words of columns

  template <class Bits>
  u32 narrow_length(Ids hyp) const {
    Bits v = ~Bits{0};
    for (u32 id : hyp) {
      const Bits u = v & load_bits<Bits>(masks_[id]);
      v = (v + u) | (v - u);
    }
    u64 column[sizeof v / 8];
    std::memcpy(column, &v, sizeof v);
    return zeros(column);
  }
  void advance(u64* column, const u64* mask) const {
    if (masks_.width() > 16) checkpoint(masks_.width());
    u64 carry = 0;
    for (u32 k = 0; k < masks_.width(); ++k) {
      const u64 v = column[k], u = v & mask[k], sum = v + u, all = sum + carry;
      carry = (sum < v) | (all < sum);
      column[k] = all | (v - u);
    }
  }
  u32 zeros(const u64* column) const {
    u32 count = 0;
    for (u32 k = 0; k < masks_.width(); ++k) {
      const u32 bits = std::min(64u, ref_.size - 64 * k);
      count += static_cast<u32>(__builtin_popcountll(~column[k] & (bits == 64 ? ~0ull : (1ull << bits) - 1)));
    }
    return count;
  }

  PositionMasks masks_;
  Ids ref_{nullptr, 0};
  std::vector<u64> column_, starts_, kept_;
};

// Weighted longest common subsequence: a run of k words is worth k^weight.
class WeightedLcs {
 public:
  explicit WeightedLcs(double weight) : weight_(weight) {}

  double worth(u32 run) {
    while (worth_.size() <= run) worth_.push_back(std::pow(static_cast<double>(worth_.size()), weight_));
    return worth_[run];
  }

  double value(Ids ref, Ids hyp, u32 vocabulary) {
    const u32 shorter = std::min(ref.size, hyp.size), common = mark_common_end(ref, hyp, nullptr);
    worth(shorter + 1);
    in_hyp_.build(hyp, vocabulary);
    run_rows(ref, hyp, 0, ref.size, nullptr);
    const u32 run = ref.size == 0 ? 0 : runs_[hyp.size];
    const double sum = common == 0 ? row_[hyp.size] : row_[hyp.size] + worth_[run + common] - worth_[run];
    return std::min(sum, worth_[shorter]);  // rounding must not lead beyond what is possible
  }

  // As Lcs::mark.
  void mark(Ids ref, Ids hyp, u32 vocabulary, u8* hit) {
    mark_common_end(ref, hyp, hit);
    worth(std::min(ref.size, hyp.size) + 1);
    in_hyp_.build(hyp, vocabulary);
    const std::size_t columns = hyp.size + 1;
    // Moves of one block of rows are kept; of the blocks before it, only where they start.
    const u32 block = std::max<u32>(1, static_cast<u32>(std::min<std::size_t>(ref.size, kKept / columns)));
    starts_.clear();
    run_starts_.clear();
    for (u32 i = 0; i < ref.size; i += block) {
      if (i > 0) {
        starts_.insert(starts_.end(), row_.begin(), row_.end());
        run_starts_.insert(run_starts_.end(), runs_.begin(), runs_.end());
      }
      run_rows(ref, hyp, i, std::min(ref.size, i + block), &moves_);
    }
    u32 j = hyp.size;
    for (u32 last = ref.size, first = ref.size ? (last - 1) / block * block : 0; last > 0 && j > 0;
         last = first, first -= std::min(first, block)) {
      const bool restored = last != ref.size;  // the moves of the last block are still there
      if (first > 0) {
        if (restored) row_.assign(starts_.end() - columns, starts_.end());
        if (restored) runs_.assign(run_starts_.end() - columns, run_starts_.end());
        starts_.resize(starts_.size() - columns);
        run_starts_.resize(run_starts_.size() - columns);
      }
      if (restored) run_rows(ref, hyp, first, last, &moves_);
      for (u32 i = last; i > first && j > 0;) {
        const Move move = moves_[(i - 1 - first) * columns + j];
        if (move == kMatch) hit[--i] = 1, --j;
        else if (move == kUp) --i;
        else --j;
      }
    }
  }

 private:
  static constexpr std::size_t kKept = 1u << 24;  // moves
  enum Move : u8 { kUp, kLeft, kMatch };

  // Rows first..last of the table, each from the one before: row_ has the values, runs_ the lengths
  // of the runs that end in matches. Between matches, a row is the running maximum.
  void run_rows(Ids ref, Ids hyp, u32 first, u32 last, std::vector<Move>* moves) {
    const std::size_t columns = hyp.size + 1;
    if (first == 0) row_.assign(columns, 0), runs_.assign(columns, 0);
    if (moves) moves->resize((last - first) * columns);
    for (u32 i = first; i < last; ++i) {
      Move* const here = moves ? moves->data() + (i - first) * columns : nullptr;
      const Ids matches = in_hyp_[ref[i]];
      const Ids before = i > 0 ? in_hyp_[ref[i - 1]] : Ids{nullptr, 0};
      gained_.resize(matches.size);
      for (u32 k = 0; k < matches.size; ++k) {
        const u32 run = runs_[matches[k]];  // of the cell up and to the left
        gained_[k] = {row_[matches[k]] + worth_[run + 1] - worth_[run], run + 1};
      }
      for (u32 j : before) runs_[j + 1] = 0;
      double left = 0;
      u32 j = 1;
      for (u32 k = 0; k < matches.size; ++k) {
        left = here ? fill<true>(j, matches[k] + 1, left, here) : fill<false>(j, matches[k] + 1, left, here);
        j = matches[k] + 1;
        left = row_[j] = gained_[k].first;
        runs_[j] = gained_[k].second;
        if (here) here[j] = kMatch;
        ++j;
      }
      here ? fill<true>(j, columns, left, here) : fill<false>(j, columns, left, here);
      checkpoint(columns);
    }
  }

  template <bool kept>
  double fill(std::size_t j, std::size_t end, double left, Move* moves) {
    for (; j < end; ++j) {
      const double up = row_[j];
      if (kept) moves[j] = up >= left ? kUp : kLeft;
      left = up >= left ? up : left;
      row_[j] = left;
    }
    return left;
  }

  double weight_;
  std::vector<double> worth_, row_, starts_;
  std::vector<u32> runs_, run_starts_;
  std::vector<std::pair<double, u32>> gained_;
  std::vector<Move> moves_;
  Positions in_hyp_;
};

}  // namespace nlg
