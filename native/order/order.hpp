// Rank correlation of word order: NKT, NSR and their products with precision, recall and brevity
// (Isozaki et al., 2010), and RIBES as its public tool computes it.
#pragma once

#include <cmath>

#include "core/kernel.hpp"
#include "order/suffixes.hpp"

namespace nlg {

// How much context is looked at to tell equal words apart, and on which side first: one word to the
// right, then left (the paper); any number, left first (RIBES.py 1.03.1); or as NLTK 3.10 has it, any
// number, right first, but the longest one on the left only in the first half of the text.
enum class Contexts { kOne, kRibes, kNltk };

// Which reference word each hypothesis word is, where that is clear: the word occurs once in both
// texts, or an n-gram that starts or ends with it does.
class WordOrder {
 public:
  struct Pair {
    u32 hyp, ref;
  };

  explicit WordOrder(Contexts contexts) : contexts_(contexts), left_first_(contexts == Contexts::kRibes) {}

  const std::vector<Pair>& align(Ids hyp, Ids ref, u32 vocabulary) {
    pairs_.clear();
    const u32 longer = std::max(hyp.size, ref.size);
    if (longer <= 64) with_masks<1>(hyp, ref, vocabulary);
    else if (longer <= 256) with_masks<4>(hyp, ref, vocabulary);
    else with_suffixes(hyp, ref, vocabulary);
    return pairs_;
  }

 private:
  // Positions in a text of up to 64 W words.
  template <u32 W>
  struct Set {
    u64 bits[W];
    // The positions one further left (or right) where the word with positions `other` stands.
    void step(const u64* other, bool left) {
      for (u32 k = 0; left && k < W; ++k) bits[k] = (bits[k] >> 1 | (k + 1 < W ? bits[k + 1] << 63 : 0)) & other[k];
      for (u32 k = W; !left && k-- > 0;) bits[k] = (bits[k] << 1 | (k > 0 ? bits[k - 1] >> 63 : 0)) & other[k];
    }
    bool empty() const {
      u64 any = 0;
      for (u64 b : bits) any |= b;
      return any == 0;
    }
    bool single() const {
      u32 words = 0;
      for (u64 b : bits) {
        if (b & (b - 1)) return false;
        words += b != 0;
      }
      return words == 1;
    }
    u32 first() const {
      u32 k = 0;
      while (bits[k] == 0) ++k;
      return 64 * k + static_cast<u32>(__builtin_ctzll(bits[k]));
    }
  };

  template <u32 W>
  static void fill(Ids text, u32 vocabulary, std::vector<u64>& masks) {
    masks.assign(static_cast<std::size_t>(vocabulary + 1) * W, 0);
    for (u32 i = 0; i < text.size; ++i)
      if (text[i] != 0) masks[text[i] * W + i / 64] |= 1ull << i % 64;
  }

  template <u32 W>
  void with_masks(Ids hyp, Ids ref, u32 vocabulary) {
    fill<W>(hyp, vocabulary, hyp_masks_);
    fill<W>(ref, vocabulary, ref_masks_);
    for (u32 i = 0; i < hyp.size; ++i) {
      Set<W> in_ref, in_hyp;
      std::copy_n(&ref_masks_[hyp[i] * W], W, in_ref.bits);
      std::copy_n(&hyp_masks_[hyp[i] * W], W, in_hyp.bits);
      if (in_ref.single() && in_hyp.single()) {
        pairs_.push_back({i, in_ref.first()});
        continue;
      }
      Set<W> refs[2] = {in_ref, in_ref}, hyps[2] = {in_hyp, in_hyp};  // n-grams to the left, to the right
      bool done = in_ref.empty();
      const u32 most = widest(i, hyp.size);
      for (u32 width = 1; !done && width <= most; ++width) {
        for (const bool left : {left_first_, !left_first_}) {
          Set<W>&r = refs[!left], &h = hyps[!left];
          const u32 next = left ? i - width : i + width;  // wraps to something large on the left
          if (r.empty()) continue;
          const u32 id = next < hyp.size ? hyp[next] : 0;
          r.step(&ref_masks_[id * W], left);
          h.step(&hyp_masks_[id * W], left);
          if (!r.single() || !h.single()) continue;
          pairs_.push_back({i, left ? r.first() + width : r.first() - width});
          done = true;
          break;
        }
        done |= refs[0].empty() && refs[1].empty();
      }
    }
  }

  void with_suffixes(Ids hyp, Ids ref, u32 vocabulary) {
    suffixes_.find(hyp, ref, vocabulary, false, right_);
    suffixes_.find(hyp, ref, vocabulary, true, left_);
    for (u32 i = 0; i < hyp.size; ++i) {
      const auto &l = left_[i], &r = right_[i];
      const auto& best = l.length < r.length || (l.length == r.length && left_first_) ? l : r;
      if (best.length != ~0u && best.length - 1 <= widest(i, hyp.size)) pairs_.push_back({i, best.ref});
    }
  }

  // Words of context looked at for word i of n.
  u32 widest(u32 i, u32 n) const {
    switch (contexts_) {
      case Contexts::kOne: return 1;
      case Contexts::kRibes: return ~0u;
      default: return std::max(i, n - i + 1) - 1;
    }
  }

  Contexts contexts_;
  bool left_first_;
  std::vector<Pair> pairs_;
  std::vector<u64> hyp_masks_, ref_masks_;
  UniqueContexts suffixes_;
  std::vector<UniqueContexts::Found> left_, right_;
};

enum class OrderMeasure { kKendall, kSpearman, kHamming };

// How much of their order words keep, from 0 (reversed) to 1; 0 for fewer than two words.
class RankAgreement {
 public:
  double operator()(OrderMeasure measure, const std::vector<WordOrder::Pair>& pairs, u32 ref_size) {
    const auto n = static_cast<double>(pairs.size());
    if (pairs.size() < 2) return 0;
    if (measure == OrderMeasure::kKendall) return static_cast<double>(ascending(pairs, ref_size)) / (n * (n - 1) / 2);
    // Twice the distance of ranks from their mean: whole numbers, also for shared ranks.
    counts_.assign(ref_size + 1, 0);
    for (const auto& p : pairs) ++counts_[p.ref + 1];
    std::partial_sum(counts_.begin(), counts_.end(), counts_.begin());
    double cov = 0, var_hyp = 0, var_ref = 0, kept = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const double x = 2 * static_cast<double>(i + 1) - (n + 1);
      const double y = counts_[pairs[i].ref] + counts_[pairs[i].ref + 1] + 1 - (n + 1);
      cov += x * y, var_hyp += x * x, var_ref += y * y, kept += x == y;
    }
    if (measure == OrderMeasure::kHamming) return kept / n;
    return var_ref > 0 ? std::clamp((cov / std::sqrt(var_hyp * var_ref) + 1) / 2, 0.0, 1.0) : 0;
  }

 private:
  // Pairs of words in the same, strict order in both texts, with a Fenwick tree.
  u64 ascending(const std::vector<WordOrder::Pair>& pairs, u32 ref_size) {
    counts_.assign(ref_size + 1, 0);
    u64 sum = 0;
    for (const auto& p : pairs) {
      for (u32 k = p.ref; k > 0; k &= k - 1) sum += counts_[k];
      for (u32 k = p.ref + 1; k <= ref_size; k += k & (0 - k)) ++counts_[k];
    }
    return sum;
  }
  std::vector<u32> counts_;
};

struct OrderConfig {
  OrderMeasure measure;
  Contexts contexts;
  // Exponents of the factors: rank agreement, P, R, F, brevity penalty.
  double order, precision, recall, f, brevity;
  double beta;      // of F
  bool bend;        // 1 - sqrt(1 - x) of the agreement
  bool skip_empty;  // segments without any reference word do not count
  bool distance;    // 1 - the score
};

// Columns: score, 1, and for the reference that gave it: agreement, P, R, BP, reference words
// in the list, |h|, |r|.
class OrderWorker final : public Worker {
 public:
  explicit OrderWorker(const OrderConfig& config) : config_(config), words_(config.contexts) {}

  void row(const Segment& s, double* out) override {
    const double hyp_size = s.hyp().size;
    double best = -1;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const Ids ref = s.ref(r);
      if (ref.size == 0) continue;
      const auto& pairs = words_.align(s.hyp(), ref, s.vocabulary);
      const auto n = static_cast<double>(pairs.size());
      double agreement = agreement_(config_.measure, pairs, ref.size);
      double precision = hyp_size > 0 ? n / hyp_size : 0;
      if (config_.contexts == Contexts::kRibes && n < 2) {  // RIBES.py 1.03.1
        agreement = n == 1 && ref.size == 1;
        precision *= agreement;
      }
      const double reached = ref_words(pairs, ref.size);
      const double recall = reached / ref.size;
      const double brevity = hyp_size > 0 ? std::min(1.0, std::exp(1.0 - ref.size / hyp_size)) : 0;
      const double value = hyp_size > 0 ? score(agreement, precision, recall, brevity) : 0;
      if (value <= best) continue;
      best = value;
      const double row[] = {value, 1, agreement, precision, recall, brevity, reached, hyp_size, double(ref.size)};
      std::copy(std::begin(row), std::end(row), out);
    }
    if (best < 0) {
      const double row[] = {0, config_.skip_empty ? 0.0 : 1.0, 0, 0, 0, 0, 0, hyp_size, 0};
      std::copy(std::begin(row), std::end(row), out);
    }
    if (config_.distance) out[0] = best < 0 && hyp_size == 0 ? 0 : 1 - out[0];
  }

 private:
  // Several words of the hypothesis may lead to one of the reference, which is recalled once.
  u32 ref_words(const std::vector<WordOrder::Pair>& pairs, u32 ref_size) {
    reached_.assign(ref_size, 0);
    u32 count = 0;
    for (const auto& p : pairs) count += reached_[p.ref]++ == 0;
    return count;
  }
  static double power(double x, double exponent) {
    return exponent == 0 ? 1 : exponent == 1 ? x : std::pow(x, exponent);
  }

  double score(double agreement, double precision, double recall, double brevity) const {
    if (config_.bend) agreement = 1 - std::sqrt(std::max(0.0, 1 - agreement));
    const double factor = config_.beta * config_.beta, sum = factor * precision + recall;
    const double f = sum > 0 ? (1 + factor) * precision * recall / sum : 0;
    return power(agreement, config_.order) * power(precision, config_.precision) * power(recall, config_.recall) *
           power(f, config_.f) * power(brevity, config_.brevity);
  }

  OrderConfig config_;
  WordOrder words_;
  RankAgreement agreement_;
  std::vector<u32> reached_;
};

class OrderKernel final : public Kernel {
 public:
  explicit OrderKernel(const OrderConfig& config) : config_(config) {}
  std::size_t columns() const override { return 9; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<OrderWorker>(config_); }

 private:
  OrderConfig config_;
};

}  // namespace nlg
