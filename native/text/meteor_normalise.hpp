// METEOR 1.5's normaliser: the Moses tokeniser of its time, with quotes and dashes made plain, words
// joined by dashes taken apart and the dots of abbreviations dropped. Each step works on what the one
// before it wrote, as the program's regular expressions do.
#pragma once

#include <string>
#include <unordered_map>

#include "text/unicode.hpp"

namespace nlg {

class MeteorNormaliser {
 public:
  enum class Apostrophes { kEnglish, kFrench, kOther };
  enum class Prefix { kAlways, kBeforeNumbers };

  // `prefixes`: abbreviations that keep their dot.
  MeteorNormaliser(Apostrophes apostrophes, bool punctuation, std::unordered_map<std::string, Prefix> prefixes)
      : apostrophes_(apostrophes), punctuation_(punctuation), prefixes_(std::move(prefixes)) {}

  std::string run(std::string_view text) const {
    Line line = U" ";
    const auto* s = reinterpret_cast<const u8*>(text.data());
    for (std::size_t i = 0; i < text.size();) {
      u32 length;
      line.push_back(decode(s + i, length));
      i += length;
    }
    line.push_back(' ');
    separate(line);
    escape_dots(line);
    between(line, not_digit, ',', not_digit, U" , ");
    between(line, digit, ',', not_digit, U" , ");
    between(line, not_digit, ',', digit, U" , ");
    plain_quotes(line);
    replace(line, U"–", U"-");
    replace(line, U"--", U"-");
    between(line, [](u32 c) { return alnum(c) || c == '.'; }, '-', alnum, U" ");
    split_apostrophes(line);
    split_dots(line);
    while (line.find(U"DOTDOTMULTI") != Line::npos) replace(line, U"DOTDOTMULTI", U"DOTMULTI.");
    replace(line, U"DOTMULTI", U".");
    if (!punctuation_)
      for (auto& c : line)
        if (!alnum(c)) c = ' ';
    return finish(line);
  }

 private:
  using Line = std::u32string;

  static bool digit(u32 c) { return c - '0' < 10; }
  static bool not_digit(u32 c) { return !digit(c); }
  static bool alpha(u32 c) {
    if (c < 0x80) return (c | 0x20) - 'a' < 26;
    return (c >= 0xC0 && c <= 0x17E && c != 0xD7 && c != 0xF7) || c == 0x178 || (c >= 0x400 && c <= 0x527) ||
           (c >= 0xA640 && c <= 0xA66E) || (c >= 0xA67E && c <= 0xA697) || (c >= 0x1D00 && c <= 0x1D7F);
  }
  static bool not_alpha(u32 c) { return !alpha(c); }
  static bool alnum(u32 c) { return digit(c) || alpha(c); }
  static bool blank(u32 c) { return c == ' ' || (c >= 0x09 && c <= 0x0D); }  // Java's \s

  static void separate(Line& line) {
    Line out;
    out.reserve(2 * line.size());
    for (u32 c : line) {
      const bool stays = alnum(c) || blank(c) || c == '.' || c == '\'' || c == '`' || c == ',' || c == '-' || c == 0x2018 ||
                         c == 0x2019;
      if (stays) out.push_back(c);
      else out.append({U' ', static_cast<char32_t>(c), U' '});
    }
    line.swap(out);
  }

  // Runs of dots become a word that no later step takes apart.
  static void escape_dots(Line& line) {
    if (line.find(U"..") == Line::npos && line.find(U"DOTMULTI") == Line::npos) return;
    Line out;
    for (std::size_t i = 0; i < line.size();) {
      std::size_t dots = 0;
      while (i + dots < line.size() && line[i + dots] == '.') ++dots;
      if (dots < 2) {
        out.push_back(line[i++]);
      } else {
        out.append(U" DOTMULTI").append(dots - 1, U'.');
        i += dots;
      }
    }
    line.swap(out);
    while (line.find(U"DOTMULTI.") != Line::npos) {
      for (std::size_t at = 0; (at = line.find(U"DOTMULTI.", at)) != Line::npos;) {
        const std::size_t next = at + 9;
        if (next < line.size() && line[next] != '.') {
          line.replace(at, 9, U"DOTDOTMULTI ");
          at += 13;
        } else {
          at = next;
        }
      }
      replace(line, U"DOTMULTI.", U"DOTDOTMULTI");
    }
  }

  static void replace(Line& line, std::u32string_view from, std::u32string_view to) {
    std::size_t at = line.find(from);
    if (at == Line::npos) return;
    Line out;
    std::size_t done = 0;
    for (; at != Line::npos; at = line.find(from, done)) {
      out.append(line, done, at - done).append(to);
      done = at + from.size();
    }
    line.swap(out.append(line, done, Line::npos));
  }

  // The pattern (left)middle(right): matches do not overlap, so that the character on the right of
  // one is not on the left of the next.
  template <class L, class R>
  static void between(Line& line, L left, u32 middle, R right, std::u32string_view to) {
    if (line.find(static_cast<char32_t>(middle)) == Line::npos) return;
    Line out;
    for (std::size_t i = 0; i < line.size();) {
      if (i + 2 < line.size() && line[i + 1] == middle && left(line[i]) && right(line[i + 2])) {
        out.append(1, line[i]).append(to).append(1, line[i + 2]);
        i += 3;
      } else {
        out.push_back(line[i++]);
      }
    }
    line.swap(out);
  }

  static void plain_quotes(Line& line) {
    for (auto& c : line)
      if (c == '`' || c == 0x2018 || c == 0x2019) c = '\'';
    const bool any = line.find(U"''") != Line::npos || line.find_first_of(U"“”") != Line::npos;
    if (!any) return;
    Line out;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const bool two = line[i] == '\'' && i + 1 < line.size() && line[i + 1] == '\'';
      if (two || line[i] == 0x201C || line[i] == 0x201D) {
        out.append(U" \" ");
        i += two;
      } else {
        out.push_back(line[i]);
      }
    }
    line.swap(out);
  }

  void split_apostrophes(Line& line) const {
    if (apostrophes_ == Apostrophes::kOther) return replace(line, U"'", U" ' ");
    const bool english = apostrophes_ == Apostrophes::kEnglish;
    between(line, not_alpha, '\'', not_alpha, U" ' ");
    if (english) between(line, [](u32 c) { return !alnum(c); }, '\'', alpha, U" ' ");
    else between(line, not_alpha, '\'', alpha, U" ' ");
    between(line, alpha, '\'', not_alpha, U" ' ");
    between(line, alpha, '\'', alpha, english ? U" '" : U"' ");
    if (english) between(line, digit, '\'', [](u32 c) { return c == 's'; }, U" '");
  }

  static std::string narrow(std::u32string_view word) {
    std::string out(4 * word.size(), '\0');
    char* p = out.data();
    for (u32 c : word) p = encode(p, c);
    out.resize(p - out.data());
    return out;
  }

  static bool java_blank(u32 c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

  void split_dots(Line& line) const {
    const Line text = std::move(line);
    line.clear();
    line.reserve(text.size() + 16);
    const auto skip = [&](std::size_t i) {
      while (i < text.size() && java_blank(text[i])) ++i;
      return i;
    };
    for (std::size_t i = skip(0), after; i < text.size(); i = after) {
      std::size_t end = i;
      while (end < text.size() && !java_blank(text[end])) ++end;
      after = skip(end);
      const std::u32string_view word(text.data() + i, end - i);
      if (word.size() < 2 || word.back() != '.') {
        line.append(word).push_back(' ');
        continue;
      }
      const std::u32string_view stem = word.substr(0, word.size() - 1);
      const u32 next = after < text.size() ? text[after] : 0;
      const bool letters = std::any_of(stem.begin(), stem.end(), [](u32 c) { return alpha(c); });
      if (letters && stem.find(U'.') != Line::npos) {  // U.S.
        for (auto c : word)
          if (c != '.') line.push_back(c);
      } else if (keeps_dot(stem, next)) {
        line.append(word);
      } else {
        line.append(stem).append(U" .");
      }
      line.push_back(' ');
    }
  }
  bool keeps_dot(std::u32string_view stem, u32 next) const {
    if (next - 'a' < 26) return true;
    const auto found = prefixes_.find(narrow(stem));
    return found != prefixes_.end() && (found->second == Prefix::kAlways || digit(next));
  }

  static std::string finish(Line& line) {
    for (auto& c : line)
      if ((c >= 0x2000 && c <= 0x200A) || c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xA0) c = ' ';
    return narrow(line);
  }

  Apostrophes apostrophes_;
  bool punctuation_;
  std::unordered_map<std::string, Prefix> prefixes_;
};

}  // namespace nlg
