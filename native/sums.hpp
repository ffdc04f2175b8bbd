// Exactly rounded sums of columns, whatever the order of the rows.
#pragma once

#include <cmath>
#include <vector>

namespace nlg {

// Keeps the exact sum as numbers whose bits do not overlap, smallest first (Shewchuk 1997).
class ExactSum {
 public:
  void add(double x) {
    std::size_t kept = 0;
    for (double y : parts_) {
      const double sum = x + y, back = sum - x;
      const double error = (x - (sum - back)) + (y - back);
      if (error != 0) parts_[kept++] = error;
      x = sum;
    }
    parts_.resize(kept);
    parts_.push_back(x);
  }

  double rounded() const {
    std::size_t n = parts_.size();
    if (n == 0) return 0;
    double sum = parts_[--n], error = 0;
    while (n > 0 && error == 0) {
      const double before = sum, part = parts_[--n];
      sum = before + part;
      error = part - (sum - before);
    }
    // Half-way: the parts that are left decide.
    if (n > 0 && (error < 0) == (parts_[n - 1] < 0) && error != 0) {
      const double twice = 2 * error, up = sum + twice;
      if (twice == up - sum) return up;
    }
    return sum;
  }

 private:
  std::vector<double> parts_;
};

// Columns of whole numbers below 2^53 are summed as they are; so are those that are not finite.
inline void column_sums(const double* rows, std::size_t size, std::size_t columns, double* sums) {
  for (std::size_t c = 0; c < columns; ++c) {
    bool plain = true;
    double sum = 0, most = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const double x = rows[i * columns + c];
      plain &= x == std::nearbyint(x);
      sum += x;
      most += std::fabs(x);
    }
    sums[c] = sum;
    if ((plain && most < 0x1p53) || !std::isfinite(most)) continue;
    ExactSum exact;
    for (std::size_t i = 0; i < size; ++i) exact.add(rows[i * columns + c]);
    sums[c] = exact.rounded();
  }
}

}  // namespace nlg
