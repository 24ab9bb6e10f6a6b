// The kernels of kernels.cl, of which ocloc's reports are beside this file.
#include <sycl/sycl.hpp>

namespace syclex = sycl::ext::oneapi;

class bins_16;
class bins_32;
class bins_64;
class bins_128;
class bins_256;
class axpy;
class tile_1k;
class tile_40k;
class lines;
class rows;
class sums_96;
class sums_8;

void all_bins(sycl::queue &q, const unsigned *in, unsigned *out) {
  q.parallel_for<bins_16>(sycl::range<1>(8192), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    unsigned bins[16];
    for (int k = 0; k < 16; ++k) bins[k] = 0;
    for (int k = 0; k < 1000; ++k) ++bins[in[8192 * k + i] & 15];
    for (int k = 0; k < 16; ++k) out[8192 * k + i] = bins[k];
  });
  q.parallel_for<bins_32>(sycl::range<1>(8192), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    unsigned bins[32];
    for (int k = 0; k < 32; ++k) bins[k] = 0;
    for (int k = 0; k < 1000; ++k) ++bins[in[8192 * k + i] & 31];
    for (int k = 0; k < 32; ++k) out[8192 * k + i] = bins[k];
  });
  q.parallel_for<bins_64>(sycl::range<1>(8192), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    unsigned bins[64];
    for (int k = 0; k < 64; ++k) bins[k] = 0;
    for (int k = 0; k < 1000; ++k) ++bins[in[8192 * k + i] & 63];
    for (int k = 0; k < 64; ++k) out[8192 * k + i] = bins[k];
  });
  q.parallel_for<bins_128>(sycl::range<1>(8192), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    unsigned bins[128];
    for (int k = 0; k < 128; ++k) bins[k] = 0;
    for (int k = 0; k < 1000; ++k) ++bins[in[8192 * k + i] & 127];
    for (int k = 0; k < 128; ++k) out[8192 * k + i] = bins[k];
  });
  q.parallel_for<bins_256>(sycl::range<1>(8192), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    unsigned bins[256];
    for (int k = 0; k < 256; ++k) bins[k] = 0;
    for (int k = 0; k < 1000; ++k) ++bins[in[8192 * k + i] & 255];
    for (int k = 0; k < 256; ++k) out[8192 * k + i] = bins[k];
  });
}

void others(sycl::queue &q, float a, const float *in, float *out) {
  q.parallel_for<axpy>(sycl::nd_range<1>(1 << 20, 256),
                       [=](sycl::nd_item<1> it) { out[it.get_global_id(0)] += a * in[it.get_global_id(0)]; });
  q.parallel_for<tile_1k>(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    auto &tile = *syclex::group_local_memory_for_overwrite<float[256]>(it.get_group());
    tile[it.get_local_id(0)] = in[it.get_local_id(0)];
    sycl::group_barrier(it.get_group());
    out[it.get_global_id(0)] = tile[255 - it.get_local_id(0)];
  });
  q.parallel_for<tile_40k>(sycl::nd_range<1>(1 << 20, 256), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    auto &tile = *syclex::group_local_memory_for_overwrite<float[10240]>(it.get_group());
    for (size_t k = it.get_local_id(0); k < 10240; k += 256) tile[k] = in[k];
    sycl::group_barrier(it.get_group());
    out[it.get_global_id(0)] = tile[10239 - it.get_local_id(0)];
  });
  q.submit([&](sycl::handler &h) {
    sycl::local_accessor<float, 1> line(512, h);
    h.parallel_for<lines>(sycl::nd_range<1>(1 << 20, 512), [=](sycl::nd_item<1> it) {
      line[it.get_local_id(0)] = in[it.get_global_id(0)];
      sycl::group_barrier(it.get_group());
      out[it.get_global_id(0)] = line[511 - it.get_local_id(0)];
    });
  });
  q.parallel_for<rows>(sycl::range<1>(8192), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(16)]] {
    float row[64];
    for (int k = 0; k < 64; ++k) row[k] = in[8192 * k + i];
    for (int k = 0; k < 64; ++k) out[8192 * k + i] = row[63 - k] * row[k];
  });
}

void sums(sycl::queue &q, const float *in, float *out) {
  q.parallel_for<sums_96>(sycl::range<1>(8192), [=](sycl::id<1> i) [[sycl::reqd_sub_group_size(32)]] {
    float sums[96];
#pragma unroll
    for (int k = 0; k < 96; ++k) sums[k] = 0;
    for (int n = 0; n < 1000; ++n) {
#pragma unroll
      for (int k = 0; k < 96; ++k) sums[k] += in[8192 * n + i + k] * in[8192 * n + k];
    }
#pragma unroll
    for (int k = 0; k < 96; ++k) out[8192 * k + i] = sums[k];
  });
  // More work-items than a work-group of tgl may have: what the compiler reports does not depend on that.
  q.parallel_for<sums_8>(sycl::nd_range<1>(704 * 4096, 704), [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(16)]] {
    auto &tile = *syclex::group_local_memory_for_overwrite<float[8192]>(it.get_group());
    float sums[8];
    size_t l = it.get_local_id(0);
#pragma unroll
    for (int k = 0; k < 8; ++k) sums[k] = 0;
    for (unsigned n = 0; n < 1000; ++n) {
      for (size_t k = l; k < 8192; k += 704) tile[k] = in[8192 * n + k];
      sycl::group_barrier(it.get_group());
#pragma unroll
      for (int k = 0; k < 8; ++k) sums[k] += tile[1024 * k + (l ^ 1)];
      sycl::group_barrier(it.get_group());
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) out[8192 * k + it.get_global_id(0)] = sums[k];
  });
}
