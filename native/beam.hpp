// METEOR 1.5's search for the best set of matches between a hypothesis and a reference. It works
// through the reference from left to right and keeps the best `beam` partial alignments: most words
// covered, then fewest chunks, then shortest distances. What the program does beside its paper is
// kept, and marked.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "checkpoint.hpp"
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
    for (u32 slot : alive_) paths_[slot].chunks += paths_[slot].last_end >= 0;
    rank(1);
    result_.clear();
    for (u32 node = paths_[alive_[0]].node; node != kNoNode; node = nodes_[node].before)
      result_.push_back(nodes_[node].match);
    for (u32 j = 0; j < ref_size_; ++j)
      if (fixed_[j]) result_.push_back(offers_[j][0]);
    std::sort(result_.begin(), result_.end(), [](const auto& a, const auto& b) { return a.ref < b.ref; });
    return result_;
  }

 private:
  static constexpr u32 kNoNode = ~0u;

  struct Path {
    i32 words = 0;  // covered; see `take`
    i32 chunks = 0, last_end = -1, distance = 0;
    u32 next = 0;  // the reference word after the last match or skipped word
    u32 node = kNoNode;
  };
  struct Node {
    PhraseMatch match;
    u32 before;
  };

  // Matches without any other at their words are part of every alignment.
  void fix_certain() {
    alive_.assign(1, 0);
    free_.clear();
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

  // Missing words, chunks, distance and place among the paths, to be compared in this order.
  static u128 key(const Path& path, u32 place) {
    const u32 missing = static_cast<u32>(~path.words) & 0x7FFFFFFFu;
    const u64 high = static_cast<u64>(missing) << 32 | static_cast<u32>(path.chunks);
    return static_cast<u128>(high) << 64 | static_cast<u64>(static_cast<u32>(path.distance)) << 32 | place;
  }
  // The best paths first, in the order of a stable sort; the others make room.
  void rank(u32 wanted) {
    if (alive_.size() == 1) return;
    keys_.resize(alive_.size());
    for (u32 k = 0; k < alive_.size(); ++k) keys_[k] = key(paths_[alive_[k]], k);
    const auto place = [](u128 key) { return static_cast<u32>(key); };
    if (keys_.size() > wanted) {
      std::nth_element(keys_.begin(), keys_.begin() + wanted, keys_.end());
      for (std::size_t k = wanted; k < keys_.size(); ++k) free_.push_back(alive_[place(keys_[k])]);
      keys_.resize(wanted);
    }
    if (!std::is_sorted(keys_.begin(), keys_.end())) std::sort(keys_.begin(), keys_.end());
    next_.clear();
    for (u128 key : keys_) next_.push_back(alive_[place(key)]);
    alive_.swap(next_);
  }

  // While it searches, the program counts a match that is not exact with half its words, rounded
  // down each time; with weights of their own they count only in the score.
  static void take(Path& path, const PhraseMatch& m) {
    const u32 half = m.module != 0;
    path.words += static_cast<i32>((m.hyp_size >> half) + (m.ref_size >> half));
    path.chunks += path.last_end >= 0 && static_cast<i32>(m.hyp) != path.last_end;
    path.next = m.ref + m.ref_size;
    path.last_end = static_cast<i32>(m.hyp + m.hyp_size);
  }
  static i32 distance(const PhraseMatch& m) { return std::abs(static_cast<i32>(m.ref) - static_cast<i32>(m.hyp)); }

  u64* bits(u32 slot) { return bits_.data() + static_cast<std::size_t>(slot) * stride_; }
  // A copy of a path that also takes a match.
  u32 longer(u32 slot, const PhraseMatch& m) {
    u32 copy;
    if (free_.empty()) {
      copy = static_cast<u32>(paths_.size());
      paths_.emplace_back();
      bits_.resize(bits_.size() + stride_);
    } else {
      copy = free_.back();
      free_.pop_back();
    }
    paths_[copy] = paths_[slot];
    for (u32 k = 0; k < stride_; ++k) bits(copy)[k] = bits(slot)[k];
    use(bits(copy), m);
    take(paths_[copy], m);
    nodes_.push_back({m, paths_[slot].node});
    paths_[copy].node = static_cast<u32>(nodes_.size()) - 1;
    return copy;
  }

  // What becomes of each path at a word of the reference: others that take a match there, and after
  // them the path itself.
  void advance(u32 current) {
    rank(beam_);
    next_.clear();
    for (u32 slot : alive_) {
      checkpoint(offers_[current].size() * (8 + stride_));
      if (ref_used(bits(slot), current)) {
        Path& path = paths_[slot];
        if (current >= path.next) {
          if (!fixed_[path.next]) continue;
          const PhraseMatch& m = offers_[path.next][0];
          take(path, m);
          path.distance += distance(m);
        }
      } else {
        for (const PhraseMatch& m : offers_[current]) {
          if (used(bits(slot), m)) continue;
          next_.push_back(longer(slot, m));
          paths_[slot].distance += distance(m);  // the program adds it to the path that does not take the match
        }
        Path& path = paths_[slot];
        path.chunks += path.last_end >= 0;
        path.last_end = -1;
        ++path.next;
      }
      next_.push_back(slot);
    }
    if (next_.empty()) next_.push_back(alive_[0]);  // none went on, and none has changed
    alive_.swap(next_);
  }

  u32 beam_;
  u32 hyp_size_ = 0, ref_size_ = 0, hyp_words_ = 0, stride_ = 0;
  std::vector<std::vector<PhraseMatch>> offers_;  // by first word of the reference
  std::vector<u32> hyp_cover_, ref_cover_;        // how many matches each word is part of
  std::vector<u8> fixed_;
  std::vector<Path> paths_;
  std::vector<u64> bits_;                 // used words of both texts, `stride_` numbers for each path
  std::vector<u32> alive_, next_, free_;  // places of paths: the current ones in order, and empty ones
  std::vector<u128> keys_;
  std::vector<Node> nodes_;
  std::vector<PhraseMatch> result_;
};

}  // namespace nlg
