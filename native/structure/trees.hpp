// What trees have in common: subtrees of all shapes (Collins and Duffy, 2001), or cut after so many
// levels. A text is a forest, and its nodes carry numbers for labels.
#pragma once

#include <cmath>
#include <map>
#include <utility>

#include "core/kernel.hpp"

namespace nlg {

// m · 2^e: subtrees are exponentially many, more than a double can tell.
struct Scaled {
  double m = 0;  // 0, or in [0.5, 1)
  std::int64_t e = 0;

  static Scaled of(double value) { return Scaled{value, 0}.normalised(); }
  Scaled normalised() const {
    int shift;
    const double mantissa = std::frexp(m, &shift);
    return mantissa == 0 ? Scaled{} : Scaled{mantissa, e + shift};
  }
  Scaled operator*(Scaled o) const { return Scaled{m * o.m, e + o.e}.normalised(); }
  Scaled operator+(Scaled o) const {
    if (m == 0) return o;
    if (o.m == 0) return *this;
    const Scaled &high = e < o.e ? o : *this, &low = e < o.e ? *this : o;
    if (high.e - low.e > 64) return high;
    return Scaled{high.m + std::ldexp(low.m, static_cast<int>(low.e - high.e)), high.e}.normalised();
  }
  // this / sqrt(a · b); exactly 1 if all are equal.
  double over_geometric_mean(Scaled a, Scaled b) const {
    if (m == 0 || a.m == 0 || b.m == 0) return 0;
    const std::int64_t sum = a.e + b.e, odd = sum & 1;
    const double root = std::sqrt(odd ? 2 * a.m * b.m : a.m * b.m);
    return std::ldexp(m / root, static_cast<int>(std::max<std::int64_t>(e - (sum - odd) / 2, -2000)));
  }
};

// A forest, given by the label and head of every node (head -1: a root). Heads never form a circle.
struct Forest {
  std::vector<u32> production;  // by node: its number, 0 for a leaf
  std::vector<u32> first;       // by node, where its children start, and the end
  std::vector<u32> children;    // in their order
  std::vector<u32> upward;      // nodes that are no leaves, children before parents
  std::vector<std::pair<u32, u32>> by_production;  // sorted: production, node

  // Numbers productions alike in all forests.
  using Productions = std::map<std::vector<u32>, u32>;

  void build(const std::int32_t* labels, const std::int32_t* heads, u32 size, Productions& productions) {
    first.assign(size + 2, 0);
    for (u32 i = 0; i < size; ++i)
      if (heads[i] >= 0) ++first[heads[i] + 2];
    for (u32 i = 1; i < size + 2; ++i) first[i] += first[i - 1];
    children.resize(first[size + 1]);
    for (u32 i = 0; i < size; ++i)
      if (heads[i] >= 0) children[first[heads[i] + 1]++] = i;
    first.pop_back();
    production.assign(size, 0);
    std::vector<u32> key, down;
    for (u32 i = 0; i < size; ++i) {
      if (heads[i] < 0) down.push_back(i);
      if (first[i] == first[i + 1]) continue;
      key.assign(1, static_cast<u32>(labels[i]));
      for (u32 c = first[i]; c < first[i + 1]; ++c) key.push_back(static_cast<u32>(labels[children[c]]));
      production[i] = productions.emplace(key, static_cast<u32>(productions.size() + 1)).first->second;
      by_production.emplace_back(production[i], i);
    }
    std::sort(by_production.begin(), by_production.end());
    for (u32 k = 0; k < down.size(); ++k)  // grows on the way
      for (u32 c = first[down[k]]; c < first[down[k] + 1]; ++c) down.push_back(children[c]);
    for (u32 k = static_cast<u32>(down.size()); k-- > 0;)
      if (production[down[k]]) upward.push_back(down[k]);
  }
};

class TreeKernel {
 public:
  explicit TreeKernel(double decay) : decay_(Scaled::of(decay)) {}

  Scaled operator()(const Forest& a, const Forest& b) {
    rank_.resize(b.production.size());
    for (u32 k = 0; k < b.by_production.size(); ++k) rank_[b.by_production[k].second] = k;
    offset_.resize(a.production.size());
    common_.clear();
    Scaled sum;
    for (u32 i : a.upward) {
      checkpoint(16);
      const std::pair<u32, u32> least{a.production[i], 0};
      auto other = std::lower_bound(b.by_production.begin(), b.by_production.end(), least);
      // The node b.by_production[k] has its number at common_[offset_[i] + k].
      offset_[i] = static_cast<std::int64_t>(common_.size()) - (other - b.by_production.begin());
      for (; other != b.by_production.end() && other->first == a.production[i]; ++other) {
        Scaled product = decay_;
        const u32 *x = &a.children[a.first[i]], *y = &b.children[b.first[other->second]];
        for (u32 c = a.first[i]; c < a.first[i + 1]; ++c, ++x, ++y)
          if (a.production[*x] != 0 && a.production[*x] == b.production[*y])
            product = product * (one_ + common_[offset_[*x] + rank_[*y]]);
        checkpoint(8 * (a.first[i + 1] - a.first[i]) + 8);
        common_.push_back(product);
        sum = sum + product;
      }
    }
    return sum;
  }

 private:
  Scaled decay_, one_ = Scaled::of(1);
  std::vector<u32> rank_;
  std::vector<std::int64_t> offset_;
  std::vector<Scaled> common_;
};

// Counts of the subtrees that are cut after 1, 2, ... levels. Such a subtree exists at every node that has
// as many levels below it.
class LevelledSubtrees {
 public:
  explicit LevelledSubtrees(u32 order) : order_(order) {}

  // One row: for every number of levels, the subtrees of the first forest that another has too, all of the
  // first, and all of the others, each counted as often as in the one forest that has it most.
  void operator()(const std::int32_t* labels, const std::int32_t* heads, const std::int64_t* starts,
                  std::size_t forests, double* row) {
    numbers_.clear();
    cut_.resize(forests);
    for (std::size_t f = 0; f < forests; ++f)
      cut(labels + starts[f], heads + starts[f], static_cast<u32>(starts[f + 1] - starts[f]), cut_[f]);
    own_.assign(numbers_.size(), 0);
    most_.assign(numbers_.size(), 0);
    count_.assign(numbers_.size(), 0);
    for (u32 level = 0; level < order_; ++level, row += 3) {
      std::fill_n(row, 3, 0.0);
      for (u32 id : cut_[0][level]) ++own_[id];
      row[1] = static_cast<double>(cut_[0][level].size());
      for (std::size_t f = 1; f < forests; ++f) {
        for (u32 id : cut_[f][level]) most_[id] = std::max(most_[id], ++count_[id]);
        for (u32 id : cut_[f][level]) count_[id] = 0;
      }
      for (u32 id : cut_[0][level]) row[0] += std::min(std::exchange(own_[id], 0), most_[id]);
      for (std::size_t f = 1; f < forests; ++f)
        for (u32 id : cut_[f][level]) row[2] += std::exchange(most_[id], 0);
    }
  }

 private:
  using Levels = std::vector<std::vector<u32>>;  // by level, the numbers of subtrees

  void cut(const std::int32_t* labels, const std::int32_t* heads, u32 size, Levels& out) {
    children_.assign(size, {});
    for (u32 i = 0; i < size; ++i)
      if (heads[i] >= 0) children_[heads[i]].push_back(i);
    now_.resize(size);
    deep_.assign(size, 1);
    for (u32 i = 0; i < size; ++i) now_[i] = number({static_cast<u32>(labels[i])});
    out.assign(order_, {});
    out[0] = now_;
    for (u32 level = 1; level < order_; ++level) {
      next_ = now_;
      still_.assign(size, 0);
      for (u32 i = 0; i < size; ++i) {
        checkpoint(16 + 8 * children_[i].size());
        if (children_[i].empty()) continue;
        key_.assign(1, static_cast<u32>(labels[i]));
        for (u32 child : children_[i]) {
          key_.push_back(now_[child]);
          still_[i] |= deep_[child];
        }
        next_[i] = number(key_);
        if (still_[i]) out[level].push_back(next_[i]);
      }
      now_.swap(next_);
      deep_.swap(still_);
    }
  }

  u32 number(const std::vector<u32>& key) {
    return numbers_.emplace(key, static_cast<u32>(numbers_.size())).first->second;
  }

  u32 order_;
  std::map<std::vector<u32>, u32> numbers_;
  std::vector<Levels> cut_;
  std::vector<std::vector<u32>> children_;
  std::vector<u32> now_, next_, key_, own_, most_, count_;
  std::vector<std::uint8_t> deep_, still_;
};

}  // namespace nlg
