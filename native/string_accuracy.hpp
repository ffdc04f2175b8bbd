// SSA and GSA: an alignment with substitutions at 4 and insertions and deletions at 3, of equally
// cheap ones one with the fewest substitutions; then the errors, for GSA with moves.
// Columns: substitutions, insertions (words only h has), deletions (words only r has), moves (taken
// from the latter two), |r|.
#pragma once

#include "edit.hpp"
#include "kernel.hpp"

namespace nlg {

// The cheapest alignment by dynamic programming, traced back from the end with match or
// substitution preferred to deletion (of a hypothesis word) to insertion (of a reference word).
// Only every `stride`-th row is kept, the rows between are computed again while tracing: memory
// grows with |r| · √|h|.
class WeightedAlignment {
 public:
  // Calls report(edit, i, j) from the end to the start; i and j are the words concerned.
  template <class F>
  void align(Ids hyp, Ids ref, F&& report) {
    hyp_ = hyp, ref_ = ref;
    stride_ = 1;
    while (stride_ * stride_ < hyp.size) ++stride_;
    kept_.resize((hyp.size / stride_ + 1) * width());
    ops_.resize(stride_ * width());
    row_.resize(width());
    for (std::size_t j = 0; j < width(); ++j) row_[j] = static_cast<std::int64_t>(j) * kGap;
    for (u32 i = 0; i < hyp.size; ++i) {
      if (i % stride_ == 0) std::copy(row_.begin(), row_.end(), kept_.begin() + i / stride_ * width());
      next_row(i, nullptr);
    }
    trace(report);
  }

 private:
  // Costs in the high part, substitutions in the low part.
  static constexpr std::int64_t kSubstitution = (4ll << 32) + 1, kGap = 3ll << 32;
  std::size_t width() const { return ref_.size + 1; }

  void next_row(u32 i, Edit* ops) {
    std::int64_t diagonal = row_[0];
    row_[0] += kGap;
    if (ops) ops[0] = Edit::kDelete;
    for (u32 j = 0; j < ref_.size; ++j) {
      const bool same = hyp_[i] == ref_[j];
      const std::int64_t change = diagonal + (same ? 0 : kSubstitution);
      const std::int64_t drop = row_[j + 1] + kGap, add = row_[j] + kGap;
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

  Ids hyp_{}, ref_{};
  u32 stride_ = 1;
  std::vector<std::int64_t> kept_, row_;
  std::vector<Edit> ops_;
};

class StringAccuracyWorker final : public Worker {
 public:
  explicit StringAccuracyWorker(bool moves) : moves_(moves) {}

  void row(const Segment& s, double* out) override {
    std::fill_n(out, 5, 0);
    double best = 0;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      double errors[5];
      count(s, s.ref(r), errors);
      const double length = errors[4], sum = errors[0] + errors[1] + errors[2] + errors[3];
      const double rate = length > 0 ? sum / length : sum > 0 ? 1e300 : 0;
      if (r == 0 || rate < best) best = rate, std::copy_n(errors, 5, out);
    }
  }

 private:
  void count(const Segment& s, Ids ref, double* out) {
    std::fill_n(out, 4, 0);
    out[4] = ref.size;
    gaps_.assign(s.vocabulary + 1, {0, 0});
    alignment_.align(s.hyp(), ref, [&](Edit edit, u32 i, u32 j) {
      if (edit == Edit::kSubstitute) ++out[0];
      else if (edit == Edit::kDelete) ++out[1], ++gaps_[s.hyp()[i]].first;
      else if (edit == Edit::kInsert) ++out[2], ++gaps_[ref[j]].second;
    });
    if (!moves_) return;
    for (const auto& [hyp_only, ref_only] : gaps_) out[3] += std::min(hyp_only, ref_only);
    out[1] -= out[3];
    out[2] -= out[3];
  }

  bool moves_;
  WeightedAlignment alignment_;
  std::vector<std::pair<u32, u32>> gaps_;  // of every word: unmatched in h, in r
};

class StringAccuracyKernel final : public Kernel {
 public:
  explicit StringAccuracyKernel(bool moves) : moves_(moves) {}
  std::size_t columns() const override { return 5; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<StringAccuracyWorker>(moves_); }

 private:
  bool moves_;
};

}  // namespace nlg
