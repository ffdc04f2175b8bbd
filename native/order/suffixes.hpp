// How far a word's context must reach until it is unique in two texts, for texts of any length.
#pragma once

#include <numeric>

#include "core/checkpoint.hpp"
#include "core/segment.hpp"

namespace nlg {

// The shortest n-gram from each hypothesis word on that occurs once in the hypothesis and once in
// the reference, read off the common prefixes of neighbours in a suffix array. O(n log² n).
class UniqueContexts {
 public:
  struct Found {
    u32 length = ~0u;  // words of the n-gram; ~0: there is none
    u32 ref = 0;       // where it starts in the reference
  };

  // `reversed`: n-grams up to each word instead of from it on, and where they end.
  void find(Ids hyp, Ids ref, u32 vocabulary, bool reversed, std::vector<Found>& found) {
    text_.assign(hyp.begin(), hyp.end());
    text_.push_back(vocabulary + 1);  // no n-gram reaches over the end of a text
    text_.insert(text_.end(), ref.begin(), ref.end());
    if (reversed) {
      std::reverse(text_.begin(), text_.begin() + hyp.size);
      std::reverse(text_.begin() + hyp.size + 1, text_.end());
    }
    sort_suffixes();
    common_prefixes();
    above_.assign(hyp.size, {});
    found.assign(hyp.size, {});
    sweep(hyp.size, false, [&](u32 i, const Near& near) { above_[i] = near; });
    sweep(hyp.size, true, [&](u32 i, const Near& below) {
      const Near& above = above_[i];
      const bool up = above.ref >= below.ref;
      const u32 longest = std::max(above.ref, below.ref);
      const u32 other = std::max({std::min(above.ref, below.ref), above.ref2, below.ref2, above.hyp, below.hyp});
      if (other >= longest) return;
      const u32 at = (up ? above.at : below.at) - hyp.size - 1;
      const u32 word = reversed ? hyp.size - 1 - i : i;
      found[word] = {other + 1, reversed ? ref.size - 1 - at : at};
    });
  }

 private:
  // Longest common prefixes with the suffixes on one side: of the hypothesis, and the two longest
  // of the reference.
  struct Near {
    u32 hyp = 0, ref = 0, ref2 = 0, at = 0;
  };

  void sort_suffixes() {
    const u32 n = static_cast<u32>(text_.size());
    order_.resize(n);
    std::iota(order_.begin(), order_.end(), 0);
    rank_ = text_;
    next_.resize(n);
    for (u32 step = 0;; step = step ? 2 * step : 1) {
      const auto key = [&](u32 i) {
        const u64 second = step && i + step < n ? rank_[i + step] + 1ull : 0;
        return static_cast<u64>(rank_[i]) << 32 | second;
      };
      std::sort(order_.begin(), order_.end(), [&](u32 a, u32 b) {
        checkpoint(4);
        return key(a) < key(b);
      });
      next_[order_[0]] = 0;
      for (u32 k = 1; k < n; ++k) next_[order_[k]] = next_[order_[k - 1]] + (key(order_[k - 1]) < key(order_[k]));
      rank_.swap(next_);
      if (rank_[order_[n - 1]] == n - 1) return;
    }
  }

  // prefix_[k]: of the suffixes at k - 1 and k of the order (Kasai et al., 2001).
  void common_prefixes() {
    const u32 n = static_cast<u32>(text_.size());
    prefix_.assign(n + 1, 0);
    for (u32 i = 0, length = 0; i < n; ++i) {
      if (rank_[i] == 0) {
        length = 0;
        continue;
      }
      const u32 j = order_[rank_[i] - 1];
      while (std::max(i, j) + length < n && text_[i + length] == text_[j + length]) ++length;
      prefix_[rank_[i]] = length;
      length -= length > 0;
    }
  }

  template <class F>
  void sweep(u32 hyp_size, bool down, F&& report) {
    const u32 n = static_cast<u32>(text_.size());
    Near near;
    for (u32 t = 0; t < n; ++t) {
      const u32 k = down ? n - 1 - t : t;
      const u32 i = order_[k];
      if (i < hyp_size) report(i, near);
      const u32 shared = prefix_[down ? k : k + 1];  // with the next one of the sweep
      near.hyp = i < hyp_size ? shared : std::min(near.hyp, shared);
      if (i > hyp_size) near.ref2 = near.ref, near.ref = shared, near.at = i;
      near.ref = std::min(near.ref, shared);
      near.ref2 = std::min(near.ref2, shared);
    }
  }

  std::vector<u32> text_, order_, rank_, next_, prefix_;
  std::vector<Near> above_;
};

}  // namespace nlg
