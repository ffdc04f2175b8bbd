// Tokenisers that keep letters and digits and drop the rest: ROUGE's, and one for all scripts.
#pragma once

#include "text/unicode.hpp"
#include "core/words.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nlg::detail {

// Which of the 64 bytes at `p` are ASCII letters or digits.
inline u64 alnum_mask(const char* p) {
  u64 mask = 0;
#if defined(__SSE2__)
  for (int k = 0; k < 4; ++k) {
    const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * k));
    // "v in [a, a + n)" as one signed comparison
    const auto in = [](__m128i v, int a, int n) {
      return _mm_cmpgt_epi8(_mm_set1_epi8(static_cast<char>(n - 128)),
                            _mm_add_epi8(v, _mm_set1_epi8(static_cast<char>(-128 - a))));
    };
    const __m128i letter = in(_mm_or_si128(c, _mm_set1_epi8(0x20)), 'a', 26);
    const auto found = static_cast<u32>(_mm_movemask_epi8(_mm_or_si128(letter, in(c, '0', 10))));
    mask |= static_cast<u64>(found) << (16 * k);
  }
#else
  for (int k = 0; k < 64; ++k) {
    const auto c = static_cast<u8>(p[k]);
    const bool alnum = static_cast<u8>((c | 0x20) - 'a') < 26 || static_cast<u8>(c - '0') < 10;
    mask |= static_cast<u64>(alnum) << k;
  }
#endif
  return mask;
}

// Runs of ASCII letters and digits.
inline Word* split_alnum(std::string_view text, Word* out) {
  const char* const s = text.data();
  const auto n = static_cast<u32>(text.size());
  u64 before = 0;  // whether the last byte of the block before was inside a word
  u32 start = 0;
  for (u32 base = 0; base < n; base += 64) {
    u64 inside = alnum_mask(s + base);
    if (n - base < 64) inside &= (1ull << (n - base)) - 1;
    u64 edges = inside ^ (inside << 1 | before);
    if (before && edges != 0) {
      *out++ = make_word(s + start, base + static_cast<u32>(__builtin_ctzll(edges)) - start);
      edges &= edges - 1;
    }
    while (edges != 0) {
      start = base + static_cast<u32>(__builtin_ctzll(edges));
      edges &= edges - 1;
      if (edges == 0) break;
      *out++ = make_word(s + start, base + static_cast<u32>(__builtin_ctzll(edges)) - start);
      edges &= edges - 1;
    }
    before = inside >> 63;
  }
  // A word that fills the last block, or ends with the text.
  if (before) *out++ = make_word(s + start, n - start);
  return out;
}

// Scripts written without blanks between words.
inline bool is_unspaced(u32 c) {
  static constexpr u32 ranges[][2] = {
      {0x0E01, 0x0EFF},    // Thai, Lao
      {0x1000, 0x109F},    // Myanmar
      {0x1780, 0x17FF},    // Khmer
      {0x2E80, 0x2FDF},    // radicals
      {0x3005, 0x3007},    // ideographic marks
      {0x3021, 0x3029},    // Hangzhou numerals
      {0x3031, 0x312F},    // kana, Bopomofo
      {0x31A0, 0x31FF},    // Bopomofo, strokes, Ainu kana
      {0x3400, 0x9FFF},    // ideographs
      {0xF900, 0xFAFF},    // compatibility ideographs
      {0xFF66, 0xFF9F},    // half-width kana
      {0x1AFF0, 0x1B16F},  // historic kana
      {0x20000, 0x3FFFF}};
  if (c < 0x0E01) return false;
  for (const auto& r : ranges)
    if (c >= r[0] && c <= r[1]) return true;
  return false;
}

// Runs of letters, marks and numbers of any script; characters of unspaced scripts stand alone.
inline Word* split_letters(std::string_view text, Word* out) {
  const auto* const s = reinterpret_cast<const u8*>(text.data());
  bool ascii = true;
  for (std::size_t i = 0; i < text.size(); ++i) ascii &= s[i] < 0x80;
  if (ascii) return split_alnum(text, out);
  std::size_t start = 0;
  const auto close = [&](std::size_t end) {
    if (end > start) *out++ = make_word(text.data() + start, static_cast<u32>(end - start));
  };
  for (std::size_t i = 0; i < text.size();) {
    u32 length;
    const u32 c = decode(s + i, length);
    const bool word = properties(c) & kAlnum;
    if (!word || is_unspaced(c)) {
      close(i);
      start = word ? i : i + length;
      if (word) close(i + length), start = i + length;
    }
    i += length;
  }
  close(text.size());
  return out;
}

}  // namespace nlg::detail
