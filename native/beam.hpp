// METEOR 1.5's search for the best set of matches between a hypothesis and a reference. It works
// through the reference from left to right and keeps the best `beam` partial alignments: most words
// covered, then fewest chunks, then shortest distances. What the program does beside its paper is
// kept, and marked.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "texts.hpp"

namespace nlg {

using i32 = std::int32_t;

// Words [ref, ref + ref_size) and [hyp, hyp + hyp_size) correspond.
struct PhraseMatch {
  u32 ref, ref_size, hyp, hyp_size, module;
};

class BeamSearch {
 public:
  explicit BeamSearch(u32 beam) : beam_(beam) {}

  void clear(u32 hyp_size, u32 ref_size) {
    hyp_size_ = hyp_size, ref_size_ = ref_size;
    if (offers_.size() < ref_size) offers_.resize(ref_size);
    for (u32 j = 0; j < ref_size; ++j) offers_[j].clear();
    hyp_cover_.assign(hyp_size, 0);
    ref_cover_.assign(ref_size, 0);
  }
  // Matches are tried in the order in which they are offered.
  void offer(const PhraseMatch& m) {
    offers_[m.ref].push_back(m);
    for (u32 k = 0; k < m.hyp_size; ++k) ++hyp_cover_[m.hyp + k];
    for (u32 k = 0; k < m.ref_size; ++k) ++ref_cover_[m.ref + k];
  }

  // The chosen matches in the order of the reference.
  const std::vector<PhraseMatch>& run() {
    hyp_words_ = (hyp_size_ + 63) / 64;
    stride_ = hyp_words_ + (ref_size_ + 63) / 64;
    nodes_.clear();
    fix_certain();
    for (u32 current = 0; current < ref_size_; ++current) advance(current);
    rank(beam_);
    next_paths_.clear();
    for (const Rank& entry : order_) {
      next_paths_.push_back(paths_[entry.index()]);
      next_paths_.back().chunks += next_paths_.back().last_end >= 0;
    }
    paths_.swap(next_paths_);
    rank(1);
    result_.clear();
    for (u32 node = paths_[order_[0].index()].node; node != kNoNode; node = nodes_[node].before)
      result_.push_back(nodes_[node].match);
    for (u32 j = 0; j < ref_size_; ++j)
      if (fixed_[j]) result_.push_back(offers_[j][0]);
    std::sort(result_.begin(), result_.end(), [](const auto& a, const auto& b) { return a.ref < b.ref; });
    return result_;
  }

 private:
  static constexpr u32 kNoNode = ~0u;

  struct Path {
    i32 hyp_words = 0, ref_words = 0;  // covered; see `take`
    i32 chunks = 0, last_end = -1, distance = 0;
    u32 next = 0;  // the reference word after the last match or skipped word
    u32 node = kNoNode;
  };
  struct Node {
    PhraseMatch match;
    u32 before;
  };
  // Missing words, chunks, distance and place among the paths, to be compared in this order.
  struct Rank {
    u64 high, low;
    bool operator<(const Rank& o) const { return high != o.high ? high < o.high : low < o.low; }
    u32 index() const { return static_cast<u32>(low); }
  };

  // Matches without any other at their words are part of every alignment.
  void fix_certain() {
    paths_.assign(1, Path());
    bits_.assign(stride_, 0);
    fixed_.assign(ref_size_, 0);
    for (u32 j = 0; j < ref_size_; ++j) {
      if (offers_[j].size() != 1) continue;
      const PhraseMatch& m = offers_[j][0];
      const auto once = [](const std::vector<u32>& cover, u32 from, u32 size) {
        return std::all_of(cover.begin() + from, cover.begin() + from + size, [](u32 c) { return c == 1; });
      };
      if (!once(ref_cover_, m.ref, m.ref_size) || !once(hyp_cover_, m.hyp, m.hyp_size)) continue;
      fixed_[j] = 1;
      use(bits_.data(), m);
    }
  }

  void use(u64* bits, const PhraseMatch& m) const {
    for (u32 k = m.hyp; k < m.hyp + m.hyp_size; ++k) bits[k / 64] |= 1ull << k % 64;
    for (u32 k = m.ref; k < m.ref + m.ref_size; ++k) bits[hyp_words_ + k / 64] |= 1ull << k % 64;
  }
  bool used(const u64* bits, const PhraseMatch& m) const {
    for (u32 k = m.ref; k < m.ref + m.ref_size; ++k)
      if (ref_used(bits, k)) return true;
    for (u32 k = m.hyp; k < m.hyp + m.hyp_size; ++k)
      if (bits[k / 64] >> k % 64 & 1) return true;
    return false;
  }
  bool ref_used(const u64* bits, u32 k) const { return bits[hyp_words_ + k / 64] >> k % 64 & 1; }

  static Rank ranked(const Path& path, u32 index) {
    const auto missing = static_cast<u32>(~(path.hyp_words + path.ref_words)) & 0x7FFFFFFFu;
    return {static_cast<u64>(missing) << 32 | static_cast<u32>(path.chunks),
            static_cast<u64>(static_cast<u32>(path.distance)) << 32 | index};
  }
  // The best paths first, in the order of a stable sort.
  void rank(u32 wanted) {
    order_.clear();
    for (u32 i = 0; i < paths_.size(); ++i)
      order_.push_back(ranked(paths_[i], i));
    if (order_.size() > wanted) {
      std::nth_element(order_.begin(), order_.begin() + wanted, order_.end());
      order_.resize(wanted);
    }
    if (!std::is_sorted(order_.begin(), order_.end())) std::sort(order_.begin(), order_.end());
  }

  // While it searches, the program counts a match that is not exact with half its words, rounded
  // down each time; with weights of their own they count only in the score.
  static void take(Path& path, const PhraseMatch& m) {
    const u32 half = m.module != 0;
    path.hyp_words += static_cast<i32>(m.hyp_size >> half);
    path.ref_words += static_cast<i32>(m.ref_size >> half);
    path.chunks += path.last_end >= 0 && static_cast<i32>(m.hyp) != path.last_end;
    path.next = m.ref + m.ref_size;
    path.last_end = static_cast<i32>(m.hyp + m.hyp_size);
  }
  static i32 distance(const PhraseMatch& m) { return std::abs(static_cast<i32>(m.ref) - static_cast<i32>(m.hyp)); }

  void keep(const Path& path, const u64* bits) {
    next_paths_.push_back(path);
    const std::size_t end = next_paths_.size() * stride_;
    if (next_bits_.size() < end) next_bits_.resize(2 * end);
    std::copy(bits, bits + stride_, next_bits_.data() + end - stride_);
  }

  void advance(u32 current) {
    rank(beam_);
    next_paths_.clear();
    for (const Rank& entry : order_) {
      Path path = paths_[entry.index()];
      const u64* const bits = bits_.data() + static_cast<std::size_t>(entry.index()) * stride_;
      if (ref_used(bits, current)) {
        if (current >= path.next) {
          if (!fixed_[path.next]) continue;
          const PhraseMatch& m = offers_[path.next][0];
          take(path, m);
          path.distance += distance(m);
        }
        keep(path, bits);
        continue;
      }
      for (const PhraseMatch& m : offers_[current]) {
        if (used(bits, m)) continue;
        Path longer = path;
        take(longer, m);
        longer.node = static_cast<u32>(nodes_.size());
        nodes_.push_back({m, path.node});
        keep(longer, bits);
        use(next_bits_.data() + (next_paths_.size() - 1) * stride_, m);
        path.distance += distance(m);  // the program adds it to the path that does not take the match
      }
      path.chunks += path.last_end >= 0;
      path.last_end = -1;
      ++path.next;
      keep(path, bits);
    }
    if (next_paths_.empty()) {
      const u32 best = order_[0].index();
      keep(paths_[best], bits_.data() + static_cast<std::size_t>(best) * stride_);
    }
    paths_.swap(next_paths_);
    bits_.swap(next_bits_);
  }

  u32 beam_;
  u32 hyp_size_ = 0, ref_size_ = 0, hyp_words_ = 0, stride_ = 0;
  std::vector<std::vector<PhraseMatch>> offers_;  // by first word of the reference
  std::vector<u32> hyp_cover_, ref_cover_;        // how many matches each word is part of
  std::vector<u8> fixed_;
  std::vector<Path> paths_, next_paths_;
  std::vector<u64> bits_, next_bits_;  // used words of both texts, `stride_` numbers for each path
  std::vector<Node> nodes_;
  std::vector<Rank> order_;
  std::vector<PhraseMatch> result_;
};

}  // namespace nlg
