// Group functions over the work-group, one for each kernel, in OpenCL C 2.0: the local memory that the compiler adds for them.
// collectives.csv beside this file is what ocloc of Debian's intel-opencl-icd 22.43.24595.41 (IGC 1.0.12504) reports of it:
//   ocloc compile -file collectives.cl -device NAME -options -cl-std=CL2.0 -internal_options -cl-intel-allow-zebin
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
kernel void reduce_add(global float *x) { x[get_global_id(0)] = work_group_reduce_add(x[get_global_id(0)]); }
kernel void reduce_add_long(global long *x) { x[get_global_id(0)] = work_group_reduce_add(x[get_global_id(0)]); }
kernel void reduce_max(global int *x) { x[get_global_id(0)] = work_group_reduce_max(x[get_global_id(0)]); }
kernel void scan_inc(global float *x) { x[get_global_id(0)] = work_group_scan_inclusive_add(x[get_global_id(0)]); }
kernel void scan_exc(global float *x) { x[get_global_id(0)] = work_group_scan_exclusive_add(x[get_global_id(0)]); }
kernel void scan_exc_long(global long *x) { x[get_global_id(0)] = work_group_scan_exclusive_add(x[get_global_id(0)]); }
kernel void bcast(global float *x) { x[get_global_id(0)] = work_group_broadcast(x[get_global_id(0)], 0); }
kernel void any_of(global int *x) { x[get_global_id(0)] = work_group_any(x[get_global_id(0)]); }
kernel void all_of(global int *x) { x[get_global_id(0)] = work_group_all(x[get_global_id(0)]); }
kernel void reduce_twice(global float *x) { x[get_global_id(0)] = work_group_reduce_add(x[get_global_id(0)]); x[get_global_id(0)] = work_group_reduce_max(x[get_global_id(0)]);}
kernel void own_and_reduce(global float *x) { local float t[256]; t[get_local_id(0)]=x[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE); x[get_global_id(0)] = work_group_reduce_add(t[255-get_local_id(0)]); }
kernel void only_barrier(global float *x) { x[get_global_id(0)] = 1; barrier(CLK_LOCAL_MEM_FENCE); }
kernel void sub_reduce(global float *x) { x[get_global_id(0)] = sub_group_reduce_add(x[get_global_id(0)]); }
