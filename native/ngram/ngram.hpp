// Clipped n-gram matches: how many n-grams of one sequence are found in others, each counted at
// most as often as it occurs there.
#pragma once

#include <algorithm>

#include "core/checkpoint.hpp"
#include "core/segment.hpp"
#include "core/simd.hpp"

namespace nlg {

constexpr int kMaxOrder = 9;

// For every id, the positions where it occurs in a sequence, as `width` 64-bit words.
class PositionMasks {
 public:
  void build(Ids sequence, u32 vocabulary) {
    width_ = std::max(1u, (sequence.size + 63) / 64);
    const std::size_t size = static_cast<std::size_t>(vocabulary + 1) * width_;
    if (masks_.size() < size) masks_.resize(2 * size);
    std::fill_n(masks_.data(), size, 0);
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

// The same for the orders 1..4 side by side in one register, one step per hypothesis word.
typedef u64 Orders __attribute__((vector_size(32)));

struct WalkFour {
  Orders E = {}, used = {};

  // -> all ones for each order that is not matched.
  NLG_AVX2 NLG_BODY Orders step(u64 here) {
    E = __builtin_shufflevector(~Orders{}, E << 1, 0, 4, 5, 6) & here;
    const Orders open = E & ~used;
    used |= open & -open;
    return reinterpret_cast<Orders>(open == 0);
  }
};

// How many hypothesis words end a match of each order.
NLG_AVX2 inline void count_four(Ids hyp, const PositionMasks& ref, u32* matches) {
  WalkFour walk;
  Orders sum = {};
  for (u32 i = 0; i < hyp.size; ++i) sum += walk.step(*ref[hyp[i]]);  // all ones is -1
  for (int n = 0; n < 4; ++n) matches[n] = hyp.size + static_cast<u32>(sum[n]);
}

// Clears the orders that are matched at each hypothesis position, four numbers for each.
NLG_AVX2 inline void mark_four(Ids hyp, const PositionMasks& ref, u64* unmatched) {
  WalkFour walk;
  for (u32 i = 0; i < hyp.size; ++i) {
    Orders here;
    std::memcpy(&here, unmatched + 4 * i, sizeof here);
    here &= walk.step(*ref[hyp[i]]);
    std::memcpy(unmatched + 4 * i, &here, sizeof here);
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
    checkpoint(8 * (refs_.size() + hyp_.size()));
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

  // The same of this order and those above it.
  template <class T>
  void clipped(u32 orders, T* matches) {
    for (u32 n = 0; n < orders; ++n) {
      if (n > 0) advance();
      matches[n] = clipped();
    }
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
    if (N == 4 && refs > 0 && s.longest_ref <= 64 && avx2_) return count_four(s, matches);
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
  void count_four(const Segment& s, u32* matches) {
    const Ids hyp = s.hyp();
    masks_.build(s.ref(0), s.vocabulary);
    if (s.ref_count() == 1) return detail::count_four(hyp, masks_, matches);
    unmatched_.assign(4 * hyp.size, ~0ull);
    for (u32 r = 0; r < s.ref_count(); ++r) {
      if (r > 0) masks_.build(s.ref(r), s.vocabulary);
      detail::mark_four(hyp, masks_, unmatched_.data());
    }
    for (u32 i = 0; i < hyp.size; ++i)
      for (int n = 0; n < 4; ++n) matches[n] += 1 + static_cast<u32>(unmatched_[4 * i + n]);  // all ones is -1
  }
  void count_long(const Segment& s, u32* matches) {
    chain_.start(s.hyp(), s.all_refs(), s.ref_ends(), s.vocabulary);
    chain_.clipped(N, matches);
  }
  PositionMasks masks_;
  NgramChain chain_;
  std::vector<u16> found_;
  std::vector<u64> unmatched_;
  bool avx2_ = NLG_HAS_AVX2();
};

}  // namespace nlg
