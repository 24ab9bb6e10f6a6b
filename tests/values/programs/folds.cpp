// Folds over packs of values, literals of the project, limits of types.
#include <cstddef>
#include <cstdint>
#include <limits>

// f is 64
namespace product_of_a_pack {
template <int... N> constexpr int product() { return (N * ...); }
int f(int a) { return product<4, 2, 8>(); }
} // namespace product_of_a_pack

// f is -4
namespace right_fold_of_differences {
template <int... N> constexpr int d() { return (N - ...); }
int f(int a) { return d<1, 2, 3>() * -2; }
} // namespace right_fold_of_differences

// f is -8
namespace left_fold_of_differences {
template <int... N> constexpr int d() { return (... - N); }
int f(int a) { return d<1, 2, 3>() * 2; }
} // namespace left_fold_of_differences

// f is 94
namespace left_fold_from_a_value {
template <int... N> constexpr int d() { return (100 - ... - N); }
int f(int a) { return d<1, 2, 3>(); }
} // namespace left_fold_from_a_value

// f is -98
namespace right_fold_to_a_value {
template <int... N> constexpr int d() { return (N - ... - 100); }
int f(int a) { return d<1, 2, 3>(); }
} // namespace right_fold_to_a_value

// f is 7
namespace fold_of_nothing {
template <int... N> constexpr int d() { return (N + ... + 7); }
int f(int a) { return d<>(); }
} // namespace fold_of_nothing

// f is 74
namespace fold_in_a_class {
template <size_t... D> struct Shape {
  static constexpr size_t size = (D * ... * 1);
  static constexpr size_t rank = sizeof...(D);
};
int f(int a) { return Shape<2, 4, 8, 1>::size + Shape<1, 2>::rank * 5; }
} // namespace fold_in_a_class

// f is 5
namespace fold_of_a_pattern {
template <int... N> constexpr int d() { return ((N * 2 - 1) + ...); }
int f(int a) { return d<1, 2, 3>() > 8 ? 5 : 0; }
} // namespace fold_of_a_pattern

// f is 1
namespace fold_of_truth {
template <int... N> constexpr bool d() { return ((N > 2) || ...); }
int f(int a) { return d<1, 2, 3>(); }
} // namespace fold_of_truth

// f returns 5, 6
namespace fold_of_arguments {
template <class... A> int sum(A... a) { return (a + ...); }
int f(int a) { return sum(1, 2, a > 3 ? 2 : 3); }
} // namespace fold_of_arguments

// f is 3
namespace length_of_a_pack {
template <class... T> constexpr int count() { return sizeof...(T); }
int f(int a) { return count<int, char, float>(); }
} // namespace length_of_a_pack

// f is 8192
namespace literal_of_the_project {
constexpr size_t operator""_K(unsigned long long x) { return x * 1024; }
int f(int a) { return 8_K; }
} // namespace literal_of_the_project

// f is 96
namespace literal_in_a_product {
constexpr unsigned long long operator"" _wi(unsigned long long x) { return x; }
int f(int a) { return 0x20_wi * 3; }
} // namespace literal_in_a_product

// f is 65535
namespace limit_of_a_type {
int f(int a) { return std::numeric_limits<unsigned short>::max(); }
} // namespace limit_of_a_type

// f is 255
namespace limits_of_a_parameter {
template <class T> int width() { return std::numeric_limits<T>::max() - std::numeric_limits<T>::min() - std::numeric_limits<T>::lowest(); }
int f(int a) { return width<std::int8_t>() + width<uint8_t>() - 510 + 255 - 128; }
} // namespace limits_of_a_parameter
