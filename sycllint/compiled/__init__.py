"""What compilers report of the kernels they made: binaries and logs in, ``CompiledKernel`` records out."""
