// WordNet: lemmas, the synsets they belong to, and the base forms of words.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include "core/texts.hpp"

namespace nlg {

// What a word is compared by.
enum class WordSet {
  kSynsets,     // all synsets of all its base forms
  kLemmas,      // its base forms
  kMeteor,      // synsets as METEOR 1.5 looks them up
  kNltk,        // the words of its synsets, as NLTK 3.10 looks them up
  kName,        // itself, as a word of synsets
  kJaws,        // synsets as JAWS, which TERp asks, looks them up
};

class Lexicon {
 public:
  static constexpr u32 kNone = ~0u;
  static constexpr u32 kParts = 4;  // nouns, verbs, adjectives, adverbs

  // Synsets are numbered by part of speech; `offsets` are those in the
  // dictionary's files. `exceptions` has lines of a part of speech, a form and its bases. The
  // lemmas of `spelled_senses`, places in `senses`, are not written in lower case there.
  Lexicon(std::string lemma_bytes, std::vector<u32> lemma_starts, std::vector<u32> sense_starts, std::vector<u32> senses,
          std::vector<u32> offsets, std::vector<u32> part_starts, std::string_view exceptions, bool inflected,
          const std::vector<u32>& spelled_senses, const std::vector<u32>& spelled_starts, std::string_view spelled_bytes)
      : bytes_(std::move(lemma_bytes)),
        starts_(std::move(lemma_starts)),
        sense_starts_(std::move(sense_starts)),
        senses_(std::move(senses)),
        offsets_(std::move(offsets)),
        part_starts_(std::move(part_starts)),
        inflected_(inflected) {
    check(spelled_senses, spelled_starts, spelled_bytes.size());
    read_exceptions(exceptions);
    std::size_t slots = 64;
    while (slots < 2 * starts_.size()) slots *= 2;
    slots_.assign(slots, kNone);
    for (u32 k = 0; k < size(); ++k) slots_[slot(lemma(k))] = k;
    members_.assign(part_starts_.back(), 0);
    for (u32 synset : senses_) ++members_[synset];
    read_names(spelled_senses, spelled_starts, spelled_bytes);
  }

  u32 size() const { return static_cast<u32>(starts_.size()) - 1; }
  std::string_view lemma(u32 k) const { return {bytes_.data() + starts_[k], starts_[k + 1] - starts_[k]}; }

  u32 find(std::string_view word) const { return slots_[slot(word)]; }

  // Synsets of a lemma that belong to a part of speech, in the order of their senses.
  std::pair<const u32*, const u32*> senses(u32 lemma, u32 part) const {
    auto [first, last] = senses(lemma);
    while (first != last && *first < part_starts_[part]) ++first;
    while (first != last && *(last - 1) >= part_starts_[part + 1]) --last;
    return {first, last};
  }
  std::pair<const u32*, const u32*> senses(u32 lemma) const {
    return {senses_.data() + sense_starts_[lemma], senses_.data() + sense_starts_[lemma + 1]};
  }

  // Base forms of a word that are lemmas of a part of speech, as in morphy(7WN): those of the
  // exception list, or else the word itself and what is left without an ending. NLTK has another
  // ending, takes short words and those in -ss for plurals, and knows no measures.
  void bases(std::string_view word, u32 part, std::vector<u32>& out, bool nltk = false) const {
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    add(word, part, out, first);
    if (!inflected_) return;
    bool irregular = false;
    if (const auto found = exceptions_.find(std::string(word)); found != exceptions_.end())
      for (const auto& [of_part, base] : found->second)
        if (of_part == part) irregular = true, add(base, part, out, first);
    if (irregular) return;
    if (!nltk && part == 0 && (word.size() <= 2 || ends(word, "ss"))) return;
    const bool measure = !nltk && part == 0 && ends(word, "ful");  // "boxesful"
    if (measure) word.remove_suffix(3);
    std::string base;
    if (nltk && part == 0 && ends(word, "ves"))
      add(base.assign(word, 0, word.size() - 3).append("f"), part, out, first);
    for (const Ending& e : kEndings) {
      if (e.part != part || !ends(word, e.from)) continue;
      base.assign(word, 0, word.size() - e.from.size()).append(e.to);
      if (measure) base.append("ful");
      add(base, part, out, first);
    }
  }

  // Whether no synset of the word has another lemma.
  bool lonely(std::string_view word) const {
    std::vector<u32> synsets;
    set_of(word, WordSet::kSynsets, synsets);
    return std::all_of(synsets.begin(), synsets.end(), [this](u32 s) { return members_[s] == 1; });
  }

  // Sorted numbers; two words correspond if they share one. `out` is emptied first.
  void set_of(std::string_view word, WordSet kind, std::vector<u32>& out) const {
    out.clear();
    if (kind == WordSet::kMeteor) {
      meteor_synsets(word, out);
    } else if (kind == WordSet::kJaws) {
      jaws_synsets(word, out);
    } else if (kind == WordSet::kNltk) {
      synset_names(word, out);
    } else if (kind == WordSet::kName) {
      if (const u32 name = name_of(word); name != kNone) out.push_back(name);
    } else {
      std::vector<u32> lemmas;
      for (u32 part = 0; part < kParts; ++part) {
        lemmas.clear();
        bases(word, part, lemmas);
        for (u32 lemma : lemmas) {
          if (kind == WordSet::kLemmas) out.push_back(lemma);
          else if (const auto [a, b] = senses(lemma, part); a != b) out.insert(out.end(), a, b);
        }
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  }

 private:
  // The arrays come from a file: what one says of another must hold.
  void check(const std::vector<u32>& spelled_senses, const std::vector<u32>& spelled_starts,
             std::size_t spelled_bytes) const {
    const auto divide = [](const std::vector<u32>& starts, std::size_t size) {
      return !starts.empty() && starts[0] == 0 && starts.back() == size && std::is_sorted(starts.begin(), starts.end());
    };
    const auto known = [this](u32 synset) { return synset < offsets_.size(); };
    if (!divide(starts_, bytes_.size()) || !divide(sense_starts_, senses_.size()) ||
        starts_.size() != sense_starts_.size() || part_starts_.size() != kParts + 1 ||
        !divide(part_starts_, offsets_.size()) || !std::all_of(senses_.begin(), senses_.end(), known) ||
        !divide(spelled_starts, spelled_bytes) || spelled_starts.size() != spelled_senses.size() + 1)
      throw std::invalid_argument("the arrays of the wordnet do not fit each other");
  }

  struct Ending {
    u32 part;
    std::string_view from, to;
  };
  static constexpr Ending kEndings[] = {
      {0, "s", ""},     {0, "ses", "s"},  {0, "xes", "x"},   {0, "zes", "z"}, {0, "ches", "ch"}, {0, "shes", "sh"},
      {0, "men", "man"}, {0, "ies", "y"}, {1, "s", ""},      {1, "ies", "y"}, {1, "es", "e"},    {1, "es", ""},
      {1, "ed", "e"},   {1, "ed", ""},    {1, "ing", "e"},   {1, "ing", ""},  {2, "er", ""},     {2, "est", ""},
      {2, "er", "e"},   {2, "est", "e"}};

  std::size_t slot(std::string_view word) const {
    std::size_t at = std::hash<std::string_view>{}(word) & (slots_.size() - 1);
    while (slots_[at] != kNone && lemma(slots_[at]) != word) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  static bool ends(std::string_view word, std::string_view end) {
    return word.size() >= end.size() && word.substr(word.size() - end.size()) == end;
  }
  void add(std::string_view form, u32 part, std::vector<u32>& out, std::ptrdiff_t first) const {
    const u32 lemma = find(form);
    if (lemma == kNone || std::find(out.begin() + first, out.end(), lemma) != out.end()) return;
    if (const auto [a, b] = senses(lemma, part); a != b) out.push_back(lemma);
  }

  // METEOR 1.5 keeps the offsets of all parts of speech in one set, so that words of different
  // parts may meet; beside the word's own it takes the synsets of one other form: all bases of the
  // exception lists, or else the first lemma that the endings lead to, whatever its part.
  void meteor_synsets(std::string_view word, std::vector<u32>& out) const {
    add_offsets(find(word), out);
    const auto irregular = exceptions_.find(std::string(word));
    if (irregular != exceptions_.end()) {
      for (const auto& [part, base] : irregular->second) add_offsets(find(base), out);
      return;
    }
    if (ends(word, "ss") || utf16_size(word) <= 2) return;
    std::string base;
    for (const Ending& e : kEndings) {
      if (!ends(word, e.from)) continue;
      base.assign(word, 0, word.size() - e.from.size()).append(e.to);
      if (const u32 lemma = find(base); lemma != kNone) return add_offsets(lemma, out);
    }
  }
  void add_offsets(u32 lemma, std::vector<u32>& out) const {
    if (lemma == kNone) return;
    const auto [a, b] = senses(lemma);
    for (const u32* s = a; s != b; ++s) out.push_back(offsets_[*s]);
  }
  // JAWS (1.x) adds to the word's own synsets, part by part, those of all bases of the exception lists
  // and of whatever the endings leave; of adjectives it only takes off -er and -est.
  void jaws_synsets(std::string_view word, std::vector<u32>& out) const {
    const auto add_senses = [&](std::string_view form, u32 part) {
      const u32 lemma = find(form);
      if (lemma == kNone) return;
      const auto [a, b] = senses(lemma, part);
      out.insert(out.end(), a, b);
    };
    const auto irregular = exceptions_.find(std::string(word));
    if (irregular != exceptions_.end())
      for (const auto& [part, base] : irregular->second) add_senses(base, part);
    std::string base;
    for (u32 part = 0; part < kParts; ++part) {
      add_senses(word, part);
      for (const Ending& e : kEndings) {
        if (e.part != part || !ends(word, e.from) || (part == 2 && !e.to.empty())) continue;
        add_senses(base.assign(word, 0, word.size() - e.from.size()).append(e.to), part);
      }
    }
  }
  // The words that are written like a lemma of one of the word's synsets: not "paris" but "Paris".
  void synset_names(std::string_view word, std::vector<u32>& out) const {
    std::string lower(word);
    for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    std::vector<u32> lemmas;
    for (u32 part = 0; part < kParts; ++part) {
      lemmas.clear();
      bases(lower, part, lemmas, true);
      for (u32 lemma : lemmas)
        for (auto [s, last] = senses(lemma, part); s != last; ++s)
          out.insert(out.end(), names_.begin() + name_starts_[*s], names_.begin() + name_starts_[*s + 1]);
    }
  }
  // Names are numbered: lemmas keep their numbers, and other spellings follow.
  u32 name_of(std::string_view word) const {
    if (const u32 lemma = find(word); lemma != kNone) return lemma;
    const auto found = spelled_.find(std::string(word));
    return found == spelled_.end() ? kNone : found->second;
  }
  void read_names(const std::vector<u32>& places, const std::vector<u32>& starts, std::string_view bytes) {
    std::vector<std::pair<u32, u32>> names;  // synset, name
    u32 next = 0;
    for (u32 k = 0; k < size(); ++k) {
      const bool phrase = lemma(k).find('_') != std::string_view::npos;  // NLTK leaves them out
      for (u32 place = sense_starts_[k]; place < sense_starts_[k + 1]; ++place) {
        if (next == places.size() || places[next] != place) {
          if (!phrase) names.emplace_back(senses_[place], k);
          continue;
        }
        for (; next < places.size() && places[next] == place; ++next) {
          const std::string form(bytes.substr(starts[next], starts[next + 1] - starts[next]));
          const u32 known = name_of(form);
          const u32 name = known != kNone ? known : size() + static_cast<u32>(spelled_.size());
          if (known == kNone) spelled_.emplace(form, name);
          names.emplace_back(senses_[place], name);
        }
      }
    }
    std::sort(names.begin(), names.end());
    name_starts_.assign(members_.size() + 1, 0);
    for (const auto& [synset, name] : names) ++name_starts_[synset + 1], names_.push_back(name);
    for (std::size_t k = 1; k < name_starts_.size(); ++k) name_starts_[k] += name_starts_[k - 1];
  }
  static std::size_t utf16_size(std::string_view s) {
    std::size_t n = 0;
    for (char c : s) n += (static_cast<u8>(c) & 0xC0) != 0x80, n += static_cast<u8>(c) >= 0xF0;
    return n;
  }

  void read_exceptions(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      std::string_view line = text.substr(0, end);
      text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
      const auto next = [&] {
        const std::size_t blank = line.find(' ');
        const std::string word(line.substr(0, blank));
        line.remove_prefix(blank == std::string_view::npos ? line.size() : blank + 1);
        return word;
      };
      const std::size_t part = std::string_view("nvar").find(next());
      if (part >= kParts) continue;
      auto& bases = exceptions_[next()];
      while (!line.empty()) bases.emplace_back(static_cast<u32>(part), next());
    }
  }

  std::string bytes_;
  std::vector<u32> starts_, sense_starts_, senses_, offsets_, part_starts_;
  std::vector<u32> slots_;    // a hash table of lemmas
  std::vector<u32> members_;  // lemmas of each synset
  std::vector<u32> name_starts_, names_;  // the words of each synset
  std::unordered_map<std::string, u32> spelled_;  // numbers of those that are no lemma as written
  bool inflected_;  // forms have bases by English rules
  std::unordered_map<std::string, std::vector<std::pair<u32, std::string>>> exceptions_;  // bases by part
};

}  // namespace nlg
