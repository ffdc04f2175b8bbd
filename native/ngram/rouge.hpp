// What all members of the ROUGE family share: counts against each reference become precision,
// recall and F of the segment. ROUGE-N itself.
#pragma once

#include <array>
#include <cmath>

#include "core/kernel.hpp"
#include "core/positions.hpp"

namespace nlg {

struct RougeOptions {
  // How several references make one score: counts summed up, the best reference, the same for every
  // set that leaves one reference out, or the largest precision and the largest recall.
  enum class References { kAverage, kBest, kJackknife, kJackknifeAverage, kSeparate };
  enum Measure { kPrecision, kRecall, kF };

  References references = References::kAverage;
  Measure best_by = kF;
  double alpha = 0.5;    // weight of precision in F
  bool rounded = false;  // to five decimals, as ROUGE-1.5.5 does before it goes on
  u32 evaluations = 0;   // so many leave-one-out scores are given, too
};

// Matches with one reference, and what they are divided by.
struct RougeCounts {
  double hits = 0, ref = 0, hyp = 0;
};

using PrecisionRecallF = std::array<double, 3>;

namespace detail {

// What C's "%.5f" gives: halves are decided by the exact value of x, exact halves go to even.
inline double round5(double x) {
  const double scaled = x * 1e5, rest = std::fma(x, 1e5, -scaled), whole = std::floor(scaled);
  const double over = scaled - whole - 0.5;
  const bool up = over > 0 || (over == 0 && (rest > 0 || (rest == 0 && std::fmod(whole, 2) == 1)));
  return (whole + up) / 1e5;
}

}  // namespace detail

// Columns: precision, recall, F, 1, matches, their bases in the references and in the hypothesis;
// then precision, recall and F of the evaluations, zeros if there are fewer.
class RougeWorker : public Worker {
 public:
  static constexpr u32 kColumns = 7;

  explicit RougeWorker(const RougeOptions& options) : options_(options) {}

  void row(const Segment& s, double* out) final {
    counts_.resize(s.ref_count());
    start(s);
    for (u32 r = 0; r < s.ref_count(); ++r) counts_[r] = count(s, r);
    std::fill_n(out, kColumns + 3 * options_.evaluations, 0);
    out[3] = 1;
    using References = RougeOptions::References;
    const bool jackknife =
        options_.references == References::kJackknife || options_.references == References::kJackknifeAverage;
    const u32 evaluations = jackknife && s.ref_count() > 1 ? s.ref_count() : 1;
    for (u32 k = 0; k < evaluations; ++k) {
      RougeCounts chosen;
      const PrecisionRecallF scores = evaluate(evaluations > 1 ? k : s.ref_count(), chosen);
      for (u32 m = 0; m < 3; ++m) {
        out[m] += scores[m] / evaluations;
        if (k < options_.evaluations) out[kColumns + 3 * k + m] = scores[m];
      }
      out[4] += chosen.hits;
      out[5] += chosen.ref;
      out[6] += chosen.hyp;
    }
  }

 protected:
  virtual void start(const Segment&) {}  // before a segment's references
  virtual RougeCounts count(const Segment& s, u32 r) = 0;
  virtual double ratio(double hits, double base) const { return base > 0 ? hits / base : 0; }
  // By what ROUGE-1.5.5 finds the best reference.
  virtual double official_recall(u32 r) const { return detail::round5(ratio(counts_[r].hits, counts_[r].ref)); }

  const RougeOptions options_;

 private:
  PrecisionRecallF scores(const RougeCounts& c) const {
    return scores(ratio(c.hits, c.hyp), ratio(c.hits, c.ref));
  }
  PrecisionRecallF scores(double precision, double recall) const {
    const auto printed = [&](double x) { return options_.rounded ? detail::round5(x) : x; };
    const double p = printed(precision), r = printed(recall);
    const double base = (1 - options_.alpha) * p + options_.alpha * r;
    return {p, r, printed(base > 0 ? p * r / base : 0)};
  }

  // Of all references but `without`.
  PrecisionRecallF evaluate(u32 without, RougeCounts& chosen) const {
    using References = RougeOptions::References;
    const auto mode = options_.references;
    if (mode == References::kAverage || mode == References::kJackknifeAverage) {
      for (u32 r = 0; r < counts_.size(); ++r) {
        if (r == without) continue;
        chosen.hits += counts_[r].hits;
        chosen.ref += counts_[r].ref;
        chosen.hyp += counts_[r].hyp;
      }
      return scores(chosen);
    }
    PrecisionRecallF result{};
    double best = -1, precision = 0, recall = 0;
    for (u32 r = 0; r < counts_.size(); ++r) {
      if (r == without) continue;
      const PrecisionRecallF found = scores(counts_[r]);
      precision = std::max(precision, found[0]);
      recall = std::max(recall, found[1]);
      const double value = options_.rounded ? official_recall(r) : found[options_.best_by];
      if (value <= best) continue;
      best = value;
      result = found;
      chosen = counts_[r];
    }
    return mode == References::kSeparate ? scores(precision, recall) : result;
  }

 protected:
  std::vector<RougeCounts> counts_;  // by reference
};

class RougeKernel : public Kernel {
 public:
  explicit RougeKernel(const RougeOptions& options) : options_(options) {}
  bool needs_spelling() const override { return false; }
  std::size_t columns() const override { return RougeWorker::kColumns + 3 * options_.evaluations; }

 protected:
  const RougeOptions options_;
};

template <int N>
class RougeNWorker final : public RougeWorker {
 public:
  using RougeWorker::RougeWorker;

 protected:
  RougeCounts count(const Segment& s, u32 r) override {
    const Ids hyp = s.hyp(), ref = s.ref(r);
    const auto grams = [](Ids text) { return text.size >= N ? text.size - N + 1.0 : 0.0; };
    return {static_cast<double>(matches(s, hyp, ref)), grams(ref), grams(hyp)};
  }

 private:
  u32 matches(const Segment& s, Ids hyp, Ids ref) {
    if (ref.size > 64 * detail::kMaxWidth) {
      chain_.start(hyp, ref, {0, ref.size}, s.vocabulary);
      for (int n = 1; n < N; ++n) chain_.advance();
      return chain_.clipped();
    }
    masks_.build(ref, s.vocabulary);
    if (masks_.width() == 1) return walk<u64>(hyp);
    if (masks_.width() == 2) return walk<u128>(hyp);
    u32 found = 0;
    detail::walk<N>(hyp, masks_, [&](u32, u32 orders) { found += orders >> (N - 1); });
    return found;
  }

  // detail::walk for the one order that counts.
  template <class Bits>
  u32 walk(Ids hyp) const {
    Bits ends[N] = {}, used = 0;
    u32 found = 0;
    for (u32 id : hyp) {
      const auto here = load_bits<Bits>(masks_[id]);
      for (int n = N - 1; n > 0; --n) ends[n] = (ends[n - 1] << 1) & here;
      ends[0] = here;
      const Bits open = ends[N - 1] & ~used;
      used |= open & (0 - open);
      found += open != 0;
    }
    return found;
  }
  PositionMasks masks_;
  NgramChain chain_;
};

class RougeNKernel final : public RougeKernel {
 public:
  RougeNKernel(const RougeOptions& options, u32 order) : RougeKernel(options), order_(order) {}
  std::unique_ptr<Worker> worker() const override { return make(std::make_integer_sequence<int, kMaxOrder>()); }

 private:
  template <int... I>
  std::unique_ptr<Worker> make(std::integer_sequence<int, I...>) const {
    std::unique_ptr<Worker> made;
    ((order_ == I + 1 ? void(made = std::make_unique<RougeNWorker<I + 1>>(options_)) : void()), ...);
    return made;
  }
  u32 order_;
};

}  // namespace nlg
