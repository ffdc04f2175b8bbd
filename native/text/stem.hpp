// Porter's stemmer (1980) in the dialects the tools use, his later English stemmer, and a cache of
// stems for one thread.
//
// Words are expected in lower case. Letters outside a-z, digits and marks count as consonants.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "text/snowball.hpp"
#include "text/unicode.hpp"
#include "core/words.hpp"

namespace nlg {

enum class Stemmer {
  kNone,
  kPorter,    // the published algorithm
  kMartin,    // Porter's own programs: -bli, -logi, and words of one or two letters stay
  kNltk,      // NLTK's default: kMartin with irregular forms and rules of its own
  kRouge155,  // ROUGE-1.5.5: kMartin, but -ment, -ent and -ion are tried after the other endings too
  kSnowball,  // Snowball's English stemmer
};

namespace detail {

struct Ending {
  std::string_view from, to;
};

// The first ending that fits decides, whether its condition holds or not.
inline constexpr Ending kStep2[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"},   {"anci", "ance"},   {"izer", "ize"},
    {"abli", "able"},   {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"},   {"eli", "e"},
    {"ousli", "ous"},   {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},    {"alism", "al"},
    {"iveness", "ive"}, {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},    {"iviti", "ive"},
    {"biliti", "ble"},  {"fulli", "ful"},   {"logi", "log"}};
inline constexpr Ending kStep3[] = {{"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"},
                                    {"ical", "ic"},  {"ful", ""},   {"ness", ""}};
inline constexpr std::string_view kStep4[] = {"al",   "ance", "ence", "er",  "ic", "able", "ible", "ant", "ement", "ment",
                                              "ent",  "ion",  "ou",   "ism", "ate", "iti", "ous",  "ive", "ize"};
inline constexpr Ending kNltkIrregular[] = {
    {"sky", "sky"},         {"skies", "sky"},      {"dying", "die"},      {"lying", "lie"},       {"tying", "tie"},
    {"news", "news"},       {"innings", "inning"}, {"inning", "inning"},  {"outings", "outing"},  {"outing", "outing"},
    {"cannings", "canning"}, {"canning", "canning"}, {"howe", "howe"},    {"proceed", "proceed"}, {"exceed", "exceed"},
    {"succeed", "succeed"}};

// The algorithm on one word in [w, w + n); C is a byte for ASCII words and a code point otherwise.
template <class C>
class Porter {
 public:
  Porter(Stemmer mode, C* w, u32 n) : mode_(mode), w_(w), n_(n) {}

  u32 run() {
    if (mode_ != Stemmer::kPorter && n_ <= 2) return n_;
    step1a();
    step1b();
    step1c();
    step2();
    replace_first(kStep3);
    if (mode_ == Stemmer::kRouge155) step4_rouge();
    else step4();
    step5();
    return n_;
  }

 private:
  bool nltk() const { return mode_ == Stemmer::kNltk; }

  static bool is_vowel(C c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

  // 'y' is a consonant at the start and after a vowel.
  bool consonant(u32 i) const {
    if (is_vowel(w_[i])) return false;
    bool flip = false;
    for (; i > 0 && w_[i] == 'y'; --i) flip = !flip;
    return is_vowel(w_[i]) == flip;
  }

  // How often a vowel is followed by a consonant in the first n letters.
  u32 measure(u32 n) const {
    u32 m = 0;
    bool before = true;
    for (u32 i = 0; i < n; ++i) {
      const bool now = w_[i] == 'y' ? i == 0 || !before : !is_vowel(w_[i]);
      m += i > 0 && now && !before;
      before = now;
    }
    return m;
  }
  bool has_vowel(u32 n) const {
    for (u32 i = 0; i < n; ++i)
      if (is_vowel(w_[i]) || (w_[i] == 'y' && i > 0)) return true;  // the first y of a run after a consonant
    return false;
  }
  bool double_consonant() const {
    if (n_ < 2 || w_[n_ - 1] != w_[n_ - 2] || !consonant(n_ - 1)) return false;
    return mode_ != Stemmer::kRouge155 || w_[n_ - 1] != 'y';
  }
  // The first n letters end in consonant, vowel, consonant other than w, x, y.
  bool ends_cvc(u32 n) const {
    if (n == 2) return nltk() && !consonant(0) && consonant(1);
    return n >= 3 && consonant(n - 3) && !consonant(n - 2) && consonant(n - 1) && w_[n - 1] != 'w' && w_[n - 1] != 'x' &&
           w_[n - 1] != 'y';
  }

  bool ends(std::string_view s) const {
    return s.size() <= n_ && std::equal(s.begin(), s.end(), w_ + n_ - s.size(), [](char a, C b) { return C(a) == b; });
  }
  u32 before(std::string_view s) const { return n_ - static_cast<u32>(s.size()); }
  void put(u32 at, std::string_view s) {
    std::copy(s.begin(), s.end(), w_ + at);
    n_ = at + static_cast<u32>(s.size());
  }

  void step1a() {
    if (w_[n_ - 1] != 's') return;
    if (nltk() && n_ == 4 && ends("ies")) n_ = 3;
    else if (ends("sses") || ends("ies")) n_ -= 2;
    else if (!ends("ss")) --n_;
  }

  void step1b() {
    if (nltk() && ends("ied")) {
      n_ -= n_ == 4 ? 1 : 2;
      return;
    }
    if (ends("eed")) {
      if (measure(n_ - 3) > 0) --n_;
      return;
    }
    const u32 cut = ends("ed") ? 2 : ends("ing") ? 3 : 0;
    if (cut == 0 || !has_vowel(n_ - cut)) return;
    n_ -= cut;
    const C last = w_[n_ - 1];
    if (ends("at") || ends("bl") || ends("iz")) put(n_, "e");
    else if (double_consonant()) n_ -= last != 'l' && last != 's' && last != 'z';
    else if (measure(n_) == 1 && ends_cvc(n_)) put(n_, "e");
  }

  void step1c() {
    if (n_ == 0 || w_[n_ - 1] != 'y') return;
    if (nltk() ? n_ > 2 && consonant(n_ - 2) : has_vowel(n_ - 1)) w_[n_ - 1] = 'i';
  }

  bool knows(std::string_view ending) const {
    if (ending == "abli") return mode_ == Stemmer::kPorter;
    if (ending == "bli") return mode_ != Stemmer::kPorter;
    if (ending == "logi") return mode_ != Stemmer::kPorter;
    return ending != "fulli" || nltk();
  }

  template <std::size_t N>
  void replace_first(const Ending (&list)[N]) {
    for (const Ending& e : list) {
      if (!ends(e.from) || !knows(e.from)) continue;
      // NLTK leaves the l of -logi with the stem, so that "geo" is long enough.
      const u32 stem = before(e.from);
      if (measure(nltk() && e.from == "logi" ? stem + 1 : stem) > 0) put(stem, e.to);
      return;
    }
  }

  void step2() {
    if (nltk() && ends("alli") && measure(n_ - 4) > 0) n_ -= 2;  // and the result may end in -ational
    replace_first(kStep2);
  }

  void step4() {
    for (std::string_view ending : kStep4) {
      if (!ends(ending)) continue;
      strip(ending);
      return;
    }
  }
  void strip(std::string_view ending) {
    const u32 stem = before(ending);
    if (ending == "ion" && (stem == 0 || (w_[stem - 1] != 's' && w_[stem - 1] != 't'))) return;
    if (measure(stem) > 1) n_ = stem;
  }
  void step4_rouge() {
    for (std::string_view ending : kStep4) {
      if (ending == "ment" || ending == "ent" || ending == "ion" || !ends(ending)) continue;
      strip(ending);
      break;
    }
    if (ends("ment")) strip("ment");
    if (ends("ent")) strip("ent");
    else if (ends("ion")) strip("ion");
  }

  void step5() {
    if (n_ > 0 && w_[n_ - 1] == 'e') {
      const u32 m = measure(n_ - 1);
      if (m > 1 || (m == 1 && !ends_cvc(n_ - 1))) --n_;
    }
    if (ends("ll") && measure(n_ - 1) > 1) --n_;
  }

  Stemmer mode_;
  C* w_;
  u32 n_;
};

}  // namespace detail

// Stems one word after the other; a result lives until the next call.
class StemBuffer {
 public:
  std::string_view stem(Stemmer mode, std::string_view word) {
    if (mode == Stemmer::kNone || word.empty()) return word;
    if (mode == Stemmer::kNltk)
      for (const auto& e : detail::kNltkIrregular)
        if (e.from == word) return e.to;
    bytes_.assign(word.begin(), word.end());
    bytes_.push_back(0);  // a stem may be one letter longer for a while
    if (std::all_of(word.begin(), word.end(), [](char c) { return static_cast<u8>(c) < 0x80; })) {
      return {bytes_.data(), run(mode, bytes_.data(), static_cast<u32>(word.size()))};
    }
    points_.clear();
    const auto* s = reinterpret_cast<const u8*>(word.data());
    for (u32 i = 0, length; i < word.size(); i += length) points_.push_back(decode(s + i, length));
    points_.push_back(0);
    const u32 n = run(mode, points_.data(), static_cast<u32>(points_.size()) - 1);
    bytes_.resize(4 * n + 1);
    char* out = bytes_.data();
    for (u32 i = 0; i < n; ++i) out = encode(out, points_[i]);
    return {bytes_.data(), static_cast<std::size_t>(out - bytes_.data())};
  }

 private:
  template <class C>
  static u32 run(Stemmer mode, C* w, u32 n) {
    return mode == Stemmer::kSnowball ? detail::Snowball<C>(w, n).run() : detail::Porter<C>(mode, w, n).run();
  }
  std::vector<char> bytes_;
  std::vector<u32> points_;
};

// What happens to words between the tokeniser and a metric: stop words go, the others are stemmed.
struct WordRules {
  Stemmer stemmer = Stemmer::kNone;
  u32 shortest = 1;                                          // letters of a word that is stemmed
  std::unordered_map<std::string, std::string> exceptions;   // words with a given stem
  std::unordered_set<std::string> stop_words;
};

// Stems of the words a thread has met, numbered from 0. Numbers stay valid until `trim`.
class StemCache {
 public:
  static constexpr u32 kDropped = ~0u;  // the number of stop words

  explicit StemCache(std::shared_ptr<const WordRules> rules) : rules_(std::move(rules)) {}
  explicit StemCache(Stemmer stemmer, u32 shortest = 1)
      : StemCache(std::make_shared<WordRules>(WordRules{stemmer, shortest, {}, {}})) {}

  // The number of a word's stem; `hashed` is what `prefetch` returned.
  u32 id(const Word& word) { return id(word, hash(word)); }
  u32 id(const Word& word, u64 hashed) {
    Entry& known = find(words_, word, hashed);
    if (known.data != nullptr) return known.id;
    const std::string_view text(word.data, word.size);
    u32 id = kDropped;
    if (!dropped(text)) {
      const Word stem = keep(stem_of(text));
      Entry& entry = find(stems_, stem, hash(stem));
      if (entry.data == nullptr) {
        entry.set(stem, static_cast<u32>(stem_words_.size()));
        stem_words_.push_back(stem);
      }
      id = entry.id;
    }
    known.set(keep(text), id);
    if (2 * ++size_ > words_.size()) grow();
    return id;
  }
  u64 prefetch(const Word& word) const {
    const u64 hashed = hash(word);
    __builtin_prefetch(&words_[hashed & (words_.size() - 1)]);
    return hashed;
  }
  const Word& stem(u32 id) const { return stem_words_[id]; }
  u32 stems() const { return static_cast<u32>(stem_words_.size()); }

  // Forgets everything once it has grown large; to be called between segments.
  void trim() {
    if (size_ < kMost) return;
    *this = StemCache(rules_);
  }

 private:
  static constexpr u32 kMost = 1u << 20, kBlock = 1u << 16;

  // A word and a number, in half a cache line.
  struct Entry {
    u64 head = 0, tail = 0;
    const char* data = nullptr;
    u32 size = 0, id = 0;

    Word word() const { return {head, tail, data, size}; }
    void set(const Word& w, u32 number) {
      head = w.head, tail = w.tail, data = w.data, size = w.size;
      id = number;
    }
  };

  bool dropped(std::string_view text) const {
    return !rules_->stop_words.empty() && rules_->stop_words.count(std::string(text)) > 0;
  }
  std::string_view stem_of(std::string_view text) {
    u32 letters = 0;
    for (std::size_t i = 0; i < text.size() && letters < rules_->shortest; ++i)
      letters += (static_cast<u8>(text[i]) & 0xC0) != 0x80;
    if (letters < rules_->shortest) return text;
    if (!rules_->exceptions.empty()) {
      const auto found = rules_->exceptions.find(std::string(text));
      if (found != rules_->exceptions.end()) return found->second;
    }
    return buffer_.stem(rules_->stemmer, text);
  }

  static u64 hash(const Word& w) {
    const u64 h = (w.head ^ (w.tail + w.size) * 0xD6E8FEB86659FD93ull) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 32;
  }
  static Entry& find(std::vector<Entry>& table, const Word& w, u64 hashed) {
    std::size_t at = hashed & (table.size() - 1);
    while (table[at].data != nullptr && !(table[at].word() == w)) at = (at + 1) & (table.size() - 1);
    return table[at];
  }
  void grow() {
    for (auto* table : {&words_, &stems_}) {
      std::vector<Entry> larger(2 * table->size());
      for (const Entry& e : *table)
        if (e.data != nullptr) find(larger, e.word(), hash(e.word())) = e;
      table->swap(larger);
    }
  }

  // A copy that lives as long as the cache does, with the padding that words need.
  Word keep(std::string_view text) {
    const std::size_t need = text.size() + 8;
    if (need > room_) {
      room_ = std::max<std::size_t>(kBlock, need);
      blocks_.emplace_back(new char[room_]);
      next_ = blocks_.back().get();
    }
    std::memcpy(next_, text.data(), text.size());
    std::memset(next_ + text.size(), 0, 8);
    const char* const at = next_;
    next_ += need;
    room_ -= need;
    return text.empty() ? Word{0, 0, at, 0} : make_word(at, static_cast<u32>(text.size()));
  }

  std::shared_ptr<const WordRules> rules_;
  u32 size_ = 0;
  StemBuffer buffer_;
  std::vector<Entry> words_ = std::vector<Entry>(1024), stems_ = std::vector<Entry>(1024);
  std::vector<Word> stem_words_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t room_ = 0;
};

}  // namespace nlg
