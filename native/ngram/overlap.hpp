// Kernels that compare the n-grams of a hypothesis with each reference by itself: Google's GLEU,
// the counts of PS, RS and AEv, and the overlap of bags of words.
#pragma once

#include "core/kernel.hpp"
#include "ngram/ngram.hpp"

namespace nlg {

// Clipped matches of the orders 1..N with every reference: N numbers for each.
template <int N>
class MatchesByReference {
 public:
  const u32* operator()(const Segment& s) {
    matches_.assign(static_cast<std::size_t>(s.ref_count()) * N, 0);
    if (s.longest_ref > 64 * detail::kMaxWidth) {
      count_long(s);
      return matches_.data();
    }
    u32* out = matches_.data();
    for (u32 r = 0; r < s.ref_count(); ++r, out += N) {
      masks_.build(s.ref(r), s.vocabulary);
      detail::walk<N>(s.hyp(), masks_, [&](u32, u32 found) {
        for (int n = 0; n < N; ++n) out[n] += found >> n & 1;
      });
    }
    return matches_.data();
  }

 private:
  void count_long(const Segment& s) {
    chain_.start(s.hyp(), s.all_refs(), s.ref_ends(), s.vocabulary);
    for (u32 n = 0; n < N; ++n) {
      if (n > 0) chain_.advance();
      in_hyp_.assign(chain_.size() + 1, 0);
      in_ref_.assign(chain_.size() + 1, 0);
      for (u32 id : chain_.hyp()) ++in_hyp_[id];
      in_hyp_[0] = 0;
      for (u32 r = 0; r < s.ref_count(); ++r) {
        for (u32 id : chain_.ref(r)) matches_[r * N + n] += in_ref_[id]++ < in_hyp_[id];
        for (u32 id : chain_.ref(r)) in_ref_[id] = 0;
      }
    }
  }

  PositionMasks masks_;
  NgramChain chain_;
  std::vector<u32> matches_, in_hyp_, in_ref_;
};

inline u32 gram_count(u32 length, u32 n) { return length >= n ? length - n + 1 : 0; }

// Columns: matches, and the larger number of n-grams of the two texts, for the best reference; the
// first of equally good ones.
template <int N>
class GleuWorker final : public Worker {
 public:
  explicit GleuWorker(u32 least) : least_(least) {}

  void row(const Segment& s, double* out) override {
    const u32* matches = matches_(s);
    const double hyp = grams(s.hyp().size);
    double best = -1;
    out[0] = out[1] = 0;
    for (u32 r = 0; r < s.ref_count(); ++r, matches += N) {
      const double all = std::max(hyp, grams(s.ref(r).size));
      double found = 0;
      for (u32 n = least_; n <= N; ++n) found += matches[n - 1];
      if (all == 0 || found / all <= best) continue;
      best = found / all;
      out[0] = found;
      out[1] = all;
    }
  }

 private:
  double grams(u32 length) const {
    double sum = 0;
    for (u32 n = least_; n <= N; ++n) sum += gram_count(length, n);
    return sum;
  }
  u32 least_;
  MatchesByReference<N> matches_;
};

class GleuKernel final : public Kernel {
 public:
  GleuKernel(u32 least, u32 most) : least_(least), most_(most) {}
  std::size_t columns() const override { return 2; }
  bool needs_spelling() const override { return false; }
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

// Columns: words of the hypothesis and of the references; matches, n-grams of the hypothesis and
// n-grams of the references, orders 1..N each. What concerns references is their mean.
template <int N>
class NgramCountsWorker final : public Worker {
 public:
  void row(const Segment& s, double* out) override {
    const u32* matches = matches_(s);
    const u32 refs = s.ref_count(), hyp = s.hyp().size;
    std::fill_n(out, 2 + 3 * N, 0.0);
    out[0] = hyp;
    for (u32 n = 1; n <= N; ++n) out[1 + N + n] = gram_count(hyp, n);
    for (u32 r = 0; r < refs; ++r, matches += N) {
      out[1] += s.ref(r).size / static_cast<double>(refs);
      for (u32 n = 1; n <= N; ++n) {
        out[1 + n] += matches[n - 1] / static_cast<double>(refs);
        out[1 + 2 * N + n] += gram_count(s.ref(r).size, n) / static_cast<double>(refs);
      }
    }
  }

 private:
  MatchesByReference<N> matches_;
};

class NgramCountsKernel final : public Kernel {
 public:
  explicit NgramCountsKernel(u32 order) : order_(order) {}
  std::size_t columns() const override { return 2 + 3 * order_; }
  bool needs_spelling() const override { return false; }
  std::unique_ptr<Worker> worker() const override { return make<1>(); }

 private:
  template <int N>
  std::unique_ptr<Worker> make() const {
    if constexpr (N < kMaxOrder)
      if (order_ > N) return make<N + 1>();
    return std::make_unique<NgramCountsWorker<N>>();
  }
  u32 order_;
};

enum class OverlapMeasure { kOverlap, kPrecision, kRecall, kAsiyaRecall };

// Columns: the best reference's value, 1, and its overlap, precision and recall.
class OverlapWorker final : public Worker {
 public:
  explicit OverlapWorker(OverlapMeasure measure) : measure_(measure) {}

  void row(const Segment& s, double* out) override {
    const u32* matches = matches_(s);
    std::fill_n(out, 5, 0.0);
    out[1] = 1;
    const double hyp = s.hyp().size;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const double common = matches[r], ref = s.ref(r).size;
      if (common == 0) continue;
      const double values[3] = {common / (hyp + ref - common), common / hyp, common / ref};
      const double value = measure_ == OverlapMeasure::kAsiyaRecall
                               ? most_often(s.hyp(), s.ref(r), s.vocabulary) / ref
                               : values[static_cast<u32>(measure_)];
      if (value <= out[0]) continue;
      out[0] = value;
      std::copy_n(values, 3, out + 2);
    }
  }

 private:
  // Common words, each as often as the text has it that repeats it more.
  double most_often(Ids hyp, Ids ref, u32 vocabulary) {
    in_hyp_.assign(vocabulary + 1, 0);
    in_ref_.assign(vocabulary + 1, 0);
    for (u32 id : hyp) ++in_hyp_[id];
    for (u32 id : ref) ++in_ref_[id];
    double sum = 0;
    for (u32 id = 1; id <= vocabulary; ++id)
      if (in_hyp_[id] > 0 && in_ref_[id] > 0) sum += std::max(in_hyp_[id], in_ref_[id]);
    return sum;
  }

  OverlapMeasure measure_;
  MatchesByReference<1> matches_;
  std::vector<u32> in_hyp_, in_ref_;
};

class OverlapKernel final : public Kernel {
 public:
  explicit OverlapKernel(OverlapMeasure measure) : measure_(measure) {}
  std::size_t columns() const override { return 5; }
  bool needs_spelling() const override { return false; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<OverlapWorker>(measure_); }

 private:
  OverlapMeasure measure_;
};

}  // namespace nlg
