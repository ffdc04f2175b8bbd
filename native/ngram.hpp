// Clipped n-gram matches: how many n-grams of one sequence are found in others, each counted at
// most as often as it occurs there.
#pragma once

#include <algorithm>

#include "segment.hpp"

namespace nlg {

constexpr int kMaxOrder = 9;

// For every id, the positions where it occurs in a sequence, as `width` 64-bit words.
class PositionMasks {
 public:
  void build(Ids sequence, u32 vocabulary) {
    width_ = std::max(1u, (sequence.size + 63) / 64);
    masks_.assign(static_cast<std::size_t>(vocabulary + 1) * width_, 0);
    for (u32 j = 0; j < sequence.size; ++j)
      masks_[static_cast<std::size_t>(sequence[j]) * width_ + j / 64] |= 1ull << (j % 64);
    std::fill_n(masks_.begin(), width_, 0);  // id 0 occurs nowhere
  }
  u32 width() const { return width_; }
  const u64* operator[](u32 id) const { return masks_.data() + static_cast<std::size_t>(id) * width_; }

 private:
  u32 width_ = 1;
  std::vector<u64> masks_;
};

namespace detail {

// Walks the hypothesis with, per order n, the set E[n] of reference positions where the last n
// words end, and takes the first position not used before: the k-th occurrence of an n-gram finds
// one exactly if the reference has k. Reports each hypothesis position's matched orders as bits.
template <int N, class F>
inline void walk_narrow(Ids hyp, const PositionMasks& ref, F&& report) {
  u64 E[N] = {}, used[N] = {};
  for (u32 i = 0; i < hyp.size; ++i) {
    const u64 here = *ref[hyp[i]];
    u32 found = 0;
    for (int n = N - 1; n > 0; --n) E[n] = (E[n - 1] << 1) & here;
    E[0] = here;
    for (int n = 0; n < N; ++n) {
      const u64 open = E[n] & ~used[n];
      used[n] |= open & (0 - open);
      found |= static_cast<u32>(open != 0) << n;
    }
    report(i, found);
  }
}

constexpr u32 kMaxWidth = 4;

template <int N, class F>
inline void walk_wide(Ids hyp, const PositionMasks& ref, F&& report) {
  u64 E[N][kMaxWidth] = {}, used[N][kMaxWidth] = {};
  const u32 width = ref.width();
  for (u32 i = 0; i < hyp.size; ++i) {
    const u64* here = ref[hyp[i]];
    u32 found = 0;
    for (int n = N - 1; n > 0; --n) {
      u64 carry = 0;
      for (u32 k = 0; k < width; ++k) {
        const u64 before = E[n - 1][k];
        E[n][k] = (before << 1 | carry) & here[k];
        carry = before >> 63;
      }
    }
    for (u32 k = 0; k < width; ++k) E[0][k] = here[k];
    for (int n = 0; n < N; ++n) {
      for (u32 k = 0; k < width; ++k) {
        const u64 open = E[n][k] & ~used[n][k];
        if (open == 0) continue;
        used[n][k] |= open & (0 - open);
        found |= 1u << n;
        break;
      }
    }
    report(i, found);
  }
}

template <int N, class F>
inline void walk(Ids hyp, const PositionMasks& ref, F&& report) {
  if (ref.width() == 1) walk_narrow<N>(hyp, ref, report);
  else walk_wide<N>(hyp, ref, report);
}

}  // namespace detail

// Numbers the n-grams of growing order: an n-gram is a pair of overlapping (n-1)-grams. Linear in
// the length of the texts; n-grams that cannot match any more are 0.
class NgramChain {
 public:
  void start(Ids hyp, Ids refs, const std::vector<u32>& ends, u32 vocabulary) {
    hyp_.assign(hyp.begin(), hyp.end());
    refs_.assign(refs.begin(), refs.end());
    ends_ = ends;
    size_ = vocabulary;
    mark_shared();
  }

  // From order n to order n + 1.
  void advance() {
    u32 slots = 64;
    while (slots < 2 * refs_.size()) slots <<= 1;
    slots_.assign(slots, 0);
    keys_.assign(1, 0);
    const auto slot = [&](u64 key) -> u32& {
      u32 at = static_cast<u32>((key * 0x9E3779B97F4A7C15ull) >> 40) & (slots - 1);
      while (slots_[at] != 0 && keys_[slots_[at]] != key) at = (at + 1) & (slots - 1);
      return slots_[at];
    };
    const auto key = [](u32 a, u32 b) { return static_cast<u64>(a) << 32 | b; };
    for (std::size_t r = 0; r + 1 < ends_.size(); ++r) {
      for (u32 j = ends_[r]; j < ends_[r + 1]; ++j) {
        const u32 a = refs_[j], b = j + 1 < ends_[r + 1] ? refs_[j + 1] : 0;
        refs_[j] = 0;
        if (!shared_[a] || !shared_[b]) continue;
        u32& id = slot(key(a, b));
        if (id == 0) {
          id = static_cast<u32>(keys_.size());
          keys_.push_back(key(a, b));
        }
        refs_[j] = id;
      }
    }
    for (std::size_t i = 0; i < hyp_.size(); ++i) {
      const u32 a = hyp_[i], b = i + 1 < hyp_.size() ? hyp_[i + 1] : 0;
      hyp_[i] = a && b ? slot(key(a, b)) : 0;
    }
    size_ = static_cast<u32>(keys_.size()) - 1;
    mark_shared();
  }

  u32 size() const { return size_; }                     // distinct n-grams of the references
  const std::vector<u32>& hyp() const { return hyp_; }   // id of the n-gram starting at each position
  u32 ref_count() const { return static_cast<u32>(ends_.size()) - 1; }
  Ids ref(std::size_t r) const { return {refs_.data() + ends_[r], ends_[r + 1] - ends_[r]}; }

  // Σ over n-grams of min(count in the hypothesis, largest count in any one reference).
  u32 clipped() {
    most_.assign(size_ + 1, 0);
    count_.assign(size_ + 1, 0);
    for (u32 r = 0; r < ref_count(); ++r) {
      for (u32 id : ref(r)) most_[id] = std::max(most_[id], ++count_[id]);
      for (u32 id : ref(r)) count_[id] = 0;
    }
    most_[0] = 0;
    u32 matches = 0;
    for (u32 id : hyp_)
      if (most_[id] > 0) --most_[id], ++matches;
    return matches;
  }

 private:
  void mark_shared() {
    shared_.assign(size_ + 1, 0);
    for (u32 id : hyp_) shared_[id] = 1;
    shared_[0] = 0;
  }
  std::vector<u32> hyp_, refs_, ends_, slots_, count_, most_;
  std::vector<u64> keys_;
  std::vector<u8> shared_;
  u32 size_ = 0;
};

// Clipped matches of the orders 1..N of a hypothesis against one or more references.
template <int N>
class ClippedMatches {
 public:
  void count(const Segment& s, u32* matches) {
    const u32 refs = s.ref_count();
    std::fill_n(matches, N, 0);
    if (s.longest_ref > 64 * detail::kMaxWidth || refs > 32) return count_long(s, matches);
    if (refs == 1) {
      masks_.build(s.ref(0), s.vocabulary);
      detail::walk<N>(s.hyp(), masks_, [&](u32, u32 found) {
        for (int n = 0; n < N; ++n) matches[n] += found >> n & 1;
      });
      return;
    }
    found_.assign(s.hyp().size, 0);
    for (u32 r = 0; r < refs; ++r) {
      masks_.build(s.ref(r), s.vocabulary);
      detail::walk<N>(s.hyp(), masks_, [&](u32 i, u32 found) { found_[i] |= static_cast<u16>(found); });
    }
    for (u16 found : found_)
      for (int n = 0; n < N; ++n) matches[n] += found >> n & 1;
  }

 private:
  void count_long(const Segment& s, u32* matches) {
    chain_.start(s.hyp(), s.all_refs(), s.ref_ends(), s.vocabulary);
    for (int n = 0; n < N; ++n) {
      if (n > 0) chain_.advance();
      matches[n] = chain_.clipped();
    }
  }
  PositionMasks masks_;
  NgramChain chain_;
  std::vector<u16> found_;
};

}  // namespace nlg
