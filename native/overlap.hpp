// Kernels that compare the n-grams of a hypothesis with each reference by itself: Google's GLEU,
// and the overlap of bags of words.
#pragma once

#include "kernel.hpp"
#include "ngram.hpp"

namespace nlg {

// Clipped matches of n-grams, least <= n <= N, with every reference.
template <int N>
class MatchesByReference {
 public:
  explicit MatchesByReference(u32 least) : least_(least) {}

  const std::vector<u32>& operator()(const Segment& s) {
    matches_.assign(s.ref_count(), 0);
    if (s.longest_ref > 64 * detail::kMaxWidth) {
      count_long(s);
      return matches_;
    }
    const u32 wanted = ~0u << (least_ - 1);
    for (u32 r = 0; r < s.ref_count(); ++r) {
      masks_.build(s.ref(r), s.vocabulary);
      u32 sum = 0;
      detail::walk<N>(s.hyp(), masks_,
                      [&](u32, u32 found) { sum += static_cast<u32>(__builtin_popcount(found & wanted)); });
      matches_[r] = sum;
    }
    return matches_;
  }

 private:
  void count_long(const Segment& s) {
    chain_.start(s.hyp(), s.all_refs(), s.ref_ends(), s.vocabulary);
    for (u32 n = 1; n <= N; ++n) {
      if (n > 1) chain_.advance();
      if (n < least_) continue;
      in_hyp_.assign(chain_.size() + 1, 0);
      in_ref_.assign(chain_.size() + 1, 0);
      for (u32 id : chain_.hyp()) ++in_hyp_[id];
      in_hyp_[0] = 0;
      for (u32 r = 0; r < s.ref_count(); ++r) {
        for (u32 id : chain_.ref(r)) matches_[r] += in_ref_[id]++ < in_hyp_[id];
        for (u32 id : chain_.ref(r)) in_ref_[id] = 0;
      }
    }
  }

  u32 least_;
  PositionMasks masks_;
  NgramChain chain_;
  std::vector<u32> matches_, in_hyp_, in_ref_;
};

// Columns: matches, and the larger number of n-grams of the two texts, for the best reference; the
// first of equally good ones.
template <int N>
class GleuWorker final : public Worker {
 public:
  explicit GleuWorker(u32 least) : least_(least), matches_(least) {}

  void row(const Segment& s, double* out) override {
    const auto& matches = matches_(s);
    const double hyp = grams(s.hyp().size);
    double best = -1;
    out[0] = out[1] = 0;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const double all = std::max(hyp, grams(s.ref(r).size));
      if (all == 0 || matches[r] / all <= best) continue;
      best = matches[r] / all;
      out[0] = matches[r];
      out[1] = all;
    }
  }

 private:
  double grams(u32 length) const {
    double sum = 0;
    for (u32 n = least_; n <= N; ++n) sum += length >= n ? length - n + 1 : 0;
    return sum;
  }
  u32 least_;
  MatchesByReference<N> matches_;
};

class GleuKernel final : public Kernel {
 public:
  GleuKernel(u32 least, u32 most) : least_(least), most_(most) {}
  std::size_t columns() const override { return 2; }
  std::unique_ptr<Worker> worker() const override { return make<1>(); }

 private:
  template <int N>
  std::unique_ptr<Worker> make() const {
    if constexpr (N < kMaxOrder)
      if (most_ > N) return make<N + 1>();
    return std::make_unique<GleuWorker<N>>(least_);
  }
  u32 least_, most_;
};

enum class OverlapMeasure { kOverlap, kPrecision, kRecall };

// Columns: the best reference's value, 1, and its overlap, precision and recall.
class OverlapWorker final : public Worker {
 public:
  explicit OverlapWorker(OverlapMeasure measure) : measure_(static_cast<u32>(measure)) {}

  void row(const Segment& s, double* out) override {
    const auto& matches = matches_(s);
    std::fill_n(out, 5, 0.0);
    out[1] = 1;
    const double hyp = s.hyp().size;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const double common = matches[r], ref = s.ref(r).size;
      if (common == 0) continue;
      const double values[3] = {common / (hyp + ref - common), common / hyp, common / ref};
      if (values[measure_] <= out[0]) continue;
      out[0] = values[measure_];
      std::copy_n(values, 3, out + 2);
    }
  }

 private:
  u32 measure_;
  MatchesByReference<1> matches_{1};
};

class OverlapKernel final : public Kernel {
 public:
  explicit OverlapKernel(OverlapMeasure measure) : measure_(measure) {}
  std::size_t columns() const override { return 5; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<OverlapWorker>(measure_); }

 private:
  OverlapMeasure measure_;
};

}  // namespace nlg
