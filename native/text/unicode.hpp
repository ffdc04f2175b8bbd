// UTF-8 decoding, character classes and lower-casing, equal to the building Python's `str`.
#pragma once

#include <string>

#include "core/texts.hpp"
#include "unicode_tables.hpp"  // generated at build time

namespace nlg {

enum Property : u8 {
  kSpace = 1,
  kNumber = 2,
  kPunct = 4,
  kSymbol = 8,
  kCased = 16,
  kCaseIgnorable = 32,
  kUpper = 64,
  kAlnum = 128,
};

inline u8 properties(u32 cp) {
  return unicode_tables::property_blocks[unicode_tables::property_index[cp >> 8] << 8 | (cp & 0xFF)];
}
inline bool is_space(u32 cp) { return properties(cp) & kSpace; }

inline u32 simple_lower(u32 cp) {
  return cp + unicode_tables::lower_blocks[unicode_tables::lower_index[cp >> 8] << 8 | (cp & 0xFF)];
}

inline u32 utf8_length(u8 lead) { return lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4; }

inline u32 decode(const u8* s, u32& length) {
  const u8 c = s[0];
  length = utf8_length(c);
  switch (length) {
    case 1: return c;
    case 2: return (c & 0x1Fu) << 6 | (s[1] & 0x3Fu);
    case 3: return (c & 0x0Fu) << 12 | (s[1] & 0x3Fu) << 6 | (s[2] & 0x3Fu);
    default: return (c & 0x07u) << 18 | (s[1] & 0x3Fu) << 12 | (s[2] & 0x3Fu) << 6 | (s[3] & 0x3Fu);
  }
}

inline char* encode(char* out, u32 cp) {
  if (cp < 0x80) {
    *out++ = static_cast<char>(cp);
  } else if (cp < 0x800) {
    *out++ = static_cast<char>(0xC0 | cp >> 6);
    *out++ = static_cast<char>(0x80 | (cp & 0x3F));
  } else if (cp < 0x10000) {
    *out++ = static_cast<char>(0xE0 | cp >> 12);
    *out++ = static_cast<char>(0x80 | (cp >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (cp & 0x3F));
  } else {
    *out++ = static_cast<char>(0xF0 | cp >> 18);
    *out++ = static_cast<char>(0x80 | (cp >> 12 & 0x3F));
    *out++ = static_cast<char>(0x80 | (cp >> 6 & 0x3F));
    *out++ = static_cast<char>(0x80 | (cp & 0x3F));
  }
  return out;
}

inline void decode_all(std::string_view text, std::vector<u32>& out) {
  out.resize(text.size());
  const auto* s = reinterpret_cast<const u8*>(text.data());
  u32 n = 0;
  for (std::size_t i = 0; i < text.size();) {
    u32 length;
    out[n++] = decode(s + i, length);
    i += length;
  }
  out.resize(n);
}

// Length in bytes of the white space that starts at `s`, 0 if none does. Only the lead bytes
// C2, E1, E2 and E3 start white space outside ASCII (U+0085, 00A0, 1680, 2000-200A, 2028/9, 202F,
// 205F, 3000).
inline bool may_lead_space(u8 c) { return c == 0xC2 || (c >= 0xE1 && c <= 0xE3); }

inline u32 wide_space(const u8* s) {
  if (!may_lead_space(s[0])) return 0;
  u32 length;
  return is_space(decode(s, length)) ? length : 0;
}

inline bool is_ascii_space(u8 c) { return c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F); }

// Bytes left when trailing white space is dropped.
inline std::size_t rstripped(std::string_view text) {
  const auto* s = reinterpret_cast<const u8*>(text.data());
  std::size_t n = text.size();
  for (;;) {
    if (n >= 1 && is_ascii_space(s[n - 1])) n -= 1;
    else if (n >= 2 && wide_space(s + n - 2) == 2) n -= 2;
    else if (n >= 3 && wide_space(s + n - 3) == 3) n -= 3;
    else return n;
  }
}

// The most bytes `lower` may write for `size` bytes (U+023A and others grow from two to three).
inline std::size_t lower_bound_size(std::size_t size) { return size + size / 2 + 4; }

// Lower-cases A-Z in blocks of 16, for which kPadding bytes after the text must be readable and
// after `out` writable; tells whether the text is all ASCII.
inline bool lower_ascii(std::string_view text, char* out) {
  typedef char Block __attribute__((vector_size(16)));
  Block seen = {};
  std::size_t i = 0;
  for (; i < text.size(); i += 16) {
    Block c;
    std::memcpy(&c, text.data() + i, 16);
    const auto capital = (c >= 'A') & (c <= 'Z');
    const Block low = c + (reinterpret_cast<Block>(capital) & 32);
    std::memcpy(out + i, &low, 16);
    if (i + 16 <= text.size()) seen |= c;
  }
  u64 high[2];
  std::memcpy(high, &seen, 16);
  bool ascii = ((high[0] | high[1]) & 0x8080808080808080ull) == 0;
  for (std::size_t k = text.size() & ~std::size_t{15}; k < text.size(); ++k) ascii &= static_cast<u8>(text[k]) < 0x80;
  return ascii;
}

// Python's str.lower. A capital sigma becomes final where the nearest character before it that is
// not case-ignorable is cased and the nearest after it is not.
inline char* lower(std::string_view text, char* out, std::vector<u32>& code_points) {
  if (lower_ascii(text, out)) return out + text.size();

  decode_all(text, code_points);
  const auto cased_at = [&](std::ptrdiff_t i, int step) {
    for (; i >= 0 && i < static_cast<std::ptrdiff_t>(code_points.size()); i += step) {
      const u8 p = properties(code_points[i]);
      if (!(p & kCaseIgnorable)) return (p & kCased) != 0;
    }
    return false;
  };
  for (std::size_t i = 0; i < code_points.size(); ++i) {
    const u32 cp = code_points[i];
    if (cp == 0x3A3) {
      const bool final_form = cased_at(static_cast<std::ptrdiff_t>(i) - 1, -1) && !cased_at(i + 1, 1);
      out = encode(out, final_form ? 0x3C2 : 0x3C3);
    } else if (cp == 0x130) {  // the one character whose lower-case form has two
      out = encode(encode(out, 'i'), 0x307);
    } else {
      out = encode(out, simple_lower(cp));
    }
  }
  return out;
}

}  // namespace nlg
