// The kernels of kernels.cpp in OpenCL C, which ocloc compiles without a SYCL compiler. The .zeinfo files beside this
// one were recorded from it with ocloc of Debian's intel-opencl-icd 22.43.24595.41 (IGC 1.0.12504):
//   ocloc compile -file kernels.cl -device tgllp|acm-g10|pvc -internal_options -cl-intel-allow-zebin
// and hold the section .ze_info of the binary without its kernels_misc_info.

#define SIMD16 __attribute__((intel_reqd_sub_group_size(16)))
#define SIMD32 __attribute__((intel_reqd_sub_group_size(32)))
#define UNROLL __attribute__((opencl_unroll_hint))

#define BINS(name, count)                                                   \
  SIMD16 kernel void name(global const uint *in, global uint *out) {        \
    uint bins[count];                                                       \
    size_t i = get_global_id(0);                                            \
    for (int k = 0; k < count; ++k) bins[k] = 0;                            \
    for (int k = 0; k < 1000; ++k) ++bins[in[8192 * k + i] & (count - 1)];  \
    for (int k = 0; k < count; ++k) out[8192 * k + i] = bins[k];            \
  }

BINS(bins_16, 16)
BINS(bins_32, 32)
BINS(bins_64, 64)
BINS(bins_128, 128)
BINS(bins_256, 256)

kernel void axpy(float a, global const float *x, global float *y) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}

#define TILE(name, count)                                        \
  SIMD16 kernel void name(global const float *in, global float *out) { \
    local float tile[count];                                     \
    uint l = get_local_id(0);                                    \
    for (uint k = l; k < count; k += get_local_size(0)) tile[k] = in[k]; \
    barrier(CLK_LOCAL_MEM_FENCE);                                \
    out[get_global_id(0)] = tile[count - 1 - l];                 \
  }

TILE(tile_1k, 256)
TILE(tile_40k, 10240)

kernel void lines(global const float *in, global float *out, local float *line) {
  uint l = get_local_id(0);
  line[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = line[get_local_size(0) - 1 - l];
}

SIMD16 kernel void rows(global const float *in, global float *out) {
  float row[64];
  size_t i = get_global_id(0);
  for (int k = 0; k < 64; ++k) row[k] = in[8192 * k + i];
  for (int k = 0; k < 64; ++k) out[8192 * k + i] = row[63 - k] * row[k];
}

SIMD32 kernel void sums_96(global const float *in, global float *out) {
  float sums[96];
  size_t i = get_global_id(0);
  UNROLL for (int k = 0; k < 96; ++k) sums[k] = 0;
  for (int n = 0; n < 1000; ++n) {
    UNROLL for (int k = 0; k < 96; ++k) sums[k] += in[8192 * n + i + k] * in[8192 * n + k];
  }
  UNROLL for (int k = 0; k < 96; ++k) out[8192 * k + i] = sums[k];
}

SIMD16 kernel void sums_8(global const float *in, global float *out) {
  local float tile[8192];
  float sums[8];
  uint l = get_local_id(0);
  UNROLL for (int k = 0; k < 8; ++k) sums[k] = 0;
  for (uint n = 0; n < 1000; ++n) {
    for (uint k = l; k < 8192; k += get_local_size(0)) tile[k] = in[8192 * n + k];
    barrier(CLK_LOCAL_MEM_FENCE);
    UNROLL for (int k = 0; k < 8; ++k) sums[k] += tile[1024 * k + (l ^ 1)];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  UNROLL for (int k = 0; k < 8; ++k) out[8192 * k + get_global_id(0)] = sums[k];
}
