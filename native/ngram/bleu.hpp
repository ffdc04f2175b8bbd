// Statistics of BLEU and of discriminative BLEU:
// hypothesis length, reference length, matches of the orders 1..N, hypothesis n-grams of 1..N.
#pragma once

#include "core/kernel.hpp"
#include "ngram/ngram.hpp"
#include "ngram/reflength.hpp"

namespace nlg {

// Which artificial words enclose each text when n-grams of two or more words are counted.
struct Boundaries {
  bool start = false, end = false;
  u32 count() const { return start + end; }
};

template <int N>
class BleuWorker final : public Worker {
 public:
  BleuWorker(RefLength rule) : ref_length_(rule) {}

  void row(const Segment& s, double* out) override {
    u32 matches[N];
    matches_.count(s, matches);
    const u32 length = s.hyp().size;
    out[0] = length;
    out[1] = ref_length_(s);
    for (u32 n = 0; n < N; ++n) {
      out[2 + n] = matches[n];
      out[2 + N + n] = length > n ? length - n : 0;
    }
  }

 private:
  RefLengthRule ref_length_;
  ClippedMatches<N> matches_;
};

// Weighted references, boundary words or both: the general, slower way.
class WeightedBleuWorker final : public Worker {
 public:
  WeightedBleuWorker(u32 order, RefLength rule, Boundaries bounds) : order_(order), ref_length_(rule), bounds_(bounds) {}

  void row(const Segment& s, double* out) override {
    enclose(s);
    const u32 length = s.hyp().size, padded = static_cast<u32>(hyp_.size());
    double heaviest = s.ref_weights ? s.ref_weights[0] : 1;
    for (u32 r = 0; s.ref_weights && r < s.ref_count(); ++r) heaviest = std::max(heaviest, s.ref_weights[r]);
    out[0] = length;
    out[1] = ref_length_(s);
    for (u32 n = 0; n < order_; ++n) {
      // Boundary words are no words of their own: only longer n-grams see them.
      if (n == 0) chain_.start(s.hyp(), s.all_refs(), s.ref_ends(), s.vocabulary);
      else if (n == 1) chain_.start(ids(hyp_), ids(refs_), ends_, s.vocabulary + 2), chain_.advance();
      else chain_.advance();
      const u32 size = n == 0 ? length : padded;
      out[2 + n] = matches(s);
      out[2 + order_ + n] = heaviest * (size > n ? size - n : 0);
    }
  }

 private:
  static Ids ids(const std::vector<u32>& v) { return {v.data(), static_cast<u32>(v.size())}; }

  void enclose(const Segment& s) {
    const u32 first = s.vocabulary + 1, last = s.vocabulary + 2;
    const auto append = [&](std::vector<u32>& out, Ids text) {
      if (bounds_.start) out.push_back(first);
      out.insert(out.end(), text.begin(), text.end());
      if (bounds_.end) out.push_back(last);
    };
    hyp_.clear();
    refs_.clear();
    ends_.assign(1, 0);
    append(hyp_, s.hyp());
    for (u32 r = 0; r < s.ref_count(); ++r) {
      append(refs_, s.ref(r));
      ends_.push_back(static_cast<u32>(refs_.size()));
    }
  }

  // Σ over the hypothesis' distinct n-grams of the largest weight_r * min(count in h, count in r)
  // over the references r that contain it.
  double matches(const Segment& s) {
    const std::size_t size = chain_.size() + 1;
    in_hyp_.assign(size, 0);
    for (u32 id : chain_.hyp()) ++in_hyp_[id];
    in_hyp_[0] = 0;
    best_.assign(size, -HUGE_VAL);
    in_ref_.assign(size, 0);
    for (u32 r = 0; r < chain_.ref_count(); ++r) {
      const double weight = s.ref_weights ? s.ref_weights[r] : 1;
      for (u32 id : chain_.ref(r)) ++in_ref_[id];
      for (u32 id : chain_.ref(r)) {
        if (in_ref_[id] == 0) continue;
        best_[id] = std::max(best_[id], weight * std::min(in_hyp_[id], in_ref_[id]));
        in_ref_[id] = 0;
      }
    }
    double sum = 0;
    for (std::size_t id = 1; id < size; ++id)
      if (in_hyp_[id] > 0) sum += best_[id];
    return sum;
  }

  u32 order_;
  RefLengthRule ref_length_;
  Boundaries bounds_;
  NgramChain chain_;
  std::vector<u32> hyp_, refs_, ends_, in_hyp_, in_ref_;
  std::vector<double> best_;
};

class BleuKernel final : public Kernel {
 public:
  BleuKernel(u32 order, RefLength rule, Boundaries bounds, bool weighted)
      : order_(order), rule_(rule), bounds_(bounds), weighted_(weighted) {}
  std::size_t columns() const override { return 2 + 2 * order_; }
  std::unique_ptr<Worker> worker() const override {
    if (weighted_ || bounds_.count() > 0) return std::make_unique<WeightedBleuWorker>(order_, rule_, bounds_);
    switch (order_) {
      case 1: return std::make_unique<BleuWorker<1>>(rule_);
      case 2: return std::make_unique<BleuWorker<2>>(rule_);
      case 3: return std::make_unique<BleuWorker<3>>(rule_);
      case 4: return std::make_unique<BleuWorker<4>>(rule_);
      case 5: return std::make_unique<BleuWorker<5>>(rule_);
      case 6: return std::make_unique<BleuWorker<6>>(rule_);
      case 7: return std::make_unique<BleuWorker<7>>(rule_);
      case 8: return std::make_unique<BleuWorker<8>>(rule_);
      default: return std::make_unique<BleuWorker<9>>(rule_);
    }
  }

 private:
  u32 order_;
  RefLength rule_;
  Boundaries bounds_;
  bool weighted_;
};

}  // namespace nlg
