// SSA and GSA: an alignment with substitutions at 4 and insertions and deletions at 3, of equally
// cheap ones one with the fewest substitutions, and of those the one that traces back through matches
// and substitutions first, then through words only h has; then the errors, for GSA with moves. Where
// substitutions are not allowed, they cost more than what stands for them.
// Columns: substitutions, insertions (words only h has), deletions (words only r has), moves (taken
// from the latter two), |r|.
#pragma once

#include "alignment/alignment.hpp"
#include "core/kernel.hpp"

namespace nlg {

class StringAccuracyWorker final : public Worker {
 public:
  StringAccuracyWorker(bool moves, bool substitutions) : moves_(moves), alignment_(substitutions ? 4 : 7, 3) {}

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
  StringAccuracyKernel(bool moves, bool substitutions) : moves_(moves), substitutions_(substitutions) {}
  std::size_t columns() const override { return 5; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<StringAccuracyWorker>(moves_, substitutions_); }

 private:
  bool moves_, substitutions_;
};

}  // namespace nlg
