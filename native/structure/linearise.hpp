// The most probable orders of the words of a dependency tree: a lattice of the orders of each head with its
// dependents, searched bottom-up with trigrams.
//
// Orders are projective. A span of words is known by its first and last two words: the trigrams inside are
// scored already, those across its ends when it is put beside another one. Of spans with the same words and
// the same ends, the best is kept; this is the Viterbi search. The number of spans kept at each step is
// bounded; what is passed over only differs from an exhaustive search where there are more.
#pragma once

#include <algorithm>
#include <bitset>
#include <unordered_set>
#include <vector>

#include "core/checkpoint.hpp"
#include "ngram/trigrams.hpp"

namespace nlg {

constexpr std::size_t kMostDaughters = 256;

// One tree. Nodes are numbered from 0, and heads[i] is -1 for a root.
struct LatticeTree {
  std::size_t size;
  const u32* words;            // numbers of the language model
  const std::int32_t* heads;
  const double* sides;         // [size, 2]: weights of standing left and right of the head
  std::size_t pairs;           // of sisters that have weights for their order
  const std::int32_t* sisters; // [pairs, 2]
  const double* orders;        // [pairs, 4]: left side, first before second, and the reverse; right side
};

struct LatticeLimits {
  std::size_t beam;      // spans kept while a head is put together with its dependents
  std::size_t variants;  // orders kept of each subtree
};

class Lineariser {
 public:
  Lineariser(const Trigrams& model, LatticeLimits limits, u32 start, u32 end)
      : model_(model), limits_(limits), start_(start), end_(end) {}

  struct Ordered {
    double score;
    std::vector<std::int32_t> nodes;
  };

  // At most `best` orders of all nodes, from the most probable down. Node `size` stands above all roots.
  std::vector<Ordered> operator()(const LatticeTree& tree, std::size_t best) {
    tree_ = &tree;
    prepare();
    for (const std::size_t node : bottom_up_) put_together(node);
    std::vector<Span> whole;
    for (const Span& span : variants_[tree.size]) whole.push_back(ended(span));
    std::stable_sort(whole.begin(), whole.end(), [](const Span& a, const Span& b) { return a.score > b.score; });
    if (whole.size() > best) whole.resize(best);
    std::vector<Ordered> found;
    for (const Span& span : whole) found.push_back({span.score, nodes_of(span.made)});
    return found;
  }

 private:
  // How a span was made: a word, or two spans side by side.
  struct Made {
    std::int32_t left, right, node;
  };

  struct Span {
    u32 first[2], last[2];
    u32 length;  // 2 stands for more, too
    double score, pending;  // pending: a guess at what the first words will add
    std::int32_t made;
    double rank() const { return score + pending; }
  };

  using Set = std::bitset<kMostDaughters>;

  struct Partial {
    Set placed, left;
    bool headed;
    Span span;
  };

  struct Step {
    double rank;
    u32 partial, item, variant;  // item: a daughter, or their number for the head
  };

  void prepare() {
    const std::size_t n = tree_->size;
    daughters_.assign(n + 1, {});
    pairs_.assign(n + 1, {});
    variants_.assign(n + 1, {});
    made_.clear();
    place_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t head = tree_->heads[i] < 0 ? n : static_cast<std::size_t>(tree_->heads[i]);
      place_[i] = daughters_[head].size();
      daughters_[head].push_back(static_cast<std::int32_t>(i));
    }
    for (std::size_t p = 0; p < tree_->pairs; ++p) {
      const std::int32_t head = tree_->heads[tree_->sisters[2 * p]];
      pairs_[head < 0 ? n : static_cast<std::size_t>(head)].push_back(p);
    }
    bottom_up_.assign(1, n);
    for (std::size_t k = 0; k < bottom_up_.size(); ++k)
      for (const std::int32_t d : daughters_[bottom_up_[k]]) bottom_up_.push_back(static_cast<std::size_t>(d));
    std::reverse(bottom_up_.begin(), bottom_up_.end());
  }

  std::int32_t note(std::int32_t left, std::int32_t right, std::int32_t node) {
    made_.push_back({left, right, node});
    return static_cast<std::int32_t>(made_.size()) - 1;
  }

  Span word(std::size_t node) {
    Span span{};
    span.first[0] = span.last[1] = tree_->words[node];
    span.length = 1;
    span.pending = model_.one(span.first[0]);
    span.made = note(-1, -1, static_cast<std::int32_t>(node));
    return span;
  }

  // What the trigrams across the border of two spans add.
  double across(const Span& a, const Span& b) const {
    if (a.length == 0) return 0;
    double sum = a.length > 1 ? model_.three(a.last[0], a.last[1], b.first[0]) : 0;
    if (b.length > 1) sum += model_.three(a.last[1], b.first[0], b.first[1]);
    return sum;
  }

  double pending(const Span& a, const Span& b) const {
    if (a.length == 0) return b.pending;
    return a.length > 1 ? a.pending : model_.one(a.first[0]) + model_.two(a.first[0], b.first[0]);
  }

  Span joined(const Span& a, const Span& b) {
    if (a.length == 0) return b;
    Span span = a;
    span.score = a.score + b.score + across(a, b);
    span.pending = pending(a, b);
    if (a.length == 1) span.first[1] = b.first[0];
    span.last[0] = b.length > 1 ? b.last[0] : a.last[1];
    span.last[1] = b.last[1];
    span.length = 2;
    span.made = note(a.made, b.made, -1);
    return span;
  }

  Span ended(const Span& span) {
    Span start{};
    start.last[0] = start.last[1] = start_;
    start.length = 2;
    Span found = span;
    found.score += across(start, span);
    const u32 before = span.length > 1 ? span.last[0] : start_;
    found.score += span.length > 0 ? model_.three(before, span.last[1], end_) : model_.three(start_, start_, end_);
    return found;
  }

  void put_together(std::size_t node) {
    const bool headed = node < tree_->size;
    const auto& daughters = daughters_[node];
    const std::size_t n = daughters.size();
    if (headed && n == 0) {
      variants_[node].push_back(word(node));
      return;
    }
    weigh(node);
    const Span head = headed ? word(node) : Span{};
    std::vector<Partial> partials(1);
    partials[0].headed = !headed;
    for (std::size_t k = 0; k < n + headed; ++k) {
      std::vector<Step> steps;
      for (std::size_t p = 0; p < partials.size(); ++p) {
        const Partial& partial = partials[p];
        if (!partial.headed) {
          const double rank = partial.span.score + head.score + across(partial.span, head) + pending(partial.span, head);
          steps.push_back({rank, static_cast<u32>(p), static_cast<u32>(n), 0});
        }
        for (std::size_t d = 0; d < n; ++d)
          if (!partial.placed[d]) add_steps(partial, p, d, daughters[d], steps);
      }
      checkpoint(64 * steps.size());
      partials = best(partials, steps, daughters, head);
    }
    auto& kept = variants_[node];
    for (const Partial& partial : partials) {
      if (kept.size() == limits_.variants) break;
      kept.push_back(partial.span);
    }
  }

  // Weights of orders of the node's daughters, [side][first][second].
  void weigh(std::size_t node) {
    const std::size_t n = daughters_[node].size();
    for (auto& side : order_) side.assign(n * n, 0);
    for (const std::size_t p : pairs_[node]) {
      const std::size_t a = place_[tree_->sisters[2 * p]], b = place_[tree_->sisters[2 * p + 1]];
      for (std::size_t side = 0; side < 2; ++side) {
        order_[side][a * n + b] = tree_->orders[4 * p + 2 * side];
        order_[side][b * n + a] = tree_->orders[4 * p + 2 * side + 1];
      }
    }
  }

  // What the grammar says to a daughter in this place.
  double weight(const Partial& partial, std::size_t d, std::size_t n, std::int32_t node) const {
    const std::size_t side = partial.headed ? 1 : 0;
    double sum = tree_->heads[node] < 0 ? 0 : tree_->sides[2 * node + side];
    const Set beside = partial.headed ? partial.placed & ~partial.left : partial.placed;
    for (std::size_t other = 0; other < n; ++other)
      if (beside[other]) sum += order_[side][other * n + d];
    return sum;
  }

  void add_steps(const Partial& partial, std::size_t p, std::size_t d, std::int32_t node, std::vector<Step>& steps) const {
    const double grammar = weight(partial, d, daughters_[tree_->heads[node] < 0 ? tree_->size : tree_->heads[node]].size(), node);
    const auto& variants = variants_[static_cast<std::size_t>(node)];
    for (std::size_t v = 0; v < variants.size(); ++v) {
      const Span& b = variants[v];
      const double rank = partial.span.score + b.score + grammar + across(partial.span, b) + pending(partial.span, b);
      steps.push_back({rank, static_cast<u32>(p), static_cast<u32>(d), static_cast<u32>(v)});
    }
  }

  std::vector<Partial> best(const std::vector<Partial>& partials, std::vector<Step>& steps,
                            const std::vector<std::int32_t>& daughters, const Span& head) {
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.rank > b.rank; });
    std::vector<Partial> kept;
    std::unordered_set<std::size_t> hashes;
    for (const Step& step : steps) {
      if (kept.size() == limits_.beam) break;
      Partial next = partials[step.partial];
      if (step.item == daughters.size()) {
        next.headed = true;
        next.left = next.placed;
        next.span = joined(next.span, head);
      } else {
        const std::int32_t daughter = daughters[step.item];
        const double grammar = weight(next, step.item, daughters.size(), daughter);
        next.placed.set(step.item);
        next.span = joined(next.span, variants_[static_cast<std::size_t>(daughter)][step.variant]);
        next.span.score += grammar;
      }
      if (next.headed && next.placed.count() == daughters.size()) next.left.reset();  // it matters no more
      if (!hashes.insert(hash(next)).second &&
          std::any_of(kept.begin(), kept.end(), [&](const Partial& other) { return same(other, next); }))
        continue;
      kept.push_back(next);
    }
    return kept;
  }

  static bool same(const Partial& a, const Partial& b) {
    return a.placed == b.placed && a.left == b.left && a.headed == b.headed && a.span.length == b.span.length &&
           std::equal(a.span.first, a.span.first + 2, b.span.first) && std::equal(a.span.last, a.span.last + 2, b.span.last);
  }

  static std::size_t hash(const Partial& p) {
    std::size_t h = std::hash<Set>()(p.placed) * 31 + std::hash<Set>()(p.left);
    for (const u32 w : {p.span.first[0], p.span.first[1], p.span.last[0], p.span.last[1], u32{p.headed}})
      h = (h ^ w) * 0x9E3779B97F4A7C15u;
    return h;
  }

  std::vector<std::int32_t> nodes_of(std::int32_t made) const {
    std::vector<std::int32_t> nodes, waiting;
    if (tree_->size > 0) waiting.push_back(made);
    while (!waiting.empty()) {
      const Made& at = made_[static_cast<std::size_t>(waiting.back())];
      waiting.pop_back();
      if (at.node >= 0) {
        nodes.push_back(at.node);
        continue;
      }
      waiting.push_back(at.right);
      waiting.push_back(at.left);
    }
    return nodes;
  }

  const Trigrams& model_;
  LatticeLimits limits_;
  u32 start_, end_;
  const LatticeTree* tree_ = nullptr;
  std::vector<std::vector<std::int32_t>> daughters_;
  std::vector<std::vector<std::size_t>> pairs_;
  std::vector<std::vector<Span>> variants_;
  std::vector<std::size_t> place_, bottom_up_;
  std::vector<Made> made_;
  std::vector<double> order_[2];
};

}  // namespace nlg
