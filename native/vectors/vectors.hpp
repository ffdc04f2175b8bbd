// Files of word vectors: an index of words that can stay in the file it was read from, and readers.
#pragma once

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "core/kernel.hpp"

namespace nlg {

// FNV-1a with its bits mixed. It is part of the file format and must never change.
inline u64 vector_hash(std::string_view word) {
  u64 hash = 0xcbf29ce484222325ull;
  for (const char c : word) hash = (hash ^ static_cast<u8>(c)) * 0x100000001b3ull;
  hash ^= hash >> 32;
  return hash * 0x9e3779b97f4a7c15ull >> 16;
}

// Words one after the other, and a table of their numbers (+ 1; 0: none) by their hash.
struct WordIndex {
  const char* bytes;
  const std::int64_t* starts;  // [words + 1]
  const u32* table;
  std::size_t slots;  // a power of two

  std::string_view word(std::size_t i) const {
    return {bytes + starts[i], static_cast<std::size_t>(starts[i + 1] - starts[i])};
  }
  // The slot that holds the word, or the empty one where it belongs.
  std::size_t slot(std::string_view wanted) const {
    std::size_t at = vector_hash(wanted) & (slots - 1);
    while (table[at] != 0 && word(table[at] - 1) != wanted) at = (at + 1) & (slots - 1);
    return at;
  }
  std::int64_t find(std::string_view wanted) const {
    return slots == 0 ? -1 : static_cast<std::int64_t>(table[slot(wanted)]) - 1;
  }
  // What of a table that comes from a file does not fit its words; nullptr if all does.
  const char* fault(std::size_t words, std::size_t size) const {
    if (starts[0] != 0 || starts[words] != static_cast<std::int64_t>(size) || !std::is_sorted(starts, starts + words + 1))
      return "the places of its words are not in order";
    if (slots < slots_for(words) || (slots & (slots - 1)) != 0) return "its table has another size than its words need";
    std::size_t held = 0;
    for (std::size_t at = 0; at < slots; ++at) {
      checkpoint(1);
      if (table[at] > words) return "its table leads to words that are not there";
      held += table[at] != 0;
    }
    return held > words ? "its table is fuller than its words allow" : nullptr;
  }
  static std::size_t slots_for(std::size_t words) {
    std::size_t slots = 16;
    while (slots < 2 * words) slots *= 2;
    return slots;
  }
  // Fills a table of zeros; of equal words the first counts. Returns the others.
  static std::vector<std::int64_t> fill(const char* bytes, const std::int64_t* starts, std::size_t words, u32* table,
                                        std::size_t slots) {
    const WordIndex index{bytes, starts, table, slots};
    std::vector<std::int64_t> repeated;
    for (std::size_t i = 0; i < words; ++i) {
      checkpoint(16);
      const std::size_t at = index.slot(index.word(i));
      if (table[at] != 0) repeated.push_back(static_cast<std::int64_t>(i));
      else table[at] = static_cast<u32>(i + 1);
    }
    return repeated;
  }
};

struct ParsedVectors {
  std::vector<float> matrix;
  std::string words;
  std::vector<std::int64_t> starts{0};
  std::size_t width = 0;

  void add(std::string_view word) {
    words.append(word);
    starts.push_back(static_cast<std::int64_t>(words.size()));
  }
};

// What is wrong with a file, and in which line or entry, from 1.
struct BadVectors : std::runtime_error {
  std::size_t line;
  BadVectors(std::size_t number, const std::string& what) : std::runtime_error(what), line(number) {}
};

// A number that takes up the whole text. Rounded to double first, as in Python.
inline bool read_number(std::string_view text, float& number) {
  if (!text.empty() && text[0] == '+') text.remove_prefix(1);
  double value = 0;
#if defined(__cpp_lib_to_chars) && __cpp_lib_to_chars >= 201611L
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size();
#else
  const std::string copy(text);
  char* end = nullptr;
  value = std::strtod(copy.c_str(), &end);
  const bool whole = !copy.empty() && end == copy.c_str() + copy.size();
#endif
  number = static_cast<float>(value);
  return whole;
}

inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

// The fields of a line. Only blanks and tabs separate them: words may hold other white space.
inline void split_fields(std::string_view line, std::vector<std::string_view>& fields) {
  fields.clear();
  for (std::size_t at = 0; at < line.size();) {
    std::size_t end = at;
    while (end < line.size() && !is_blank(line[end])) ++end;
    // The first field is the word, which may be empty.
    if (end > at || fields.empty()) fields.push_back(line.substr(at, end - at));
    at = end + 1;
  }
}

// "words width", the first line of word2vec's and fastText's files.
inline bool read_header(const std::vector<std::string_view>& fields, std::size_t& words, std::size_t& width) {
  if (fields.size() != 2) return false;
  const auto whole = [](std::string_view text, std::size_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
  };
  return whole(fields[0], words) && whole(fields[1], width) && width > 0;
}

inline std::string quoted(std::string_view text) {
  return "'" + std::string(text.substr(0, 40)) + "'";
}

// Lines of a word and its numbers, maybe under a header.
inline ParsedVectors parse_text_vectors(std::string_view data) {
  ParsedVectors found;
  std::vector<std::string_view> fields;
  std::size_t line = 0, promised = 0;
  bool header = false;
  for (std::size_t at = 0; at < data.size();) {
    const std::size_t end = std::min(data.find('\n', at), data.size());
    std::string_view text = data.substr(at, end - at);
    at = end + 1;
    ++line;
    checkpoint(4 * text.size());
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    if (text.empty()) {
      if (data.find_first_not_of(" \t\r\n", std::min(at, data.size())) == std::string_view::npos) break;
      throw BadVectors(line, "is empty; a line is a word and its numbers");
    }
    split_fields(text, fields);
    if (line == 1) {
      std::size_t width = 0;
      header = read_header(fields, promised, width);
      if (header) {
        found.width = width;
        continue;
      }
      found.width = fields.size() - 1;
      if (found.width == 0) throw BadVectors(line, "has no numbers after the word " + quoted(fields[0]));
    }
    if (fields.size() <= found.width)
      throw BadVectors(line, "has " + std::to_string(fields.size() - 1) + " numbers, expected " +
                                 std::to_string(found.width) + "; the line is cut, or its word is missing");
    const std::size_t first = fields.size() - found.width;
    float number = 0;
    if (first > 1 && read_number(fields[1], number))  // otherwise the word holds blanks, as some of GloVe's do
      throw BadVectors(line, "has " + std::to_string(fields.size() - 1) + " numbers, expected " +
                                 std::to_string(found.width));
    for (std::size_t k = first; k < fields.size(); ++k) {
      if (!read_number(fields[k], number)) throw BadVectors(line, quoted(fields[k]) + " is no number");
      if (!std::isfinite(number)) throw BadVectors(line, quoted(fields[k]) + " is no finite number");
      found.matrix.push_back(number);
    }
    found.add({text.data(), static_cast<std::size_t>(fields[first - 1].data() + fields[first - 1].size() - text.data())});
  }
  if (header && promised != found.starts.size() - 1)
    throw BadVectors(1, "promises " + std::to_string(promised) + " words, and " +
                            std::to_string(found.starts.size() - 1) + " follow; the file is cut, or was edited");
  return found;
}

// word2vec's binary format: a header, then words, each with a blank and its floats (little-endian).
inline ParsedVectors parse_binary_vectors(std::string_view data) {
  ParsedVectors found;
  const std::size_t head = data.find('\n');
  std::vector<std::string_view> fields;
  split_fields(data.substr(0, head), fields);
  std::size_t words = 0;
  if (head == std::string_view::npos || !read_header(fields, words, found.width))
    throw BadVectors(0, "does not start with two whole numbers, words and width");
  // A width that no line could hold would overflow what follows.
  const std::size_t size = std::min(found.width, data.size()) * sizeof(float);
  if (words > (data.size() - head) / (size + 1)) throw BadVectors(0, "is too short for its " + std::to_string(words) + " words");
  found.matrix.resize(words * found.width);
  std::size_t at = head + 1;
  for (std::size_t i = 0; i < words; ++i) {
    while (at < data.size() && data[at] == '\n') ++at;
    const std::size_t end = data.find(' ', at);
    if (end == std::string_view::npos || data.size() - end - 1 < size) throw BadVectors(i + 1, "the file ends here");
    checkpoint(found.width + 16);
    found.add(data.substr(at, end - at));
    float* const row = found.matrix.data() + i * found.width;
    std::memcpy(row, data.data() + end + 1, size);
    for (std::size_t k = 0; k < found.width; ++k)
      if (!std::isfinite(row[k])) throw BadVectors(i + 1, "has a number that is not finite");
    at = end + 1 + size;
  }
  return found;
}

// The words of all texts, numbered in the order they first occur.
struct NumberedWords {
  std::vector<std::int32_t> numbers;
  std::vector<std::int64_t> starts{0};  // by text
  std::string words;
  std::vector<std::int64_t> word_starts{0};
  std::vector<u32> table = std::vector<u32>(1024);

  std::int32_t number(std::string_view word) {
    WordIndex index{words.data(), word_starts.data(), table.data(), table.size()};
    std::size_t at = index.slot(word);
    if (table[at] == 0) {
      words.append(word);
      word_starts.push_back(static_cast<std::int64_t>(words.size()));
      table[at] = static_cast<u32>(word_starts.size() - 1);
      if (2 * word_starts.size() > table.size()) {
        table.assign(2 * table.size(), 0);
        WordIndex::fill(words.data(), word_starts.data(), word_starts.size() - 1, table.data(), table.size());
        return static_cast<std::int32_t>(word_starts.size()) - 2;
      }
    }
    return static_cast<std::int32_t>(table[at]) - 1;
  }
};

inline NumberedWords number_words(const Texts& texts, const Preparation& preparation) {
  NumberedWords found;
  const Texts none;
  const std::vector<std::int64_t> starts(texts.size() + 1, 0);
  SegmentReader reader({texts, none, starts.data(), nullptr}, preparation, true, true);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const Segment& segment = reader.read(i);
    checkpoint(64 + 4 * segment.hyp_text.size());
    for (u32 k = 0; k < segment.hyp().size; ++k)
      found.numbers.push_back(found.number({segment.hyp_words()[k].data, segment.hyp_words()[k].size}));
    found.starts.push_back(static_cast<std::int64_t>(found.numbers.size()));
  }
  return found;
}

}  // namespace nlg
