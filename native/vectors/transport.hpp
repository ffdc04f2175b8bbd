// Exact optimal transport between few points, and the word mover's distance.
#pragma once

#include <cmath>
#include <limits>
#include <numeric>

#include "core/kernel.hpp"
#include "core/simd.hpp"

namespace nlg {

// Four lanes, whatever the processor: the numbers are the same.
using FourDoubles = double __attribute__((vector_size(32)));
using FourFloats = float __attribute__((vector_size(16)));

template <class Lanes, class T>
NLG_BODY Lanes lanes(const T* from) {
  Lanes found;
  std::memcpy(&found, from, sizeof found);
  return found;
}

// The least of a[j] - b[j].
NLG_BODY double least_difference_body(const double* a, const double* b, std::size_t size) {
  double least = a[0] - b[0];
  std::size_t j = 0;
  if (size >= 4) {
    FourDoubles best = lanes<FourDoubles>(a) - lanes<FourDoubles>(b);
    for (j = 4; j + 4 <= size; j += 4) {
      const FourDoubles other = lanes<FourDoubles>(a + j) - lanes<FourDoubles>(b + j);
      best = other < best ? other : best;
    }
    least = std::min(std::min(best[0], best[1]), std::min(best[2], best[3]));
  }
  for (; j < size; ++j) least = std::min(least, a[j] - b[j]);
  return least;
}
inline double least_difference_plain(const double* a, const double* b, std::size_t size) {
  return least_difference_body(a, b, size);
}
NLG_AVX2 inline double least_difference_avx2(const double* a, const double* b, std::size_t size) {
  return least_difference_body(a, b, size);
}

// Euclidean distance of two points, in double precision.
NLG_BODY double distance_body(const float* a, const float* b, std::size_t width) {
  FourDoubles sums = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= width; k += 4) {
    const FourDoubles difference = __builtin_convertvector(lanes<FourFloats>(a + k), FourDoubles) -
                                   __builtin_convertvector(lanes<FourFloats>(b + k), FourDoubles);
    sums += difference * difference;
  }
  double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  for (; k < width; ++k) sum += (static_cast<double>(a[k]) - b[k]) * (static_cast<double>(a[k]) - b[k]);
  return std::sqrt(sum);
}

// Moves masses `a` to masses `b` at the least cost: the simplex method on spanning trees of the
// points. Masses are positive and have, up to rounding, the same sum; whole numbers stay exact.
// One object solves any number of problems.
class Transport {
 public:
  // The cost of all that is moved; costs has a row for each of the n masses of a.
  double solve(std::size_t n, std::size_t m, const double* costs, const double* a, const double* b) {
    n_ = static_cast<u32>(n), m_ = static_cast<u32>(m), costs_ = costs;
    prepare(a, b);
    start();
    improve();
    return settle(a, b);
  }
  // of the last problem: each(i, j, mass) for all that is moved.
  template <class F>
  void flows(F&& each) const {
    for (u32 x = 1; x < n_ + m_; ++x)
      if (flow_[x] > 0) each(row_of(x), column_of(x), flow_[x]);
  }

 private:
  // Nodes are rows and, after them, columns; node 0 is the root. flow_[x] is that between x and its parent.
  u32 row_of(u32 x) const { return x < n_ ? x : parent_[x]; }
  u32 column_of(u32 x) const { return (x < n_ ? parent_[x] : x) - n_; }

  // Slightly more of each row, so that no sum of some rows is a sum of some columns: every tree then
  // has a flow above 0 on all edges, and each step gains. In the end the given masses take these trees.
  void prepare(const double* a, const double* b) {
    bool whole = true;
    double sum = 0;
    for (u32 i = 0; i < n_; ++i) whole &= a[i] == std::floor(a[i]), sum += a[i];
    for (u32 j = 0; j < m_; ++j) whole &= b[j] == std::floor(b[j]);
    const double extra = (whole && sum < 1e12 ? 0.5 : sum * 1e-12) / (n_ + 1);
    left_.assign(a, a + n_);
    for (double& mass : left_) mass += extra;
    room_.assign(b, b + m_);
    room_[m_ - 1] += extra * n_;
    const u32 nodes = n_ + m_;
    parent_.assign(nodes, 0);
    flow_.assign(nodes, 0);
    depth_.assign(nodes, 0);
    price_.assign(nodes, 0);
    child_.assign(nodes, kNone);
    next_.assign(nodes, kNone);
    last_.assign(nodes, kNone);
    edges_.clear();
  }

  // A first tree: row by row to the columns that are cheapest, given what else they can have.
  void start() {
    double* const least = price_.data() + n_;
    for (u32 j = 0; j < m_; ++j) least[j] = costs_[j];
    tolerance_ = 0;
    for (u32 i = 0; i < n_; ++i)
      for (u32 j = 0; j < m_; ++j) {
        const double cost = costs_[i * m_ + j];
        least[j] = std::min(least[j], cost);
        tolerance_ = std::max(tolerance_, std::abs(cost));
      }
    tolerance_ *= 1e-13;
    open_.resize(m_);
    std::iota(open_.begin(), open_.end(), 0u);
    for (u32 i = 0; i < n_; ++i) {
      const double* const row = costs_ + i * m_;
      for (;;) {
        checkpoint(2 * open_.size());
        std::size_t best = 0;
        for (std::size_t k = 1; k < open_.size(); ++k)
          if (row[open_[k]] - least[open_[k]] < row[open_[best]] - least[open_[best]]) best = k;
        const u32 j = open_[best];
        // The last column takes what is left of all rows, the last row fills all columns.
        const bool row_ends = open_.size() == 1 || (i + 1 < n_ && left_[i] < room_[j]);
        const double amount = row_ends ? left_[i] : room_[j];
        edges_.push_back({i, j, amount});
        left_[i] -= amount, room_[j] -= amount;
        if (row_ends) break;
        open_[best] = open_.back();
        open_.pop_back();
      }
    }
    hang();
  }

  // Hangs the edges into a tree below row 0.
  void hang() {
    const u32 nodes = n_ + m_;
    first_.assign(nodes + 1, 0);
    for (const Edge& e : edges_) ++first_[e.row + 1], ++first_[n_ + e.column + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    ends_.resize(2 * edges_.size());
    fill_ = first_;
    for (u32 e = 0; e < edges_.size(); ++e) ends_[fill_[edges_[e].row]++] = e, ends_[fill_[n_ + edges_[e].column]++] = e;
    stack_.assign(1, 0);
    price_[0] = 0;
    parent_[0] = kNone;
    while (!stack_.empty()) {
      const u32 x = stack_.back();
      stack_.pop_back();
      for (u32 k = first_[x]; k < first_[x + 1]; ++k) {
        const Edge& e = edges_[ends_[k]];
        const u32 y = x < n_ ? n_ + e.column : e.row;
        if (y == parent_[x]) continue;
        attach(y, x);
        flow_[y] = e.amount;
        depth_[y] = depth_[x] + 1;
        price_[y] = costs_[e.row * m_ + e.column] - price_[x];
        stack_.push_back(y);
      }
    }
  }

  void attach(u32 x, u32 parent) {
    parent_[x] = parent;
    last_[x] = kNone;
    next_[x] = child_[parent];
    if (next_[x] != kNone) last_[next_[x]] = x;
    child_[parent] = x;
  }
  void detach(u32 x) {
    if (last_[x] == kNone) child_[parent_[x]] = next_[x];
    else next_[last_[x]] = next_[x];
    if (next_[x] != kNone) last_[next_[x]] = last_[x];
  }

  // Brings in edges that are cheaper than the way through the tree until there is none.
  void improve() {
    u32 i = 0;
    for (u32 clean = 0; clean < n_;) {
      const double* const row = costs_ + i * m_;
      const double* const v = price_.data() + n_;
      checkpoint(m_ / 2 + 16);
      const double least = avx2_ ? least_difference_avx2(row, v, m_) : least_difference_plain(row, v, m_);
      if (least - price_[i] < -tolerance_) {
        u32 best = 0;
        while (row[best] - v[best] != least) ++best;
        pivot(i, best, least - price_[i]);
        checkpoint(n_ + m_);
        clean = 0;
      } else {
        ++clean;
      }
      if (++i == n_) i = 0;
    }
  }

  void pivot(u32 i, u32 j, double gain) {
    // Round the cycle: of the ways up from both ends, edges below nodes of the end's own kind lose.
    u32 x = i, y = n_ + j, out = kNone;
    double amount = std::numeric_limits<double>::infinity();
    bool out_above_row = false;  // whether the edge that leaves is on the way up from row i
    const auto look = [&](u32 node, bool losing, bool from_row) {
      if (losing && flow_[node] < amount) amount = flow_[node], out = node, out_above_row = from_row;
    };
    while (x != y) {
      if (depth_[x] >= depth_[y]) look(x, x < n_, true), x = parent_[x];
      else look(y, y >= n_, false), y = parent_[y];
    }
    const u32 top = x;
    for (u32 k = i; k != top; k = parent_[k]) flow_[k] += k < n_ ? -amount : amount;
    for (u32 k = n_ + j; k != top; k = parent_[k]) flow_[k] += k >= n_ ? -amount : amount;
    // The part below the edge that leaves hangs from the new one, upside down.
    u32 below = out_above_row ? i : n_ + j, above = out_above_row ? n_ + j : i;
    double carried = amount;
    const u32 base = below;
    for (;;) {
      const u32 old = parent_[below];
      const double old_flow = flow_[below];
      detach(below);
      attach(below, above);
      flow_[below] = carried;
      if (below == out) break;
      carried = old_flow;
      above = below;
      below = old;
    }
    const double rows = base < n_ ? gain : -gain;
    stack_.assign(1, base);
    while (!stack_.empty()) {
      const u32 node = stack_.back();
      stack_.pop_back();
      depth_[node] = depth_[parent_[node]] + 1;
      price_[node] += node < n_ ? rows : -rows;
      for (u32 c = child_[node]; c != kNone; c = next_[c]) stack_.push_back(c);
    }
  }

  // The given masses on the tree, and what they cost.
  double settle(const double* a, const double* b) {
    order_.assign(1, 0);
    for (u32 k = 0; k < order_.size(); ++k)  // grows on the way
      for (u32 c = child_[order_[k]]; c != kNone; c = next_[c]) order_.push_back(c);
    std::copy(a, a + n_, flow_.begin());
    std::copy(b, b + m_, flow_.begin() + n_);
    for (std::size_t k = order_.size(); --k > 0;) flow_[parent_[order_[k]]] -= flow_[order_[k]];
    double sum = 0;
    for (u32 x = 1; x < n_ + m_; ++x) sum += std::max(flow_[x], 0.0) * costs_[row_of(x) * m_ + column_of(x)];
    return sum;
  }

  struct Edge {
    u32 row, column;
    double amount;
  };
  static constexpr u32 kNone = ~0u;
  const bool avx2_ = NLG_HAS_AVX2();
  u32 n_ = 0, m_ = 0;
  const double* costs_ = nullptr;
  double tolerance_ = 0;
  std::vector<double> left_, room_, flow_, price_;
  std::vector<u32> parent_, depth_, child_, next_, last_;  // last_: the sibling before
  std::vector<u32> open_, first_, fill_, ends_, stack_, order_;
  std::vector<Edge> edges_;
};

// Points that words stand for, one row each.
struct Points {
  const float* data;
  std::size_t width;
  const float* operator[](std::size_t i) const { return data + i * width; }

  double norm(std::size_t i) const {
    double sum = 0;
    for (std::size_t k = 0; k < width; ++k) sum += static_cast<double>((*this)[i][k]) * (*this)[i][k];
    return std::sqrt(sum);
  }
  // Of all rows to all columns, row by row.
  using List = std::vector<std::int32_t>;
  void distances(const List& rows, const List& columns, double* out) const {
    if (NLG_HAS_AVX2()) distances_avx2(rows, columns, out);
    else distances_plain(rows, columns, out);
  }

 private:
  NLG_BODY void distances_body(const List& rows, const List& columns, double* out) const {
    for (const auto i : rows) {
      for (const auto j : columns) *out++ = distance_body((*this)[i], (*this)[j], width);
      checkpoint(columns.size() * width / 2);
    }
  }
  void distances_plain(const List& rows, const List& columns, double* out) const { distances_body(rows, columns, out); }
  NLG_AVX2 void distances_avx2(const List& rows, const List& columns, double* out) const {
    distances_body(rows, columns, out);
  }
};

// Word mover's distance of bags of words: each text's words as rows of points, negative ones left out.
class WordMover {
 public:
  explicit WordMover(Points points) : points_(points) {}

  // A text without words that count is where the origin is.
  double operator()(const std::int32_t* hyp, std::size_t hyp_size, const std::int32_t* ref, std::size_t ref_size) {
    const double h = bag(hyp, hyp_size, hyp_bag_), r = bag(ref, ref_size, ref_bag_);
    if (h == 0 || r == 0) return norms(h == 0 ? ref_bag_ : hyp_bag_) / std::max(h + r, 1.0);
    // Masses are counts times the other text's length: whole numbers. Distances being metric, what
    // both texts have of a word stays where it is in some solution.
    rows_.clear(), a_.clear(), columns_.clear(), b_.clear();
    auto x = hyp_bag_.begin(), y = ref_bag_.begin();
    const auto add = [](auto& words, auto& masses, std::int32_t word, double mass) {
      if (mass > 0) words.push_back(word), masses.push_back(mass);
    };
    while (x != hyp_bag_.end() || y != ref_bag_.end()) {
      if (y == ref_bag_.end() || (x != hyp_bag_.end() && x->first < y->first)) {
        add(rows_, a_, x->first, x->second * r), ++x;
      } else if (x == hyp_bag_.end() || y->first < x->first) {
        add(columns_, b_, y->first, y->second * h), ++y;
      } else {
        add(rows_, a_, x->first, x->second * r - y->second * h);
        add(columns_, b_, y->first, y->second * h - x->second * r);
        ++x, ++y;
      }
    }
    if (rows_.empty()) return 0;
    costs_.resize(rows_.size() * columns_.size());
    points_.distances(rows_, columns_, costs_.data());
    return transport_.solve(rows_.size(), columns_.size(), costs_.data(), a_.data(), b_.data()) / (h * r);
  }

 private:
  using Bag = std::vector<std::pair<std::int32_t, double>>;

  double bag(const std::int32_t* words, std::size_t size, Bag& bag) {
    sorted_.clear();
    for (std::size_t k = 0; k < size; ++k)
      if (words[k] >= 0) sorted_.push_back(words[k]);
    std::sort(sorted_.begin(), sorted_.end());
    bag.clear();
    for (const auto word : sorted_) {
      if (bag.empty() || bag.back().first != word) bag.emplace_back(word, 0);
      ++bag.back().second;
    }
    return static_cast<double>(sorted_.size());
  }

  double norms(const Bag& bag) const {
    double sum = 0;
    for (const auto& [word, count] : bag) sum += count * points_.norm(word);
    return sum;
  }

  Points points_;
  Transport transport_;
  Bag hyp_bag_, ref_bag_;
  std::vector<std::int32_t> sorted_, rows_, columns_;
  std::vector<double> a_, b_, costs_;
};

}  // namespace nlg
