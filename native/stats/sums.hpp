// Exactly rounded sums of columns, whatever the order of the rows.
#pragma once

#include <cmath>
#include <vector>

#include "core/checkpoint.hpp"

namespace nlg {

// Keeps the exact sum as numbers whose bits do not overlap, smallest first (Shewchuk 1997).
class ExactSum {
 public:
  void add(double x) {
    if (!(std::fabs(x) < kHuge)) {
      beyond_ += x;
      return;
    }
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
  void add(const ExactSum& other) {
    for (const double part : other.parts_) add(part);
    beyond_ += other.beyond_;
  }

  double rounded() const {
    std::size_t n = parts_.size();
    if (n == 0) return beyond_;
    double sum = parts_[--n], error = 0;
    while (n > 0 && error == 0) {
      const double before = sum, part = parts_[--n];
      sum = before + part;
      error = part - (sum - before);
    }
    // Half-way: the parts that are left decide.
    if (n > 0 && (error < 0) == (parts_[n - 1] < 0) && error != 0) {
      const double twice = 2 * error, up = sum + twice;
      if (twice == up - sum) sum = up;
    }
    return beyond_ != 0 ? beyond_ + sum : sum;
  }

  // Numbers with the same exact sum, largest first: each is what is left, rounded, so that they
  // depend on the sum alone and not on how it was added up.
  std::vector<double> parts() const {
    std::vector<double> found;
    ExactSum left = *this;
    left.beyond_ = 0;
    for (double part; (part = left.rounded()) != 0; left.add(-part)) found.push_back(part);
    if (beyond_ != 0) found.push_back(beyond_);
    return found;
  }

 private:
  static constexpr double kHuge = 0x1p1000;  // sums of smaller numbers never overflow
  std::vector<double> parts_;
  double beyond_ = 0;  // what is larger or no number, which no metric gives
};

// The exact sums of columns. Those of parts of a table can be merged in any order.
class ColumnSums {
 public:
  explicit ColumnSums(std::size_t columns) : sums_(columns) {}

  std::size_t columns() const { return sums_.size(); }
  ExactSum& operator[](std::size_t column) { return sums_[column]; }
  const ExactSum& operator[](std::size_t column) const { return sums_[column]; }

  // Columns of whole numbers whose sum stays below 2^51 are summed as they are, which is exact.
  void add(const double* rows, std::size_t size) {
    constexpr std::size_t kTogether = 16;  // columns whose sums fit the registers
    const std::size_t columns = sums_.size();
    for (std::size_t first = 0; first < columns; first += kTogether) {
      const std::size_t count = columns - first < kTogether ? columns - first : kTogether;
      double sum[kTogether] = {}, most[kTogether] = {}, fraction[kTogether] = {};
      for (std::size_t i = 0; i < size; ++i) {
        if (i % 4096 == 0) checkpoint(4096 * count);
        const double* const row = rows + i * columns + first;
        for (std::size_t c = 0; c < count; ++c) {
          const double x = row[c], whole = (x + 0x1.8p52) - 0x1.8p52;
          fraction[c] += std::fabs(x - whole);
          sum[c] += x;
          most[c] += std::fabs(x);
        }
      }
      for (std::size_t c = 0; c < count; ++c) {
        if (fraction[c] == 0 && most[c] < 0x1p51) {
          sums_[first + c].add(sum[c]);
          continue;
        }
        for (std::size_t i = 0; i < size; ++i) {
          checkpoint(8);
          sums_[first + c].add(rows[i * columns + first + c]);
        }
      }
    }
  }

 private:
  std::vector<ExactSum> sums_;
};

}  // namespace nlg
