// Prints what each set of float kernels computes on fixed inputs, as a hash of its bits. `make check-aarch64` runs
// this for the processor at hand and, by qemu, for ARM: all but the portable kernels must print the same.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "vectors/floats.hpp"

namespace {

class Numbers {
 public:
  // Between -2 and 2, the same on every machine.
  float next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(static_cast<std::int32_t>(state_ >> 32)) / (1u << 30);
  }
  std::vector<float> many(std::size_t size) {
    std::vector<float> found(size);
    for (float& x : found) x = next();
    return found;
  }

 private:
  std::uint64_t state_ = 1;
};

std::uint64_t hash(const std::vector<float>& x, std::uint64_t seed) {
  for (const float number : x) {
    std::uint32_t bits;
    std::memcpy(&bits, &number, sizeof bits);
    seed = (seed ^ bits) * 1099511628211u;
  }
  return seed;
}

std::uint64_t bits(const nlg::FloatKernels& run) {
  Numbers numbers;
  std::uint64_t found = 14695981039346656037u;
  for (const std::size_t rows : {1, 5, 17, 40})
    for (const std::size_t outputs : {16, 48, 96}) {
      const std::size_t depth = 7 * rows + 3;
      const auto x = numbers.many(rows * depth), weight = numbers.many(outputs * depth), bias = numbers.many(outputs);
      std::vector<float> y(rows * outputs);
      nlg::Panels panels;
      panels.fill(run, weight.data(), depth, outputs, depth);
      panels.multiply(run, x.data(), depth, rows, bias.data(), y.data(), outputs, false);
      found = hash(y, found);
      run.gelu(y.data(), y.size());
      found = hash(y, found);
      run.layer_norm(y.data(), outputs, bias.data(), bias.data(), 1e-5f);
      found = hash(y, found);
      for (std::size_t r = 0; r < rows; ++r) run.softmax(y.data() + r * outputs, outputs - r % 16, 3.f);
      found = hash(y, found);
    }
  const auto gates = numbers.many(4 * 48);
  auto memory = numbers.many(48);
  std::vector<float> output(48);
  run.remember(gates.data(), memory.data(), output.data(), 48);
  return hash(output, hash(memory, found));
}

}  // namespace

int main() {
  for (const nlg::FloatKernels* run : nlg::available_kernels())
    if (std::string(run->name) != "portable")
      std::printf("%s %016llx\n", run->name, static_cast<unsigned long long>(bits(*run)));
}
