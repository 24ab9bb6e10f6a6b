// Kernels of kernels.cpp, and one that holds more than a register file, in C for clang's own GPU targets. The functions of
// OpenCL C that they use are spelled as the compiler's builtins, so that no device library has to be there. The logs
// beside this file are what these commands print (Debian's clang 16.0.6 and 19.1.7, ptxas 13.0.88):
//   clang-19 CLANG --target=amdgcn-amd-amdhsa -mcpu=gfx90a -c -Rpass-analysis=kernel-resource-usage    gfx90a.log
//   clang-16 CLANG --target=amdgcn-amd-amdhsa -mcpu=gfx1100 -c -Rpass-analysis=kernel-resource-usage   gfx1100.log
//   clang-19 CLANG --target=nvptx64-nvidia-cuda -Xclang -target-cpu -Xclang sm_80 -S -o builtin.ptx
//   ptxas -v -arch=sm_80 -maxrregcount=64 builtin.ptx                                                  sm_80.log
// with CLANG for: -x cl -cl-std=CL2.0 -O2 -nogpulib -fno-caret-diagnostics builtin.cl

typedef unsigned uint;

#ifdef __AMDGCN__
#define LOCAL_ID __builtin_amdgcn_workitem_id_x()
#define GROUP_ID __builtin_amdgcn_workgroup_id_x()
#define BARRIER                                          \
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); \
  __builtin_amdgcn_s_barrier();                          \
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup")
#else
#define LOCAL_ID __nvvm_read_ptx_sreg_tid_x()
#define GROUP_ID __nvvm_read_ptx_sreg_ctaid_x()
#define BARRIER __syncthreads()
#endif
#define GLOBAL_ID (256 * GROUP_ID + LOCAL_ID)
#define KERNEL __attribute__((reqd_work_group_size(256, 1, 1))) kernel void

KERNEL axpy(float a, global const float *x, global float *y) { y[GLOBAL_ID] += a * x[GLOBAL_ID]; }

KERNEL tile_1k(global const float *in, global float *out) {
  local float tile[256];
  tile[LOCAL_ID] = in[LOCAL_ID];
  BARRIER;
  out[GLOBAL_ID] = tile[255 - LOCAL_ID];
}

KERNEL bins_64(global const uint *in, global uint *out) {
  uint bins[64];
  for (int k = 0; k < 64; ++k) bins[k] = 0;
  for (int k = 0; k < 1000; ++k) ++bins[in[8192 * k + GLOBAL_ID] & 63];
  for (int k = 0; k < 64; ++k) out[8192 * k + GLOBAL_ID] = bins[k];
}

KERNEL wide(global const float *in, global float *out) {
  float held[150];
#pragma unroll
  for (int k = 0; k < 150; ++k) held[k] = in[8192 * k + GLOBAL_ID];
  BARRIER;
#pragma unroll
  for (int k = 0; k < 150; ++k) out[8192 * k + GLOBAL_ID] = held[149 - k] * held[k];
}
