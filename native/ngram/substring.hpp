// Longest common substrings of words.
#pragma once

#include "core/checkpoint.hpp"
#include "ngram/frequency.hpp"

namespace nlg {

// Length of the longest common substring of two sequences of characters.
class CommonSubstring {
 public:
  using Characters = std::pair<const u32*, u32>;

  u32 operator()(Characters a, Characters b) {
    if (a.second > b.second) std::swap(a, b);
    checkpoint(std::min<u64>(static_cast<u64>(a.second) * b.second, kMaxCells) + b.second);
    if (static_cast<u64>(a.second) * b.second > kMaxCells) return by_halving(a, b);
    // runs[j + 1]: how many characters before and at j equal those before and at the last of a.
    runs_.assign(b.second + 1, 0);
    u16 best = 0;
    for (u32 i = 0; i < a.second; ++i) {
      const u32 c = a.first[i];
      for (u32 j = b.second; j > 0; --j) {
        runs_[j] = b.first[j - 1] == c ? static_cast<u16>(runs_[j - 1] + 1) : u16{0};
        best = std::max(best, runs_[j]);
      }
    }
    return best;
  }

 private:
  static constexpr u64 kMaxCells = 1u << 16;

  // A common substring of some length has parts of every smaller length.
  u32 by_halving(Characters a, Characters b) {
    u32 low = 0, high = a.second;
    while (low < high) {
      const u32 middle = low + (high - low + 1) / 2;
      if (share(a, b, middle)) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  bool share(Characters a, Characters b, u32 length) {
    seen_.clear(a.second);
    bool fresh;
    each(a, length, [&](u64 h) { seen_.add(h, fresh); });
    bool found = false;
    each(b, length, [&](u64 h) { found = found || seen_.find(h) != GramNumbers::kNone; });
    return found;
  }

  // Calls f with a fingerprint of every substring of that length.
  template <class F>
  static void each(Characters text, u32 length, F&& f) {
    constexpr u64 base = 0x9FB21C651E98DF25ull;
    u64 h = 0, leaving = 1;
    for (u32 i = 0; i < text.second; ++i) {
      h = h * base + detail::fold(text.first[i] + 1ull, 0xD6E8FEB86659FD93ull);
      if (i >= length) h -= leaving * detail::fold(text.first[i - length] + 1ull, 0xD6E8FEB86659FD93ull);
      if (i < length) leaving *= base;
      if (i + 1 >= length) f(detail::fold(h ^ base, 0xE7037ED1A0B428DBull));
    }
  }

  std::vector<u16> runs_;
  GramNumbers seen_;
};

// The words of a text as characters.
struct Spelling {
  std::vector<u32> characters, ends;  // ends starts with 0

  u32 size() const { return static_cast<u32>(ends.size()) - 1; }
  CommonSubstring::Characters operator[](std::size_t i) const {
    return {characters.data() + ends[i], ends[i + 1] - ends[i]};
  }
};

// Longest common substrings of a word with every word of a text, all at once: for every character,
// the positions where it stands in the text are the bits of a mask.
class CommonSubstrings {
 public:
  void build(const Spelling& text) {
    text_ = &text;
    const std::size_t bits = text.characters.size() + text.size();  // an empty place after each word
    width_ = (bits + 63) / 64;
    numbers_.clear(text.characters.size());
    masks_.clear();
    word_of_.resize(bits);
    fits_ = true;
    for (u32 i = 0; i < text.size() && fits_; ++i) {
      for (u32 k = text.ends[i]; k < text.ends[i + 1]; ++k) {
        bool added;
        const std::size_t number = numbers_.add(text.characters[k], added);
        if (added) masks_.resize(masks_.size() + width_, 0);
        masks_[number * width_ + (k + i) / 64] |= 1ull << ((k + i) % 64);
        word_of_[k + i] = i;
      }
      fits_ = masks_.size() <= kMaxMasks;
    }
  }

  // Writes one length for each word of the text.
  void operator()(CommonSubstring::Characters word, u32* out) {
    const u32 size = word.second;
    if (!fits_ || size > 64) {
      for (u32 j = 0; j < text_->size(); ++j) out[j] = one_by_one_(word, (*text_)[j]);
      return;
    }
    std::fill_n(out, text_->size(), 0);
    found_.resize(size * width_);
    for (u32 p = 0; p < size; ++p) {
      if (const u64* mask = mask_of(word.first[p])) std::copy_n(mask, width_, &found_[p * width_]);
      else std::fill_n(&found_[p * width_], width_, 0);
    }
    checkpoint(size * width_);
    // Where the last `length` characters up to place p of the word end in the text.
    for (u32 length = 1; length <= size && mark(length, size, out); ++length) {
      for (u32 p = size - 1; p >= length; --p) {
        const u64 *before = &found_[(p - 1) * width_], *here = mask_of(word.first[p]);
        u64* now = &found_[p * width_];
        u64 carry = 0;
        for (std::size_t w = 0; w < width_; ++w) {
          const u64 shifted = before[w] << 1 | carry;
          carry = before[w] >> 63;
          now[w] = here ? shifted & here[w] : 0;
        }
      }
    }
  }

 private:
  static constexpr std::size_t kMaxMasks = 1u << 20;

  const u64* mask_of(u32 character) const {
    const u32 number = numbers_.find(character);
    return number == GramNumbers::kNone ? nullptr : &masks_[static_cast<std::size_t>(number) * width_];
  }

  bool mark(u32 length, u32 size, u32* out) const {
    bool any = false;
    for (std::size_t w = 0; w < width_; ++w) {
      u64 ends = 0;
      for (u32 p = length - 1; p < size; ++p) ends |= found_[p * width_ + w];
      any |= ends != 0;
      for (; ends != 0; ends &= ends - 1) out[word_of_[w * 64 + static_cast<u32>(__builtin_ctzll(ends))]] = length;
    }
    return any;
  }

  const Spelling* text_ = nullptr;
  std::size_t width_ = 0;
  bool fits_ = true;
  GramNumbers numbers_;
  std::vector<u64> masks_, found_;
  std::vector<u32> word_of_;
  CommonSubstring one_by_one_;
};

}  // namespace nlg
