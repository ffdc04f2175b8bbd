// Snowball's English stemmer ("Porter 2") as of 2010, the one METEOR 1.5 carries.
//
// Letters outside a-z, capitals among them, count as consonants. A y that is a consonant is
// written Y while the word is stemmed.
#pragma once

#include <algorithm>
#include <string_view>

#include "core/texts.hpp"

namespace nlg::detail {

struct Replacement {
  std::string_view from, to;
};

// Of each list the longest ending that fits decides; lists are ordered so that it comes first.
inline constexpr Replacement kSnowballWhole[] = {
    {"skis", "ski"},    {"skies", "sky"},   {"dying", "die"},   {"lying", "lie"},   {"tying", "tie"},   {"idly", "idl"},
    {"gently", "gentl"}, {"ugly", "ugli"},  {"early", "earli"}, {"only", "onli"},   {"singly", "singl"}, {"sky", "sky"},
    {"news", "news"},   {"howe", "howe"},   {"atlas", "atlas"}, {"cosmos", "cosmos"}, {"bias", "bias"}, {"andes", "andes"}};
inline constexpr std::string_view kSnowballDone[] = {"inning",  "outing",  "canning", "herring",
                                                     "earring", "proceed", "exceed",  "succeed"};
inline constexpr Replacement kSnowball2[] = {
    {"ational", "ate"}, {"fulness", "ful"}, {"ousness", "ous"}, {"iveness", "ive"}, {"ization", "ize"}, {"biliti", "ble"},
    {"lessli", "less"}, {"tional", "tion"}, {"ation", "ate"},   {"alism", "al"},    {"aliti", "al"},    {"ousli", "ous"},
    {"iviti", "ive"},   {"fulli", "ful"},   {"entli", "ent"},   {"enci", "ence"},   {"anci", "ance"},   {"abli", "able"},
    {"izer", "ize"},    {"ator", "ate"},    {"alli", "al"},     {"bli", "ble"},     {"ogi", "og"},      {"li", ""}};
inline constexpr Replacement kSnowball3[] = {{"ational", "ate"}, {"tional", "tion"}, {"alize", "al"}, {"icate", "ic"},
                                             {"iciti", "ic"},    {"ative", ""},      {"ical", "ic"},  {"ness", ""},
                                             {"ful", ""}};
inline constexpr std::string_view kSnowball4[] = {"ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism",
                                                  "ate",   "iti",  "ous",  "ive",  "ize",  "ion",  "al",  "er",  "ic"};

// C is a byte for ASCII words and a code point otherwise; there must be room for one letter more.
template <class C>
class Snowball {
 public:
  Snowball(C* w, u32 n) : w_(w), n_(n) {}

  u32 run() {
    for (const auto& e : kSnowballWhole)
      if (is(e.from)) {
        put(0, e.to);
        return n_;
      }
    if (n_ <= 2) return n_;
    const bool marked = mark_consonants();
    find_regions();
    step0();
    step1a();
    bool done = false;
    for (auto word : kSnowballDone) done |= is(word);
    if (!done) {
      step1b();
      step1c();
      step2();
      step3();
      step4();
      step5();
    }
    if (marked)
      for (u32 i = 0; i < n_; ++i)
        if (w_[i] == 'Y') w_[i] = 'y';
    return n_;
  }

 private:
  static bool vowel(C c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' || c == 'y'; }
  bool fits(u32 at, std::string_view s) const {
    if (at + s.size() > n_) return false;
    for (u32 k = 0; k < s.size(); ++k)
      if (w_[at + k] != static_cast<C>(s[k])) return false;
    return true;
  }
  bool is(std::string_view s) const { return n_ == s.size() && fits(0, s); }
  bool ends(std::string_view s) const { return s.size() <= n_ && fits(n_ - static_cast<u32>(s.size()), s); }
  void put(u32 at, std::string_view s) {
    for (char c : s) w_[at++] = static_cast<C>(c);
    n_ = at;
  }
  u32 before(std::string_view s) const { return n_ - static_cast<u32>(s.size()); }
  bool has_vowel(u32 n) const {
    for (u32 i = 0; i < n; ++i)
      if (vowel(w_[i])) return true;
    return false;
  }

  bool mark_consonants() {
    if (w_[0] == '\'') {
      for (u32 i = 1; i < n_; ++i) w_[i - 1] = w_[i];
      --n_;
    }
    bool found = false;
    for (u32 i = 0; i < n_; ++i)
      if (w_[i] == 'y' && (i == 0 || vowel(w_[i - 1]))) {
        w_[i] = 'Y';
        found = true;
      }
    return found;
  }

  // After the first consonant that follows a vowel, from `i` on.
  u32 region(u32 i) const {
    while (i < n_ && !vowel(w_[i])) ++i;
    while (i < n_ && vowel(w_[i])) ++i;
    return i < n_ ? i + 1 : n_;
  }
  void find_regions() {
    r1_ = fits(0, "gener") || fits(0, "arsen") ? 5 : fits(0, "commun") ? 6 : region(0);
    r2_ = region(r1_);
  }

  // The first n letters end in a short syllable.
  bool short_syllable(u32 n) const {
    if (n < 2 || vowel(w_[n - 1]) || !vowel(w_[n - 2])) return false;
    if (n == 2) return true;
    return w_[n - 1] != 'w' && w_[n - 1] != 'x' && w_[n - 1] != 'Y' && !vowel(w_[n - 3]);
  }

  void step0() {
    for (std::string_view s : {"'s'", "'s", "'"})
      if (ends(s)) {
        n_ = before(s);
        return;
      }
  }
  void step1a() {
    if (ends("sses")) n_ -= 2;
    else if (ends("ied") || ends("ies")) n_ -= n_ > 4 ? 2 : 1;
    else if (!ends("us") && !ends("ss") && ends("s") && n_ >= 2 && has_vowel(n_ - 2)) --n_;
  }
  void step1b() {
    for (std::string_view s : {"eedly", "eed"})
      if (ends(s)) {
        if (before(s) >= r1_) put(before(s), "ee");
        return;
      }
    for (std::string_view s : {"ingly", "edly", "ing", "ed"}) {
      if (!ends(s)) continue;
      if (!has_vowel(before(s))) return;
      n_ = before(s);
      if (ends("at") || ends("bl") || ends("iz")) put(n_, "e");
      else if (n_ >= 2 && w_[n_ - 1] == w_[n_ - 2] && doubled(w_[n_ - 1])) --n_;
      else if (n_ == r1_ && short_syllable(n_)) put(n_, "e");
      return;
    }
  }
  static bool doubled(C c) {
    for (char d : {'b', 'd', 'f', 'g', 'm', 'n', 'p', 'r', 't'})
      if (c == static_cast<C>(d)) return true;
    return false;
  }
  void step1c() {
    if (n_ > 2 && (w_[n_ - 1] == 'y' || w_[n_ - 1] == 'Y') && !vowel(w_[n_ - 2])) w_[n_ - 1] = 'i';
  }
  void step2() {
    for (const auto& e : kSnowball2) {
      if (!ends(e.from)) continue;
      const u32 stem = before(e.from);
      if (stem < r1_) return;
      if (e.from == "ogi" && (stem == 0 || w_[stem - 1] != 'l')) return;
      if (e.from == "li" && (stem == 0 || !takes_li(w_[stem - 1]))) return;
      put(stem, e.to);
      return;
    }
  }
  static bool takes_li(C c) {
    for (char d : {'c', 'd', 'e', 'g', 'h', 'k', 'm', 'n', 'r', 't'})
      if (c == static_cast<C>(d)) return true;
    return false;
  }
  void step3() {
    for (const auto& e : kSnowball3) {
      if (!ends(e.from)) continue;
      const u32 stem = before(e.from);
      if (stem >= (e.from == "ative" ? std::max(r1_, r2_) : r1_)) put(stem, e.to);
      return;
    }
  }
  void step4() {
    for (auto ending : kSnowball4) {
      if (!ends(ending)) continue;
      const u32 stem = before(ending);
      if (stem < r2_) return;
      if (ending == "ion" && (stem == 0 || (w_[stem - 1] != 's' && w_[stem - 1] != 't'))) return;
      n_ = stem;
      return;
    }
  }
  void step5() {
    if (n_ == 0) return;
    if (w_[n_ - 1] == 'e') {
      if (n_ - 1 >= r2_ || (n_ - 1 >= r1_ && !short_syllable(n_ - 1))) --n_;
    } else if (w_[n_ - 1] == 'l' && n_ - 1 >= r2_ && n_ >= 2 && w_[n_ - 2] == 'l') {
      --n_;
    }
  }

  C* w_;
  u32 n_, r1_ = 0, r2_ = 0;
};

}  // namespace nlg::detail
