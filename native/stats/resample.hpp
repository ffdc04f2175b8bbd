// Two bootstraps over rows of statistics: the draws that NumPy makes of all rows at once, and counts
// that depend on a row's number alone, so that each part of a corpus can be resampled by itself.
#pragma once

#include <array>

#include "stats/weighted_rows.hpp"

namespace nlg {

// PCG64 (O'Neill, 2014), as numpy.random.default_rng has it: many words at once.
class Pcg64 {
 public:
  Pcg64(u128 state, u128 increment) : increment_(increment) {
    for (auto& lane : lanes_) lane = state = state * kMultiplier + increment;
  }

  // `beside` is called for every kLanes words: what it does, the processor does while it multiplies.
  template <class F>
  void fill(u64* words, std::size_t count, F&& beside) {  // a multiple of kLanes
    u128 multiplier = 1, increment = 0;                   // of kLanes steps in one
    for (std::size_t k = 0; k < kLanes; ++k) {
      multiplier *= kMultiplier;
      increment = increment * kMultiplier + increment_;
    }
    auto lanes = lanes_;  // in registers, whatever `beside` writes
    for (std::size_t i = 0; i < count; i += kLanes) {
      for (std::size_t k = 0; k < kLanes; ++k) {
        const u64 mixed = static_cast<u64>(lanes[k] >> 64) ^ static_cast<u64>(lanes[k]);
        const unsigned turn = static_cast<unsigned>(lanes[k] >> 122);
        words[i + k] = mixed >> turn | mixed << (-turn & 63);
        lanes[k] = lanes[k] * multiplier + increment;
      }
      beside();
    }
    lanes_ = lanes;
  }
  static constexpr std::size_t kLanes = 4;

 private:
  static constexpr u128 kMultiplier = static_cast<u128>(2549297995355413924ull) << 64 | 4865540595714422341ull;
  u128 increment_;
  std::array<u128, kLanes> lanes_;
};

namespace detail {

// Numbers below a bound of the halves of words, low ones first, without bias (Lemire, 2019); halves that would
// bring some are left out. Returns how many there are.
inline std::size_t bounded_base(const u64* words, std::size_t count, u32 bound, u32 threshold, u32* out) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < 2 * count; ++i) {
    const u64 product = (words[i / 2] >> 32 * (i % 2) & 0xFFFFFFFFu) * bound;
    out[size] = static_cast<u32>(product >> 32);
    size += static_cast<u32>(product) >= threshold;
  }
  return size;
}
#if defined(__x86_64__)
NLG_AVX2 inline std::size_t bounded_avx2(const u64* words, std::size_t count, u32 bound, u32 threshold, u32* out) {
  const __m256i by = _mm256_set1_epi64x(bound), least = _mm256_set1_epi32(static_cast<int>(threshold));
  std::size_t size = 0;
  for (std::size_t i = 0; i < count; i += 4) {
    const __m256i four = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i));
    const __m256i low = _mm256_mul_epu32(four, by), high = _mm256_mul_epu32(_mm256_srli_epi64(four, 32), by);
    const __m256i numbers = _mm256_blend_epi32(_mm256_srli_epi64(low, 32), high, 0xAA);
    const __m256i rest = _mm256_blend_epi32(low, _mm256_slli_epi64(high, 32), 0xAA);
    if (_mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_max_epu32(rest, least), rest)) != -1) {
      size += bounded_base(words + i, 4, bound, threshold, out + size);
      continue;
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + size), numbers);
    size += 8;
  }
  return size;
}
#else
constexpr auto bounded_avx2 = bounded_base;
#endif

}  // namespace detail

// What numpy.random.Generator.integers draws below a bound.
class BoundedDraws {
 public:
  BoundedDraws(Pcg64 words, u32 bound) : words_(words), bound_(bound) {}

  // times[i] += how often i is among the next `count` numbers.
  void count(std::size_t count, u8* times) {
    for (; count > size_ - at_; refill(times)) count -= size_ - at_;
    for (const std::size_t end = at_ + count; at_ < end; ++at_) ++times[numbers_[at_]];
  }

 private:
  // Counts the numbers that are left while it makes the words of the next.
  void refill(u8* times) {
    constexpr std::size_t kTogether = 2 * Pcg64::kLanes;
    words_.fill(buffer_.data(), kWords, [&, at = at_, end = size_]() mutable {
      if (at + kTogether > end) return;
      for (std::size_t k = 0; k < kTogether; ++k) ++times[numbers_[at + k]];
      at += kTogether;
    });
    for (at_ += (size_ - at_) / kTogether * kTogether; at_ < size_; ++at_) ++times[numbers_[at_]];
    const auto bounded = NLG_HAS_AVX2() ? detail::bounded_avx2 : detail::bounded_base;
    size_ = bounded(buffer_.data(), kWords, bound_, -bound_ % bound_, numbers_.data());
    at_ = 0;
  }
  static constexpr std::size_t kWords = 1024;
  Pcg64 words_;
  u32 bound_;
  std::array<u64, kWords> buffer_;
  std::array<u32, 2 * kWords + 8> numbers_;
  std::size_t at_ = 0, size_ = 0;
};

// totals[b] = Σ of as many rows as there are, drawn with replacement.
inline void bootstrap(const WeightedRows& rows, Pcg64 generator, std::size_t resamples, double* totals) {
  const std::size_t size = rows.size(), stride = rows.stride();
  std::fill_n(totals, resamples * rows.columns(), 0.0);
  if (size == 0) return;
  BoundedDraws draws(generator, static_cast<u32>(size));
  std::vector<Count> counts(kResamples * stride);
  std::vector<u8> times(stride);  // small, so that they stay in cache
  for (std::size_t b = 0; b < resamples; b += kResamples) {
    const std::size_t group = std::min(kResamples, resamples - b);
    for (std::size_t g = 0; g < group; ++g) {
      checkpoint(2 * size);
      std::fill(times.begin(), times.end(), 0);
      draws.count(size, times.data());
      std::copy(times.begin(), times.end(), counts.begin() + static_cast<std::ptrdiff_t>(g * stride));
    }
    rows.add(counts.data(), group, totals + b * rows.columns());
  }
}

// Counts of a Poisson distribution of mean 1, by the seed, the number of a row in the whole corpus
// and the number of a resample.
class PoissonCounts {
 public:
  explicit PoissonCounts(u64 seed) : seed_(mixed(seed)) {
    double probability = std::exp(-1.0), sum = 0;
    for (std::size_t k = 0; k < thresholds_.size(); ++k, probability /= static_cast<double>(k))
      thresholds_[k] = static_cast<u32>(std::min(4294967295.0, std::nearbyint(0x1p32 * (sum += probability))));
  }

  // Of the rows first, first + 1 ... in the resamples b and b + 1.
  void fill(u64 first, std::size_t size, std::size_t b, Count* even, Count* odd) const {
    const u64 stream = mixed(seed_ + b / 2);
    for (std::size_t i = 0; i < size; ++i) {
      const u64 word = mixed(stream ^ (first + i) * 0x9E3779B97F4A7C15ull);
      even[i] = count(static_cast<u32>(word));
      odd[i] = count(static_cast<u32>(word >> 32));
    }
  }

 private:
  static u64 mixed(u64 x) {  // the finaliser of SplitMix64 (Steele et al., 2014)
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
  }
  Count count(u32 draw) const {
    Count found = 0;
    for (std::size_t k = 0; k < 4; ++k) found = static_cast<Count>(found + (draw >= thresholds_[k]));
    if (found == 4)
      while (static_cast<std::size_t>(found) < thresholds_.size() && draw >= thresholds_[found]) ++found;
    return found;
  }
  u64 seed_;
  std::array<u32, 13> thresholds_;  // below the k-th: at most k
};

// Values on a grid of 2^-24, so that sums of counted rows are exact and parts may be added in any order.
inline double on_grid(double x) { return std::fabs(x) < 0x1p26 ? (x + 0x1.8p28) - 0x1.8p28 : x; }

// sums[b] += Σ_i (how often resample b has row first + i) * row i.
inline void add_poisson(const double* rows, std::size_t size, std::size_t columns, u64 first, u64 seed,
                        std::size_t resamples, double* sums) {
  constexpr std::size_t kTogether = 2048;  // rows whose counts stay in cache
  const PoissonCounts poisson(seed);
  std::vector<double> rounded;
  std::vector<Count> counts;
  for (std::size_t start = 0; start < size; start += kTogether) {
    const std::size_t part = std::min(kTogether, size - start);
    rounded.assign(rows + start * columns, rows + (start + part) * columns);
    for (double& x : rounded) x = on_grid(x);
    const WeightedRows weighted(rounded.data(), part, columns);
    const std::size_t stride = weighted.stride();
    for (std::size_t b = 0; b < resamples; b += kResamples) {
      counts.assign(kResamples * stride, 0);
      for (std::size_t g = 0; g < kResamples; g += 2)
        poisson.fill(first + start, part, b + g, &counts[g * stride], &counts[(g + 1) * stride]);
      weighted.add(counts.data(), std::min(kResamples, resamples - b), sums + b * columns);
    }
  }
}

}  // namespace nlg
