// IMPACT (Echizen-ya and Araki, 2007): contiguous parts of the best longest common subsequence,
// again and again on what is left. Columns, for the best reference: score, 1, P, R.
#pragma once

#include <cmath>

#include "core/kernel.hpp"

namespace nlg {

// Among the longest common subsequences, the one whose contiguous parts have the largest sum of
// length^beta · (1 - distance of their relative positions).
class BestRoute {
 public:
  explicit BestRoute(double beta) : beta_(beta) {}

  // Appends the lengths of the parts to `parts` and removes their words from both texts.
  void take(std::vector<u32>& hyp, std::vector<u32>& ref, std::vector<u32>& parts) {
    hyp_gone_.assign(hyp.size(), 0);
    ref_gone_.assign(ref.size(), 0);
    u32 n = static_cast<u32>(hyp.size()), m = static_cast<u32>(ref.size());
    if (hyp == ref) {
      if (n > 0) use(n, n, n, parts);  // nothing is longer, and nothing nearer
    } else if (static_cast<u64>(n) * m > kMostCells) {
      // Too long for the table: what both texts begin with is one part, and the search looks at
      // the next 1,024 words of each.
      u32 same = 0;
      while (same < n && same < m && hyp[same] == ref[same]) ++same;
      if (same > 0) use(same, same, same, parts);
      n = std::min(n, same + kMostWords), m = std::min(m, same + kMostWords);
      search(hyp.data() + same, n - same, ref.data() + same, m - same);
      follow(n - same, m - same, same, parts);
    } else {
      search(hyp.data(), n, ref.data(), m);
      follow(n, m, 0, parts);
    }
    remove(hyp, hyp_gone_);
    remove(ref, ref_gone_);
  }

 private:
  static constexpr u32 kMostWords = 1024;
  static constexpr u64 kMostCells = static_cast<u64>(kMostWords) * kMostWords;

  struct Best {
    u32 length = 0;
    double value = 0;
    bool operator<(const Best& o) const { return length != o.length ? length < o.length : value < o.value; }
  };
  // The best way up to here: in all, and without a link of the two last words. `part` is the length
  // of the part that ends here; 0: the way comes over a neighbour.
  struct Cell {
    Best all, unlinked;
    u32 run = 0, part = 0;
    bool from_above = false;
  };
  // Where parts may start on one diagonal: what is before them, and their weight.
  struct Start {
    double value, weight;
    u32 at;
  };
  struct Starts {
    u32 length = 0;
    std::vector<Start> places;
  };
  Cell& cell(u32 i, u32 j) { return table_[static_cast<std::size_t>(i) * width_ + j]; }

  void search(const u32* hyp, u32 n, const u32* ref, u32 m) {
    width_ = m + 1;
    table_.assign(static_cast<std::size_t>(n + 1) * width_, {});
    if (starts_.size() < n + m) starts_.resize(n + m);
    while (powers_.size() <= std::min(n, m)) powers_.push_back(std::pow(static_cast<double>(powers_.size()), beta_));
    for (u32 i = 1; i <= n; ++i) {
      checkpoint(16 * m);
      for (u32 j = 1; j <= m; ++j) {
        Cell& c = cell(i, j);
        c.from_above = !(cell(i - 1, j).all < cell(i, j - 1).all);
        c.all = c.unlinked = c.from_above ? cell(i - 1, j).all : cell(i, j - 1).all;
        if (hyp[i - 1] != ref[j - 1]) continue;
        c.run = cell(i - 1, j - 1).run + 1;
        link(c, i, j, n, m);
      }
    }
  }

  // The best part that ends with these two words. Of the places where it may start, those with the
  // most words before them and in it stay so as the diagonal goes on; the others are forgotten.
  void link(Cell& c, u32 i, u32 j, u32 n, u32 m) {
    Starts& starts = starts_[m + i - j];
    if (c.run == 1) starts.places.clear();
    // A part is as long as it can be: it does not follow another one directly.
    const Best& before = cell(i - 1, j - 1).unlinked;
    const u32 length = before.length + 1 + m + n - i;  // comparable along the diagonal
    const double weight = 1 - std::abs(static_cast<double>(i) / n - static_cast<double>(j) / m);
    if (starts.places.empty() || length > starts.length) starts.places.clear(), starts.length = length;
    const bool none = starts.places.empty();
    Start best{0, 0, 0};
    double value = 0;
    for (const Start& start : starts.places) {  // longest first
      const double found = start.value + powers_[i - start.at] * start.weight;
      if (&start == starts.places.data() || value < found) best = start, value = found;
    }
    if (length == starts.length) {
      const double found = before.value + powers_[1] * weight;
      const bool better = none || value < found;
      // A longer part that is as good and weighs as much grows faster; equal weights may differ by rounding.
      if (better || beta_ < 1.01 || best.weight < weight * (1 - 1e-12)) {
        starts.places.push_back({before.value, weight, i - 1});
        if (better) best = starts.places.back(), value = found;
      }
    }
    const Best way{starts.length + i - m - n, value};
    if (!(way < c.all)) c.all = way, c.part = i - best.at;
  }

  void follow(u32 i, u32 j, u32 offset, std::vector<u32>& parts) {
    bool linked_allowed = true;
    while (i > 0 && j > 0) {
      const Cell& c = cell(i, j);
      if (linked_allowed && c.part > 0) {
        use(offset + i, offset + j, c.part, parts);
        i -= c.part, j -= c.part;
        linked_allowed = false;  // the way before it is the one without a link of its last words
      } else {
        (c.from_above ? i : j) -= 1;
        linked_allowed = true;
      }
    }
  }

  // Words [i - length, i) and [j - length, j).
  void use(u32 i, u32 j, u32 length, std::vector<u32>& parts) {
    parts.push_back(length);
    std::fill_n(hyp_gone_.begin() + i - length, length, 1);
    std::fill_n(ref_gone_.begin() + j - length, length, 1);
  }

  static void remove(std::vector<u32>& text, const std::vector<u8>& gone) {
    std::size_t kept = 0;
    for (std::size_t k = 0; k < text.size(); ++k)
      if (!gone[k]) text[kept++] = text[k];
    text.resize(kept);
  }

  double beta_;
  u32 width_ = 0;
  std::vector<Cell> table_;
  std::vector<Starts> starts_;  // by diagonal
  std::vector<double> powers_;
  std::vector<u8> hyp_gone_, ref_gone_;
};

class ImpactWorker final : public Worker {
 public:
  ImpactWorker(double alpha, double beta) : alpha_(alpha), beta_(beta), route_(beta) {}

  void row(const Segment& s, double* out) override {
    std::fill_n(out, 4, 0.0);
    out[1] = 1;
    for (u32 r = 0; r < s.ref_count(); ++r) {
      const Ids hyp = s.hyp(), ref = s.ref(r);
      if (hyp.size == 0 || ref.size == 0) continue;
      const double total = common(hyp, ref);
      if (total == 0) continue;
      const double precision = share(total, hyp.size), recall = share(total, ref.size);
      const double gamma = precision / recall, factor = gamma * gamma;
      const double value = (1 + factor) * recall * precision / (recall + factor * precision);
      if (value > out[0]) out[0] = value, out[2] = precision, out[3] = recall;
    }
  }

 private:
  // Rounds that could not change a score are left out.
  static constexpr double kLeastWeight = 1e-17;
  static constexpr int kMostRounds = 100;

  double share(double total, double size) const { return std::pow(total / std::pow(size, beta_), 1 / beta_); }

  double common(Ids hyp, Ids ref) {
    hyp_.assign(hyp.begin(), hyp.end());
    ref_.assign(ref.begin(), ref.end());
    double sum = 0, weight = 1;
    for (int round = 0; round < kMostRounds && weight > kLeastWeight; ++round, weight *= alpha_) {
      parts_.clear();
      route_.take(hyp_, ref_, parts_);
      if (parts_.empty()) break;
      for (u32 length : parts_) sum += weight * std::pow(length, beta_);
    }
    return sum;
  }

  double alpha_, beta_;
  BestRoute route_;
  std::vector<u32> hyp_, ref_, parts_;
};

class ImpactKernel final : public Kernel {
 public:
  ImpactKernel(double alpha, double beta) : alpha_(alpha), beta_(beta) {}
  std::size_t columns() const override { return 4; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<ImpactWorker>(alpha_, beta_); }

 private:
  double alpha_, beta_;
};

}  // namespace nlg
