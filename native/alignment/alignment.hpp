// An alignment of two sequences of words.
#pragma once

#include "core/checkpoint.hpp"
#include "edit/edit.hpp"

namespace nlg {

// The cheapest alignment by dynamic programming; of equally cheap ones one with the fewest
// substitutions. It is traced back from the end, with match or substitution preferred to deletion (of
// a hypothesis word) to insertion (of a reference word).
//
// Only every `stride`-th row is kept, the rows between are computed again while tracing: memory
// grows with |r| · √|h|.
class WeightedAlignment {
 public:
  WeightedAlignment(int substitution, int gap)
      : substitution_((static_cast<std::int64_t>(substitution) << 32) + 1), gap_(static_cast<std::int64_t>(gap) << 32) {}

  // Calls report(edit, i, j) from the end to the start; i and j are the words concerned.
  template <class F>
  void align(Ids hyp, Ids ref, F&& report) {
    hyp_ = hyp, ref_ = ref;
    stride_ = 1;
    while (stride_ * stride_ < hyp.size) ++stride_;
    kept_.resize((hyp.size / stride_ + 1) * width());
    ops_.resize(stride_ * width());
    row_.resize(width());
    for (std::size_t j = 0; j < width(); ++j) row_[j] = static_cast<std::int64_t>(j) * gap_;
    for (u32 i = 0; i < hyp.size; ++i) {
      if (i % stride_ == 0) std::copy(row_.begin(), row_.end(), kept_.begin() + i / stride_ * width());
      next_row(i, nullptr);
    }
    trace(report);
  }

 private:
  std::size_t width() const { return ref_.size + 1; }

  void next_row(u32 i, Edit* ops) {
    if (width() > 256) checkpoint(width());
    std::int64_t diagonal = row_[0];
    row_[0] += gap_;
    if (ops) ops[0] = Edit::kDelete;
    for (u32 j = 0; j < ref_.size; ++j) {
      const bool same = hyp_[i] == ref_[j];
      const std::int64_t change = diagonal + (same ? 0 : substitution_);
      const std::int64_t drop = row_[j + 1] + gap_, add = row_[j] + gap_;
      diagonal = row_[j + 1];
      const std::int64_t best = std::min(change, std::min(drop, add));
      row_[j + 1] = best;
      if (ops) ops[j + 1] = best != change ? (best == drop ? Edit::kDelete : Edit::kInsert)
                            : same         ? Edit::kMatch
                                           : Edit::kSubstitute;
    }
  }

  template <class F>
  void trace(F&& report) {
    u32 i = hyp_.size, j = ref_.size, computed = hyp_.size + 1;
    while (i > 0) {
      const u32 first = (i - 1) / stride_ * stride_;
      if (first != computed) {
        std::copy_n(kept_.begin() + first / stride_ * width(), width(), row_.begin());
        for (u32 k = first; k < i; ++k) next_row(k, ops_.data() + (k - first) * width());
        computed = first;
      }
      const Edit op = ops_[(i - 1 - first) * width() + j];
      i -= op != Edit::kInsert;
      j -= op != Edit::kDelete;
      report(op, i, j);
    }
    while (j > 0) report(Edit::kInsert, 0u, --j);
  }

  std::int64_t substitution_, gap_;  // the low half of a cost counts substitutions
  Ids hyp_{}, ref_{};
  u32 stride_ = 1;
  std::vector<std::int64_t> kept_, row_;
  std::vector<Edit> ops_;
};

}  // namespace nlg
