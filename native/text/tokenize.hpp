// The tokenisers that run inside the kernels: a text in, words (slices of it, or of scratch) out.
#pragma once

#include <deque>

#include "text/plain_words.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace nlg {

enum class Tokenizer {
  kSpace, kAscii, kChar, k13a, k13aLower, kIntl, kMtevalIntl, kZh, kRouge, kRouge155, kUnicode
};

// Rewritten text that words may point into until the next `clear`.
class Scratch {
 public:
  void clear() { used_ = 0; }
  std::string& take() {
    if (used_ == texts_.size()) texts_.emplace_back();
    std::string& s = texts_[used_++];
    s.clear();
    return s;
  }
  std::vector<u32> code_points, code_points2;

 private:
  std::deque<std::string> texts_;
  std::size_t used_ = 0;
};

namespace detail {

enum ByteClass : u8 { kWord, kDigit, kSym, kBlank, kDot, kDash, kWideLead };

struct ByteClasses {
  u8 of[256];
  constexpr ByteClasses() : of{} {
    for (int c = 0; c < 256; ++c) {
      // The 13a rule that sets off symbols: [{-~], [[-`], [ -&], [(-+], [:-@] and '/'.
      const bool sym = (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') ||
                       (c >= '(' && c <= '+') || (c >= ':' && c <= '@') || c == '/';
      const bool blank = c == ' ' || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
      of[c] = blank                              ? kBlank
              : sym                              ? kSym
              : c >= '0' && c <= '9'             ? kDigit
              : c == '.' || c == ','             ? kDot
              : c == '-'                         ? kDash
              : c == 0xC2 || (c >= 0xE1 && c <= 0xE3) ? kWideLead
                                                 : kWord;
    }
  }
};
inline constexpr ByteClasses kByteClass;

inline bool is_digit(char c) { return static_cast<u8>(c - '0') < 10; }

// Which of the 64 bytes at `p` are neither ASCII letters or digits nor bytes that cannot start a
// white-space character: the only ones a tokeniser has to look at.
inline u64 event_mask(const char* p) {
#if defined(__SSE2__)
  u64 plain = 0;
  for (int k = 0; k < 4; ++k) {
    const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * k));
    // "x in [a, a + n)" as one signed comparison
    const auto in = [](__m128i v, char a, int n) {
      return _mm_cmpgt_epi8(_mm_set1_epi8(static_cast<char>(n - 128)),
                            _mm_add_epi8(v, _mm_set1_epi8(static_cast<char>(-128 - static_cast<u8>(a)))));
    };
    const __m128i letter = in(_mm_or_si128(c, _mm_set1_epi8(0x20)), 'a', 26);
    const __m128i digit = in(c, '0', 10);
    const __m128i lead = _mm_or_si128(_mm_cmpeq_epi8(c, _mm_set1_epi8(static_cast<char>(0xC2))),
                                      in(c, static_cast<char>(0xE1), 3));
    const __m128i other = _mm_andnot_si128(lead, _mm_cmplt_epi8(c, _mm_setzero_si128()));
    plain |= static_cast<u64>(static_cast<u32>(
                 _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(letter, digit), other))))
             << (16 * k);
  }
  return ~plain;
#else
  u64 events = 0;
  for (int k = 0; k < 64; ++k) {
    const u8 c = kByteClass.of[static_cast<u8>(p[k])];
    const u8 b = static_cast<u8>(p[k]);
    const bool letter = (b | 0x20) >= 'a' && (b | 0x20) <= 'z';
    events |= static_cast<u64>(!(letter || c == kDigit || (b >= 0x80 && c != kWideLead))) << k;
  }
  return events;
#endif
}

// Calls on_event(i) for each event byte of the text.
template <class F>
inline void for_events(std::string_view text, F&& on_event) {
  const u32 n = static_cast<u32>(text.size());
  for (u32 base = 0; base < n; base += 64) {
    u64 events = event_mask(text.data() + base);
    if (n - base < 64) events &= (1ull << (n - base)) - 1;
    for (; events != 0; events &= events - 1) on_event(base + static_cast<u32>(__builtin_ctzll(events)));
  }
}

inline void replace_all(std::string& s, std::string_view from, std::string_view to) {
  std::size_t at = s.find(from);
  if (at == std::string::npos) return;
  std::string out;
  std::size_t done = 0;
  for (; at != std::string::npos; at = s.find(from, done)) {
    out.append(s, done, at - done).append(to);
    done = at + from.size();
  }
  s.swap(out.append(s, done, std::string::npos));
}

// mteval's western rules in one scan: symbols stand alone; '.' and ',' are split off unless a
// digit stands before (first rule) and after (second rule) them; '-' is split off after a digit.
// The first rule consumes the '.' it splits off, so that of two in a row the second is not matched
// by it. `padded` tells whether the text counts as surrounded by blanks (13a) or not (zh).
// Sets `special` if the text has one of "<&\n", which 13a treats before it comes to these rules.
template <bool padded>
inline Word* western(std::string_view text, Word* out, bool& special) {
  const char* s = text.data();
  const u32 n = static_cast<u32>(text.size());
  u32 start = 0;         // of the open word; start == position: none is open
  u32 consumed = ~0u;    // the last '.' or ',' split off by the first rule
  const auto close = [&](u32 i) {
    if (i > start) *out++ = make_word(s + start, i - start);
  };
  for_events(text, [&](u32 i) {
    const u8 c = kByteClass.of[static_cast<u8>(s[i])];
    if (c == kBlank) {  // by far the most frequent
      special |= s[i] == '\n';
      close(i);
      start = i + 1;
      return;
    }
    switch (c) {
      case kDot: {
        const bool first_rule = i == 0 ? padded : !is_digit(s[i - 1]) && consumed != i - 1;
        if (first_rule) consumed = i;
        else if (i + 1 == n ? !padded : is_digit(s[i + 1])) return;
        break;
      }
      case kDash:
        if (i == 0 || !is_digit(s[i - 1])) return;
        break;
      case kSym:
        special |= s[i] == '&' || s[i] == '<';
        break;
      case kWideLead:
        if (const u32 width = wide_space(reinterpret_cast<const u8*>(s) + i)) {
          close(i);
          start = i + width;
        }
        return;
      default:
        return;
    }
    close(i);
    *out++ = make_word(s + i, 1);
    start = i + 1;
  });
  close(n);
  return out;
}

inline Word* split_space(std::string_view text, Word* out) {
  const char* s = text.data();
  u32 start = 0;
  for_events(text, [&](u32 i) {
    const u8 c = kByteClass.of[static_cast<u8>(s[i])];
    const u32 width = c == kBlank ? 1 : c == kWideLead ? wide_space(reinterpret_cast<const u8*>(s) + i) : 0;
    if (width == 0) return;
    if (i > start) *out++ = make_word(s + start, i - start);
    start = i + width;
  });
  if (text.size() > start) *out++ = make_word(s + start, static_cast<u32>(text.size()) - start);
  return out;
}

// At the white space of Java's StringTokenizer, which knows no blanks outside of ASCII.
inline Word* split_ascii(std::string_view text, Word* out) {
  const char* s = text.data();
  u32 start = 0;
  const auto close = [&](u32 i) {
    if (i > start) *out++ = make_word(s + start, i - start);
    start = i + 1;
  };
  for_events(text, [&](u32 i) {
    if (s[i] == ' ' || s[i] == '\t' || s[i] == '\n' || s[i] == '\f' || s[i] == '\r') close(i);
  });
  close(static_cast<u32>(text.size()));
  return out;
}

inline Word* split_characters(std::string_view text, Word* out) {
  const auto* s = reinterpret_cast<const u8*>(text.data());
  for (std::size_t i = 0; i < text.size();) {
    u32 length;
    if (!is_space(decode(s + i, length))) *out++ = make_word(text.data() + i, length);
    i += length;
  }
  return out;
}

// mteval-v14's international rules; each pass works on what the one before it wrote.
inline std::string_view separate_international(std::string_view text, Scratch& scratch) {
  auto& a = scratch.code_points;
  auto& b = scratch.code_points2;
  decode_all(text, a);
  const auto number = [](u32 c) { return (properties(c) & kNumber) != 0; };
  const auto punct = [](u32 c) { return (properties(c) & kPunct) != 0; };
  const auto pass = [&](auto first, auto second, bool left) {
    b.clear();
    std::size_t i = 0;
    while (i < a.size()) {
      if (i + 1 < a.size() && first(a[i]) && second(a[i + 1])) {
        if (left) b.insert(b.end(), {a[i], ' ', a[i + 1], ' '});
        else b.insert(b.end(), {' ', a[i], ' ', a[i + 1]});
        i += 2;
      } else {
        b.push_back(a[i++]);
      }
    }
    a.swap(b);
  };
  const auto not_number = [&](u32 c) { return !number(c); };
  pass(not_number, punct, true);
  pass(punct, not_number, false);
  std::string& out = scratch.take();
  out.resize(a.size() * 6 + kPadding);
  char* p = out.data();
  for (u32 c : a) {
    const bool symbol = properties(c) & kSymbol;
    if (symbol) *p++ = ' ';
    p = encode(p, c);
    if (symbol) *p++ = ' ';
  }
  return {out.data(), static_cast<std::size_t>(p - out.data())};
}

// What sacreBLEU's zh tokeniser takes for Chinese. Its two supplementary ranges are written with
// four-digit escapes and so cover U+2001..2A6D (dashes, curly quotes, arrows) and U+2F81..2FA1
// instead of the ideographs beyond the BMP; kept, because scores are compared with it (2.6.0).
inline bool is_chinese(u32 c) {
  static constexpr u32 ranges[][2] = {
      {0x2001, 0x2A6D}, {0x2E80, 0x2EFF}, {0x2F00, 0x2FDF}, {0x2FF0, 0x2FFF}, {0x3000, 0x303F},
      {0x3100, 0x312F}, {0x31A0, 0x31BF}, {0x31C0, 0x31EF}, {0x3200, 0x32FF}, {0x3300, 0x33FF},
      {0x3400, 0x4DB5}, {0x4E00, 0x9FBB}, {0xF900, 0xFA2D}, {0xFA30, 0xFA6A}, {0xFA70, 0xFAD9},
      {0xFE10, 0xFE1F}, {0xFE30, 0xFE4F}, {0xFF00, 0xFFEF}};
  if (c < 0x2001) return false;
  for (const auto& r : ranges)
    if (c >= r[0] && c <= r[1]) return true;
  return false;
}

inline std::string_view separate_chinese(std::string_view text, Scratch& scratch) {
  const auto* s = reinterpret_cast<const u8*>(text.data());
  std::size_t n = rstripped(text), i = 0;
  for (;;) {  // white space at the start is dropped, so that a leading '.' counts as first
    u32 length;
    if (i < n && is_space(decode(s + i, length))) i += length;
    else break;
  }
  std::string& out = scratch.take();
  out.reserve(3 * (n - i) + kPadding);
  while (i < n) {
    u32 length;
    const bool chinese = is_chinese(decode(s + i, length));
    if (chinese) out.push_back(' ');
    out.append(text, i, length);
    if (chinese) out.push_back(' ');
    i += length;
  }
  const std::size_t size = out.size();
  out.append(kPadding, '\0');
  return {out.data(), size};
}

// The steps of 13a before its symbol rules; only texts with one of "<&\n" need them.
inline std::string_view unescape_13a(std::string_view text, Scratch& scratch) {
  std::string& out = scratch.take();
  out.assign(text.data(), rstripped(text));  // before line-end hyphens are joined
  replace_all(out, "<skipped>", "");
  replace_all(out, "-\n", "");
  replace_all(out, "\n", " ");
  replace_all(out, "&quot;", "\"");
  replace_all(out, "&amp;", "&");
  replace_all(out, "&lt;", "<");
  replace_all(out, "&gt;", ">");
  const std::size_t size = out.size();
  out.append(kPadding, '\0');
  return {out.data(), size};
}

// What mteval-v14 does before its international rules, and sacreBLEU does not.
inline std::string_view unescape_international(std::string_view text, Scratch& scratch) {
  std::string& out = scratch.take();
  out.assign(text);
  replace_all(out, "<skipped>", "");
  replace_all(out, "&quot;", "\"");
  replace_all(out, "&amp;", "&");
  replace_all(out, "&lt;", "<");
  replace_all(out, "&gt;", ">");
  replace_all(out, "&apos;", "'");
  return out;
}

// ROUGE-1.5.5 and mteval see bytes and fold the case of A-Z only.
inline std::string_view ascii_lower(std::string_view text, Scratch& scratch) {
  std::string& out = scratch.take();
  out.resize(text.size() + kPadding);
  lower_ascii(text, out.data());
  return {out.data(), text.size()};
}

inline bool needs_unescape(std::string_view text) {
  const auto has = [&](char c) { return std::memchr(text.data(), c, text.size()) != nullptr; };
  return has('&') || has('<') || has('\n');
}

}  // namespace detail

// Writes the words of `text` to `out`, which must have room for max_words(text.size()), and
// returns their end. kPadding bytes after the text must be readable.
inline std::size_t max_words(std::size_t bytes) { return bytes + 1; }

inline Word* tokenize(Tokenizer tokenizer, std::string_view text, Scratch& scratch, Word* out) {
  bool ignored = false;
  switch (tokenizer) {
    case Tokenizer::kAscii:
      return detail::split_ascii(text, out);
    case Tokenizer::kChar:
      return detail::split_characters(text, out);
    case Tokenizer::k13a: {
      bool special = false;
      Word* const end = detail::western<true>(text, out, special);
      return special ? detail::western<true>(detail::unescape_13a(text, scratch), out, special) : end;
    }
    case Tokenizer::k13aLower:
      if (detail::needs_unescape(text)) text = detail::unescape_13a(text, scratch);
      return detail::western<true>(detail::ascii_lower(text, scratch), out, ignored);
    case Tokenizer::kMtevalIntl:
      if (detail::needs_unescape(text)) text = detail::unescape_international(text, scratch);
      return tokenize(Tokenizer::kIntl, text, scratch, out);
    case Tokenizer::kIntl:
      return detail::split_space(
          detail::separate_international(text.substr(0, rstripped(text)), scratch), out);
    case Tokenizer::kZh:
      return detail::western<false>(detail::separate_chinese(text, scratch), out, ignored);
    case Tokenizer::kRouge:
      return detail::split_alnum(text, out);
    case Tokenizer::kRouge155:
      return detail::split_alnum(detail::ascii_lower(text, scratch), out);
    case Tokenizer::kUnicode:
      return detail::split_letters(text, out);
    default:
      return detail::split_space(text, out);
  }
}

}  // namespace nlg
