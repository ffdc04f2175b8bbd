// A column of texts: one UTF-8 arena and the end offset of every text.
//
// The arena is padded so that kernels may read whole vector registers past the end of a text.
// Lone surrogates are kept in their three-byte form, as Python's "surrogatepass" does.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace nlg {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
__extension__ typedef unsigned __int128 u128;

constexpr std::size_t kPadding = 64;

class Texts {
 public:
  Texts() : ends_{0} {}
  Texts(std::unique_ptr<char[]> bytes, std::vector<u64> ends)
      : bytes_(std::move(bytes)), ends_(std::move(ends)) {}

  std::size_t size() const { return ends_.size() - 1; }
  std::size_t bytes() const { return ends_.back(); }
  std::string_view operator[](std::size_t i) const {
    return {bytes_.get() + ends_[i], ends_[i + 1] - ends_[i]};
  }

  // An arena for `size` bytes plus padding; the padding is zeroed, the rest is the caller's.
  static std::unique_ptr<char[]> arena(std::size_t size) {
    std::unique_ptr<char[]> bytes(new char[size + kPadding]);
    std::memset(bytes.get() + size, 0, kPadding);
    return bytes;
  }

 private:
  std::unique_ptr<char[]> bytes_ = arena(0);
  std::vector<u64> ends_;  // ends_[0] == 0; text i is [ends_[i], ends_[i + 1])
};

// Position of the first byte that is not valid UTF-8, or `size` if all are.
inline std::size_t find_invalid_utf8(const u8* s, std::size_t size) {
  std::size_t i = 0;
  while (i < size) {
    u64 block;
    if (i + 8 <= size && (std::memcpy(&block, s + i, 8), (block & 0x8080808080808080ull) == 0)) {
      i += 8;
      continue;
    }
    const u8 c = s[i];
    if (c < 0x80) {
      ++i;
      continue;
    }
    const int tail = c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : 0;
    if (tail == 0 || i + tail >= size) return i;
    // The second byte carries the range checks: no overlong forms, no surrogates, at most U+10FFFF.
    const u8 low = c == 0xE0 ? 0xA0 : c == 0xF0 ? 0x90 : 0x80;
    const u8 high = c == 0xED ? 0x9F : c == 0xF4 ? 0x8F : 0xBF;
    if (s[i + 1] < low || s[i + 1] > high) return i;
    for (int k = 2; k <= tail; ++k)
      if ((s[i + k] & 0xC0) != 0x80) return i;
    i += tail + 1;
  }
  return size;
}

// One text per line; a last line without '\n' counts, nothing after a final '\n' does.
inline Texts split_lines(std::string_view data) {
  std::size_t lines = 0;
  for (const char* p = data.data(); (p = static_cast<const char*>(std::memchr(p, '\n', data.data() + data.size() - p)));
       ++p)
    ++lines;
  const bool open = !data.empty() && data.back() != '\n';
  const std::size_t size = data.size() - lines;
  auto bytes = Texts::arena(size);
  std::vector<u64> ends;
  ends.reserve(lines + open + 1);
  ends.push_back(0);
  char* out = bytes.get();
  const char* p = data.data();
  const char* const stop = p + data.size();
  while (p < stop) {
    const auto* q = static_cast<const char*>(std::memchr(p, '\n', stop - p));
    if (q == nullptr) q = stop;
    std::memcpy(out, p, q - p);
    out += q - p;
    ends.push_back(out - bytes.get());
    p = q + 1;
  }
  return {std::move(bytes), std::move(ends)};
}

}  // namespace nlg
