// How many elements a vector has.
// Each namespace is one program; its comment says what f(a) returns for the arguments the test
// tries.
#include <utility>
#include <vector>

// f is 12
namespace the_size_of_a_vector {
int f(int a) {
  std::vector<int> v(12, a);
  v[0] = 3;
  int sum = 0;
  for (int x : v)
    sum += x;
  return v.size();
}
} // namespace the_size_of_a_vector

// f is 5
namespace vectors_of_lists {
int f(int a) {
  std::vector<int> v{a, 2, 3};
  std::vector<float> w = {1, 2};
  return v.size() + w.size();
}
} // namespace vectors_of_lists

// f returns 4
namespace a_vector_that_grows {
int f(int a) {
  std::vector<int> v(3);
  v.push_back(a);
  return v.size();
}
} // namespace a_vector_that_grows

// f returns 4
namespace a_vector_that_grows_elsewhere {
void grow(std::vector<int> &v) {
  v.push_back(3);
}
void pass(std::vector<int> &v) {
  grow(v);
}
int f(int a) {
  std::vector<int> v(3);
  pass(v);
  return v.size();
}
} // namespace a_vector_that_grows_elsewhere

// f is 6
namespace a_vector_that_is_only_read_elsewhere {
int sum(const std::vector<int> &v) {
  return v[0];
}
int pass(std::vector<int> &v) {
  v[0] = 3;
  return v.size() + sum(v);
}
int f(int a) {
  std::vector<int> v(6);
  pass(v);
  return v.size();
}
} // namespace a_vector_that_is_only_read_elsewhere

// f returns 0
namespace a_vector_by_another_name {
int f(int a) {
  std::vector<int> v(6);
  auto &w = v;
  w.clear();
  return v.size();
}
} // namespace a_vector_by_another_name

// f returns 2
namespace a_vector_made_from_iterators {
int f(int a) {
  std::vector<int> v{4, 5, 6};
  auto first = v.begin(), last = first + 2;
  std::vector<int> w(first, last);
  return w.size();
}
} // namespace a_vector_made_from_iterators

// f returns 1
namespace a_vector_that_a_lambda_changes {
int f(int a) {
  std::vector<int> v(6);
  auto shrink = [&] { v.resize(1); };
  shrink();
  return v.size();
}
} // namespace a_vector_that_a_lambda_changes

// f returns 0
namespace a_vector_that_is_moved_away {
int f(int a) {
  std::vector<int> v(6);
  std::vector<int> w = std::move(v);
  return v.size();
}
} // namespace a_vector_that_is_moved_away

// f is 14
namespace a_vector_handed_on {
int twice(const std::vector<float> &v) {
  return v.size() * 2;
}
int f(int a) {
  std::vector<float> v(7);
  return twice(v);
}
} // namespace a_vector_handed_on
